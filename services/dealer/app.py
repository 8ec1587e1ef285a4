"""The dealer's app: wires one table's dealer to its streams. Decides nothing."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Final, cast

from schemas.address import START, TABLES, EntryId, EventAddress
from schemas.envelope import decode_outcome, encode
from schemas.events import TableAnnounced
from schemas.instant import spell
from schemas.outcomes import pivot
from services.dealer.dealer import Dealer
from services.journal import Contiguity, Desk, Entry, ShoeStart

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from services.journal import Journal
    from services.runtime.clocks import Clock


_LOOK_S: Final = 0.002


class DealerDesk(Desk):
    """One table's dealer at work.

    ``now`` is the wall clock that betting windows end by; ``pace`` waits before each next round.
    """

    def __init__(
        self,
        journal: Journal,
        dealer: Dealer,
        now: Callable[[], int],
        pace: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        """Sit down at ``dealer``'s table."""
        super().__init__("dealer", dealer.table, journal)
        self._dealer = dealer
        self._now = now
        self._pace = pace
        self._window: asyncio.TimerHandle | None = None
        #: The last command that was heard.
        self._heard = START

    async def start(self) -> None:
        """Take what was said as facts, then commands and outcomes as they come."""
        newest = await self.journal.last_id(self.streams.events)
        first = EntryId(max(newest.major - 1, 1), 0)
        told = await self.journal.read(self.streams.outcomes, first)
        events = await self.journal.read(self.streams.events, first)
        for entry, is_outcome in _in_order(events, told):
            (self._dealer.outcome if is_outcome else self._dealer.stored)(entry.id, entry.data)
        self._heard = await self.journal.last_id(self.streams.commands)
        commands = await self.journal.read(self.streams.commands)
        async with self.lock:
            await self.guard(self._commands(commands))
        last_told = told[-1].id if told else ShoeStart(first.major)
        rest = None if self._pace is None else partial(self._rest, self._pace)
        await self.follow(
            self.streams.outcomes, last_told, self._outcomes, Contiguity.OUTCOMES, rest
        )
        last_command = commands[-1].id if commands else START
        await self.follow(self.streams.commands, last_command, self._commands, Contiguity.NONE)

    async def _rest(self, pace: Callable[[], Awaitable[None]]) -> None:
        """Rest before a round is settled; what was commanded meanwhile is heard before that."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        await pace()
        if loop.time() > began:
            last = await self.journal.last_id(self.streams.commands)
            while self._heard < last and not self.stopped.is_set():  # noqa: ASYNC110 - soon
                await asyncio.sleep(_LOOK_S)

    async def _commands(self, entries: list[Entry]) -> None:
        for entry in entries:
            self._heard = entry.id
            if not self._dealer.command(entry.data):
                self.log.warning("command unreadable", entry=str(entry.id))
        await self._say()

    async def _outcomes(self, entries: list[Entry]) -> None:
        for entry in entries:
            self._dealer.outcome(entry.id, entry.data)
        await self._say()

    async def _say(self) -> None:
        while (batch := self._dealer.say()) is not None:
            entries = cast("list[Entry]", batch.entries)  # by shape
            await self.say(self.streams.events, batch.after, entries)
        self._set_window()

    def _set_window(self) -> None:
        if self._window is not None:
            self._window.cancel()
            self._window = None
        ends = self._dealer.window_ends_at()
        if ends is not None and not self.stopped.is_set():
            wait = max(ends - self._now(), 0) / 1_000_000
            loop = asyncio.get_running_loop()
            self._window = loop.call_later(wait, lambda: self.spawn(self._window_over()))

    async def _window_over(self) -> None:
        async with self.lock:
            ends = self._dealer.window_ends_at()
            if self.stopped.is_set() or ends is None:
                return
            if self._now() < ends:  # timers are coarse, and this may be another round's window
                self._set_window()
                return
            self._dealer.window_ended()
            await self.guard(self._say())

    async def stop(self) -> None:
        """Leave the table; an open window is taken up again by whoever deals next."""
        if self._window is not None:
            self._window.cancel()
        await super().stop()


class DealerService:
    """Works the tables it is given, and announces them."""

    name = "dealer"

    def __init__(self, journal: Journal, desks: Sequence[DealerDesk], clock: Clock) -> None:
        """One desk a table."""
        self.desks = {desk.table: desk for desk in desks}
        self._journal = journal
        self._clock = clock

    async def start(self) -> None:
        """Announce each table, then work it."""
        time = spell(self._clock.next(None))
        for table, desk in self.desks.items():
            notice = encode(table, f"/tables/{table}", time, TableAnnounced(table))
            await self._journal.send(TABLES, [notice])
            await desk.guard(desk.start())

    async def stop(self) -> None:
        """Leave all tables."""
        await asyncio.gather(*(desk.stop() for desk in self.desks.values()))


def _in_order(events: list[Entry], outcomes: list[Entry]) -> list[tuple[Entry, bool]]:
    """Put each outcome right after the event that it settles."""
    places: list[tuple[tuple[int, int, int], Entry, bool]] = [
        ((entry.id.major, entry.id.minor, 0), entry, False) for entry in events
    ]
    for entry in outcomes:
        at = EventAddress.parse(pivot(decode_outcome(entry.data).data))
        places.append(((at.shoe, at.seq, 1), entry, True))
    return [(entry, is_outcome) for _, entry, is_outcome in sorted(places, key=lambda p: p[0])]
