"""One replay log on the disk: compared as far as it is there, then written on. It locks nothing.

A crash loses at most what was not synced, and leaves at most one torn line, which is cut.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from schemas.errors import Conflict, InputError
from services.ledger.disk import sync_folder

if TYPE_CHECKING:
    from collections.abc import Sequence

_BLOCK: Final = 1 << 16
_MEND: Final = "move the file away, or give another folder for logs"


class OtherLog(InputError, Conflict):
    """A log is there already, and says something else."""


class LogFile:
    """One open log: ``_at`` is how far it was said, ``_size`` how far it is written."""

    def __init__(self, shoe: int, path: Path) -> None:
        """Open a shoe's log, or begin it."""
        self.shoe = shoe
        self._path = path
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
        self._size = _cut_torn_line(self._file)
        self._at = 0
        self._lines = 0
        self._synced = self._named = self._torn = self._failed = False

    def append(self, lines: Sequence[bytes]) -> None:
        """Write lines, or compare them with those that are there."""
        if not lines:
            return
        text = b"\n".join(lines) + b"\n"
        if text.count(b"\n") != len(lines):
            what = "an entry holds a line break, and a log has one entry a line"
            raise InputError(what, str(self._path))
        there = self._read(min(self._size - self._at, len(text)))
        if not text.startswith(there):
            pairs = zip(lines, there.split(b"\n"), strict=False)
            same = next(place for place, (ours, theirs) in enumerate(pairs) if ours != theirs)
            raise self._other(self._lines + same + 1, "another line stands here")
        self._synced = False
        self._write(text[len(there) :])
        self._at += len(text)
        self._lines += len(lines)

    def check_end(self) -> None:
        """Refuse a log that has more lines than were said."""
        if self._at < self._size:
            raise self._other(self._lines + 1, "the log goes on after its last line")

    def sync(self) -> None:
        """Bring the lines and the file's name to the disk."""
        if self._failed:
            # A second fsync would succeed without having written what the first could not.
            mend = "look at the disk, then start the auditor again"
            raise InputError("lines could not be brought to the disk", str(self._path), mend)
        try:
            # What a killed writer left may not be on the disk yet, so lines that were only
            # compared are synced as well.
            if not self._synced:
                os.fsync(self._file)
            if not self._named:
                sync_folder(self._path.parent)
        except OSError:
            self._failed = True
            raise
        self._synced = self._named = True

    def close(self) -> None:
        """Let go of the file."""
        os.close(self._file)

    def _read(self, size: int) -> bytes:
        parts = []
        at = self._at
        while size > 0 and (part := os.pread(self._file, size, at)):
            parts.append(part)
            at += len(part)
            size -= len(part)
        return b"".join(parts)

    def _write(self, data: bytes) -> None:
        if self._torn:
            self._take_back()
        left = memoryview(data)
        try:
            while left:
                left = left[os.write(self._file, left) :]
        except OSError:
            self._torn = True
            with suppress(OSError):
                self._take_back()
            raise
        self._size += len(data)

    def _take_back(self) -> None:
        os.ftruncate(self._file, self._size)
        self._torn = False

    def _other(self, line: int, what: str) -> OtherLog:
        return OtherLog(what, f"{self._path}, line {line}", _MEND)


def _cut_torn_line(file: int) -> int:
    """Cut what follows the last newline, and give the size that is left."""
    size = end = os.fstat(file).st_size
    while end > 0:
        start = max(end - _BLOCK, 0)
        newline = os.pread(file, end - start, start).rfind(b"\n")
        end = start + newline + 1
        if newline >= 0:
            break
    if end < size:
        os.ftruncate(file, end)
    return end
