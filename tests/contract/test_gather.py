"""A table's streams read by one call: each entry once and in order, or said to be lost."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest

from schemas.address import START, EntryId, Streams
from schemas.errors import Lost
from services.journal import Contiguity, Journal, ShoeStart, connect
from services.journal.gather import Gather, Source
from tests.contract.tools import shoe, until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from services.journal import Entry
    from services.runtime.redis_server import EmbeddedRedis

pytestmark = pytest.mark.asyncio
STREAMS = Streams("T7")
EVENTS, OUTCOMES, DISPUTES = STREAMS.events, STREAMS.outcomes, STREAMS.disputes
FIRST = ShoeStart(1)
SOURCES = (
    Source(EVENTS, Contiguity.EVENTS),
    Source(OUTCOMES, Contiguity.OUTCOMES),
    Source(STREAMS.verdicts, Contiguity.OUTCOMES),
    Source(DISPUTES, Contiguity.NONE),
)


class Reading:
    def __init__(self, journal: Journal, sources: tuple[Source, ...] = SOURCES) -> None:
        self.got: list[list[Entry]] = [[] for _ in sources]
        self.caught_up = 0
        self.gather = Gather(
            journal.client, sources, self.take, self.at_the_end, block_ms=100, fresh_s=0.05
        )
        self.task = asyncio.create_task(self.gather.run())

    def take(self, batches: list[list[Entry]]) -> None:
        for at, batch in enumerate(batches):
            self.got[at] += batch

    def at_the_end(self) -> None:
        self.caught_up += 1

    @property
    def events(self) -> list[Entry]:
        return self.got[0]

    async def lost(self) -> str:
        with pytest.raises(Lost) as found:
            await asyncio.wait_for(self.task, 5)
        return str(found.value)


@asynccontextmanager
async def reading(
    journal: Journal, sources: tuple[Source, ...] = SOURCES
) -> AsyncIterator[Reading]:
    one = Reading(journal, sources)
    yield one
    one.task.cancel()
    await asyncio.gather(one.task, return_exceptions=True)


async def test_each_entry_of_each_stream_once_and_in_order(journal: Journal) -> None:
    await journal.append(EVENTS, FIRST, shoe(1, *range(1203)))
    await journal.append(OUTCOMES, FIRST, shoe(1, 1, 2))
    async with reading(journal) as one:
        await until(lambda: one.caught_up)
        assert one.events == shoe(1, *range(1203))
        await journal.append(EVENTS, EntryId(1, 1202), shoe(1, 1203))
        await journal.append(OUTCOMES, EntryId(1, 2), shoe(1, 3))
        await journal.append(DISPUTES, START, [(EntryId(1, 0), b"first")])  # type: ignore[list-item]
        await asyncio.sleep(0.25)  # more than one call, with nothing to read
        await journal.append(EVENTS, ShoeStart(2), shoe(2, 0, 1))
        await journal.append(OUTCOMES, ShoeStart(2), shoe(2, 1))
        await until(lambda: len(one.events) == 1206)
        assert one.events == [*shoe(1, *range(1204)), *shoe(2, 0, 1)]
        await until(lambda: len(one.got[1]) == 4)
        assert one.got[1] == [*shoe(1, 1, 2, 3), *shoe(2, 1)]
        assert one.got[2] == []
        assert one.got[3] == [(EntryId(1, 0), b"first")]
        assert one.gather.positions == [EntryId(2, 1), EntryId(2, 1), START, EntryId(1, 0)]
        assert one.caught_up == 1
        assert one.gather.is_reading


async def test_reading_goes_on_where_it_is_told(journal: Journal) -> None:
    await journal.append(EVENTS, FIRST, shoe(1, *range(9)))
    await journal.append(EVENTS, EntryId(1, 8), shoe(2, 0, 1))
    after = (Source(EVENTS, Contiguity.EVENTS, EntryId(1, 2**53 + 5)), *SOURCES[1:])
    async with reading(journal, after) as one:
        await until(lambda: one.caught_up)
        assert one.events == shoe(2, 0, 1)


async def test_a_foreign_entry_is_handed_over_as_unreadable(journal: Journal) -> None:
    await journal.client.xadd(EVENTS, {"other": b"thing"}, id="1-0")
    async with reading(journal) as one:
        await until(lambda: one.events)
        assert one.events == [(EntryId(1, 0), b"")]


@pytest.mark.parametrize(
    ("anew", "says"),
    [
        ([], "gone"),
        (shoe(1, 0, 1), "ends at 1-1"),
        (shoe(1, *range(6), mark=b"new"), "begun anew"),
        (shoe(1, *range(9), mark=b"new"), "begun anew"),
        (shoe(3, 0, 1), "3-0"),
    ],
)
async def test_a_stream_begun_anew_is_lost(journal: Journal, anew: list[Entry], says: str) -> None:
    await journal.append(EVENTS, FIRST, shoe(1, *range(6)))
    async with reading(journal) as one:
        await until(lambda: len(one.events) == 6)
        pipe = journal.client.pipeline(transaction=True)
        pipe.delete(EVENTS)
        for entry_id, data in anew:
            pipe.xadd(EVENTS, {"__data__": data}, id=str(entry_id))
        await pipe.execute()
        assert says in await one.lost()


async def test_a_gap_and_another_type_are_lost(journal: Journal) -> None:
    await journal.append(EVENTS, FIRST, shoe(1, *range(6)))
    async with reading(journal) as one:
        await until(lambda: len(one.events) == 6)
        await journal.client.xadd(EVENTS, {"__data__": b"far"}, id="1-8")
        assert "nothing follows 1-5: found 1-8" in await one.lost()
        assert one.events == shoe(1, *range(6))
    await journal.client.delete(OUTCOMES)
    await journal.client.set(OUTCOMES, "no stream")
    async with reading(journal, SOURCES[1:]) as one:
        assert "WRONGTYPE" in await one.lost()


async def test_what_was_trimmed_below_our_shoe_is_no_loss(journal: Journal) -> None:
    await journal.append(EVENTS, FIRST, shoe(1, *range(6)))
    await journal.append(OUTCOMES, FIRST, shoe(1, 1))
    await journal.append(STREAMS.verdicts, FIRST, shoe(1, 1))
    async with reading(journal) as one:
        await until(lambda: one.caught_up)
        await journal.append(EVENTS, EntryId(1, 5), shoe(2, 0, 1))
        await journal.trim(STREAMS, 2)
        await asyncio.sleep(0.25)
        await journal.append(EVENTS, EntryId(2, 1), shoe(2, 2))
        await until(lambda: len(one.events) == 9)
        assert not one.task.done()


async def test_a_restart_of_redis_loses_and_repeats_nothing(mortal_redis: EmbeddedRedis) -> None:
    journal = connect(mortal_redis.url)
    try:
        await journal.append(EVENTS, FIRST, shoe(1, 0))
        async with reading(journal) as one:
            for seq in range(1, 40):
                await journal.append_until_said(EVENTS, EntryId(1, seq - 1), shoe(1, seq))
                if seq in {11, 23}:
                    await until(lambda: len(one.events) == seq + 1)  # noqa: B023 - asked at once
                    await asyncio.to_thread(mortal_redis.restart)
            await until(lambda: len(one.events) == 40)
            assert one.events == shoe(1, *range(40))
            assert one.gather.outages == 2
    finally:
        await journal.aclose()


async def test_a_redis_that_comes_back_with_less_is_lost(mortal_redis: EmbeddedRedis) -> None:
    journal = connect(mortal_redis.url)
    try:
        await journal.append(EVENTS, FIRST, shoe(1, *range(6)))
        async with reading(journal) as one:
            await until(lambda: len(one.events) == 6)
            await journal.client.xdel(EVENTS, "1-5")
            await asyncio.to_thread(mortal_redis.restart)
            assert "1-5" in await one.lost()
    finally:
        await journal.aclose()
