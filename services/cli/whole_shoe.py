"""Plays one table in this process until its shoe is audited, all services and Redis included."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from schemas.address import START, Shoe, Streams
from schemas.envelope import decode_outcome, decode_verdict
from schemas.errors import ShoetrailError
from schemas.ruleset import published
from schemas.verdicts import ShoeAudited
from services.cli import wiring
from services.journal import Contiguity, Entry, TableService, connect
from services.runtime.process import run_services
from services.runtime.redis_server import redis_at

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from schemas.cards import Card
    from services.bettors.table import Seat
    from services.cli.wiring import Simulation
    from services.dealer.app import DealerService
    from services.dealer.opening import House
    from services.journal import Journal
    from services.runtime.process import Service
    from services.runtime.settings import Settings


class Watch:
    """Runs beside the services: tells how far the shoe is, and when it is audited.

    ``progress`` is called with the number of cards that outcomes have used so far.
    """

    name = "watch"

    def __init__(self, journal: Journal, shoe: Shoe, progress: Callable[[int], None]) -> None:
        """Watch for this shoe's verdict."""
        self.done = asyncio.Event()
        self.trouble: Exception | None = None
        self._journal = journal
        self._shoe = shoe
        self._progress = progress
        self._cards = 0
        self._services: list[TableService | DealerService] = []
        self._task: asyncio.Task[None] | None = None

    def over(self, services: Sequence[TableService | DealerService]) -> None:
        """Watch these services for a table that had to stop."""
        self._services = list(services)

    async def start(self) -> None:
        """Follow outcomes and verdicts."""
        streams = Streams(self._shoe.table)
        for stream, take in (
            (streams.outcomes, self._outcomes),
            (streams.verdicts, self._verdicts),
        ):
            await self._journal.follow(
                stream, START, take, kind=Contiguity.OUTCOMES, on_lost=self._lost
            )
        self._task = asyncio.get_running_loop().create_task(self._look())

    async def stop(self) -> None:
        """Watch no more."""
        if self._task is not None:
            self._task.cancel()

    async def _outcomes(self, entries: list[Entry]) -> None:
        for entry in entries:
            outcome = decode_outcome(entry.data).data
            for hand in (getattr(outcome, "player", None), getattr(outcome, "banker", None)):
                self._cards += 0 if hand is None else len(hand.cards)
        self._progress(self._cards)

    async def _verdicts(self, entries: list[Entry]) -> None:
        for entry in entries:
            verdict = decode_verdict(entry.data).data
            if entry.id.major == self._shoe.number and isinstance(verdict, ShoeAudited):
                self.done.set()

    async def _lost(self, lost: ShoetrailError) -> None:
        self.trouble = lost
        self.done.set()

    async def _look(self) -> None:
        while not self.done.is_set():
            for service in self._services:
                for desk in service.desks.values():
                    trouble = getattr(desk, "trouble", None)
                    if isinstance(trouble, Exception):
                        self.trouble = trouble
                        self.done.set()
            await asyncio.sleep(0.1)


async def play_shoe(
    settings: Settings,
    shoe: Shoe,
    house: House,
    seats: Callable[[], Sequence[Seat]],
    log_dir: Path,
    *,
    decks: Mapping[str, tuple[Card, ...]] | None = None,
    simulation: Simulation | None = None,
    commands: Sequence[bytes] = (),
    progress: Callable[[int], None] = lambda _cards: None,
) -> Path:
    """Play shoe 1 of a new table to its verdict, and give the path of its log.

    ``commands`` are sent before anything else.
    """
    with redis_at(settings) as url:
        journal = connect(url)
        try:
            tables = [shoe.table]
            watch = Watch(journal, shoe, progress)
            dealer = wiring.dealer(
                journal, tables, house, settings.state_dir, decks=decks, simulation=simulation
            )
            resolver = wiring.resolver(journal, tables)
            auditor = wiring.auditor(journal, log_dir, published(), tables)
            bettors = wiring.bettors(journal, tables, seats, simulated=simulation is not None)
            watch.over([dealer, resolver, auditor, bettors])
            services: list[Service] = [
                _First(journal, shoe.table, commands), watch, auditor, resolver, bettors, dealer
            ]  # fmt: skip
            await run_services(journal.broker, services, done=watch.done)
        finally:
            await journal.aclose()
    if watch.trouble is not None:
        raise watch.trouble
    return log_dir / shoe.table / f"{shoe.number}.jsonl"


class _First:
    """Sends what must be there before the dealer looks."""

    name = "commands"

    def __init__(self, journal: Journal, table: str, commands: Sequence[bytes]) -> None:
        self._journal = journal
        self._stream = Streams(table).commands
        self._commands = list(commands)

    async def start(self) -> None:
        """Send."""
        if self._commands:
            await self._journal.send(self._stream, self._commands)

    async def stop(self) -> None:
        """Nothing is left to do."""
