"""The resolver's app, appends included, against a bare read of the same stream."""

from __future__ import annotations

import asyncio
import time
from typing import cast

import orjson
import uvloop
from redis.asyncio import Redis

from benchmarks.dealt import deal
from schemas.address import Streams
from services.journal import Entry, Journal, ShoeStart, connect
from services.resolver.app import ResolverDesk
from services.runtime.process import spare_collector
from services.runtime.redis_server import EmbeddedRedis

_Answer = list[tuple[bytes, list[tuple[bytes, dict[bytes, bytes]]]]]

#: Few, so that a run fits between two moments of other work: a bare run is over in half the time.
SHOES = 20
#: Other work on the machine only ever makes a run slower: the best of each is the work itself.
RUNS = 50
TABLE = "BENCH"


def run() -> dict[str, float]:
    """Give ``resolve_vs_raw``: events a second through the app over those of the bare loop."""
    with (
        EmbeddedRedis(appendfsync="everysec") as server,
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
    ):
        return runner.run(_measure(server.url))


async def _measure(url: str) -> dict[str, float]:
    events, outcomes = deal(TABLE, SHOES)
    streams = Streams(TABLE)
    journal = connect(url)
    await journal.broker.start()
    by_shoe: dict[int, list[Entry]] = {}
    for entry, data in events:
        by_shoe.setdefault(entry.major, []).append(Entry(entry, data))
    for shoe, part in by_shoe.items():
        await journal.append(streams.events, ShoeStart(shoe), part)
    spare_collector()  # as when services are run
    raws, rates = [], []
    for _ in range(RUNS):
        raws.append(len(events) / await _raw(url, streams.events, len(events)))
        await journal.client.delete(streams.outcomes)
        rates.append(len(events) / await _ours(journal, streams, outcomes[-1][0]))
    await journal.aclose()
    return {"resolve_vs_raw": max(rates) / max(raws), "resolve_events_per_s": max(rates)}


async def _raw(url: str, stream: str, count: int) -> float:
    client = Redis.from_url(url)
    last, seen = b"0-0", 0
    begin = time.perf_counter()
    while seen < count:
        answer = cast("_Answer", await client.xread({stream: last}, count=500, block=1000))
        for _, entries in answer:
            for _, fields in entries:
                orjson.loads(fields[b"__data__"])
            seen += len(entries)
            last = entries[-1][0]
    spent = time.perf_counter() - begin
    await client.aclose()
    return spent


async def _ours(journal: Journal, streams: Streams, last: object) -> float:
    desk = ResolverDesk(journal, TABLE, from_first=True)
    begin = time.perf_counter()
    await desk.start()
    while desk.last != last and desk.trouble is None:  # noqa: ASYNC110 - polled from outside
        await asyncio.sleep(0.002)
    spent = time.perf_counter() - begin
    await desk.stop()
    assert desk.trouble is None, desk.trouble
    assert await journal.last_id(streams.outcomes) == last
    return spent
