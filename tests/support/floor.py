"""Services in this process, each with connections of its own, as if it were a process apart."""

from __future__ import annotations

import asyncio
import inspect
import time
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from schemas import commands as co
from schemas.address import EntryId, Sources, Streams
from schemas.envelope import decode_event, decode_outcome, decode_verdict, encode
from schemas.ruleset import published
from schemas.verdicts import ShoeAudited
from services.bettors.config import parse_flat
from services.cli import wiring
from services.cli.options import software
from services.cli.wiring import Simulation
from services.dealer.opening import House
from services.journal import Entry, Journal, connect

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence
    from pathlib import Path

    from schemas import events as ev
    from schemas.cards import Card
    from schemas.outcomes import RoundHalted, RoundResolved
    from schemas.verdicts import Verdict
    from services.dealer.app import DealerService
    from services.journal import Desk, TableService
    from services.runtime.process import Service

    Running = TypeVar("Running", bound=Service)

SEED: Final = bytes(range(32))
START_US: Final = 1_767_225_600_000_000
TIME: Final = "2026-01-01T00:00:00.000000Z"
SIMULATION: Final = Simulation(SEED, START_US)
FLAT: Final = "alice=player:2500,bob=banker:2500,carol=tie:500"
BANKROLL: Final = 1_000_000


def names_in(flat: str) -> tuple[str, ...]:
    return tuple(seat.name for seat in parse_flat(flat, BANKROLL))


async def until(
    true: Callable[[], object | Awaitable[object]], what: str = "it", seconds: float = 30.0
) -> None:
    began = time.monotonic()
    while True:
        found = true()
        if inspect.isawaitable(found):
            found = await found
        if found:
            return
        waited = time.monotonic() - began
        assert waited < seconds, f"waited in vain for {what}"
        # The longer it takes the less often: looking takes from what is waited for.
        await asyncio.sleep(min(0.005 + waited / 50, 0.05))


class Floor:
    """Start services with the methods that are named after them; all are stopped by ``close``."""

    def __init__(self, url: str, folder: Path) -> None:
        self.log_dir = folder / "logs"
        self.state_dir = folder / "state"
        self._url = url
        self._journals: list[Journal] = []
        self._running: list[Service] = []
        #: The test's own look at the streams.
        self.journal = self.connect()

    def connect(self) -> Journal:
        journal = connect(self._url)
        self._journals.append(journal)
        return journal

    async def close(self) -> None:
        await self.stop()
        for journal in self._journals:
            await journal.aclose()

    async def start(self, service: Running) -> Running:
        self.adopt(service)
        await service.start()
        return service

    def adopt(self, service: Service) -> None:
        """Stop it, too, in the end."""
        self._running.append(service)

    async def stop(self, *services: Service) -> None:
        """Stop these, or all."""
        for service in services or tuple(reversed(self._running)):
            self._running.remove(service)
            await service.stop()

    # ------------------------------------------------------------------------------- the services

    async def dealer(
        self,
        *tables: str,
        rules: str | None = "punto-banco",
        seats: Sequence[str] = names_in(FLAT),
        shoes: int | None = 1,
        window: int | None = None,
        origin: co.AskOrigin | None = None,
        decks: Mapping[str, tuple[Card, ...]] | None = None,
        simulation: Simulation | None = SIMULATION,
        pace: float = 0.0,
        journal: Journal | None = None,
    ) -> DealerService:
        asks = co.AskSeeded() if origin is None else origin
        opens = None if rules is None else co.ShoeOpen(rules, asks, tuple(seats), window=window)
        return await self.start(
            wiring.dealer(
                journal or self.connect(),
                tables,
                House("dealer", software(), opens, shoes),
                self.state_dir,
                decks=decks,
                simulation=simulation,
                pace=pace,
            )
        )

    async def resolver(self, *tables: str, journal: Journal | None = None) -> TableService:
        return await self.start(wiring.resolver(journal or self.connect(), tables or None))

    async def bettors(
        self, *tables: str, flat: str = FLAT, bankroll: int = BANKROLL, simulated: bool = True
    ) -> TableService:
        return await self.start(
            wiring.bettors(
                self.connect(), tables, lambda: parse_flat(flat, bankroll), simulated=simulated
            )
        )

    async def auditor(self, *tables: str, keep_shoes: int | None = None) -> TableService:
        return await self.start(
            wiring.auditor(self.connect(), self.log_dir, published(), tables or None, keep_shoes)
        )

    async def all_but_dealer(self, *tables: str) -> dict[str, TableService]:
        return {
            "auditor": await self.auditor(),
            "resolver": await self.resolver(),
            "bettors": await self.bettors(*tables),
        }

    # -------------------------------------------------------------------------------- the streams

    async def send(self, table: str, name: str, asks: co.Command) -> None:
        command = encode(name, Sources(table).commands, TIME, asks)
        await self.journal.send(Streams(table).commands, [command])

    async def close_after(self, table: str, *rounds: int) -> None:
        """Ask for the first shoe to be closed after so many rounds, the second after so many, …"""
        for shoe, number in enumerate(rounds, 1):
            name = co.command_id(shoe, "shoe.close", "test", 1)
            await self.send(table, name, co.ShoeClose("test", after_round=number))

    async def entries(self, stream: str, shoe: int | None = None) -> list[Entry]:
        first = None if shoe is None else EntryId(shoe, 0)
        last = None if shoe is None else EntryId(shoe, 2**53 - 1)
        return await self.journal.read(stream, first, last)

    async def events(self, table: str, shoe: int | None = None) -> list[ev.Event]:
        entries = await self.entries(Streams(table).events, shoe)
        return [decode_event(entry.data).data for entry in entries]

    async def outcomes(
        self, table: str, shoe: int | None = None
    ) -> list[RoundResolved | RoundHalted]:
        entries = await self.entries(Streams(table).outcomes, shoe)
        said: list[Any] = [decode_outcome(entry.data).data for entry in entries]
        return said

    async def verdicts(self, table: str, shoe: int | None = None) -> list[Verdict]:
        entries = await self.entries(Streams(table).verdicts, shoe)
        return [decode_verdict(entry.data).data for entry in entries]

    async def is_audited(self, table: str, shoe: int = 1) -> bool:
        said = await self.verdicts(table, shoe)
        return bool(said) and isinstance(said[-1], ShoeAudited)

    async def has(self, stream: str, minor: int, shoe: int = 1) -> bool:
        return await self.journal.last_id(stream) >= EntryId(shoe, minor)

    async def has_said(self, table: str, kind: type[ev.Event]) -> bool:
        return any(isinstance(event, kind) for event in await self.events(table))

    async def has_any(self, stream: str) -> bool:
        return await self.journal.last_entry(stream) is not None

    async def audited(self, table: str, shoe: int = 1) -> Path:
        """Wait until a shoe is audited; give the path of its log."""
        await until(lambda: self.is_audited(table, shoe), f"{table}/{shoe} to be audited")
        return self.log(table, shoe)

    def log(self, table: str, shoe: int = 1) -> Path:
        return self.log_dir / table / f"{shoe}.jsonl"


def alarms(logs: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Give the lines that a person has to be woken for."""
    return [line for line in logs if line["log_level"] in {"error", "critical"}]


def desk_of(service: TableService | DealerService, table: str) -> Desk:
    return cast("Desk", service.desks[table])
