"""A health page: is the process alive, is it ready. Shows nothing that happens at a table."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import socket
from collections.abc import Mapping
from typing import TYPE_CHECKING

import orjson
import uvicorn
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route

from schemas.errors import InputError, Unavailable, why_not

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from starlette.requests import Request

    Ready = Callable[[], bool | Mapping[str, bool]]

_BACKLOG = 128


def health_app(ready: Callable[[], bool | Mapping[str, bool]]) -> Starlette:
    """Make the page alone: see ``health_routes``."""
    return Starlette(routes=health_routes(ready))


def health_routes(ready: Callable[[], bool | Mapping[str, bool]]) -> list[Route]:
    """Make its routes: ``/healthz`` answers while the loop runs, ``/readyz`` when all is ready.

    ``ready`` says yes or no, or so for each part by name; an empty mapping is ready.
    """

    async def healthz(_request: Request) -> Response:
        return _answer({"alive": True}, well=True)

    async def readyz(_request: Request) -> Response:
        said = ready()
        if isinstance(said, Mapping):
            well = all(said.values())
            return _answer({"ready": well, "parts": dict(said)}, well=well)
        return _answer({"ready": said}, well=said)

    return [Route("/healthz", healthz), Route("/readyz", readyz)]


class HealthService:
    """Serves an app (the health page unless told) over HTTP, on loopback unless told."""

    name = "health"

    def __init__(
        self,
        host: str = "127.0.0.1",
        port: int = 8080,
        ready: Ready = lambda: True,
        *,
        app: Starlette | None = None,
        protocol: type[asyncio.Protocol] | None = None,
    ) -> None:
        """Take the address (port 0: any free one); nothing is opened before ``start``.

        ``protocol`` is of each connection, HTTP/1.1 as uvicorn has it unless told.
        """
        self.host = host
        self.port = port
        self._app = health_app(ready) if app is None else app
        self._protocol = protocol
        self._server: _Server | None = None
        self._serving: asyncio.Task[None] | None = None

    @property
    def url(self) -> str:
        """Where it is served, once started."""
        return url_of(self.host, self.port)

    async def start(self) -> None:
        """Open the port and return when it answers; ``InputError`` where it cannot be opened."""
        listener = open_port(self.host, self.port)
        self.port = listener.getsockname()[1]
        config = uvicorn.Config(
            self._app,
            http=self._protocol or "auto",
            ws="none",
            # Whoever is not named to be a proxy is taken for nobody but himself.
            proxy_headers=bool(os.environ.get("FORWARDED_ALLOW_IPS")),
            log_config=None,
            access_log=False,
            lifespan="off",
            server_header=False,
            timeout_graceful_shutdown=2,
        )
        self._server = _Server(config)
        self._serving = asyncio.create_task(self._server.serve(sockets=[listener]))
        while not self._server.started:
            if self._serving.done():
                await self._serving
                raise Unavailable(f"the health page at {self.url} did not start")
            await asyncio.sleep(0.01)

    async def stop(self) -> None:
        """Finish what is being answered, for two seconds at most, and close the port."""
        if self._server is None or self._serving is None:
            return
        self._server.should_exit = True
        await self._serving
        self._server = self._serving = None


def open_port(host: str, port: int) -> socket.socket:
    """Listen there; ``InputError`` where that cannot be."""
    try:
        family, kind, proto, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, proto)
    except OSError as reason:
        raise _unusable(host, port, reason) from None
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(_BACKLOG)
    except OSError as reason:
        listener.close()
        raise _unusable(host, port, reason) from None
    return listener


def url_of(host: str, port: int) -> str:
    """Spell where something is served."""
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _unusable(host: str, port: int, reason: OSError) -> InputError:
    elsewhere = isinstance(reason, socket.gaierror) or reason.errno == errno.EADDRNOTAVAIL
    mend = "choose another one with --host" if elsewhere else "choose another one with --port"
    what = f"the {'address' if elsewhere else 'port'} cannot be opened"
    return InputError(f"{what} ({why_not(reason)})", url_of(host, port), mend)


class _Server(uvicorn.Server):
    """Leaves signals to ``run_services``, which stops it like any service."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def _answer(body: Mapping[str, object], *, well: bool) -> Response:
    return Response(
        orjson.dumps(body),
        status_code=200 if well else 503,
        media_type="application/json",
        headers={"cache-control": "no-store"},
    )
