"""Runs one self-playing table in this process until its last shoe is audited. Decides no bet."""

from __future__ import annotations

import asyncio
import signal
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from services.baccarat.card_count import START
from services.bettors.table import Seat
from services.cli import wiring
from services.cli.autoplay_asked import Asked, Done, check_logs, check_streams
from services.cli.autoplay_screen import Screen
from services.cli.autoplay_table import MOST_AHEAD, AutoTable
from services.cli.autoplay_watch import Keep, Watch
from services.cli.keyboard import ESCAPE, keys
from services.cli.options import software
from services.cli.whole_shoe import answered
from services.dealer.opening import House
from services.journal import TableService, connect
from services.runtime.process import run_services
from services.runtime.redis_server import redis_at

if TYPE_CHECKING:
    from services.cli.autoplay_screen import Shown
    from services.dealer.app import DealerService
    from services.journal import Journal
    from services.runtime.process import Service
    from services.runtime.settings import Settings

#: Who is interrupted has the shoe closed and audited, if that can be had so soon.
_GRACE_S: Final = 5.0
#: Seconds of rest that the keys + and - go through: "The smaller the number, the faster".
_PACES: Final = (0.0, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)


async def autoplay_hands(
    settings: Settings, asked: Asked, shown: Shown, keep: Keep, *, hidden: bool
) -> Done:
    """Play. A signal ends it soon, and what was played until then is given all the same."""
    check_logs(settings, asked)
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
                pace=asked.pace,
            )
            play = _Play(journal, url, table, settings, asked, keep)
            await answered(journal, url)
            await check_streams(journal, asked.table)
            await play.run(shown, hidden=hidden)
        finally:
            await journal.aclose()
    finished = table.done.is_set()
    return Done(
        figures=table.figures,
        verdict="fail" if table.faults else "pass" if finished else "open",
        faults=table.faults,
        interrupted=play.interrupted or (play.trouble is None and not finished),
        trouble=play.trouble,
        seconds=time.perf_counter() - began,
        commitment=table.commitment,
    )


class _Play:
    """The services of one table, and what looks on."""

    name = "autoplay"

    def __init__(
        self,
        journal: Journal,
        url: str,
        table: AutoTable,
        settings: Settings,
        asked: Asked,
        keep: Keep,
    ) -> None:
        self.interrupted = False
        self.trouble: Exception | None = None
        self._asked = asked
        self._table = table
        self._journal = journal
        self._end = asyncio.Event()
        tables = [asked.table]
        seats = [Seat(asked.opens.seats[0], asked.bankroll, asked.system)]
        auditor = wiring.auditor_apart(
            url,
            settings,
            asked.table,
            simulated=asked.simulation.start is not None,
            sealed=settings.key_file is not None,  # practice is signed where somebody asks for it
            keep_shoes=MOST_AHEAD + 1,  # what we may still ask for
        )
        dealer = wiring.dealer(
            journal,
            tables,
            House(self.name, software()),
            settings.state_dir,
            simulation=asked.simulation,
            rest=table.rest,
        )
        working: list[TableService | DealerService] = [
            wiring.resolver(journal, tables),
            wiring.bettors(journal, tables, lambda: seats, simulated=True),
            TableService(self.name, journal, lambda _table: table, tables),
            dealer,
        ]
        own = journal if settings.redis_url is None else None
        self._watch = Watch(table, working, auditor, keep, own)
        self._services: list[Service] = [auditor, *working]

    async def run(self, shown: Shown, *, hidden: bool) -> None:
        """Play to the end, or until somebody quits or something stops."""
        title, currency = self._asked.title, self._asked.currency

        def pressed(key: str) -> None:
            self._pressed(key, shown)

        with (
            keys(pressed, wanted=not hidden) as can,
            Screen(self._table, title, currency, shown, keys=can, hidden=hidden) as screen,
        ):
            looking = asyncio.create_task(self._look(screen))
            try:
                await run_services(
                    self._journal.broker, self._services, done=self._end, on_ready=self._listen
                )
            finally:
                looking.cancel()
                await asyncio.gather(looking, return_exceptions=True)

    async def _look(self, screen: Screen) -> None:
        try:
            self.trouble = await self._watch.until_over(screen)
        except Exception as trouble:  # noqa: BLE001 - the game ends, and then it is said
            self.trouble = trouble
        finally:
            self._end.set()

    def _pressed(self, key: str, shown: Shown) -> None:
        table = self._table
        if key in ("p", ESCAPE):
            table.pause()
        elif key == "g":
            table.soon(table.go_on)
        elif key == "q":
            table.soon(table.quit)
        elif key in ("+", "-"):
            table.pace = _other_pace(table.pace, faster=key == "+")
        else:
            shown.pressed(key)

    def _listen(self) -> None:
        """Take the signals over: the first has the shoe closed and audited, the second ends all."""
        loop = asyncio.get_running_loop()
        both = (signal.SIGINT, signal.SIGTERM)

        def told() -> None:
            if self.interrupted:
                self._end.set()
                for each in both:  # a third one ends the process
                    loop.remove_signal_handler(each)
                return
            self.interrupted = True
            self._table.soon(self._table.quit)
            loop.call_later(_GRACE_S, self._end.set)

        with suppress(RuntimeError, ValueError):  # only the main thread may
            for each in both:
                loop.add_signal_handler(each, told)


def _other_pace(pace: float, *, faster: bool) -> float:
    if faster:
        return max((one for one in _PACES if one < pace), default=pace)
    return min((one for one in _PACES if one > pace), default=pace)
