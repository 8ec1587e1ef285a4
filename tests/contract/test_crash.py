"""Redis is killed as by a power cut, again and again: nothing is lost, doubled or out of order."""

from __future__ import annotations

import asyncio
import random
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio

from schemas.address import START, EntryId, Streams
from services.journal import Contiguity, Entry, Journal, ShoeStart, connect
from tests.contract.tools import Reader, shoe, until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from services.runtime.redis_server import EmbeddedRedis

pytestmark = pytest.mark.asyncio
FIRST = ShoeStart(1)


@pytest_asyncio.fixture
async def mortal(mortal_redis: EmbeddedRedis) -> AsyncIterator[Journal]:
    journal = connect(mortal_redis.url)
    yield journal
    await journal.aclose()


async def write(journal: Journal, stream: str, rounds: int) -> int:
    """Append rounds of nine, as a dealer does; give how many entries were written."""
    written = 0
    for number in range(rounds):
        after = EntryId(1, number * 9 - 1) if number else FIRST
        mine = shoe(1, *range(number * 9, number * 9 + 9))
        written += await journal.append_until_said(stream, after, mine)
        await asyncio.sleep(0)
    return written


async def test_killed_in_mid_load(mortal: Journal, mortal_redis: EmbeddedRedis) -> None:
    streams = [Streams(f"T{n}").events for n in range(6)]
    chance = random.Random(20261130)  # noqa: S311
    readers = [Reader() for _ in streams]
    subscriptions = [
        await reader.follow(mortal, stream) for reader, stream in zip(readers, streams, strict=True)
    ]
    writers = [asyncio.ensure_future(write(mortal, stream, 300)) for stream in streams]
    kills = 0
    while kills < 8 and not all(writer.done() for writer in writers):
        await asyncio.sleep(chance.uniform(0.02, 0.4))
        await asyncio.to_thread(mortal_redis.kill)
        await asyncio.sleep(chance.choice([0, 0, 0.3]))
        await asyncio.to_thread(mortal_redis.start)
        kills += 1
    await asyncio.gather(*writers)
    assert kills >= 3
    expected = shoe(1, *range(2700))
    for stream, reader in zip(streams, readers, strict=True):
        await until(lambda reader=reader: len(reader.got) >= 2700 or reader.lost, 30)  # type: ignore[misc]
        assert await mortal.read(stream) == expected
        assert reader.got == expected
        assert reader.lost == reader.errors == []
    assert {subscription.position for subscription in subscriptions} == {(1, 2699)}


async def test_reading_goes_on_soon_after_redis_is_back(
    mortal: Journal, mortal_redis: EmbeddedRedis
) -> None:
    stream = Streams("T7").events
    await mortal.append(stream, FIRST, shoe(1, 0))
    reader = Reader()
    await reader.follow(mortal, stream)
    await until(lambda: reader.got)
    for seq in range(1, 4):
        await asyncio.to_thread(mortal_redis.kill)
        await asyncio.sleep(0.1)
        await asyncio.to_thread(mortal_redis.start)
        await mortal.append_until_said(stream, EntryId(1, seq - 1), shoe(1, seq))
        await until(lambda seq=seq: len(reader.got) == seq + 1, 4)  # type: ignore[misc]
    assert reader.got == shoe(1, 0, 1, 2, 3)


async def test_following_may_begin_while_redis_is_down(
    mortal: Journal, mortal_redis: EmbeddedRedis
) -> None:
    stream = Streams("T7").events
    await mortal.append(stream, FIRST, shoe(1, 0))
    await asyncio.to_thread(mortal_redis.kill)
    reader = Reader()
    beginning = asyncio.ensure_future(reader.follow(mortal, stream))
    saying = asyncio.ensure_future(mortal.append_until_said(stream, EntryId(1, 0), shoe(1, 1)))
    sending = asyncio.ensure_future(mortal.send(Streams("T7").commands, [b"one", b"two"]))
    await asyncio.sleep(0.3)
    assert not beginning.done()
    await asyncio.to_thread(mortal_redis.start)
    await asyncio.gather(beginning, saying, sending)
    await until(lambda: len(reader.got) == 2)
    assert {entry.data for entry in await mortal.read(Streams("T7").commands)} == {b"one", b"two"}


async def test_waiting_for_redis_can_be_cancelled(
    mortal: Journal, mortal_redis: EmbeddedRedis
) -> None:
    await asyncio.to_thread(mortal_redis.kill)
    waiting = asyncio.ensure_future(mortal.append_until_said("s", START, shoe(1, 0)))
    await asyncio.sleep(0.2)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting


async def test_a_handler_that_waits_for_redis_keeps_its_batch(
    mortal: Journal, mortal_redis: EmbeddedRedis
) -> None:
    """As a resolver does: it reads a batch, Redis dies, and it appends what it makes of it."""
    events, outcomes = Streams("T7").events, Streams("T7").outcomes
    got: list[Entry] = []
    killed = asyncio.Event()

    async def resolve(batch: list[Entry]) -> None:
        if not killed.is_set():
            killed.set()
            await asyncio.to_thread(mortal_redis.kill)
            asyncio.get_running_loop().call_later(0.3, mortal_redis.start)
        for entry in batch:
            after = EntryId(1, len(got)) if got else FIRST
            mine = [Entry(EntryId(1, len(got) + 1), b"of " + entry.data)]
            await mortal.append_until_said(outcomes, after, mine)
            got.append(entry)

    reader = Reader()
    await mortal.append(events, FIRST, shoe(1, *range(20)))
    await mortal.follow(events, START, resolve, kind=Contiguity.EVENTS, on_lost=reader.on_lost)
    await until(killed.is_set)
    await mortal.append_until_said(events, EntryId(1, 19), shoe(1, 20, 21))
    await until(lambda: len(got) == 22)
    assert got == shoe(1, *range(22))
    assert len(await mortal.read(outcomes)) == 22
    assert reader.lost == []


async def test_a_stream_that_is_shorter_after_a_restart_is_said(
    mortal: Journal, mortal_redis: EmbeddedRedis
) -> None:
    stream = Streams("T7").events
    await mortal.append(stream, FIRST, shoe(1, 0, 1, 2))
    reader = Reader()
    await reader.follow(mortal, stream)
    await until(lambda: len(reader.got) == 3)
    await mortal.client.config_set("appendonly", "no")
    await mortal.append(stream, EntryId(1, 2), shoe(1, 3))
    await until(lambda: len(reader.got) == 4)
    await asyncio.to_thread(mortal_redis.restart)
    await until(lambda: reader.lost, 10)
    assert reader.ids == [(1, 0), (1, 1), (1, 2), (1, 3)]


async def test_sent_entries_may_repeat_but_are_never_missing(
    mortal: Journal, mortal_redis: EmbeddedRedis
) -> None:
    stream = Streams("T7").commands
    reader = Reader()
    await reader.follow(mortal, stream, START, Contiguity.NONE)

    async def send() -> None:
        for number in range(150):
            await mortal.send(stream, [b"%d a" % number, b"%d b" % number])

    sending = asyncio.ensure_future(send())
    for _ in range(3):
        await asyncio.sleep(0.05)
        await asyncio.to_thread(mortal_redis.restart)
    await sending
    stored = await mortal.read(stream)
    assert len({entry.data for entry in stored}) == 300
    assert all(one.id < two.id for one, two in pairwise(stored))
    await until(lambda: len(reader.got) >= len(stored))
    assert reader.got == stored
