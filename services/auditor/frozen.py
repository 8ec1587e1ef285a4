"""The disputes of a table that is audited live: what is on their record, and what they freeze.

It opens and resolves none, and what is wrong with the record is said by the audit of its file.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from schemas.address import EntryId
from schemas.errors import Conflict
from services.ledger.dispute_file import locked, read_book, read_lines
from services.ledger.disputes import DisputeBook

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from services.journal import Entry, Journal

_MOVES: Final = b'"type":"money.adjusted"'


class TableDisputes:
    """``book`` is what was looked at so far of the file in ``folder`` and of the stream."""

    def __init__(self, journal: Journal, stream: str, folder: Path, table: str) -> None:
        """Look at nothing yet."""
        self.book = DisputeBook(table)
        self._journal = journal
        self._stream = stream
        self._folder = folder

    async def before(self, events: Sequence[Entry]) -> None:
        """Look at the record, if one of these events moves money, before it is judged.

        A dispute is resolved there before the dealer is asked for its money, so that a verdict is
        the same whenever it is worked out.
        """
        if not any(_MOVES in entry.data for entry in events):
            return
        for line in read_lines(self._folder)[self.book.last :]:
            self.book.add(line)
        for entry in await self._journal.read(self._stream, EntryId(self.book.last + 1, 0)):
            self.book.add(entry.data)

    @contextmanager
    def none_below(self, shoe: int) -> Iterator[None]:
        """Trim within this block: raises ``Conflict`` where a shoe below is under dispute.

        A dispute that was opened without this Redis is in the file alone. No desk opens another
        meanwhile, and while one writes (``Busy``), or where the file cannot be read
        (``InputError``), nothing is trimmed either.
        """
        with locked(self._folder):
            book = read_book(self._folder, self.book.table)
            held = [
                f"{one.address} about {one.at}"
                for one in book.disputes.values()
                if one.is_open and one.at.shoe < shoe
            ]
            if held:
                what = f"cannot trim below shoe {shoe}: open disputes: {', '.join(held)}"
                raise Conflict(f"{what}; see `shoetrail dispute list`")
            yield
