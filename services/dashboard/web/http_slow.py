"""HTTP/1.1 as uvicorn has it, with bounds on slow and greedy clients. Knows no address of ours.

A head that is not whole in time is answered 408, an answer that nobody takes is broken off, and
one address has so many connections at most. Where the protocol itself is broken, the answer is one
line of JSON with the headers of every other.
"""

from __future__ import annotations

import logging
import sys
from typing import TYPE_CHECKING, Any, ClassVar, Final

import h11
from uvicorn.protocols.http.h11_impl import STATUS_PHRASES, H11Protocol

from services.dashboard.board.answers import Fault
from services.dashboard.web import policies
from services.dashboard.web.rate import network_of
from services.dashboard.web.respond import spelled

if TYPE_CHECKING:
    import asyncio

    from uvicorn.protocols.http.h11_impl import RequestResponseCycle

#: What a stranger sends that is no HTTP is no news; what breaks in an app still is.
_LOG: Final = logging.getLogger("uvicorn.protocol")
_LOG.addFilter(lambda record: record.levelno >= logging.ERROR)  # levels are set anew elsewhere
_TOO_LONG: Final = 431


class BoundedProtocol(H11Protocol):
    """A connection. Give a subclass other bounds where these do not fit."""

    #: From a connection's first moment, or a request's first byte, to the end of its head.
    head_s: ClassVar[float] = 10.0
    #: After an answer, to the first byte of another request.
    idle_s: ClassVar[int] = 5
    #: So long what was sent may wait for its reader.
    unread_s: ClassVar[float] = 30.0
    most_of_one: ClassVar[int] = 1024
    most: ClassVar[int] = 8192

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - uvicorn's
        """Take what uvicorn gives a connection."""
        super().__init__(*args, **kwargs)
        self.logger = _LOG
        # An app that streams may break off a reader who does not read: ``request.state.drop``.
        self.app_state = {**self.app_state, "drop": self._break_off}
        self.timeout_keep_alive = self.idle_s
        self._begun = False
        self._head: asyncio.TimerHandle | None = None
        self._unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request, or refuse where there are too many connections."""
        super().connection_made(transport)
        if len(self.connections) > self.most:
            self._refuse(503, "too many connections", "try again later")
        elif self._of_one() > self.most_of_one:
            self._refuse(429, "too many connections from one address", "close some")
        else:
            self._wait_for_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing more."""
        self._stop(self._head)
        self._stop(self._unread)
        self._head = self._unread = None
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take bytes; a request that begins with them has to be whole in time."""
        if self.transport.is_closing():
            return
        if self._idle():
            self._begun = True
            if self._head is None:
                self._wait_for_head()
        super().data_received(data)

    def handle_events(self) -> None:
        """Read what came; a head that is whole is waited for no more."""
        super().handle_events()
        if not self._idle():
            self._begun = False
            self._stop(self._head)
            self._head = None

    def pause_writing(self) -> None:
        """Give the reader a while to read on."""
        super().pause_writing()
        self._unread = self.loop.call_later(self.unread_s, self._break_off)

    def resume_writing(self) -> None:
        """Go on: the reader has read."""
        self._stop(self._unread)
        self._unread = None
        super().resume_writing()

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 - ours says more
        """Answer what is no HTTP."""
        wrong = sys.exception()
        status = getattr(wrong, "error_status_hint", 400)
        if status == _TOO_LONG:
            self._refuse(431, "the request's head is too long", "shorten it")
        else:
            self._refuse(400, "this is no request", "speak HTTP/1.1")

    def _should_upgrade(self) -> bool:
        return False

    def _idle(self) -> bool:
        """Tell whether no request is being answered."""
        cycle: RequestResponseCycle | None = self.cycle
        return cycle is None or cycle.response_complete

    def _of_one(self) -> int:
        """Count the connections of this one's address."""
        mine = _who(self)
        return sum(1 for one in self.connections if _who(one) == mine)

    def _wait_for_head(self) -> None:
        self._stop(self._head)
        self._head = self.loop.call_later(self.head_s, self._late)

    def _late(self) -> None:
        self._head = None
        if not self._begun:
            self.transport.close()  # a browser that connected in advance
        elif self._idle() and not self.transport.is_closing():
            self._refuse(408, "the request did not come in time", "send it at once")

    def _break_off(self) -> None:
        self._unread = None
        self.transport.abort()

    def _refuse(self, status: int, what: str, mend: str) -> None:
        """Answer in place of a request, and close."""
        body = spelled(Fault(what, mend))
        headers = {
            "content-type": "application/json",
            "content-length": str(len(body)),
            "cache-control": "no-store",
            "connection": "close",
            "content-security-policy": policies.DATA,
            **policies.HEADERS,
        }
        try:
            head = h11.Response(
                status_code=status,
                headers=list(headers.items()),
                reason=STATUS_PHRASES[status],
            )
            for event in (head, h11.Data(data=body), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        except h11.LocalProtocolError:
            pass  # the answer to an earlier request is under way: there is no place for another
        self.transport.close()

    @staticmethod
    def _stop(timer: asyncio.TimerHandle | None) -> None:
        if timer is not None:
            timer.cancel()


def _who(one: Any) -> str:  # noqa: ANN401 - any of uvicorn's protocols
    return network_of(one.client[0]) if one.client else ""
