"""Server-sent events over ASGI: one viewer's connection. It knows no table.

Lean on purpose: each message goes to hundreds of viewers, so none of them costs a task's turn, a
timer or a timeout; whoever keeps up is written to at once, and the hub looks after all of them.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import time
from typing import TYPE_CHECKING, Any, Final

from starlette.responses import Response

from services.dashboard.live.message import hello, reset_message
from services.dashboard.live.resume import Unserved
from services.dashboard.web.http_slow import BoundedProtocol

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from starlette.types import Receive, Scope, Send

    from services.dashboard.live.viewer import Viewer

#: Where a connection stands in its requests' scope.
CONNECTION: Final = "shoetrail.connection"
HEADERS: Final = {"cache-control": "no-store", "x-accel-buffering": "no"}
MEDIA: Final = "text/event-stream"
#: What the kernel keeps of a stream for one who does not read; he is cut off the sooner.
_KERNEL_BYTES: Final = 128 * 1024
_GONE_S: Final = 1.0


class StreamProtocol(BoundedProtocol):
    """A connection that can be broken off, and written to at once, by whom it is answered by."""

    def handle_events(self) -> None:
        """Read what came; a request that was begun just now has not been answered yet."""
        super().handle_events()
        if self.cycle is not None:
            scope: dict[str, Any] = self.cycle.scope  # type: ignore[assignment]
            scope.setdefault(CONNECTION, self)

    def write_chunk(self, chunk: bytes) -> bool:
        """Write a part of a chunked answer that is under way; False: its reader is behind.

        It goes past ASGI and h11, which keeps no account of chunks and costs ten times as much.
        """
        if self.flow.write_paused or self.transport.is_closing():
            return False
        self.transport.write(b"%x\r\n%b\r\n" % (len(chunk), chunk))
        return True


class EventStream(Response):
    """Sends what ``missed`` gives, then what is put to the viewer, until either ends."""

    media_type = MEDIA

    def __init__(
        self,
        viewer: Viewer,
        cursor: str,
        missed: AsyncIterator[bytes] | None,
        over: Callable[[Viewer], None],
    ) -> None:
        """``cursor`` is where it begins; ``over`` is called once, however it ends."""
        super().__init__(headers=HEADERS)
        del self.headers["content-length"]
        self._viewer, self._cursor, self._missed, self._over = viewer, cursor, missed, over

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer."""
        viewer = self._viewer
        connection: StreamProtocol | None = scope.get(CONNECTION)
        if connection is not None:
            viewer.drop = connection.transport.abort
        leaving = asyncio.create_task(_until_gone(receive, viewer))
        try:
            if connection is not None:
                _keep_little(connection.transport)
            await send(
                {
                    "type": "http.response.start",
                    "status": self.status_code,
                    "headers": self.raw_headers,
                }
            )
            await self._send(send, hello(self._cursor))
            await self._bring_up(send)
            if connection is not None and scope["http_version"] == "1.1":
                viewer.write = connection.write_chunk
            while chunk := await viewer.next():
                await self._send(send, chunk)
            if not viewer.cut_off:
                await send({"type": "http.response.body", "body": b"", "more_body": False})
            elif connection is not None:  # until uvicorn knows, too, that there is no line
                await asyncio.wait((leaving,), timeout=_GONE_S)
        finally:
            leaving.cancel()
            viewer.write = None
            viewer.forget()
            self._over(viewer)

    async def _bring_up(self, send: Send) -> None:
        if self._missed is None:
            return
        try:
            async for chunk in self._missed:
                await self._send(send, chunk)
                if self._viewer.ended:
                    break
        except Unserved as unserved:
            self._viewer.forget()
            await self._send(send, reset_message(str(unserved)))

    async def _send(self, send: Send, chunk: bytes) -> None:
        viewer = self._viewer
        viewer.since = time.monotonic()
        await send({"type": "http.response.body", "body": chunk, "more_body": True})
        viewer.since = None
        viewer.sent = time.monotonic()


async def _until_gone(receive: Receive, viewer: Viewer) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    viewer.forget()


def _keep_little(transport: asyncio.Transport) -> None:
    wire = transport.get_extra_info("socket")
    if wire is not None:
        with contextlib.suppress(OSError):  # he is gone already
            wire.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _KERNEL_BYTES)
