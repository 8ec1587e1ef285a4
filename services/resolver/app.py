"""The resolver's app: wires one table's fold to its streams. Settles nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from schemas.address import START, EntryId
from services.journal import Contiguity, Desk, Runs, ShoeStart, TableService
from services.resolver.fold import TableFold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from services.journal import Entry, Journal


class ResolverDesk(Desk):
    """One table's resolver: folds the newest shoe from its first event, saying all again.

    ``from_first`` begins at the first event that is still there instead.
    """

    def __init__(self, journal: Journal, table: str, *, from_first: bool = False) -> None:
        """Sit down."""
        super().__init__("resolver", table, journal)
        self._from_first = from_first
        self._fold = TableFold(table)
        #: The last outcome that was said.
        self.last: EntryId | None = None

    async def start(self) -> None:
        """Follow the events from the newest shoe's first."""
        newest = await self.journal.last_id(self.streams.events)
        after = ShoeStart(newest.major) if newest.major and not self._from_first else START
        await self.follow(self.streams.events, after, self._events, Contiguity.EVENTS)

    async def _events(self, entries: list[Entry]) -> None:
        fold = self._fold
        if isinstance(entries, Runs):
            told = [said for first, datas in entries.runs for said in fold.run(first, datas)]
        else:
            told = fold.events(entries)
        if told:
            await self.say(self.streams.outcomes, self.last, cast("list[Entry]", told))  # by shape
            self.last = told[-1].id


def resolver_service(journal: Journal, tables: Sequence[str] | None = None) -> TableService:
    """Wire the resolver to its tables."""
    return TableService("resolver", journal, lambda table: ResolverDesk(journal, table), tables)
