"""Asks an app as uvicorn would put a request to it, whatever its target; no socket, no client."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote

import orjson

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.types import ASGIApp, Message


class Answer(NamedTuple):
    """What came back; headers by their lower-case names."""

    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:  # noqa: ANN401 - any JSON
        """Read the body."""
        return orjson.loads(self.body)


def ask(
    app: ASGIApp,
    target: str,
    method: str = "GET",
    headers: Mapping[str, str] | None = None,
    address: str = "192.0.2.1",
    host: str = "localhost:8080",
) -> Answer:
    """Ask once."""
    return asyncio.run(answer_of(app, target, method, headers, address, host))


async def answer_of(
    app: ASGIApp,
    target: str,
    method: str = "GET",
    headers: Mapping[str, str] | None = None,
    address: str = "192.0.2.1",
    host: str = "localhost:8080",
) -> Answer:
    """Ask once, on a loop that is there."""
    raw, _, query = target.encode().partition(b"?")
    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "server": ("127.0.0.1", 8080),
        "client": (address, 5000),
        "scheme": "http",
        "method": method,
        "root_path": "",
        "path": unquote(raw.decode("ascii")),
        "raw_path": raw,
        "query_string": query,
        "headers": [(b"host", host.encode())]
        + [(name.lower().encode(), value.encode("latin-1")) for name, value in
           (headers or {}).items()],
        "state": {},
    }  # fmt: skip
    sent: list[Message] = []

    asked: list[bool] = []

    async def receive() -> Message:
        if asked:
            await asyncio.Event().wait()  # nobody goes away
        asked.append(True)
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    await app(scope, receive, send)
    told = {name.decode(): value.decode("latin-1") for name, value in sent[0]["headers"]}
    body = b"".join(message.get("body", b"") for message in sent[1:])
    return Answer(sent[0]["status"], told, body)
