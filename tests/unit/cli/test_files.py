"""What commands say of files that they cannot read or write."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING

import pytest

from schemas.errors import InputError, cannot_read
from services.cli.files import (
    cannot_write,
    check_free,
    log_paths,
    text_of,
    whole_lines,
)

if TYPE_CHECKING:
    from pathlib import Path


def test_a_place_for_a_file(tmp_path: Path) -> None:
    there = tmp_path / "there"
    there.write_text("x")
    check_free(tmp_path / "new", force=False)
    check_free(there, force=True)
    for path, says in (
        (tmp_path, "this is a folder; name a file in it"),
        (tmp_path / "no" / "file", "there is no such folder; make it, or name another"),
        (there / "file", "there is no such folder; make it, or name another"),
        (there, "this file is there already; name another, or say --force"),
    ):
        with pytest.raises(InputError, match=says):
            check_free(path, force=False)


def test_a_text(tmp_path: Path) -> None:
    (tmp_path / "bets").write_bytes(b"a\xff\n")
    assert text_of(tmp_path / "bets") == "a�\n"
    for path, says in ((tmp_path, "this is no file"), (tmp_path / "x", "there is no such file")):
        with pytest.raises(InputError, match=f"{path.name}: {says}; name a text file of bets"):
            text_of(path, "a text file of bets")


def test_lines_that_are_whole(tmp_path: Path) -> None:
    log = tmp_path / "1.jsonl"
    log.write_bytes(b"one\n\ntwo\ntor")
    assert whole_lines(log) == [b"one", b"", b"two"]
    with pytest.raises(InputError, match=r"2\.jsonl: there is no such file"):
        whole_lines(tmp_path / "2.jsonl")


def test_where_logs_are(tmp_path: Path) -> None:
    assert log_paths([str(tmp_path)]) == [tmp_path]
    with pytest.raises(InputError, match="an empty path; name logs, or folders of logs"):
        log_paths([str(tmp_path), ""])


def test_troubles() -> None:
    denied = OSError(errno.EACCES, "Permission denied")
    assert str(cannot_read("x", denied)) == (
        "x: cannot be read (permission denied); look at its permissions"
    )
    away = FileNotFoundError(errno.ENOENT, "No such file or directory")
    assert str(cannot_read("x", away)) == "x: there is no such file; name one that is there"
    assert str(cannot_write("x", denied)) == "x: cannot be written (permission denied)"
    assert str(cannot_write("x", OSError(), "mend")) == (
        "x: cannot be written (no reason given); mend"
    )
