"""Redis is away, in mid-shoe or just while a service starts; what comes just then."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

import pytest
from structlog.testing import capture_logs

from schemas import events as ev
from schemas.address import EntryId, Streams
from schemas.commands import ShoeOpen
from schemas.ruleset import published
from services.auditor.offline import audit_paths
from services.bettors.config import parse_flat
from services.cli import wiring
from services.dealer.opening import House
from services.runtime.redis_server import EmbeddedRedis
from tests.support.floor import (
    BANKROLL,
    FLAT,
    SIMULATION,
    Floor,
    alarms,
    desk_of,
    names_in,
    until,
)

if TYPE_CHECKING:
    from pathlib import Path

    from services.journal import Entry

pytestmark = [pytest.mark.faults, pytest.mark.integration, pytest.mark.asyncio]

T1 = Streams("T1")


async def test_redis_is_away_just_when_the_tables_are_read(tmp_path: Path) -> None:
    """Its absence is waited out in mid-start as it is later: no table stops for it."""
    with EmbeddedRedis(appendfsync="always") as redis:
        floor = Floor(redis.url, tmp_path)
        await floor.close_after("T1", 5)
        house = House("dora", "test", ShoeOpen("punto-banco", seats=names_in(FLAT)), 1)
        dealer = wiring.dealer(
            floor.connect(), ["T1"], house, floor.state_dir, simulation=SIMULATION
        )
        others = [
            wiring.bettors(
                floor.connect(), ["T1"], lambda: parse_flat(FLAT, BANKROLL), simulated=True
            ),
            wiring.resolver(floor.connect()),
            wiring.auditor(floor.connect(), floor.log_dir, published()),
        ]
        with capture_logs() as logs:
            await asyncio.to_thread(redis.kill)
            for service in others:
                floor.adopt(service)
                service.work("T1")
            floor.adopt(dealer)
            desk = dealer.desks["T1"]
            starting = asyncio.ensure_future(desk.guard(desk.start()))
            await asyncio.sleep(0.3)
            await asyncio.to_thread(redis.start)
            assert audit_paths([await floor.audited("T1")]).rounds == 5
            await starting
        assert [desk_of(service, "T1").trouble for service in others] == [None] * 3
        assert desk.trouble is None
        assert alarms(logs) == []
        assert any(line["event"] == "redis does not answer, waiting" for line in logs)
        await floor.close()


async def test_redis_is_away_for_a_while_in_mid_shoe(tmp_path: Path) -> None:
    """Nobody stops; once it is back the next round comes soon, and what was to come comes."""
    with EmbeddedRedis(appendfsync="always") as redis:
        floor = Floor(redis.url, tmp_path)
        await floor.close_after("T1", 30)
        services = await floor.all_but_dealer("T1")
        dealer = await floor.dealer("T1", pace=0.02)
        await until(lambda: floor.has(T1.outcomes, 5), "five rounds")
        with capture_logs() as logs:
            await asyncio.to_thread(redis.kill)
            await asyncio.sleep(3)
            await asyncio.to_thread(redis.start)
            back = asyncio.get_running_loop().time()
            last = await floor.journal.last_id(T1.outcomes)
            await until(lambda: floor.has(T1.outcomes, last.minor + 1), "the next round")
            assert asyncio.get_running_loop().time() - back < 10
            assert audit_paths([await floor.audited("T1")]).rounds == 30
        assert alarms(logs) == []
        assert [desk_of(service, "T1").trouble for service in services.values()] == [None] * 3
        assert desk_of(dealer, "T1").trouble is None
        await floor.close()


async def test_an_outcome_that_comes_while_the_dealer_starts_is_not_missed(floor: Floor) -> None:
    await floor.close_after("T1", 3)
    await floor.bettors("T1")
    first = await floor.dealer("T1")
    await until(partial(floor.has_said, "T1", ev.RoundDealt), "a round that nobody resolves")
    await floor.stop(first)
    journal = floor.connect()
    read = journal.read

    async def read_slowly(stream: str, first: EntryId | None = None) -> list[Entry]:
        found = await read(stream, first)
        if stream == T1.outcomes:
            assert found == []
            await floor.resolver()
            await until(lambda: floor.has(T1.outcomes, 1), "the outcome")
        return found

    journal.read = read_slowly  # type: ignore[method-assign,assignment]
    await floor.dealer("T1", journal=journal)
    await floor.auditor()
    assert audit_paths([await floor.audited("T1")]).rounds == 3
