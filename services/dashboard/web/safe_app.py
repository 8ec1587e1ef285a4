"""The board's addresses as one app, behind its guard: faults are lines of JSON, or pages.

Nothing here redirects by what a request says of its host, and no fault says more than its line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from starlette.applications import Starlette
from starlette.exceptions import HTTPException

from services.dashboard.web.guard import Guard, is_data
from services.dashboard.web.pages import Shelf, status_page
from services.dashboard.web.rate import Buckets
from services.dashboard.web.respond import Refusal, fault, mend_for, refused
from services.dashboard.web.token import Door

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import BaseRoute
    from starlette.types import ASGIApp

_NOT_FOUND: Final = 404


class Bounds(NamedTuple):
    """What one address may ask: requests a second in the long run, and at once."""

    rate: float = 50.0
    burst: float = 500.0


class SafeApp(Starlette):
    """An app whose every answer, the one to a bug too, goes through the guard."""

    def __init__(
        self,
        routes: Sequence[BaseRoute],
        shelf: Shelf,
        token: str | None = None,
        bounds: Bounds | None = None,
    ) -> None:
        """Take the routes; ``token`` None: anybody may look."""

        def fault_of(request: Request, wrong: Exception) -> Response:
            return _http_fault(shelf, request, wrong)

        super().__init__(
            routes=routes,
            exception_handlers={HTTPException: fault_of, Refusal: _refused, Exception: _broken},
        )
        # A redirect would be built from the Host that the request names.
        self.router.redirect_slashes = False
        self._door = Door(token)
        self._buckets = Buckets(*(bounds or Bounds()))
        self._shelf = shelf

    def build_middleware_stack(self) -> ASGIApp:
        """Put the guard outermost: an answer to what was not foreseen needs its headers too."""
        return Guard(
            super().build_middleware_stack(),
            self._door,
            self._buckets,
            lambda status: status_page(self._shelf, status),
        )


def _http_fault(shelf: Shelf, request: Request, wrong: Exception) -> Response:
    assert isinstance(wrong, HTTPException)  # noqa: S101 - it is asked for these alone
    if wrong.status_code != _NOT_FOUND:
        return fault(wrong.status_code, wrong.detail, "", wrong.headers)
    if is_data(request.scope["path"]):
        path: str = request.scope["path"]
        mend = mend_for(path, "look at /api/openapi.json")
        return fault(_NOT_FOUND, "there is nothing at this address", mend)
    return status_page(shelf, _NOT_FOUND)


def _refused(request: Request, wrong: Exception) -> Response:
    assert isinstance(wrong, Refusal)  # noqa: S101 - it is asked for these alone
    return refused(wrong, request.scope["path"])


def _broken(_request: Request, _wrong: Exception) -> Response:
    return fault(500, "the board has a bug, which its log tells of", "tell whoever runs it")
