"""Viewers who come again all at once, far behind: what it costs the board to bring them up.

``python -m benchmarks.board_away [VIEWERS [BEHIND [TABLES]]]``: one `name value` a line. Each has
a cursor ``BEHIND`` entries and up to sixty more before the end of his table; nine of ten see all.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
import time
import urllib.request
from typing import Final

from redis.asyncio import Redis

from benchmarks.board import cpu_s, memory_mb, redis, serving
from benchmarks.board_parts import WHEN, announce, at_table, name, steps

#: So many steps of a shoe, of which each says a card and what is said around it.
_STEPS: Final = 300
_ID = re.compile(rb"^id: (\S+)$", re.MULTILINE)
_DATA = re.compile(rb"^data: (.+)$", re.MULTILINE)


async def _said(url: str, tables: int, begin: int, end: int) -> None:
    client, dealt = Redis.from_url(url), steps(1)
    for number in range(tables):
        pipe = client.pipeline(transaction=False)
        for step in dealt[begin:end]:
            for stream, entry, data in at_table(number, step, WHEN):
                pipe.xadd(stream, {"__data__": data}, id=entry)
        await pipe.execute()
    await client.aclose()


async def _announced(url: str, tables: int) -> None:
    client = Redis.from_url(url)
    await announce(client, tables)
    await client.aclose()


async def _heard(port: int, table: str, after: bytes, until: bytes, *, public: bool) -> bytes:
    """Give what comes after a cursor, until an id."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 26)
    base = "/public" if public else ""
    path = f"{base}/api/tables/{table}/stream"
    writer.write(
        f"GET {path} HTTP/1.1\r\nHost: bench\r\nLast-Event-ID: ".encode() + after + b"\r\n\r\n"
    )
    parts, tail = [], b""
    while until not in tail:
        part = await reader.read(1 << 18)
        assert part, "broken off"
        parts.append(part)
        tail = tail[-200:] + part
    writer.close()
    return b"".join(parts)


def _cursor(port: int, table: str) -> bytes:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/tables/{table}", timeout=10) as got:
        return bytes(json.load(got)["cursor"].encode())


async def _all(port: int, told: list[tuple[str, bytes, bytes, bool]]) -> list[bytes]:
    return await asyncio.gather(
        *(_heard(port, table, after, until, public=public) for table, after, until, public in told)
    )


def measure(viewers: int, behind: int, tables: int) -> dict[str, float]:
    """Give the figures."""
    with redis() as url:
        asyncio.run(_announced(url, tables))
        asyncio.run(_said(url, tables, 0, 1))
        with serving(url) as (board, port):
            names = [name(number) for number in range(tables)]
            begun = {table: _cursor(port, table) for table in names}
            asyncio.run(_said(url, tables, 1, _STEPS))
            time.sleep(2)
            ends = {table: b"id: %b\n" % _cursor(port, table) for table in names}
            ids = {
                table: _ID.findall(
                    asyncio.run(_heard(port, table, begun[table], ends[table], public=False))
                )
                for table in names
            }
            told = []
            for number in range(viewers):
                table = names[number % tables]
                after = ids[table][-1 - behind - number * 7 % 60]
                told.append((table, after, ends[table], number % 10 == 9))
            before, memory, began = cpu_s(board.pid), memory_mb(board.pid), time.monotonic()
            heard = asyncio.run(_all(port, told))
            took, spent = time.monotonic() - began, cpu_s(board.pid) - before
            grown = memory_mb(board.pid) - memory
    for (table, after, _, _), one in zip(told, heard, strict=True):
        wanted = ids[table][ids[table].index(after) :]
        got = _ID.findall(one)
        assert got == wanted, "something was lost, or repeated"
        assert len(_DATA.findall(one)) == len(wanted) - 1
    return {
        "board_away_cpu_s": spent,
        "board_away_s": took,
        "board_away_mb_heard": sum(map(len, heard)) / 1e6,
        "board_away_grown_mb": grown,
    }


if __name__ == "__main__":
    words = [int(word) for word in sys.argv[1:]]
    for figure, value in measure(*(words + [200, 200, 1][len(words) :])).items():
        print(f"{figure} {value:.3g}")
