"""The seals of a live record: a shoe's log and its verdicts, signed as they grow. Judges nothing.

What was signed of a shoe is never contradicted: where the record does not agree with it, the shoe
stays unsealed from there on, which is said once; the record itself goes on.
"""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Final

from schemas.errors import InputError
from services.auditor.files import VERDICTS
from services.ledger.log_file import LogFile

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from services.ledger.seal import Sealer

#: A growing log is signed at most so often: at a fast table a signature a round would cost rounds.
EVERY_S: Final = 1.0


class ShoeSeals:
    """One shoe's log, which is written elsewhere, and its verdicts, which are written here."""

    def __init__(self, sealer: Sealer, table: str, shoe: int, log: Path) -> None:
        """Begin before the first line; nothing is written yet."""
        verdicts = log.with_suffix(VERDICTS)
        self._log = sealer.shoe(table, shoe, log)
        self._verdicts = sealer.verdicts(table, shoe, verdicts)
        self._shoe, self._path = shoe, verdicts
        self._file: LogFile | None = None
        self._said: list[bytes] = []

    @property
    def size(self) -> int:
        """How many lines and verdicts there are to be signed."""
        return self._log.size + self._verdicts.size + len(self._said)

    def add(self, lines: Sequence[bytes], verdict: bytes | None = None) -> None:
        """Take lines of the log, and the verdict that follows them."""
        self._log.add(lines)
        if verdict is not None:
            self._said.append(verdict)

    def sign(self, *, last: bool = False) -> None:
        """Write the verdicts and sign both; all lines of the log have to be on the disk."""
        if self._log.size:
            self._log.sign(last=last)
        if self._said:
            if self._file is None:
                self._file = LogFile(self._shoe, self._path)
            self._file.append(self._said)
            self._verdicts.add(self._said)
            self._said = []
        if self._file is not None:
            self._file.sync()
            if last:
                self._file.check_end()
            self._verdicts.sign(last=last)
        if last:
            self.close()

    def close(self) -> None:
        """Let go of the file of verdicts."""
        if self._file is not None:
            self._file.close()
            self._file = None


class LiveSeals:
    """A table's seals, shoe after shoe. Threads take turns to sign."""

    def __init__(
        self,
        sealer: Sealer,
        table: str,
        path: Callable[[int], Path],
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """``path`` tells where a shoe's log lies."""
        self._sealer = sealer
        self._table = table
        self._path = path
        self._now = now
        self._shoe = 0
        self._seals: ShoeSeals | None = None
        self._signed = 0
        self._signed_at = -EVERY_S
        self._refused = ""
        self._turn = threading.Lock()

    def add(self, shoe: int, lines: Sequence[bytes], verdict: bytes | None) -> None:
        """Take what was recorded of a shoe."""
        if shoe != self._shoe:
            self.close()
            self._shoe, self._signed, self._refused = shoe, 0, ""
            self._seals = ShoeSeals(self._sealer, self._table, shoe, self._path(shoe))
        if self._seals is not None:
            self._seals.add(lines, verdict)

    def due_in(self) -> float | None:
        """Give the seconds until the next signature is due; None where there is nothing to sign."""
        if self._seals is None or self._seals.size == self._signed:
            return None
        return max(self._signed_at + EVERY_S - self._now(), 0.0)

    def sign(self, *, last: bool = False) -> str | None:
        """Sign what was taken, all of it on the disk; give why not, where it is news.

        A shoe that is refused is not tried again; a disk that fails is.
        """
        with self._turn:
            if self._seals is None:
                return None
            try:
                size = self._seals.size
                self._seals.sign(last=last)
                self._signed = size
            except (InputError, OSError) as trouble:
                return self._not_signed(trouble, last=last)
            finally:
                self._signed_at = self._now()
            return None

    def close(self) -> None:
        """Let go of the shoe at hand."""
        if self._seals is not None:
            self._seals.close()
            self._seals = None

    def _not_signed(self, trouble: InputError | OSError, *, last: bool) -> str | None:
        if isinstance(trouble, InputError) or last:
            self.close()
        reason = f"{self._table}/{self._shoe}: {trouble}"
        if reason == self._refused:
            return None
        self._refused = reason
        self._sealer.refused.append(reason)
        return reason
