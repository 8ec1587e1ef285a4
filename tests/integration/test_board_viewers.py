"""Who looks on holds up nobody: slow ones are cut off, too many are refused, all are let go."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import threading
import time
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING

import httpx
import pytest
import pytest_asyncio
import redis

from schemas.address import Streams
from services.dashboard.live.hub import Hub
from services.dashboard.live.kept import KeptShoes
from services.dashboard.live.viewers import Room
from services.dashboard.service import DashboardService, Served
from services.dashboard.web.log_folder import LogFolder
from services.journal import connect
from tests.support.looker import Looker, addresses, applied, heard_by_stream
from tests.support.said import LOGS, announce, said_at, say

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

pytestmark = [pytest.mark.integration, pytest.mark.asyncio]
_ID = re.compile(rb"id: (\S+)\nevent.*?\n\n", re.DOTALL)


@pytest.fixture
def client(fresh_redis: str) -> Iterator[redis.Redis]:
    with redis.Redis.from_url(fresh_redis) as client:
        yield client


@pytest_asyncio.fixture
async def service(fresh_redis: str) -> AsyncIterator[DashboardService]:
    """A board in this process that lets five in, four of one address."""
    journal = connect(fresh_redis)
    service = DashboardService(Hub(journal, room=Room(5, 4)), (), Served(port=0))
    await service.start()
    yield service
    await service.stop()
    await journal.aclose()


async def shown(service: DashboardService, client: redis.Redis, *tables: str) -> None:
    announce(client, *tables)
    end = time.monotonic() + 10
    while service.hub.tables() != sorted(tables):
        assert time.monotonic() < end
        await asyncio.sleep(0.01)


@asynccontextmanager
async def looking(url: str, cursor: str = "") -> AsyncIterator[Looker]:
    looker = Looker(url, cursor)
    await asyncio.to_thread(looker.__enter__)
    yield looker
    await asyncio.to_thread(looker.__exit__, None, None, None)


@contextmanager
def asks_and_never_reads(url: str) -> Iterator[socket.socket]:
    host, port = url.removeprefix("http://").split("/")[0].split(":")
    wire = socket.socket()
    wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    wire.connect((host, int(port)))
    path = "/" + url.removeprefix("http://").split("/", 1)[1]
    wire.sendall(f"GET {path} HTTP/1.1\r\nHost: board\r\n\r\n".encode())
    with wire:
        yield wire


def all_there_is(wire: socket.socket) -> bytes:
    wire.settimeout(5)
    got = b""
    try:
        while more := wire.recv(65_536):
            got += more
    except ConnectionResetError:
        pass
    return got


async def test_one_who_does_not_read_is_cut_off_alone_and_comes_again(
    service: DashboardService, client: redis.Redis
) -> None:
    table, said = "CLEAN", said_at("CLEAN")
    await shown(service, client, table)
    url = f"{service.url}/api/tables/{table}/stream"
    with asks_and_never_reads(url) as slow:
        async with looking(url) as quick:
            for begin in range(0, len(said), 20):
                await asyncio.to_thread(say, client, table, said[begin : begin + 20])
            await asyncio.to_thread(quick.until, lambda: len(quick.heard) >= len(said))
        assert quick.breaks == 0
        assert "shoetrail_board_cut_off_total 1.0" in service.hub.metrics.page().decode()
        got = await asyncio.to_thread(all_there_is, slow)
    whole = _ID.findall(re.sub(rb"\r\n[0-9a-f]+\r\n", b"", got))
    left = len(said) - len(whole)
    assert 0 < left < len(said)
    async with looking(url, whole[-1].decode()) as again:
        await asyncio.to_thread(again.until, lambda: len(again.heard) >= left)
    assert [heard.id for heard in again.heard] == [h.id for h in quick.heard][len(whole) :]
    assert heard_by_stream(quick.heard) == addresses(table, said)


async def test_too_many_are_told_to_come_again(
    service: DashboardService, client: redis.Redis
) -> None:
    await shown(service, client, "T")
    async with httpx.AsyncClient(base_url=service.url) as http:
        open_now = [
            http.stream("GET", path) for path in ("/api/stream", "/api/tables/T/stream") * 2
        ]
        for one in open_now:
            assert (await one.__aenter__()).status_code == 200
        refused = await http.get("/api/stream")
        assert refused.status_code == 429
        assert int(refused.headers["retry-after"]) > 0
        assert refused.json()["error"]
        await open_now[0].__aexit__(None, None, None)
        status = 0
        for _ in range(100):
            async with http.stream("GET", "/api/stream") as answer:
                status = answer.status_code
            if status == 200:
                break
            await asyncio.sleep(0.02)
        assert status == 200
        for one in open_now[1:]:
            await one.__aexit__(None, None, None)


async def test_a_full_room_is_said(fresh_redis: str) -> None:
    journal = connect(fresh_redis)
    service = DashboardService(Hub(journal, room=Room(1, 9)), (), Served(port=0))
    await service.start()
    try:
        async with httpx.AsyncClient(base_url=service.url) as http:
            async with http.stream("GET", "/api/stream") as one:
                assert one.status_code == 200
                refused = await http.get("/api/stream")
            assert refused.status_code == 503
            assert int(refused.headers["retry-after"]) > 0
            for path in ("/api/stream", "/public/api/stream"):
                head = await http.head(path)
                assert (head.status_code, head.text) == (200, "")
                assert head.headers["content-type"].startswith("text/event-stream")
    finally:
        await service.stop()
        await journal.aclose()


async def test_all_are_let_go_at_once_when_it_stops(fresh_redis: str, client: redis.Redis) -> None:
    journal = connect(fresh_redis)
    service = DashboardService(Hub(journal), (), Served(port=0))
    await service.start()
    await shown(service, client, "T")
    ended = threading.Event()

    async def look(http: httpx.AsyncClient, path: str) -> str:
        async with http.stream("GET", path) as answer:
            assert answer.status_code == 200
            ended.set()
            return "".join([text async for text in answer.aiter_text()])

    async with httpx.AsyncClient(base_url=service.url, timeout=10) as http:
        streams = [
            asyncio.create_task(look(http, p)) for p in ("/api/stream", "/api/tables/T/stream")
        ]
        with asks_and_never_reads(service.url + "/api/stream"):
            await asyncio.to_thread(ended.wait, 5)
            await asyncio.sleep(0.1)
            began = time.monotonic()
            await service.stop()
            assert time.monotonic() - began < 9  # a sending may take ten
        texts = await asyncio.gather(*streams)
        assert [text.split("id: ")[0] for text in texts] == ["retry: 1000\n"] * 2
    await journal.aclose()


async def test_a_shoe_that_redis_holds_no_longer_comes_from_its_log(
    fresh_redis: str, client: redis.Redis, tmp_path: Path
) -> None:
    table, said = "DISPUTED", said_at("DISPUTED")
    journal = connect(fresh_redis)
    service = DashboardService(
        Hub(journal, kept=KeptShoes(LogFolder(tmp_path))), (), Served(port=0)
    )
    await service.start()
    await shown(service, client, table)
    url = f"{service.url}/api/tables/{table}/stream"
    async with looking(url) as one:
        await asyncio.to_thread(say, client, table, said)
        await asyncio.to_thread(one.until, lambda: len(one.heard) >= len(said))
    old = one.heard[40]
    streams = Streams(table)
    for stream in (streams.events, streams.outcomes, streams.verdicts):
        client.xtrim(stream, minid="2-0", approximate=False)
    async with looking(url, old.id) as early:
        await asyncio.to_thread(early.until, lambda: early.heard)
    assert early.heard[0].event == "reset"
    (tmp_path / table).mkdir()
    (tmp_path / table / "1.jsonl").write_bytes((LOGS / table / "1.jsonl").read_bytes())
    verdicts = [x.data for x in said if x.stream == "verdicts" and x.id.major == 1]
    (tmp_path / table / "1.verdicts.jsonl").write_bytes(b"\n".join(verdicts) + b"\n")
    async with looking(url, old.id) as late:
        left = len(said) - 41
        await asyncio.to_thread(late.until, lambda: len(late.heard) >= left)
    assert heard_by_stream(late.heard) == heard_by_stream(one.heard[41:])
    assert applied(late.heard, applied(one.heard[:41])) == applied(one.heard)
    await service.stop()
    await journal.aclose()


async def test_readiness_says_each_table(service: DashboardService, client: redis.Redis) -> None:
    async with httpx.AsyncClient(base_url=service.url) as http:
        assert (await http.get("/readyz")).json() == {"ready": True, "parts": {}}
        await shown(service, client, "A", "B")
        assert json.loads((await http.get("/readyz")).text)["parts"] == {
            "dashboard A": True,
            "dashboard B": True,
        }
        assert (await http.get("/healthz")).json() == {"alive": True}
        metrics = await http.get("/metrics")
        assert metrics.headers["content-type"].startswith("text/plain; version=")
        assert "shoetrail_board_tables 2.0" in metrics.text


async def test_tables_are_discovered_again_when_redis_was_emptied(
    service: DashboardService, client: redis.Redis
) -> None:
    await shown(service, client, "A")
    client.flushall()
    await asyncio.sleep(0)
    announce(client, "A", "B")
    end = time.monotonic() + 20
    while service.hub.tables() != ["A", "B"]:
        assert time.monotonic() < end
        await asyncio.sleep(0.02)


async def test_no_route_takes_a_method_that_writes(service: DashboardService) -> None:
    routes = service.routes
    assert {path for path, _ in routes} >= {"/api/stream", "/metrics", "/healthz", "/readyz"}
    assert all(methods <= {"GET", "HEAD"} for _, methods in routes)
    async with httpx.AsyncClient(base_url=service.url) as http:
        for method in ("POST", "PUT", "PATCH", "DELETE", "OPTIONS"):
            for path in ("/api/stream", "/api/tables/T/stream", "/metrics", "/healthz"):
                assert (await http.request(method, path)).status_code == 405, (method, path)
