"""The bettors' app: wires one table's bettors to its streams. Bets nothing itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemas.address import LARGEST, START, EntryId
from schemas.envelope import decode_event, decode_outcome
from schemas.errors import Unreadable
from services.bettors.table import BettorsFold, Seat, simulated_client_seed
from services.journal import Contiguity, Desk, Entry, ShoeStart, TableService

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from schemas.address import Shoe
    from services.journal import Journal

_CLIENT_SEED_BYTES = 32


class BettorsDesk(Desk):
    """One table's bettors: what has been is read first, then what is due is said."""

    def __init__(self, journal: Journal, fold: BettorsFold, table: str) -> None:
        """Sit down."""
        super().__init__("bettors", table, journal)
        self._fold = fold

    async def start(self) -> None:
        """Read what has been, say what is due, and follow.

        That is the newest shoe; where a system carries its series from shoe to shoe, it is all that
        are still in the streams.
        """
        newest = (await self.journal.last_id(self.streams.events)).major
        last_event = last_outcome = ShoeStart(newest) if newest else START
        for shoe in range(await self._first_shoe(newest), newest + 1) if newest else ():
            first = EntryId(shoe, 0)
            last = EntryId(shoe, LARGEST) if shoe < newest else None
            # Events last: a shoe that is trimmed between the two must not lack its outcomes.
            outcomes = await self.journal.read(self.streams.outcomes, first, last)
            events = await self.journal.read(self.streams.events, first, last)
            async with self.lock:
                await self.guard(self._recall(events, outcomes))
            if shoe == newest:
                last_event = events[-1].id if events else last_event
                last_outcome = outcomes[-1].id if outcomes else last_outcome
        async with self.lock:
            await self.guard(self._send_due())
        await self.follow(self.streams.events, last_event, self._events, Contiguity.EVENTS)
        await self.follow(self.streams.outcomes, last_outcome, self._outcomes, Contiguity.OUTCOMES)

    async def _first_shoe(self, newest: int) -> int:
        if not self._fold.across_shoes:
            return newest
        first = await self.journal.first_id(self.streams.events)
        if first is None:
            return newest
        whole = first.major if first.minor == 0 else first.major + 1
        if whole > 1:
            self.log.warning("older shoes are trimmed: series begin anew", shoe=whole)
        return min(whole, newest)

    async def _recall(self, events: list[Entry], outcomes: list[Entry]) -> None:
        await self._events(events)
        await self._outcomes(outcomes)

    async def _send_due(self) -> None:
        await self._send(self._fold.resume())

    async def _events(self, entries: list[Entry]) -> None:
        said: list[bytes] = []
        for entry in self._fold.heeded(entries):
            try:
                event = decode_event(entry.data)
            except Unreadable:  # the resolver halts the shoe there
                self.log.warning("event unreadable", entry=str(entry.id))
                continue
            said += self._fold.event(entry.id, event)
        if entries:
            said += self._fold.passed(entries[-1].id)
        await self._send(said)

    async def _outcomes(self, entries: list[Entry]) -> None:
        said: list[bytes] = []
        for entry in entries:
            said += self._fold.outcome(entry.id, decode_outcome(entry.data))
        await self._send(said)

    async def _send(self, commands: list[bytes]) -> None:
        if commands:
            await self.journal.send(self.streams.commands, commands)


def bettors_service(
    journal: Journal,
    tables: Sequence[str] | None,
    seats: Callable[[], Sequence[Seat]],
    random: Callable[[int], bytes] | None,
) -> TableService:
    """Wire bettors to their tables, with new systems at each.

    ``random`` None: a simulated run, whose client seeds are derived.
    """

    def client_seed(shoe: Shoe) -> bytes:
        return simulated_client_seed(shoe) if random is None else random(_CLIENT_SEED_BYTES)

    def open_desk(table: str) -> BettorsDesk:
        return BettorsDesk(journal, BettorsFold(table, seats(), client_seed), table)

    return TableService("bettors", journal, open_desk, tables)


def one_table_service(journal: Journal, fold: BettorsFold, table: str) -> TableService:
    """Wire a fold that is made for one table to it."""
    return TableService("bettors", journal, lambda name: BettorsDesk(journal, fold, name), [table])
