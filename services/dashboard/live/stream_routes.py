"""The addresses of the streams: reads what is asked, and lets a viewer in. Reads no table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import Response
from starlette.routing import Route

from services.dashboard.live.cursor import LONGEST, Garbage, LobbyCursor, TableCursor
from services.dashboard.live.stream import HEADERS, MEDIA, EventStream
from services.dashboard.web.asked import asked_of
from services.dashboard.web.respond import Refusal
from services.dashboard.web.routes import AFTER, PUBLIC

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.requests import Request

    from services.dashboard.live.hub import Hub
    from services.dashboard.web.asked import Asked

LOBBY = "/api/stream"
TABLE = "/api/tables/{table}/stream"


def stream_routes(hub: Hub) -> list[Route]:
    """Make the streams' routes, the public ones too."""
    made = []
    for before, public in (("", False), (PUBLIC, True)):
        made += [
            Route(before + LOBBY, _endpoint(hub, _lobby, public=public), methods=["GET"]),
            Route(before + TABLE, _endpoint(hub, _table, public=public), methods=["GET"]),
        ]
    return made


def _endpoint(
    hub: Hub, open_stream: Callable[[Hub, Asked, str], Response], *, public: bool
) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        asked = asked_of(request, (AFTER,), public=public)
        text = request.headers.get("last-event-id") or asked.query.get("after", "")
        if len(text) > LONGEST:
            raise _garbage()
        if request.method == "HEAD":
            return Response(headers=HEADERS, media_type=MEDIA)
        return open_stream(hub, asked, text)

    return endpoint


def _table(hub: Hub, asked: Asked, text: str) -> EventStream:
    try:
        cursor = TableCursor.parse(text) if text else None
    except Garbage:
        raise _garbage() from None
    viewer = hub.admit(_address(asked.request), public=asked.public)
    return hub.open_table(asked.table, cursor, viewer)


def _lobby(hub: Hub, asked: Asked, text: str) -> EventStream:
    try:
        cursor = LobbyCursor.parse(text) if text else None
    except Garbage:
        raise _garbage() from None
    viewer = hub.admit(_address(asked.request), public=asked.public)
    return hub.open_lobby(cursor, viewer)


def _garbage() -> Refusal:
    return Refusal(400, "this is no cursor", "leave it out, or give the id of an event")


def _address(request: Request) -> str:
    return "" if request.client is None else request.client.host
