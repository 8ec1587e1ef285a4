"""The same conversation with nothing in it: how many rounds a second this machine can talk at all.

Who speaks when, on which streams, in how many entries and with which fsyncs is as at a real
table; nobody decides, checks or prices anything. The services are measured against this.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from collections.abc import Awaitable, Callable

import orjson
import uvloop
from faststream.middlewares import AckPolicy
from faststream.redis import RedisBroker, StreamSub
from faststream.redis.message import FAKE_CONSUMER, BatchStreamMessage, RedisBatchStreamMessage
from redis.asyncio import Redis

from benchmarks.dealt import deal
from services.runtime.redis_server import EmbeddedRedis

ROUNDS = 1_000
COMMANDS, EVENTS = "bare:commands", "bare:events"
OUTCOMES, VERDICTS = "bare:outcomes", "bare:verdicts"
BETTORS = 3
Hear = Callable[[list[bytes]], Awaitable[None]]


async def _as_it_is(message: BatchStreamMessage) -> RedisBatchStreamMessage:
    return RedisBatchStreamMessage(
        raw_message=message, body=b"", consumer=FAKE_CONSUMER, group=None
    )


async def _raw(message: RedisBatchStreamMessage) -> BatchStreamMessage:
    return message.raw_message


class Bare:
    """Four services that say a recorded round again and again."""

    def __init__(self, client: Redis, events: list[bytes], outcome: bytes, file: int) -> None:
        self.done = asyncio.Event()
        self._client = client
        self._events, self._outcome, self._file = events, outcome, file
        self._asked = self._settled = self._audited = 0
        self._lines = 0

    async def say(self, stream: str, entries: list[bytes]) -> None:
        """Add entries."""
        pipe = self._client.pipeline(transaction=False)
        for data in entries:
            pipe.xadd(stream, {"__data__": data})
        await pipe.execute()

    async def bettors(self, heard: list[bytes]) -> None:
        """Bet on the next round."""
        for data in heard:
            orjson.loads(data)
        self._settled += len(heard)
        if self._settled < ROUNDS:
            await self.say(COMMANDS, [self._outcome] * BETTORS)

    async def dealer(self, heard: list[bytes]) -> None:
        """Deal once all have bet."""
        for data in heard:
            orjson.loads(data)
            self._asked += 1
            if self._asked % BETTORS == 0:
                await self.say(EVENTS, self._events)

    async def dealer_settles(self, heard: list[bytes]) -> None:
        """Hear an outcome."""
        for data in heard:
            orjson.loads(data)

    async def resolver(self, heard: list[bytes]) -> None:
        """Say the outcome of a whole round."""
        for data in heard:
            orjson.loads(data)
        self._lines += len(heard)
        if self._lines % len(self._events) == 0:
            await self.say(OUTCOMES, [self._outcome])

    async def bettors_see(self, heard: list[bytes]) -> None:
        """Hear events."""
        for data in heard:
            orjson.loads(data)

    async def auditor(self, heard: list[bytes]) -> None:
        """Log events."""
        for data in heard:
            orjson.loads(data)
        os.write(self._file, b"\n".join(heard))

    async def auditor_settles(self, heard: list[bytes]) -> None:
        """Log an outcome, fsync, and say the verdict."""
        for data in heard:
            orjson.loads(data)
        os.write(self._file, b"\n".join(heard))
        await asyncio.to_thread(os.fsync, self._file)
        await self.say(VERDICTS, heard)
        self._audited += len(heard)
        if self._audited >= ROUNDS:
            self.done.set()


def bare_rounds_per_s() -> float:
    """Time the bare loop on an embedded Redis, AOF everysec, in one process."""
    with (
        EmbeddedRedis(appendfsync="everysec") as server,
        tempfile.TemporaryFile() as file,
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
    ):
        return runner.run(_measure(server.url, file.fileno()))


async def _measure(url: str, file: int) -> float:
    dealt, outcomes = deal("BARE", 1)
    events = [data for _, data in dealt if b'"round":2,' in data]
    client = Redis.from_url(url)
    broker = RedisBroker(url, apply_types=False, logger=None)  # type: ignore[arg-type] # none
    bare = Bare(client, events, outcomes[1][1], file)
    for stream, hear in (
        (OUTCOMES, bare.bettors),
        (OUTCOMES, bare.dealer_settles),
        (COMMANDS, bare.dealer),
        (EVENTS, bare.resolver),
        (EVENTS, bare.bettors_see),
        (EVENTS, bare.auditor),
        (OUTCOMES, bare.auditor_settles),
    ):
        _follow(broker, stream, hear)
    await broker.start()
    begin = time.perf_counter()
    await bare.say(COMMANDS, [outcomes[1][1]] * BETTORS)
    await asyncio.wait_for(bare.done.wait(), 120)
    spent = time.perf_counter() - begin
    await broker.stop()
    await client.aclose()
    return ROUNDS / spent


def _follow(broker: RedisBroker, stream: str, hear: Hear) -> None:
    subscriber = broker.subscriber(
        stream=StreamSub(stream, batch=True, max_records=500, last_id="0", polling_interval=1000),
        parser=_as_it_is,
        decoder=_raw,
        ack_policy=AckPolicy.MANUAL,
        no_reply=True,
    )

    async def take(raw: BatchStreamMessage) -> None:
        await hear([fields[b"__data__"] for fields in raw["data"]])

    subscriber(take)
