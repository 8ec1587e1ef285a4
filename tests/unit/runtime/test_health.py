from __future__ import annotations

import asyncio
import json
import signal
import socket
import urllib.error
import urllib.request
from collections.abc import Mapping

import pytest

from schemas.errors import InputError
from services.runtime.health import HealthService

pytestmark = pytest.mark.asyncio


def get(url: str) -> tuple[int, object]:
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as answer:
        with answer:
            return answer.code, json.load(answer)


@pytest.mark.parametrize(
    ("ready", "code", "body"),
    [
        (True, 200, {"ready": True}),
        (False, 503, {"ready": False}),
        ({"redis": True, "dealer": True}, 200, {"ready": True}),
        ({"redis": True, "dealer": False}, 503, {"ready": False}),
        ({}, 200, {"ready": True}),
    ],
)
async def test_ready_is_what_it_is_told(
    ready: bool | Mapping[str, bool], code: int, body: dict[str, object]
) -> None:
    service = HealthService(port=0, ready=lambda: ready)
    await service.start()
    try:
        if isinstance(ready, Mapping):
            body = body | {"parts": ready}
        assert await asyncio.to_thread(get, service.url + "/readyz") == (code, body)
        assert await asyncio.to_thread(get, service.url + "/healthz") == (200, {"alive": True})
    finally:
        await service.stop()


async def test_it_is_reached_from_this_machine_only_unless_told() -> None:
    service = HealthService(port=0)
    await service.start()
    try:
        assert service.url == f"http://127.0.0.1:{service.port}"
        assert service.port > 0
    finally:
        await service.stop()


async def test_a_port_in_use_is_one_line_and_not_an_exit() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        service = HealthService(port=taken.getsockname()[1])
        with pytest.raises(InputError, match="already in use"):
            await service.start()
        await service.stop()


async def test_a_host_that_is_not_ours_is_one_line() -> None:
    with pytest.raises(InputError, match="cannot be opened"):
        await HealthService("no host of ours", 0).start()


async def test_after_the_end_nobody_answers_and_signals_are_as_before() -> None:
    before = signal.getsignal(signal.SIGINT)
    service = HealthService(port=0)
    await service.start()
    assert signal.getsignal(signal.SIGINT) == before
    await service.stop()
    await service.stop()
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", service.port), timeout=1)
