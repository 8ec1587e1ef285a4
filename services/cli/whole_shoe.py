"""Plays one table in this process until its shoe is audited, all services and Redis included."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from redis.exceptions import RedisError

from schemas.address import Shoe, Sources, Streams
from schemas.commands import ShoeClose, command_id
from schemas.envelope import decode_verdict, encode
from schemas.errors import InputError, Unavailable
from schemas.instant import spell
from schemas.ruleset import published
from schemas.verdicts import ShoeAudited
from services.cli import wiring
from services.journal import TableService, connect
from services.runtime.apart import Apart
from services.runtime.process import run_services, wait_for_redis
from services.runtime.redis_server import redis_at
from services.runtime.settings import mask_url

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from schemas.cards import Card
    from services.bettors.table import Seat
    from services.cli.wiring import Simulation
    from services.dealer.app import DealerService
    from services.dealer.opening import House
    from services.journal import Journal
    from services.ledger.seal import Sealer
    from services.runtime.process import Service
    from services.runtime.settings import Settings

_LOOK_S: Final = 0.05
#: Who waits for one shoe is told when Redis is away, sooner than a service would give up.
_PATIENCE_S: Final = 10.0


class Watch:
    """Runs beside the services: tells how far the shoe is, and when it is audited.

    It looks now and then rather than follow: it must not cost what it watches.
    """

    name = "watch"

    def __init__(
        self,
        journal: Journal,
        shoe: Shoe,
        services: Sequence[TableService | DealerService | Apart],
        progress: Callable[[int], None],
        last: Callable[[], int | None] | None = None,
    ) -> None:
        """Watch for the last shoe's verdict, and for a table of these services that had to stop.

        ``progress`` is called with the number of rounds that are settled. ``last`` tells which shoe
        is the last, None as long as that is open; without it this one is.
        """
        self.done = asyncio.Event()
        self.trouble: Exception | None = None
        self.audited = False
        self._journal = journal
        self._shoe = shoe
        self._last = last or (lambda: shoe.number)
        self._services = services
        self._progress = progress
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to look."""
        self._task = asyncio.get_running_loop().create_task(self._look())

    async def stop(self) -> None:
        """Watch no more."""
        if self._task is not None:
            self._task.cancel()

    async def _look(self) -> None:
        streams = Streams(self._shoe.table)
        while not self.done.is_set():
            await asyncio.sleep(_LOOK_S)
            self.trouble = trouble_of(self._services)
            try:
                outcome = await self._journal.last_entry(streams.outcomes)
                verdict = await self._journal.last_entry(streams.verdicts)
            except (RedisError, OSError):
                continue  # the services wait Redis out, and so do we
            if outcome is not None:
                self._progress(outcome.id.minor)
            self.audited = verdict is not None and (
                verdict.id.major == self._last()
                and isinstance(decode_verdict(verdict.data).data, ShoeAudited)
            )
            if self.audited or self.trouble is not None:
                self.done.set()


def trouble_of(services: Sequence[TableService | DealerService | Apart]) -> Exception | None:
    """Give what stopped a table of one of these services, if anything did."""
    for service in services:
        if isinstance(service, Apart):
            if service.trouble is not None:
                return service.trouble
            continue
        for desk in service.desks.values():
            trouble = getattr(desk, "trouble", None)
            if isinstance(trouble, Exception):
                return trouble
    return None


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
    progress: Callable[[int], None] = lambda _rounds: None,
    player: Callable[[Journal], TableService] | None = None,
    last: Callable[[], int | None] | None = None,
    sealer: Sealer | None = None,
    apart: Callable[[str], Apart] | None = None,
) -> Path:
    """Play shoe 1 of a new table to its verdict, and give the path of its log.

    ``commands`` are sent before anything else. A ``player`` bets instead of ``seats``, and ``last``
    tells which shoe is the last where that is not the first. Without a ``sealer`` the log stays
    unsealed. ``apart`` makes an auditor in a process of his own, given Redis' address: it pays
    where many shoes are played. A signal raises ``KeyboardInterrupt``.
    """
    with redis_at(settings) as url:
        journal = connect(url)
        try:
            tables = [shoe.table]
            dealer = wiring.dealer(
                journal, tables, house, settings.state_dir, decks=decks, simulation=simulation
            )
            resolver = wiring.resolver(journal, tables)
            simulated = simulation is not None and simulation.start is not None
            auditor = (
                wiring.auditor(
                    journal, log_dir, published(), tables, sealer=sealer, simulated=simulated
                )
                if apart is None
                else apart(url)
            )
            bettors = (
                wiring.bettors(journal, tables, seats, simulated=simulation is not None)
                if player is None
                else player(journal)
            )
            watch = Watch(journal, shoe, [dealer, resolver, auditor, bettors], progress, last)
            services: list[Service] = [
                _First(journal, shoe.table, commands), watch, auditor, resolver, bettors, dealer
            ]  # fmt: skip
            await answered(journal, url)
            await run_services(journal.broker, services, done=watch.done)
        finally:
            await journal.aclose()
    if watch.trouble is not None:
        raise watch.trouble
    if not watch.audited:  # a signal ended it
        raise KeyboardInterrupt
    path = log_dir / shoe.table / f"{shoe.number}.jsonl"
    if not path.exists():  # an auditor begins at the first shoe that is not audited yet
        mend = "name the folder that its log lies in, or use another Redis"
        raise InputError("this shoe was audited before, in the same Redis", str(path), mend)
    return path


def close_after(shoe: Shoe, rounds: int, by: str, time: int) -> bytes:
    """Spell the command that closes a shoe after so many rounds; ``time`` in microseconds."""
    name = command_id(shoe.number, "shoe.close", by, 1)
    asks = ShoeClose(by=by, after_round=rounds)
    return encode(name, Sources(shoe.table).commands, spell(time), asks)


async def answered(journal: Journal, url: str) -> None:
    """Return when Redis answers; ``Unavailable`` where it does not in good time."""
    try:
        async with asyncio.timeout(_PATIENCE_S):
            await wait_for_redis(journal.broker)
    except TimeoutError:
        what = f"no Redis answers at {mask_url(url)} within {_PATIENCE_S:.0f} seconds"
        raise Unavailable(what) from None


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
