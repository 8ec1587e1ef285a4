"""Wires each service's parts together: the one place that does. Runs nothing."""

from __future__ import annotations

import asyncio
import secrets
from typing import TYPE_CHECKING

import msgspec

from schemas.errors import InputError
from schemas.ruleset import published
from services.auditor.app import auditor_service
from services.auditor.worker import AuditWorker
from services.bettors.app import bettors_service, one_table_service
from services.dealer.app import DealerDesk, DealerService
from services.dealer.dealer import Dealer
from services.dealer.opening import House, Opener
from services.dealer.secret import DerivedSecrets, FileSecrets, Secrets
from services.journal import connect
from services.resolver.app import resolver_service
from services.runtime.apart import Apart
from services.runtime.clocks import Clock, SimulatedClock, WallClock, wall_microseconds
from services.runtime.logging import get_logger
from services.runtime.process import run_services
from services.runtime.settings import mask_url

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence
    from pathlib import Path

    from schemas.cards import Card
    from services.bettors.table import Seat
    from services.dashboard.service import DashboardService
    from services.journal import Journal, TableService
    from services.runtime.process import Service
    from services.runtime.settings import Settings

_log = get_logger("run")

#: An event of a simulated run comes this long after the one before, unless told.
STEP_US = 1_000_000


class Simulation(msgspec.Struct, frozen=True):
    """A run from a given first seed; with a start too it leaves the same bytes each time.

    ``start`` and ``step`` are microseconds; without a start the wall's clock is used.
    """

    seed: bytes
    start: int | None = None
    step: int = STEP_US


def clock_of(simulation: Simulation | None) -> Clock:
    """The wall's clock, or the simulation's."""
    if simulation is None or simulation.start is None:
        return WallClock()
    return SimulatedClock(simulation.start, simulation.step)


def dealer(
    journal: Journal,
    tables: Sequence[str],
    house: House,
    state_dir: Path,
    *,
    decks: Mapping[str, tuple[Card, ...]] | None = None,
    simulation: Simulation | None = None,
    pace: float = 0.0,
    rest: Callable[[], Awaitable[None]] | None = None,
) -> DealerService:
    """Wire a dealer for these tables; before each next round he rests ``pace`` seconds, or so."""
    kept: Secrets = (
        FileSecrets(state_dir) if simulation is None else DerivedSecrets(simulation.seed)
    )
    clock = clock_of(simulation)
    opener = Opener(house, published(), decks or {}, kept)
    if house.opens is not None and (wrong := opener.problem(house.opens)) is not None:
        raise InputError(f"no shoe can be opened so: {wrong}", mend=f"look at the {wrong}")
    if rest is None and pace > 0:
        rest = lambda: asyncio.sleep(pace)  # noqa: E731
    desks = [
        DealerDesk(journal, Dealer(table, opener, clock), wall_microseconds, rest)
        for table in tables
    ]
    return DealerService(journal, desks, clock)


def bettors(
    journal: Journal,
    tables: Sequence[str],
    seats: Callable[[], Sequence[Seat]],
    *,
    simulated: bool,
) -> TableService:
    """Wire bettors for these tables; a simulated run's client seeds are derived."""
    return bettors_service(journal, tables, seats, None if simulated else secrets.token_bytes)


def dashboard(
    journal: Journal,
    settings: Settings,
    listen: tuple[str, int],
    tables: Sequence[str] | None = None,
    *,
    viewers: int | None = None,
    also_ready: Callable[[], Mapping[str, bool]] = dict,
) -> DashboardService:
    """Wire the board, which lets so many viewers in."""
    # The other services need no web server, and start the sooner.
    from services.dashboard.live.viewers import Room  # noqa: PLC0415
    from services.dashboard.service import Served, dashboard_service  # noqa: PLC0415

    room = Room() if viewers is None else Room(viewers, viewers)
    served = Served(*listen, token=settings.dashboard_token, room=room)
    return dashboard_service(journal, settings.log_dir, served, tables, also_ready)


def auditor_apart(
    url: str,
    settings: Settings,
    table: str,
    *,
    simulated: bool,
    sealed: bool,
    keep_shoes: int | None = None,
) -> Apart:
    """Wire a table's auditor in a process of his own, on another processor."""
    words = ["run", "auditor", "--tables", table, "--log-dir", str(settings.log_dir)]
    if keep_shoes is not None:
        words += ["--keep-shoes", str(keep_shoes)]
    if simulated:
        words.append("--simulated")
    if not sealed:
        words.append("--unsealed")
    env = {
        "SHOETRAIL_REDIS_URL": url,
        "SHOETRAIL_LOG_LEVEL": "error",
        "SHOETRAIL_LOG_FORMAT": "json",
    }
    return Apart("auditor", "services.cli.main", words, env)


one_table = one_table_service
resolver = resolver_service
auditor = auditor_service
worker = AuditWorker


async def work(url: str, build: Callable[[Journal], Sequence[Service]]) -> None:
    """Run the services that ``build`` makes for a Redis, until they are told to stop."""
    journal = connect(url)
    try:
        services = build(journal)
        names = ", ".join(service.name for service in services)
        await run_services(
            journal.broker,
            services,
            url=url,
            on_ready=lambda: _log.info("ready", services=names, redis=mask_url(url)),
        )
    finally:
        await journal.aclose()
