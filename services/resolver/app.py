"""The resolver's app: wires one table's fold to its streams. Settles nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemas.address import START, EntryId
from services.journal import Contiguity, Desk, Entry, ShoeStart, TableService
from services.resolver.fold import TableFold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from services.journal import Journal


class ResolverDesk(Desk):
    """One table's resolver: folds the newest shoe from its first event, saying all again."""

    def __init__(self, journal: Journal, table: str) -> None:
        """Sit down."""
        super().__init__("resolver", table, journal)
        self._fold = TableFold(table)
        self._last: EntryId | None = None

    async def start(self) -> None:
        """Follow the events from the newest shoe's first."""
        newest = await self.journal.last_id(self.streams.events)
        after = ShoeStart(newest.major) if newest.major else START
        await self.follow(self.streams.events, after, self._events, Contiguity.EVENTS)

    async def _events(self, entries: list[Entry]) -> None:
        told = [
            Entry(name, data)
            for entry in entries
            for name, data in self._fold.event(entry.id, entry.data)
        ]
        if told:
            await self.say(self.streams.outcomes, self._last, told)
            self._last = told[-1].id


def resolver_service(journal: Journal, tables: Sequence[str] | None = None) -> TableService:
    """Wire the resolver to its tables."""
    return TableService("resolver", journal, lambda table: ResolverDesk(journal, table), tables)
