"""The board's app: the streams, health, figures, and whatever routes it is given. Wires only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import Response
from starlette.routing import Route

from services.dashboard.live.metrics import MEDIA
from services.dashboard.live.stream_routes import stream_routes
from services.dashboard.web.asyncapi_page import asyncapi_routes
from services.dashboard.web.pages import Shelf, page_routes
from services.dashboard.web.safe_app import SafeApp
from services.runtime.health import health_routes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from starlette.requests import Request
    from starlette.routing import BaseRoute

    from services.dashboard.live.hub import Hub
    from services.dashboard.web.safe_app import Bounds


def board_app(
    hub: Hub,
    api: Sequence[BaseRoute],
    ready: Callable[[], Mapping[str, bool]],
    *,
    token: str | None = None,
    bounds: Bounds | None = None,
) -> SafeApp:
    """Put the board together; ``api`` are the routes of all that is no stream and no page."""

    async def metrics(_request: Request) -> Response:
        return Response(hub.figures(), media_type=MEDIA, headers={"cache-control": "no-store"})

    shelf = Shelf()
    routes = [
        *health_routes(ready),
        Route("/metrics", metrics),
        *stream_routes(hub),
        *api,
        *asyncapi_routes(),
        *page_routes(shelf),
    ]
    return SafeApp(routes, shelf, token, bounds)
