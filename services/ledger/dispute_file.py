"""A table's disputes on the disk: ``disputes.jsonl``, one writer at a time by a lock beside it.

It compares and appends whole lines; what they say is not its business.
"""

from __future__ import annotations

import fcntl
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from schemas.address import checked_name
from schemas.errors import InputError, why_not
from services.ledger.disk import make_folder
from services.ledger.disputes import DisputeBook
from services.ledger.log_file import LogFile

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

NAME: Final = "disputes.jsonl"
CHECKPOINT: Final = "disputes.checkpoint"
_LOCK: Final = ".disputes.lock"
#: A larger file is none of ours: no table has a million disputes.
_LARGEST: Final = 1 << 30


class Busy(InputError):
    """Another desk is writing this table's disputes right now."""


def read_lines(folder: Path) -> list[bytes]:
    """Read the whole lines of a table's disputes; none where there is no file.

    A torn last line was never said: who writes next takes it away.
    """
    path = folder / NAME
    try:
        if path.stat().st_size > _LARGEST:
            raise InputError("larger than a record of disputes can be", str(path))
        return path.read_bytes().split(b"\n")[:-1]
    except FileNotFoundError:
        return []
    except OSError as trouble:
        raise _cannot(path, trouble) from None


def read_book(folder: Path, table: str) -> DisputeBook:
    """Fold a table's file; raises ``InputError`` where a line is not as it has to be."""
    book = DisputeBook(table)
    book.extend(read_lines(folder), str(folder / NAME))
    return book


class DisputeFile:
    """The file in the hands of its one writer."""

    def __init__(self, folder: Path) -> None:
        """Read it; it is made when there is a first line."""
        self.path = folder / NAME
        self.lines = read_lines(folder)
        self._log: LogFile | None = None

    def append(self, lines: Sequence[bytes]) -> None:
        """Write lines and return when they, and those before, are on the disk.

        A torn last line is cut first.
        """
        if self._log is None:
            self._log = LogFile(0, self.path)
            self._log.append(self.lines)
        self._log.append(lines)
        self._log.sync()
        self.lines += lines

    def close(self) -> None:
        """Let go of the file."""
        if self._log is not None:
            self._log.close()


@contextmanager
def hands_on(log_dir: Path, table: str) -> Iterator[DisputeFile]:
    """Be the one writer of a table's disputes for the block; ``Busy`` while another one is."""
    folder = log_dir / checked_name(table, "table")
    make_folder(folder)
    with locked(folder):
        file = DisputeFile(folder)
        try:
            yield file
        finally:
            file.close()


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep desks from writing while the block runs; ``Busy`` while one does."""
    path = folder / _LOCK
    try:
        lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as trouble:
        raise _cannot(path, trouble) from None
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            mend = "try again in a moment"
            raise Busy("another desk is writing this table's disputes", str(folder), mend) from None
        yield
    finally:
        os.close(lock)


def _cannot(path: Path, trouble: OSError) -> InputError:
    why = why_not(trouble)
    return InputError(f"cannot be used ({why})", str(path), "look at its permissions")
