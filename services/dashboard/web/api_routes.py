"""Makes Starlette's routes of the described addresses, each with whoever answers it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from starlette.routing import Route

from services.dashboard.web import respond
from services.dashboard.web.api import Api
from services.dashboard.web.api_files import FilesApi
from services.dashboard.web.asked import asked_of
from services.dashboard.web.openapi import document_bytes
from services.dashboard.web.routes import ADDRESSES, EVENTS, PUBLIC
from services.dashboard.web.turns import Turns

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.requests import Request
    from starlette.responses import Response

    from services.dashboard.web.archive import Archive
    from services.dashboard.web.asked import Asked
    from services.dashboard.web.odds_desk import OddsDesk
    from services.dashboard.web.ports import Live, Past
    from services.dashboard.web.routes import Address

    Answer = Callable[[Asked], Awaitable[Response]]

_AT_ONCE: Final = 1
_WAITING: Final = 8


def api_routes(
    live: Live, archive: Archive, odds: OddsDesk, past: Past | None = None
) -> list[Route]:
    """Make the routes of all addresses but the streams', and of the same in public."""
    turns = Turns(_AT_ONCE, _WAITING, "too much is worked out for others")
    parts = (Api(live, past, archive, odds, turns), FilesApi(archive, turns))
    routes: list[Route] = []
    for address in ADDRESSES:
        if address.media == EVENTS:
            continue
        answer = _openapi if address.name == "openapi" else _answer_of(parts, address.name)
        routes.append(_route(address, answer, public=False))
        if address.public:
            routes.append(_route(address, answer, public=True))
    return routes


def _answer_of(parts: tuple[object, ...], name: str) -> Answer:
    (found,) = (getattr(part, name) for part in parts if hasattr(part, name))
    answer: Answer = found
    return answer


def _route(address: Address, answer: Answer, *, public: bool) -> Route:
    async def endpoint(request: Request) -> Response:
        return await answer(asked_of(request, address.query, public=public))

    path = PUBLIC + address.path if public else address.path
    return Route(path, endpoint, name=f"public-{address.name}" if public else address.name)


async def _openapi(asked: Asked) -> Response:
    document = await asyncio.to_thread(document_bytes, public=asked.public)
    return respond.kept(document, asked.asked_if)
