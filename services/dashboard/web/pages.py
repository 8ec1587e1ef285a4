"""The pages and what they load, from files: fixed bytes with ETags. Knows no table and no address.

A page is a shell that is the same for every table; its script reads where it is and asks the API.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from starlette.responses import Response
from starlette.routing import Route

from services.dashboard.web import policies
from services.dashboard.web.asked import asked_of
from services.dashboard.web.respond import KEPT, Refusal, matches, refused, tag_of

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from starlette.requests import Request

STATIC: Final = Path(__file__).parents[1] / "static"
#: Under /static/: never a page, for those are asked for by their own addresses.
TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".ico": "image/vnd.microsoft.icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}
HTML: Final = "text/html; charset=utf-8"
_SHOE: Final = "/tables/{table}/shoes/{shoe}"
#: The pages by their addresses; each is there under /public too, but for ``_OWN``.
PAGES: Final = {
    "/": "lobby.html",
    "/tables/{table}": "table.html",
    _SHOE: "shoe.html",
    _SHOE + "/rounds/{round}": "round.html",
    "/findings": "findings.html",
    "/checker": "checker.html",
    "/signin": "signin.html",
}
_OWN: Final = frozenset({"/findings", "/signin"})
_NOT_FOUND: Final = "404.html"
_META: Final = re.compile(r'http-equiv="Content-Security-Policy" content="([^"]*)"')


class _File(NamedTuple):
    """A file as it is served; ``policy`` is a page's own, where it states one."""

    changed_ns: int
    body: bytes
    tag: str
    policy: str | None


class Shelf:
    """The files of one folder, each read once, and again where it was changed."""

    def __init__(self, folder: Path = STATIC) -> None:
        """List the folder: what is not in it now is never served."""
        self._folder = folder
        self._names = {
            file.relative_to(folder).as_posix(): file
            for file in sorted(folder.rglob("*"))
            if file.is_file()
        }
        self._read: dict[str, _File] = {}

    def __contains__(self, name: str) -> bool:
        """Tell whether there is such a file."""
        return name in self._names

    @property
    def loads(self) -> list[str]:
        """Name what pages may load."""
        return [name for name, file in self._names.items() if file.suffix in TYPES]

    def answer(self, name: str, asked_if: str | None, status: int = 200) -> Response:
        """Serve a file, or say with 304 that the asker has it."""
        file = self._file(name)
        headers = {"cache-control": KEPT, "etag": file.tag}
        if file.policy is not None:
            headers["content-security-policy"] = file.policy
        if status == 200 and matches(asked_if, file.tag):  # noqa: PLR2004 - OK
            return Response(status_code=304, headers=headers)
        if status != 200:  # noqa: PLR2004 - OK
            headers["cache-control"] = "no-store"
        media = TYPES.get(self._names[name].suffix, HTML)
        answer = Response(file.body, status, headers)
        answer.headers["content-type"] = media
        return answer

    def _file(self, name: str) -> _File:
        path = self._names[name]
        changed = path.stat().st_mtime_ns
        found = self._read.get(name)
        if found is None or found.changed_ns != changed:
            body = path.read_bytes()
            policy = _stated(body) if path.suffix == ".html" else None
            found = self._read[name] = _File(changed, body, tag_of(body), policy)
        return found


def page_routes(shelf: Shelf) -> list[Route]:
    """Make the routes of the pages, of the same in public, and of what they load."""
    routes = [
        Route("/static/{name:path}", _static(shelf), name="static"),
        Route("/public", _to_public, name="public"),
    ]
    for path, file in PAGES.items():
        if file not in shelf:
            continue
        routes.append(Route(path, _page(shelf, file), name=file))
        if path not in _OWN:
            public = "/public" + path
            routes.append(Route(public, _page(shelf, file), name=f"public-{file}"))
    return routes


def status_page(shelf: Shelf, status: int) -> Response:
    """Give the page for a status, or one line of JSON where there is no page for it."""
    name = "signin.html" if status == 401 else _NOT_FOUND  # noqa: PLR2004 - Unauthorized
    if name in shelf:
        return shelf.answer(name, None, status)
    return refused(Refusal(status, "there is nothing to show here", "begin at /"))


async def _to_public(_request: Request) -> Response:
    """Lead on to the page itself: what a page asks for depends on where it is."""
    return Response(status_code=308, headers={"location": "/public/", "cache-control": KEPT})


def _static(shelf: Shelf) -> Callable[[Request], Coroutine[None, None, Response]]:
    loads = frozenset(shelf.loads)

    async def static(request: Request) -> Response:
        name = request.path_params["name"]
        if name not in loads:
            return refused(Refusal(404, "there is no such file", "look at the page's source"))
        return shelf.answer(name, request.headers.get("if-none-match"))

    return static


def _page(shelf: Shelf, file: str) -> Callable[[Request], Coroutine[None, None, Response]]:
    async def page(request: Request) -> Response:
        try:
            # A page's own script reads the query; only what the path names is looked at.
            asked_of(request, None, public=False)
        except Refusal:
            return status_page(shelf, 404)
        return shelf.answer(file, request.headers.get("if-none-match"))

    return page


def _stated(page: bytes) -> str | None:
    """Give the policy that a page states of itself, for the header to be as strict."""
    found = _META.search(page.decode())
    return None if found is None else f"{found[1]}; {policies.FRAMES}"
