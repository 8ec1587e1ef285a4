"""Nasty requests over raw sockets: each gets the right 4xx, or is closed, and nobody else waits."""

from __future__ import annotations

import asyncio
import socket
import time
from typing import TYPE_CHECKING

import orjson
import pytest
from starlette.responses import PlainTextResponse, StreamingResponse
from starlette.routing import Route

from services.dashboard.web import policies
from services.dashboard.web.http_slow import BoundedProtocol
from services.dashboard.web.pages import Shelf
from services.dashboard.web.safe_app import Bounds, SafeApp
from tests.support.served import Raw, raw, read, served

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from starlette.requests import Request
    from starlette.responses import Response

pytestmark = pytest.mark.integration

GET = b"GET /api/well HTTP/1.1\r\nhost: x\r\n"
CLOSE = b"connection: close\r\n\r\n"
ENDED: list[bool] = []
#: What is not ended by then is never ended; a busy machine takes a part of it.
SECONDS = 20


class Hasty(BoundedProtocol):
    head_s = 0.3
    unread_s = 0.3
    idle_s = 1
    most_of_one = 6


async def _well(_request: Request) -> Response:
    return PlainTextResponse("well")


async def _much(_request: Request) -> Response:
    async def blocks() -> AsyncIterator[bytes]:
        try:
            for _ in range(2000):
                yield b"a" * 65536
                await asyncio.sleep(0)
        finally:
            ENDED.append(True)

    return StreamingResponse(blocks())


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    routes = [Route("/api/well", _well), Route("/api/much", _much)]
    app = SafeApp(routes, Shelf(), bounds=Bounds(10_000, 10_000))
    with served(app, Hasty) as number:
        yield number


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (GET + CLOSE, 200),
        (b"GET http://evil.example/api/well HTTP/1.1\r\nhost: x\r\n" + CLOSE, 400),
        (b"GET /api/..%2f..%2fetc/passwd HTTP/1.1\r\nhost: x\r\n" + CLOSE, 400),
        (b"GET /api/../../etc/passwd HTTP/1.1\r\nhost: x\r\n" + CLOSE, 400),
        (b"GET /static/../shapes.py HTTP/1.1\r\nhost: x\r\n" + CLOSE, 400),
        (b"GET /static/%2e%2e/shapes.py HTTP/1.1\r\nhost: x\r\n" + CLOSE, 400),
        (b"GET /static/checker.html HTTP/1.1\r\nhost: x\r\n" + CLOSE, 404),
        (b"GET /api/well%00 HTTP/1.1\r\nhost: x\r\n" + CLOSE, 400),
        (b"GET /api/\xff\xfe HTTP/1.1\r\nhost: x\r\n" + CLOSE, 400),
        (b"GET /api/%ff HTTP/1.1\r\nhost: x\r\n" + CLOSE, 400),
        (b"OPTIONS * HTTP/1.1\r\nhost: x\r\n" + CLOSE, 405),
        (b"CONNECT evil.example:443 HTTP/1.1\r\nhost: x\r\n" + CLOSE, 405),
        (b"POST /api/well HTTP/1.1\r\nhost: x\r\ncontent-length: 999999999\r\n\r\nabc", 405),
        (GET + b"content-length: 5\r\n\r\n", 413),
        (GET + b"transfer-encoding: chunked\r\n\r\nffffffff\r\n", 413),
        (GET + b"content-length: 5\r\ncontent-length: 6\r\n\r\nabcde", 400),
        (GET + b"content-length: 0\r\ntransfer-encoding: chunked\r\n" + CLOSE, 413),
        (b"GET /api/well HTTP/1.1\r\n\r\n", 400),
        (b"GET /api/well HTTP/1.1\r\nhost: a\r\nhost: b\r\n" + CLOSE, 400),
        (b"GET /api/well HTTP/1.1\r\nhost: x\r\nbad header: 1\r\n" + CLOSE, 400),
        (b"GET /api/well HTTP/1.1\r\nhost: x\r\na: b\r\n folded\r\n" + CLOSE, 200),
        (b"GET /api/well\r\n\r\n", 400),
        (b"GET  /api/well HTTP/1.1\r\n\r\n", 400),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(64) + b"\r\n\r\n", 400),
        (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 405),
        (b"\x00" * 300, 400),
        (b"GET /" + b"a" * 10_000 + b" HTTP/1.1\r\nhost: x\r\n\r\n", 414),
        (b"GET /" + b"a" * 1_000_000, 431),
        (GET + b"x: " + b"a" * 70_000 + b"\r\n\r\n", 431),
        (GET + b"a: b\r\n" * 200 + CLOSE, 431),
        (GET + b"upgrade: websocket\r\nconnection: upgrade, close\r\n\r\n", 200),
    ],
)
def test_nasty_requests_get_the_right_status(port: int, sent: bytes, status: int) -> None:
    answer = raw(port, sent)
    assert answer.status == status
    _headed(answer)
    if status != 200:
        assert set(orjson.loads(answer.body)) == {"error", "mend"}
    assert raw(port, GET + CLOSE).status == 200


def _headed(answer: Raw) -> None:
    for name, value in policies.HEADERS.items():
        assert answer.headers[name] == value
    assert answer.headers["content-security-policy"] == policies.DATA
    assert answer.headers["cache-control"] == "no-store"


def test_a_head_that_comes_by_drops_is_not_waited_for(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=SECONDS) as slow:
        begun = time.monotonic()
        for byte in GET:
            slow.sendall(bytes([byte]))
            time.sleep(0.05)
            if time.monotonic() - begun > 0.25:
                break
        assert read(slow).status == 408
        assert time.monotonic() - begun < SECONDS


def test_a_second_head_is_not_waited_for_either(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=SECONDS) as slow:
        slow.sendall(GET + b"\r\n")
        time.sleep(0.1)
        slow.sendall(b"GET /api/we")
        came = b""
        while part := slow.recv(65536):
            came += part
        assert came.startswith(b"HTTP/1.1 200")
        assert b"HTTP/1.1 408" in came


def test_who_says_nothing_is_let_go(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=SECONDS) as silent:
        assert read(silent).status == 0


def test_who_asks_nothing_more_is_let_go(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=SECONDS) as idle:
        begun = time.monotonic()
        idle.sendall(GET + b"\r\n")
        answer = read(idle)
        assert (answer.status, answer.body) == (200, b"well")
        assert 0.8 < time.monotonic() - begun < SECONDS


def test_a_body_that_drips_after_its_answer_is_not_waited_for(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=SECONDS) as slow:
        slow.sendall(b"POST /api/well HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n")
        assert read(slow).status == 405


def test_who_does_not_read_is_broken_off(port: int) -> None:
    ENDED.clear()
    with socket.socket() as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.connect(("127.0.0.1", port))
        deaf.sendall(b"GET /api/much HTTP/1.1\r\nhost: x\r\n\r\n")
        until = time.monotonic() + SECONDS
        while not ENDED and time.monotonic() < until:
            time.sleep(0.02)
    assert ENDED


def test_one_address_has_so_many_connections(port: int) -> None:
    time.sleep(0.1)
    some = [socket.create_connection(("127.0.0.1", port), timeout=SECONDS) for _ in range(8)]
    try:
        answers = [read(one).status for one in some]
    finally:
        for one in some:
            one.close()
    assert answers == [0] * 6 + [429] * 2
    assert raw(port, GET + CLOSE).status == 200


def test_requests_in_a_row_are_answered_in_order(port: int) -> None:
    answer = raw(port, (GET + b"\r\n") * 3 + GET + CLOSE)
    assert answer.status == 200
    assert answer.body.count(b"HTTP/1.1 200") == 3
