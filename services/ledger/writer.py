"""Writes a table's replay logs, one writer a table, by a lock on its folder.

It may not judge, order or change a line.
"""

from __future__ import annotations

import fcntl
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from schemas.address import checked_name
from services.ledger.disk import make_folder, sync_folder
from services.ledger.log_file import LogFile

if TYPE_CHECKING:
    from collections.abc import Sequence


class LogWriter:
    """The logs of one table, ``<log_dir>/<table>/<shoe>.jsonl``. One caller at a time.

    A log that is there already is compared, line by line, with what is appended, and gone on from
    where it ends: an auditor that starts again says its shoe again from the first line.
    """

    def __init__(self, log_dir: Path, table: str) -> None:
        """Name the folder; nothing is made before the lock is taken."""
        self.folder = log_dir / checked_name(table, "table")
        self._lock: int | None = None
        self._log: LogFile | None = None

    def path(self, shoe: int) -> Path:
        """Where a shoe's log lies."""
        return self.folder / f"{shoe}.jsonl"

    def try_acquire(self) -> bool:
        """Become the table's writer; False while another one is."""
        if self._lock is not None:
            return True
        make_folder(self.folder)
        lock = os.open(self.folder / ".lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as trouble:
            os.close(lock)
            if isinstance(trouble, BlockingIOError):
                return False
            raise
        self._lock = lock
        return True

    def append(self, shoe: int, lines: Sequence[bytes]) -> None:
        """Write lines, each without its newline; those already there have to be the same bytes.

        Raises ``OtherLog`` where they are not. What could not be written whole is taken back.
        """
        if self._lock is None:
            raise AssertionError("lines are appended by the table's writer only")
        if self._log is None or self._log.shoe != shoe:
            self.finish()
            self._log = LogFile(shoe, self.path(shoe))
        self._log.append(lines)

    def sync(self) -> None:
        """Return when all that was appended is on the disk, and so is the file's name."""
        if self._log is not None:
            self._log.sync()

    def finish(self) -> None:
        """Say that the shoe at hand has no more lines; raises ``OtherLog`` where its log has."""
        if self._log is None:
            return
        self._log.check_end()
        self._log.sync()
        self._log.close()
        self._log = None

    def close(self) -> None:
        """Let another writer have the table."""
        if self._log is not None:
            self._log.close()
            self._log = None
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def write_atomically(path: Path, data: bytes) -> None:
    """Put a whole file in place, or leave the old one: never a part of it."""
    file, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with open(file, "wb") as temporary:  # noqa: PTH123 - it is open already
            temporary.write(data)
            temporary.flush()
            os.fchmod(file, 0o644)
            os.fsync(file)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    sync_folder(path.parent)
