"""Betting systems at a real table: their series go on across shoes and restarts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

from schemas import events as ev
from schemas.address import EntryId, Streams
from schemas.outcomes import RoundResolved
from services.bettors.config import parse_systems
from services.bettors.nine import KINDS
from services.cli import wiring
from tests.support.floor import Floor, until

if TYPE_CHECKING:
    from services.bettors import Seat
    from services.journal import TableService

pytestmark = [pytest.mark.integration, pytest.mark.asyncio]
T1: Final = Streams("T1")
#: All nine, with a maximum that is reached soon.
SYSTEMS: Final = ",".join(f"{name}={name}:min=1000:max=16000" for name in KINDS)
ROUNDS: Final = 40


def seats() -> list[Seat]:
    return parse_systems(SYSTEMS, 100_000_000)


async def bettors(floor: Floor) -> TableService:
    return await floor.start(wiring.bettors(floor.connect(), ["T1"], seats, simulated=True))


async def at_the_table(floor: Floor, *, pace: float = 0.0) -> TableService:
    await floor.close_after("T1", ROUNDS, ROUNDS, ROUNDS)
    await floor.resolver("T1")
    seated = await bettors(floor)
    await floor.dealer("T1", seats=list(KINDS), shoes=3, pace=pace)
    return seated


async def all_dealt(floor: Floor) -> list[bytes]:
    await until(lambda: floor.has(T1.outcomes, ROUNDS, shoe=3), "three shoes")
    events = T1.events
    await until(lambda: closed(floor), "the third shoe's close")
    return [entry.data for entry in await floor.entries(events)]


async def closed(floor: Floor) -> bool:
    return isinstance((await floor.events("T1", 3))[-1], ev.ShoeClosed)


async def test_a_restart_in_a_later_shoe_goes_on_with_each_series(
    floor: Floor,
) -> None:
    await at_the_table(floor)
    undisturbed = await all_dealt(floor)
    said = await floor.events("T1")
    assert not [one for one in said if isinstance(one, ev.BetRefused)]
    stakes = {
        name: {one.stake for one in said if isinstance(one, ev.BetPlaced) and one.bettor == name}
        for name in KINDS
    }
    assert [name for name, found in stakes.items() if len(found) == 1] == [
        "card-count",
        "follow-the-shoe",
        "opposite-the-shoe",
    ]
    await floor.stop()
    await floor.journal.client.flushdb()

    seated = await at_the_table(floor, pace=0.005)
    for shoe, number in ((2, 7), (3, 2), (3, 20)):
        await until(lambda: floor.has(T1.outcomes, number, shoe=shoe), "a round")  # noqa: B023
        await floor.stop(seated)
        seated = await bettors(floor)
    assert await all_dealt(floor) == undisturbed


async def test_where_older_shoes_are_trimmed_the_series_begin_anew_and_play_goes_on(
    floor: Floor,
) -> None:
    seated = await at_the_table(floor, pace=0.005)
    await floor.auditor("T1", keep_shoes=1)
    await until(lambda: floor.has(T1.outcomes, 5, shoe=3), "the third shoe")
    await until(lambda: trimmed(floor), "the second shoe to be trimmed")
    await floor.stop(seated)
    await bettors(floor)
    await floor.audited("T1", 3)
    said = await floor.outcomes("T1", 3)
    assert all(isinstance(one, RoundResolved) and len(one.settlements) >= 7 for one in said)


async def trimmed(floor: Floor) -> bool:
    return (await floor.journal.first_id(T1.events)) == EntryId(3, 0)
