"""Those who play their part beside the board, each a process of its own: dealer, lookers, raw.

``python -m benchmarks.board_parts PART …`` writes one JSON document when it ends. Times are the
machine's, put into each entry right before it is appended, and read when its message has come.
"""

from __future__ import annotations

import asyncio
import gc
import json
import re
import signal
import sys
import time
from collections import Counter
from functools import partial
from heapq import heapify, heapreplace
from typing import Any, Final, cast

import uvloop
from redis.asyncio import Redis

from benchmarks.dealt import deal
from schemas.address import TABLES, EntryId, Sources, Streams
from schemas.envelope import decode_event, decode_outcome, encode
from schemas.events import CardDrawn, TableAnnounced
from schemas.instant import spell
from schemas.outcomes import pivot
from schemas.verdicts import RoundAudited

NAMED: Final = "BENCH-0000"
RAW: Final = "shoetrail:raw"
WHEN: Final = b"2026-01-01T00:00:00.000000Z"
_TIME = re.compile(rb'"time":"[^"]{27}"')
_MESSAGE = re.compile(
    rb"id: ([^\n]+)\nevent: ([^\n]+)\n"
    rb'data: \{"at":"([^"]*)","type":"[^"]*","time":"([^"]+)"[^\n]*\n\n'
)
_HELLO = re.compile(rb"retry: [0-9]+\nid: ([^\n]+)\n\n")
_DAY_US: Final = 86_400_000_000

#: The stream, the id, and the bytes before and after the time.
Step = list[tuple[str, str, bytes, bytes]]


def name(number: int) -> str:
    """Name a table: all names are as long as the one that was dealt at."""
    return f"BENCH-{number:04d}"


def steps(shoes: int) -> list[Step]:
    """Deal shoes: what is said until each card has fallen, outcomes and verdicts among it."""
    events, outcomes = deal(NAMED, shoes)
    after: dict[str, list[tuple[str, EntryId, bytes]]] = {}
    for entry, data in outcomes:
        said = decode_outcome(data)
        verdict = encode(
            str(entry),
            Sources(NAMED).verdicts,
            said.time,
            RoundAudited(said.data.round, (), "open"),  # type: ignore[attr-defined]
        )
        told = after.setdefault(pivot(said.data), [])
        told += [("outcomes", entry, data), ("verdicts", entry, verdict)]
    found: list[Step] = [[]]
    for entry, data in events:
        found[-1].append(_cut("events", entry, data))
        found[-1] += [_cut(*one) for one in after.get(f"{NAMED}/{entry}", ())]
        if isinstance(decode_event(data).data, CardDrawn):
            found.append([])
    return found[:-1] if not found[-1] else found


def _cut(stream: str, entry: EntryId, data: bytes) -> tuple[str, str, bytes, bytes]:
    before, after = _TIME.split(data, maxsplit=1)
    return stream, str(entry), before + b'"time":"', b'"' + after


def at_table(number: int, step: Step, when: bytes) -> list[tuple[str, str, bytes]]:
    """Spell a step as it is said at one table, now."""
    old, new = NAMED.encode(), name(number).encode()
    streams = Streams(name(number))
    return [
        (getattr(streams, stream), entry, (before + when + after).replace(old, new))
        for stream, entry, before, after in step
    ]


async def announce(client: Redis, tables: int) -> None:
    """Say that so many tables are worked."""
    for number in range(tables):
        table = name(number)
        notice = encode(table, f"/tables/{table}", WHEN.decode(), TableAnnounced(table))
        await client.xadd(TABLES, {"__data__": notice})


def begun(number: int) -> int:
    """Say how far into its shoe a table is at first: rounds and shoes end at other times at all."""
    return 1 + number * 37 % 380


async def prepare(client: Redis, tables: int) -> None:
    """Fill so many tables with the first steps of a shoe."""
    dealt = steps(1)
    await announce(client, tables)
    for number in range(tables):
        pipe = client.pipeline(transaction=False)
        for step in dealt[: begun(number)]:
            for stream, entry, data in at_table(number, step, WHEN):
                pipe.xadd(stream, {"__data__": data}, id=entry)
        await pipe.execute()


async def dealer(url: str, tables: int, seconds: float) -> dict[str, Any]:
    """Deal a card a second at each table, from where each was left; one raw entry with each."""
    client = Redis.from_url(url)
    dealt = steps(2 + (int(seconds) + 380) // 380)
    start = time.monotonic() + 0.5
    turns = [(start + n / tables, n, begun(n)) for n in range(tables)]
    heapify(turns)
    said: Counter[str] = Counter()
    late = 0.0
    while turns[0][0] < start + seconds:
        due, number, at = turns[0]
        if at >= len(dealt):
            break
        if (pause := due - time.monotonic()) > 0:
            await asyncio.sleep(pause)
        late = max(late, time.monotonic() - due)
        when = spell(time.time_ns() // 1000).encode()
        pipe = client.pipeline(transaction=False)
        for stream, entry, data in at_table(number, dealt[at], when):
            pipe.xadd(stream, {"__data__": data}, id=entry)
            said[stream] += 1
        await pipe.execute()
        await client.xadd(RAW, {"__data__": spell(time.time_ns() // 1000)})
        heapreplace(turns, (due + 1.0, number, at + 1))
    ends = {}
    for number in range(tables):
        streams = Streams(name(number))
        last = [
            cast("Any", await client.xrevrange(one, count=1))
            for one in (streams.events, streams.outcomes, streams.verdicts)
        ]
        ends[name(number)] = [one[0][0].decode() if one else "0-0" for one in last]
    await client.aclose()
    return {"said": sum(said.values()), "late_ms": late * 1e3, "ends": ends}


async def raw(url: str) -> dict[str, Any]:
    """Read one stream as it is appended, and do nothing else."""
    client = Redis.from_url(url, socket_timeout=None)
    took: list[tuple[int, int]] = []
    reading = asyncio.create_task(_read_raw(client, took))
    await _told_to_end()
    reading.cancel()
    await asyncio.gather(reading, return_exceptions=True)
    await client.aclose()
    return {"took_us": took}


async def _read_raw(client: Redis, took: list[tuple[int, int]]) -> None:
    last: Any = "$"
    while True:
        found = cast("Any", await client.xread({RAW: last}, block=10_000))
        now = time.time_ns() // 1000
        rows = found.values() if isinstance(found, dict) else [one[1] for one in found]
        for batch in rows:
            for entry, fields in batch[0] if isinstance(batch[0], list) else batch:
                last = entry
                took.append((now // 1_000_000, _since(fields[b"__data__"], now)))


async def lookers(port: int, tables: int, count: int, first: int) -> dict[str, Any]:
    """Look on: nine of ten at a table, one of ten at the lobby."""
    loop = asyncio.get_running_loop()
    made: list[Looker] = []
    for number in range(first, first + count):
        path = "/api/stream" if number % 10 == 9 else f"/api/tables/{name(number % tables)}/stream"
        looker = Looker(path)
        await loop.create_connection(partial(_given, looker), "127.0.0.1", port)
        made.append(looker)
    await _told_to_end()
    return {
        "took_us": [took for one in made for took in one.took],
        "broken": [one.wrong for one in made if one.wrong],
        "heard": sum(one.heard for one in made),
        "ends": [[one.table, one.ends] for one in made if one.table],
        "lobby": [len(one.ats) for one in made if not one.table],
    }


def _given(looker: Looker) -> Looker:
    return looker


class Looker(asyncio.Protocol):
    """One stream: checks that each message follows the one before."""

    def __init__(self, path: str) -> None:
        self.table = "" if path == "/api/stream" else path.split("/")[3]
        #: The second in which a card came, and the microseconds that it took.
        self.took: list[tuple[int, int]] = []
        self.heard = 0
        self.wrong = ""
        self.ats: set[bytes] = set()
        self.ends: list[str] = []
        self._path = path
        self._rest = b""
        self._at: list[tuple[int, int]] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask."""
        head = f"GET {self._path} HTTP/1.1\r\nHost: bench\r\n\r\n"
        cast("asyncio.Transport", transport).write(head.encode())

    def connection_lost(self, exc: Exception | None) -> None:
        """Note that it was broken off."""
        self.wrong = self.wrong or f"broken off: {exc}"

    def data_received(self, data: bytes) -> None:
        """Read the messages that are whole."""
        now = time.time_ns() // 1000
        data = self._rest + data
        if self._at is None:
            found = _HELLO.search(data)
            if found is None:
                self._rest = data
                return
            self._at = _positions(found[1]) if self.table else []
        end = 0
        for message in _MESSAGE.finditer(data):
            end = message.end()
            self._take(*message.groups(), now)  # type: ignore[call-arg, arg-type]
        self._rest = data[end:]

    def _take(self, cursor: bytes, event: bytes, at: bytes, when: bytes, now: int) -> None:
        self.heard += 1
        if not self.table:
            if at + event in self.ats:
                self.wrong = f"{at!r} was repeated"
            self.ats.add(at + event)
            return
        there, self._at = self._at or [], _positions(cursor)
        moved = [(one, other) for one, other in zip(there, self._at, strict=True) if one != other]
        if len(moved) != 1 or not _follows(*moved[0]):
            self.wrong = f"{cursor!r} does not follow {there}"
        self.ends = [f"{shoe}-{number}" for shoe, number in self._at[:3]]
        if event == b"card.drawn":
            self.took.append((now // 1_000_000, _since(when, now)))


def _positions(cursor: bytes) -> list[tuple[int, int]]:
    ids = cursor.split(b".")[1:5]
    return [(int(one.split(b"-")[0]), int(one.split(b"-")[1])) for one in ids]


def _follows(one: tuple[int, int], other: tuple[int, int]) -> bool:
    if one[0] == other[0]:
        return other[1] == one[1] + 1
    return other[1] in {0, 1} and other[0] == one[0] + 1


def _since(when: bytes, now: int) -> int:
    """Microseconds of the day since a time."""
    clock = when[11:26]
    then = (int(clock[:2]) * 60 + int(clock[3:5])) * 60_000_000 + int(clock[6:8]) * 1_000_000
    return int((now - then - int(clock[9:15])) % _DAY_US)


async def _told_to_end() -> None:
    end = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, end.set)
    sys.stderr.write("under way\n")
    sys.stderr.flush()
    await end.wait()


def quantile(values: list[int], share: float) -> float:
    """Give a quantile."""
    return sorted(values)[min(int(len(values) * share), len(values) - 1)]


def main() -> None:
    """Play one part."""
    gc.disable()  # what is noted of each message would be looked through again and again
    part, *words = sys.argv[1:]
    if part == "dealer":
        work = dealer(words[0], int(words[1]), float(words[2]))
    elif part == "raw":
        work = raw(words[0])
    else:
        work = lookers(*map(int, words))
    json.dump(uvloop.run(work), sys.stdout)


if __name__ == "__main__":
    main()
