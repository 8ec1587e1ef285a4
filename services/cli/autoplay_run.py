"""Runs one self-playing table in this process until its last shoe is audited. Decides no bet."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

import msgspec

from schemas.errors import InputError
from services.baccarat.card_count import START
from services.bettors.table import Seat
from services.cli import wiring
from services.cli.autoplay_screen import Screen
from services.cli.autoplay_table import AutoTable
from services.cli.keyboard import keys
from services.cli.options import software
from services.cli.whole_shoe import answered, trouble_of
from services.dealer.opening import House
from services.journal import TableService, connect
from services.runtime.apart import Apart
from services.runtime.process import run_services
from services.runtime.redis_server import redis_at

if TYPE_CHECKING:
    from schemas.commands import ShoeOpen
    from services.bettors.nine import BettingSystem
    from services.cli.autoplay_screen import Shown
    from services.cli.figures import Figures
    from services.cli.wiring import Simulation
    from services.dealer.app import DealerService
    from services.journal import Journal
    from services.runtime.process import Service
    from services.runtime.settings import Settings


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be played; money in minor units, ``pace`` in seconds."""

    table: str
    opens: ShoeOpen
    system: BettingSystem
    bankroll: int
    hands: int
    pace: float
    simulation: Simulation
    time: str
    start_count: int | None
    title: str
    currency: str


class Done(msgspec.Struct, frozen=True, kw_only=True):
    """What came of it. ``commitment``: the first shoe's, which makes this run that run."""

    figures: Figures
    verdict: str
    failed: list[str]
    seconds: float
    commitment: str


async def autoplay_hands(settings: Settings, asked: Asked, shown: Shown, *, hidden: bool) -> Done:
    """Play; a signal ends it at once, and what was played until then is given all the same."""
    folder = settings.log_dir / asked.table
    if any(folder.glob("*.jsonl")):
        mend = "move it away, or give another --seed or --log-dir"
        raise InputError("logs of this table are there already", str(folder), mend)
    began = time.perf_counter()
    with redis_at(settings) as url:
        journal = connect(url)
        try:
            table = AutoTable(
                journal,
                asked.table,
                asked.opens,
                hands=asked.hands,
                first=asked.time,
                start_count=START if asked.start_count is None else asked.start_count,
            )
            play = _Play(journal, url, table, settings, asked)
            await answered(journal, url)
            await play.run(shown, hidden=hidden)
        finally:
            await journal.aclose()
    if play.trouble is not None:
        raise play.trouble
    verdict = "fail" if table.failed else "pass" if table.done.is_set() else "open"
    return Done(
        figures=table.figures,
        verdict=verdict,
        failed=table.failed,
        seconds=time.perf_counter() - began,
        commitment=table.commitment,
    )


class _Play:
    """The services of one table, and what looks on."""

    name = "autoplay"

    def __init__(
        self, journal: Journal, url: str, table: AutoTable, settings: Settings, asked: Asked
    ) -> None:
        self.trouble: Exception | None = None
        self._asked = asked
        self._table = table
        self._journal = journal
        self._end = asyncio.Event()
        tables = [asked.table]
        seats = [Seat(asked.opens.seats[0], asked.bankroll, asked.system)]
        self._auditor = _auditor_apart(url, settings, asked)
        dealer = wiring.dealer(
            journal,
            tables,
            House(self.name, software()),
            settings.state_dir,
            simulation=asked.simulation,
            rest=self._rest,
        )
        self._working: list[TableService | DealerService] = [
            wiring.resolver(journal, tables),
            wiring.bettors(journal, tables, lambda: seats, simulated=True),
            TableService(self.name, journal, lambda _table: table, tables),
            dealer,
        ]

    async def run(self, shown: Shown, *, hidden: bool) -> None:
        """Play to the end, or until somebody quits or something stops."""

        def pressed(key: str) -> None:
            if key == "p":
                self._table.going.clear()
            elif key == "g":
                self._table.going.set()
            elif key == "q":
                self._table.spawn(self._table.quit())
            else:
                shown.pressed(key)

        with keys(pressed) as can:
            title, currency = self._asked.title, self._asked.currency
            with Screen(self._table, title, currency, shown, keys=can, hidden=hidden) as screen:
                looking = asyncio.create_task(self._look(screen))
                services: list[Service] = [self._auditor, *self._working]
                await run_services(self._journal.broker, services, done=self._end)
                looking.cancel()

    async def _rest(self) -> None:
        """Rest before a hand, and as long as the game is paused."""
        if self._asked.pace > 0:
            await asyncio.sleep(self._asked.pace)
        await self._table.going.wait()

    async def _look(self, screen: Screen) -> None:
        done = asyncio.create_task(self._table.done.wait())
        while not done.done():
            await asyncio.wait([done], timeout=screen.pause)
            screen.look()
            self.trouble = trouble_of(self._working) or self._auditor.trouble
            if self.trouble is not None:
                break
        self._end.set()


def _auditor_apart(url: str, settings: Settings, asked: Asked) -> Apart:
    """The table's auditor, on another processor; it keeps two shoes, for we ask after each one."""
    words = ["run", "auditor", "--tables", asked.table, "--log-dir", str(settings.log_dir)]
    words += ["--keep-shoes", "2"]
    if asked.simulation.start is not None:
        words.append("--simulated")
    env = {"SHOETRAIL_REDIS_URL": url, "SHOETRAIL_LOG_LEVEL": "error"}
    return Apart("auditor", "services.cli.main", words, env)
