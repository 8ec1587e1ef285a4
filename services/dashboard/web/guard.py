"""What stands in front of every address: limits, the token, and the headers of every answer.

Pure ASGI. It reads no body, trusts no ``Host`` or forwarding header, and logs nothing of a request.
"""

from __future__ import annotations

import math
import os
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import Response

from services.dashboard.web import limits, policies
from services.dashboard.web.hosts import is_foreign
from services.dashboard.web.respond import LIVE, Refusal, refused

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from services.dashboard.web.rate import Buckets
    from services.dashboard.web.token import Door

_SESSION: Final = "/session"
#: Answered without a token: what is healthy, the look of pages, and what is public.
_OPEN: Final = frozenset({"/healthz", "/readyz", "/signin", "/public"})
_OPEN_BELOW: Final = ("/static/", "/public/")
_DATA_BELOW: Final = ("/api/", "/public/api/", "/static/")
_DATA: Final = frozenset({"/healthz", "/readyz", "/metrics", _SESSION, "/asyncapi.json"})
#: What a request costs of an address's tokens: little off memory, more where a shoe may be folded.
_COST, _COST_STATIC, _COST_SHOE, _COST_STRANGER = 1.0, 0.1, 3.0, 10.0
_OTHER_NAME: Final = "ask for it at 127.0.0.1 or localhost, or give the board a token"
#: What a refusal says besides; where a body may follow, it is not waited for.
_CLOSE: Final = {"connection": "close"}
_WITH: Final = {
    400: _CLOSE,
    401: {"www-authenticate": 'Bearer realm="shoetrail"'},
    405: {"allow": ", ".join(limits.METHODS), **_CLOSE},
    413: _CLOSE,
    414: _CLOSE,
    431: _CLOSE,
}


class Guard:
    """Stands before an app. Refusals are JSON, but for the pages', which are pages."""

    def __init__(
        self, app: ASGIApp, door: Door, buckets: Buckets, page: Callable[[int], Response]
    ) -> None:
        """``page`` gives the page for a status: 401 is the sign-in page."""
        self._app = app
        self._door = door
        self._buckets = buckets
        self._page = page
        # A proxy that was named passes on the name that it is known by.
        self._proxied = bool(os.environ.get("FORWARDED_ALLOW_IPS"))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or let the app answer."""
        if scope["type"] != "http":
            return  # a websocket is closed by not being accepted
        answering = _Answering(scope["method"] == "HEAD", send)
        answer: ASGIApp
        try:
            answer = self._admitted(scope)
        except Refusal as refusal:
            answer = self._refusing(scope, refusal)
        await answer(scope, receive, answering)

    def _admitted(self, scope: Scope) -> ASGIApp:
        """Find who answers. Raises ``Refusal``."""
        client = scope.get("client")
        address = client[0] if client else ""
        path: str = scope["path"]
        self._take(address, _cost(path))
        limits.check_request(scope)
        if path == _SESSION:
            return self._session(scope, address)
        if path in _OPEN or path.startswith(_OPEN_BELOW):
            return self._app
        if not (self._door.shut or self._proxied) and is_foreign(scope):
            raise Refusal(421, "that is not this board's name", _OTHER_NAME)
        if self._known(scope, address):
            return self._app
        raise Refusal(401, "this needs the board's token", "give it as a bearer token, or sign in")

    def _known(self, scope: Scope, address: str) -> bool:
        headers = Request(scope).headers
        if self._door.admits(headers.get("cookie")):
            return True
        told = headers.get("authorization")
        if self._door.knows(told):
            return True
        if told is not None:  # guessing has to be slow
            self._take(address, _COST_STRANGER)
        return False

    def _session(self, scope: Scope, address: str) -> Response:
        """Give who knows the token a cookie; 204 too for one who has such a cookie."""
        if scope["query_string"]:
            raise Refusal(400, "this address takes no query", "give the token in the header")
        if not self._known(scope, address):
            raise Refusal(401, "this is not the board's token", "give it as a bearer token")
        answer = Response(status_code=204, headers={"cache-control": LIVE})
        if self._door.shut:
            answer.headers["set-cookie"] = self._door.session(secure=scope["scheme"] == "https")
        return answer

    def _take(self, address: str, cost: float) -> None:
        if wait := self._buckets.take(address, cost):
            again = math.ceil(wait)
            raise Refusal(429, "too many requests", f"wait {again} s", again_after=again)

    def _refusing(self, scope: Scope, refusal: Refusal) -> Response:
        path: str = scope["path"]
        if refusal.status in {401, 404} and not is_data(path):
            answer = self._page(refusal.status)
        else:
            answer = refused(refusal, path)
        for name, value in _WITH.get(refusal.status, {}).items():
            answer.headers[name] = value
        return answer


def _cost(path: str) -> float:
    if path.startswith("/static/"):
        return _COST_STATIC
    return _COST_SHOE if is_data(path) and "/shoes/" in path else _COST


def is_data(path: str) -> bool:
    """Tell whether programs ask for this address; people ask for the others."""
    return path in _DATA or path.startswith(_DATA_BELOW)


class _Answering:
    """Sends an answer with the headers that each has, and to a HEAD no more than its head."""

    def __init__(self, head: bool, send: Send) -> None:  # noqa: FBT001 - one of two kinds
        self._head = head
        self._send = send
        self._ended = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            _add_headers(message)
            await self._send(message)
            if self._head:
                self._ended = True
                await self._send({"type": "http.response.body", "body": b"", "more_body": False})
            return
        if not self._ended:
            await self._send(message)


def _add_headers(message: Any) -> None:  # noqa: ANN401 - ASGI's
    headers = MutableHeaders(scope=message)
    if message["status"] != HTTPStatus.NOT_MODIFIED:  # its headers take the place of the page's own
        page = headers.get("content-type", "").startswith("text/html")
        headers.setdefault("content-security-policy", policies.PAGE if page else policies.DATA)
    headers.setdefault("cache-control", LIVE)
    for name, value in policies.HEADERS.items():
        headers[name] = value
