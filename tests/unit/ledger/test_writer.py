"""Logs on a real disk: torn lines, two writers, a writer that is killed, other content."""

from __future__ import annotations

import errno
import os
import signal
import stat
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from schemas.errors import Conflict, InputError
from services.ledger.log_file import OtherLog
from services.ledger.writer import LogWriter, write_atomically

LINES = [b'{"line":%d,"text":"%s"}' % (place, b"x" * place) for place in range(12)]
TEXT = b"".join(line + b"\n" for line in LINES)


def writer(folder: Path) -> LogWriter:
    log = LogWriter(folder / "logs", "T7")
    assert log.try_acquire()
    return log


def written(folder: Path, shoe: int = 12) -> bytes:
    return (folder / "logs" / "T7" / f"{shoe}.jsonl").read_bytes()


def put(folder: Path, data: bytes, shoe: int = 12) -> None:
    path = folder / "logs" / "T7" / f"{shoe}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def test_lines_are_written_as_they_are(tmp_path: Path) -> None:
    log = writer(tmp_path)
    assert log.path(12) == tmp_path / "logs" / "T7" / "12.jsonl"
    log.append(12, LINES[:5])
    log.append(12, [])
    log.append(12, LINES[5:])
    log.sync()
    log.finish()
    log.close()
    assert written(tmp_path) == TEXT


def test_each_shoe_has_its_file(tmp_path: Path) -> None:
    log = writer(tmp_path)
    log.append(12, LINES)
    log.append(13, LINES[:3])
    log.finish()
    assert written(tmp_path) == TEXT
    assert written(tmp_path, 13) == b"".join(line + b"\n" for line in LINES[:3])


@pytest.mark.parametrize("cut", range(len(TEXT) + 1))
def test_a_log_torn_at_any_byte_is_gone_on_from_its_last_whole_line(
    tmp_path: Path, cut: int
) -> None:
    put(tmp_path, TEXT[:cut])
    log = writer(tmp_path)
    log.append(12, LINES[:1])
    kept = TEXT[:cut].rfind(b"\n") + 1
    assert written(tmp_path) == TEXT[: max(kept, len(LINES[0]) + 1)]
    log.append(12, LINES[1:])
    log.finish()
    assert written(tmp_path) == TEXT


def test_a_torn_line_longer_than_a_block_is_cut_whole(tmp_path: Path) -> None:
    put(tmp_path, LINES[0] + b"\n" + b"y" * 200_000)
    log = writer(tmp_path)
    log.append(12, LINES[:2])
    assert written(tmp_path) == LINES[0] + b"\n" + LINES[1] + b"\n"
    put(tmp_path, b"y" * 200_000, shoe=13)
    log.append(13, LINES[:1])
    assert written(tmp_path, 13) == LINES[0] + b"\n"


@pytest.mark.parametrize("batch", [1, 2, 5, 12])
def test_saying_all_again_changes_nothing(tmp_path: Path, batch: int) -> None:
    put(tmp_path, TEXT)
    log = writer(tmp_path)
    for start in range(0, len(LINES), batch):
        log.append(12, LINES[start : start + batch])
        assert written(tmp_path) == TEXT
    log.append(12, [b"more"])
    assert written(tmp_path) == TEXT + b"more\n"


@pytest.mark.parametrize("place", range(len(LINES)))
@pytest.mark.parametrize("batch", [1, 5, 12])
def test_other_content_is_refused_and_named(tmp_path: Path, place: int, batch: int) -> None:
    other = [*LINES]
    other[place] = other[place].replace(b"line", b"Line")
    put(tmp_path, b"".join(line + b"\n" for line in other))
    log = writer(tmp_path)
    first = place // batch * batch
    for start in range(0, first, batch):
        log.append(12, LINES[start : start + batch])
    for kind in (OtherLog, Conflict, InputError):
        with pytest.raises(kind, match=rf"12\.jsonl, line {place + 1}: another line stands here"):
            log.append(12, LINES[first : first + batch])
    assert written(tmp_path) == b"".join(line + b"\n" for line in other)


@pytest.mark.parametrize("other", [LINES[3] + b" ", LINES[3][:-1], b"", LINES[4]])
def test_a_line_that_only_begins_like_ours_is_another(tmp_path: Path, other: bytes) -> None:
    put(tmp_path, b"".join(line + b"\n" for line in [*LINES[:3], other, *LINES[4:]]))
    log = writer(tmp_path)
    with pytest.raises(OtherLog, match=r"line 4: another line stands here"):
        log.append(12, LINES)


def test_a_log_with_more_lines_than_were_said(tmp_path: Path) -> None:
    put(tmp_path, TEXT)
    log = writer(tmp_path)
    log.append(12, LINES[:4])
    with pytest.raises(OtherLog, match=r"line 5: the log goes on"):
        log.finish()
    with pytest.raises(OtherLog, match=r"line 5: the log goes on"):
        log.append(13, LINES)


def test_an_entry_with_a_line_break_is_no_line(tmp_path: Path) -> None:
    log = writer(tmp_path)
    log.append(12, LINES[:1])
    with pytest.raises(InputError, match="line break"):
        log.append(12, [LINES[1], b"{\n}"])
    assert written(tmp_path) == LINES[0] + b"\n"


@pytest.mark.parametrize("table", ["../T7", "", ".", "T 7", "T7/x"])
def test_a_table_that_would_lie_elsewhere(tmp_path: Path, table: str) -> None:
    with pytest.raises(InputError):
        LogWriter(tmp_path, table)


def test_nothing_is_made_before_the_lock_is_taken(tmp_path: Path) -> None:
    log = LogWriter(tmp_path / "logs", "T7")
    with pytest.raises(AssertionError):
        log.append(12, LINES)
    log.close()
    assert list(tmp_path.iterdir()) == []


def test_one_writer_a_table(tmp_path: Path) -> None:
    first, second = writer(tmp_path), LogWriter(tmp_path / "logs", "T7")
    assert first.try_acquire()
    assert not second.try_acquire()
    assert LogWriter(tmp_path / "logs", "T8").try_acquire()
    first.append(12, LINES)
    first.close()
    assert second.try_acquire()
    second.append(12, LINES)
    assert written(tmp_path) == TEXT


def test_what_could_not_be_written_whole_is_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = writer(tmp_path)
    log.append(12, LINES[:3])
    before = written(tmp_path)
    really = os.write

    def full(file: int, data: bytes) -> int:
        if len(data) < 20:
            raise OSError(errno.ENOSPC, "No space left on device")
        return really(file, data[:10])

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        with pytest.raises(OSError, match="No space"):
            log.append(12, LINES[3:])
        assert written(tmp_path) == before
        # Nor where taking back has to wait.
        patch.setattr(os, "ftruncate", lambda *_: full(0, b""))
        with pytest.raises(OSError, match="No space"):
            log.append(12, LINES[3:])
        assert written(tmp_path) != before
    log.append(12, LINES[3:])
    log.finish()
    assert written(tmp_path) == TEXT


def test_partial_writes_are_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    really = os.write
    monkeypatch.setattr(os, "write", lambda file, data: really(file, data[:7]))
    log = writer(tmp_path)
    log.append(12, LINES)
    assert written(tmp_path) == TEXT


def test_lines_that_were_only_compared_are_synced_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path, TEXT)
    synced: list[str] = []
    really = os.fsync

    def fsync(file: int) -> None:
        synced.append(Path(f"/proc/self/fd/{file}").resolve().name)
        really(file)

    monkeypatch.setattr(os, "fsync", fsync)
    log = writer(tmp_path)
    synced.clear()
    log.append(12, LINES[:2])
    log.sync()
    assert synced == ["12.jsonl", "T7"]
    log.sync()
    assert synced == ["12.jsonl", "T7"]
    log.append(12, LINES[2:])
    log.sync()
    assert synced == ["12.jsonl", "T7", "12.jsonl"]


def test_a_disk_that_failed_once_is_not_believed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_file: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    log = writer(tmp_path)
    log.append(12, LINES)
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", broken)
        with pytest.raises(OSError, match="Input/output"):
            log.sync()
    with pytest.raises(InputError, match="could not be brought to the disk"):
        log.sync()


WRITES = textwrap.dedent(
    """
    import sys
    from pathlib import Path
    from services.ledger.writer import LogWriter

    log = LogWriter(Path(sys.argv[1]), "T7")
    assert log.try_acquire()
    for start in range(0, 100_000, 7):
        numbers = range(start, start + 7)
        log.append(12, [b'{"n":%d,"text":"%s"}' % (n, b"z" * 300) for n in numbers])
        if start % 70 == 0:
            log.sync()
            print(start + 7, flush=True)
    """
)


@pytest.mark.faults
def test_a_writer_that_is_killed_leaves_a_log_that_the_next_one_goes_on_with(
    tmp_path: Path,
) -> None:
    def line(number: int) -> bytes:
        return b'{"n":%d,"text":"%s"}' % (number, b"z" * 300)

    whole: list[bytes] = []
    for _ in range(6):
        child = subprocess.Popen(
            [sys.executable, "-c", WRITES, str(tmp_path / "logs")], stdout=subprocess.PIPE
        )
        assert child.stdout is not None
        synced = 0
        for _ in range(3):
            synced = int(child.stdout.readline())
        time.sleep(0.003)
        child.send_signal(signal.SIGKILL)
        child.wait()
        child.stdout.close()
        left = written(tmp_path)
        whole = left[: left.rfind(b"\n") + 1].splitlines()
        assert len(whole) >= synced
        assert whole == [line(number) for number in range(len(whole))]
    # The lock went with its holder.
    log = writer(tmp_path)
    size = len(whole) + 10
    log.append(12, [line(number) for number in range(size)])
    log.finish()
    assert written(tmp_path) == b"".join(line(number) + b"\n" for number in range(size))


def test_a_file_is_put_in_place_whole(tmp_path: Path) -> None:
    path = tmp_path / "12.audit.json"
    write_atomically(path, b"one")
    write_atomically(path, b"two")
    assert path.read_bytes() == b"two"
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    assert list(tmp_path.iterdir()) == [path]


def test_what_fails_in_between_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "12.audit.json"
    write_atomically(path, b"one")

    def broken(_file: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "fsync", broken)
    with pytest.raises(OSError, match="Input/output"):
        write_atomically(path, b"two")
    assert path.read_bytes() == b"one"
    assert list(tmp_path.iterdir()) == [path]
