"""An app served on loopback from a loop in a thread, and requests as raw bytes."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from typing import TYPE_CHECKING, NamedTuple

from services.runtime.health import HealthService

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.applications import Starlette


class Raw(NamedTuple):
    """An answer off the wire; ``status`` 0: the connection was closed without one."""

    status: int
    headers: dict[str, str]
    body: bytes


@contextlib.contextmanager
def served(app: Starlette, protocol: type[asyncio.Protocol] | None = None) -> Iterator[int]:
    """Serve; gives the port."""
    loop = asyncio.new_event_loop()
    service = HealthService(port=0, app=app, protocol=protocol)
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        asyncio.run_coroutine_threadsafe(service.start(), loop).result(10)
        yield service.port
    finally:
        asyncio.run_coroutine_threadsafe(service.stop(), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()


def raw(port: int, sent: bytes, *, wait: float = 5.0) -> Raw:
    """Send bytes and read until the other side closes."""
    with socket.create_connection(("127.0.0.1", port), timeout=wait) as connection:
        with contextlib.suppress(OSError):  # it may have answered and closed already
            connection.sendall(sent)
        return read(connection)


def read(connection: socket.socket) -> Raw:
    """Read an answer until the other side closes."""
    came = b""
    with contextlib.suppress(ConnectionError):
        while part := connection.recv(65536):
            came += part
    head, _, body = came.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    if not first:
        return Raw(0, {}, b"")
    pairs = (line.partition(":") for line in lines)
    headers = {name.lower(): value.strip() for name, _, value in pairs}
    return Raw(int(first.split()[1]), headers, body)
