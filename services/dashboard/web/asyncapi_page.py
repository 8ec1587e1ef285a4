"""What services say to one another, as a page: the published AsyncAPI document, every text escaped.

The page has no script, and nothing is in it but what the document says.
"""

from __future__ import annotations

import asyncio
from functools import cache
from html import escape
from typing import TYPE_CHECKING, Any, Final

from starlette.routing import Route

from schemas import asyncapi
from schemas.envelope import dump
from services.dashboard.web import respond
from services.dashboard.web.asked import asked_of
from services.dashboard.web.pages import HTML

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.requests import Request
    from starlette.responses import Response

_HEAD: Final = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<link rel="stylesheet" href="/static/asyncapi.css">
</head>
<body>
"""


def asyncapi_routes() -> list[Route]:
    """Make the routes of the page and of the document itself."""
    return [Route("/asyncapi", _page), Route("/asyncapi.json", _json)]


async def _page(request: Request) -> Response:
    asked = asked_of(request, (), public=False)
    return respond.kept(await asyncio.to_thread(page_bytes), asked.asked_if, HTML)


async def _json(request: Request) -> Response:
    asked = asked_of(request, (), public=False)
    return respond.kept(await asyncio.to_thread(_document_bytes), asked.asked_if)


@cache
def _document_bytes() -> bytes:
    return dump(asyncapi.document(), indent=True) + b"\n"


@cache
def page_bytes() -> bytes:
    """Write the page."""
    return "".join(_written(asyncapi.document())).encode()


def _written(document: dict[str, Any]) -> Iterator[str]:
    info = document["info"]
    yield _HEAD.format(title=_text(info["title"]))
    yield "<header><nav aria-label='Board'><a href='/'>Board</a></nav>"
    yield f"<h1>{_text(info['title'])} <small>{_text(info['version'])}</small></h1></header><main>"
    yield from (f"<p>{_text(part)}</p>" for part in info.get("description", "").split("\n\n"))
    yield "<p><a href='/asyncapi.json'>The document itself</a></p><h2>Streams</h2><nav><ul>"
    for name in document["channels"]:
        yield f"<li><a href='#{_text(name)}'>{_text(name)}</a></li>"
    yield "</ul></nav>"
    for name, channel in document["channels"].items():
        yield from _channel(name, channel, document)
    yield "</main></body></html>\n"


def _channel(name: str, channel: dict[str, Any], document: dict[str, Any]) -> Iterator[str]:
    yield f"<section id='{_text(name)}'><h3>{_text(name)}</h3>"
    yield f"<p><code>{_text(channel['address'])}</code></p>"
    yield f"<p>{_text(channel['description'])}</p>"
    who = [
        f"<li>{_text(operation['tags'][0]['name'])}: {_text(operation['action'])}</li>"
        for operation in document["operations"].values()
        if _named(operation["channel"]) == name
    ]
    if who:
        yield f"<h4>Who</h4><ul>{''.join(who)}</ul>"
    yield "<h4>Messages</h4>"
    for message in channel["messages"].values():
        yield from _message(_named(message), document["components"])
    yield "</section>"


def _message(name: str, parts: dict[str, Any]) -> Iterator[str]:
    """Write what an entry says; its envelope is the same for all, and is not shown."""
    message = parts["messages"][name]
    entry = parts["schemas"][_named(message["payload"])]
    said = parts["schemas"][_named(entry["properties"]["data"])]
    yield f"<details><summary><code>{_text(message['name'])}</code></summary>"
    yield f"<p>{_text(message.get('summary', ''))}</p>"
    yield f"<pre tabindex='0'>{_text(dump(said, indent=True).decode())}</pre></details>"


def _named(reference: dict[str, str]) -> str:
    return reference["$ref"].rpartition("/")[2]


def _text(text: object) -> str:
    return escape(str(text), quote=True)
