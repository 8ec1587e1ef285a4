"""Old shoes from logs: only files of the folder, each folded once, again where it changed."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING, cast

import msgspec
import pytest

from services.dashboard.web.archive import Archive
from services.dashboard.web.log_folder import LogFolder
from services.dashboard.web.respond import Refusal
from tests.unit.dashboard.board_streams import LOGS

if TYPE_CHECKING:
    from pathlib import Path

    from services.dashboard.web.log_folder import Kind
    from services.dashboard.web.ports import Board


class _Shoe(msgspec.Struct):
    table: str
    shoe: int


class _View(msgspec.Struct):
    shoe: _Shoe | None


class _Fake:
    def __init__(self, table: str, shoe: int) -> None:
        self._shown = _View(_Shoe(table, shoe))

    def whole(self) -> _View:
        return self._shown


class _Folds:
    """Counts how often it is asked to fold; says what it was given."""

    def __init__(self) -> None:
        self.given: list[tuple[object, ...]] = []

    def __call__(self, table: str, shoe: int, log: bytes, *beside: bytes | None) -> Board:
        self.given.append((table, shoe, log, *beside))
        return cast("Board", _Fake("T8" if log == b"other" else table, shoe))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    home = tmp_path / "logs"
    for name in ("T7", "T8"):
        (home / name).mkdir(parents=True)
    for shoe in (1, 2, 10):
        (home / "T7" / f"{shoe}.jsonl").write_bytes(b"log %d\n" % shoe)
    (home / "T7" / "2.audit.json").write_bytes(b'{"shoes": 1, "verdict": "fail"}')
    (home / "T7" / "2.verdicts.jsonl").write_bytes(b"no verdict\n")
    (home / "T7" / "disputes.jsonl").write_bytes(b"no dispute\n")
    for name in ("2.live.jsonl", "03.jsonl", "x.jsonl"):
        (home / "T7" / name).write_bytes(b"no log of a shoe\n")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "1.jsonl").write_bytes(b"secret\n")
    return home


def test_shoes_are_those_with_logs(folder: Path) -> None:
    files = LogFolder(folder)
    assert files.shoes("T7") == [10, 2, 1]
    assert files.shoes("T8") == []
    for name in ("..", ".", "", "../outside", "T7/..", "T7\0", "/etc", "T9"):
        assert files.shoes(name) == []


@pytest.mark.parametrize(
    ("table", "shoe"),
    [("..", 1), ("../outside", 1), ("T7/../../outside", 1), ("", 1), ("T7", 0), ("T7", 2**53)],
)
def test_names_lead_nowhere_else(folder: Path, table: str, shoe: int) -> None:
    assert LogFolder(folder).seen(table, shoe, "log") is None


def test_links_lead_nowhere_else(folder: Path) -> None:
    outside = folder.parent / "outside"
    (folder / "T7" / "20.jsonl").symlink_to(outside / "1.jsonl")
    (folder / "OUT").symlink_to(outside)
    (folder / "T7" / "21.jsonl").symlink_to(folder / "T7" / "21.jsonl")
    (folder / "T7" / "22.jsonl").symlink_to(folder / "T7" / "1.jsonl")
    files = LogFolder(folder)
    assert files.seen("T7", 20, "log") is None
    assert files.seen("OUT", 1, "log") is None
    assert files.seen("T7", 21, "log") is None
    within = files.seen("T7", 22, "log")
    assert within is not None
    assert files.read(within) == b"log 1\n"


def test_what_is_no_file_is_not_waited_for(folder: Path) -> None:
    os.mkfifo(folder / "T7" / "30.jsonl")
    (folder / "T7" / "31.jsonl").mkdir()
    files = LogFolder(folder)
    assert files.seen("T7", 30, "log") is None
    assert files.seen("T7", 31, "log") is None


def test_a_growing_file_is_read_as_far_as_it_was_seen(folder: Path) -> None:
    files = LogFolder(folder)
    seen = files.seen("T7", 1, "log")
    assert seen is not None
    with (folder / "T7" / "1.jsonl").open("ab") as file:
        file.write(b"more\n")
    assert files.read(seen) == b"log 1\n"
    again = files.seen("T7", 1, "log")
    assert again is not None
    assert again.tag != seen.tag


@pytest.mark.parametrize("kind", ["log", "checkpoint", "audit"])
def test_a_folder_that_is_not_there_has_nothing(tmp_path: Path, kind: Kind) -> None:
    files = LogFolder(tmp_path / "none")
    assert files.shoes("T7") == []
    assert files.seen("T7", 1, kind) is None


def test_a_shoe_is_folded_once_until_its_files_change(folder: Path) -> None:
    folds = _Folds()
    archive = Archive(folder, folds)

    async def asked() -> None:
        first, second = await asyncio.gather(archive.shoe("T7", 2), archive.shoe("T7", 2))
        assert first is second is not None
        assert await archive.shoe("T7", 2) is first
        beside = b'{"shoes": 1, "verdict": "fail"}', b"no verdict\n", b"no dispute\n"
        assert folds.given == [("T7", 2, b"log 2\n", *beside)]
        (folder / "T7" / "2.audit.json").write_bytes(b'{"verdict": "pass"}')
        assert await archive.shoe("T7", 2) is not first
        assert len(folds.given) == 2
        assert await archive.shoe("T7", 3) is None

    asyncio.run(asked())


def test_only_a_few_are_kept(folder: Path) -> None:
    folds = _Folds()
    archive = Archive(folder, folds)
    for shoe in range(100, 120):
        (folder / "T7" / f"{shoe}.jsonl").write_bytes(b"%d\n" % shoe)

    async def asked() -> None:
        for _ in range(2):
            for shoe in range(100, 120):
                assert await archive.shoe("T7", shoe) is not None

    asyncio.run(asked())
    assert len(folds.given) == 40
    assert len(archive._kept) <= 8
    assert not archive._folding


def test_a_log_of_another_shoe_is_not_shown(folder: Path) -> None:
    (folder / "T7" / "5.jsonl").write_bytes(b"other")
    with pytest.raises(Refusal) as refused:
        asyncio.run(Archive(folder, _Folds()).shoe("T7", 5))
    assert refused.value.status == 404


def test_committed_logs_are_found() -> None:
    assert LogFolder(LOGS).shoes("CLEAN") == [1]
