"""Appending through the journal against raw XADD, pipelined 500 at a time, in one run."""

from __future__ import annotations

import asyncio
import time
from statistics import median
from typing import TYPE_CHECKING

import uvloop

from schemas.address import EntryId, Streams
from services.journal import Entry, Journal, ShoeStart, connect
from services.runtime.redis_server import EmbeddedRedis

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

_DATA = (
    b'{"specversion":"1.0","id":"12-45","source":"/tables/T7","type":"card.drawn",'
    b'"time":"2026-11-30T03:22:19.123456Z","data":{"command":null,"round":17,"hand":"player",'
    b'"position":85,"card":"9H","pad":"......."}}'
)
_ROUND, _BULK = 9, 500
_ENTRIES = 9_000
_TURNS = 7
_KEY = Streams("BENCH").events


async def _raw(journal: Journal) -> None:
    for start in range(0, _ENTRIES, _BULK):
        pipe = journal.client.pipeline(transaction=False)
        for seq in range(start, start + _BULK):
            pipe.execute_command("XADD", _KEY, f"1-{seq}", b"__data__", _DATA)
        await pipe.execute()


async def _journal(journal: Journal, size: int) -> None:
    after: EntryId | ShoeStart = ShoeStart(1)
    for start in range(0, _ENTRIES, size):
        entries = [Entry(EntryId(1, seq), _DATA) for seq in range(start, start + size)]
        await journal.append(_KEY, after, entries)
        after = entries[-1].id


async def _measure(url: str) -> dict[str, float]:
    journal = connect(url)
    ways: dict[str, Callable[[], Awaitable[None]]] = {
        "raw": lambda: _raw(journal),
        "append": lambda: _journal(journal, _ROUND),
        "bulk": lambda: _journal(journal, _BULK),
    }
    took: dict[str, list[float]] = {name: [] for name in ways}
    for turn in range(_TURNS + 1):  # the first warms up
        for name, way in ways.items():
            await journal.client.delete(_KEY)
            begun = time.perf_counter()
            await way()
            if turn:
                took[name].append(time.perf_counter() - begun)
            assert len(await journal.read(_KEY)) == _ENTRIES
    await journal.aclose()
    turns = range(_TURNS)
    return {
        "append_vs_raw": median(took["raw"][n] / took["append"][n] for n in turns),
        "append_bulk_vs_raw": median(took["raw"][n] / took["bulk"][n] for n in turns),
        "append_entries_per_s": _ENTRIES / median(took["append"]),
    }


def run() -> dict[str, float]:
    """Measure on an embedded Redis of its own."""
    assert 200 <= len(_DATA) <= 210
    with (
        EmbeddedRedis(appendfsync="everysec") as server,
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
    ):
        return runner.run(_measure(server.url))


if __name__ == "__main__":
    for measured, number in run().items():
        print(f"{measured} {number:.3g}")
