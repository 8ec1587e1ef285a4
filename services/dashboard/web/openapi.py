"""The API as an OpenAPI 3.1 document, made from the routes' descriptions and the shapes."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final

import msgspec

from services.dashboard.board.answers import Fault, ResetMessage
from services.dashboard.web import respond
from services.dashboard.web.described import MEANS
from services.dashboard.web.routes import ADDRESSES, EVENTS, JSON, PLACES, PUBLIC, Address

if TYPE_CHECKING:
    from collections.abc import Sequence

Part = dict[str, Any]

VERSION: Final = "1.0.0"
_REF: Final = "#/components/schemas/"
_DESCRIPTION: Final = """\
Every table, every round and every verdict, as they are now; for reading only. Money is minor units
of the shoe's currency, rounds count from 1, positions from 0, times are UTC with microseconds.
Where SHOETRAIL_DASHBOARD_TOKEN is set, everything needs it (/metrics too) but /healthz, /readyz,
/signin, /static and /public: as a bearer token, or by the cookie that /session sets for it; without
it anybody who reaches the port may look. Addresses under /public leave out whatever is a
bettor's. What services say to one another is at /asyncapi."""
_STREAMED: Final = "Server-sent events; what the data of each is, x-itemSchema says."
_REFUSED: Final = {
    400: "The request is not spelled as it has to be.",
    401: "This needs the board's token.",
    404: "There is no such thing.",
    405: "The board is for reading.",
    413: "The request has a body.",
    414: "The address is too long.",
    421: "A board on loopback without a token is asked for by another machine's name.",
    429: "Too many requests from this address; Retry-After says how long to wait.",
    431: "The request's head is too large.",
    503: "Too busy to answer this now; Retry-After says how long to wait.",
}
_ALWAYS: Final = (400, 401, 404, 405, 413, 414, 421, 429, 431)
_FILES: Final = frozenset({"log", "checkpoint", "audit", "proof"})


@cache
def document(*, public: bool = False) -> Part:
    """Make the document: of all addresses, or of the public ones alone."""
    paths: Part = {}
    for address in ADDRESSES:
        if not public:
            paths[address.path] = {"get": _operation(address, public=False)}
        if address.public:
            paths[PUBLIC + address.path] = {"get": _operation(address, public=True)}
    shown = [one for one in ADDRESSES if one.public or not public]
    return {
        "openapi": "3.1.0",
        "info": {"title": "Shoetrail board", "version": VERSION, "description": _DESCRIPTION},
        "jsonSchemaDialect": "https://json-schema.org/draft/2020-12/schema",
        "security": [{"token": []}, {"session": []}, {}],  # none where the board has no token
        "paths": paths,
        "components": {
            "schemas": _schemas(shown),
            "responses": {_refusal(status): _refused(status) for status in _REFUSED},
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"},
                "session": {"type": "apiKey", "in": "cookie", "name": "shoetrail_session"},
            },
        },
    }


@cache
def document_bytes(*, public: bool) -> bytes:
    """Spell the document."""
    return respond.spelled(document(public=public))


def _operation(address: Address, *, public: bool) -> Part:
    said: Part = {
        "operationId": f"public_{address.name}" if public else address.name,
        "summary": address.summary + (", without what is a bettor's" if public else ""),
        "tags": ["public" if public else "board"],
        "parameters": _parameters(address),
        "responses": _responses(address, public=public),
    }
    if public:
        said["security"] = []
    return said


def _parameters(address: Address) -> list[Part]:
    placed = [
        {"name": name, "in": "path", "required": True, "schema": schema, "description": says}
        for name, (schema, says) in PLACES.items()
        if f"{{{name}}}" in address.path
    ]
    asked = [
        {"name": one.name, "in": "query", "schema": one.schema, "description": one.says}
        for one in address.query
    ]
    if address.media == EVENTS:
        says = "The id of the last message that was read."
        asked.append(
            {
                "name": "Last-Event-ID",
                "in": "header",
                "schema": {"type": "string"},
                "description": says,
            }
        )
    return placed + asked


def _responses(address: Address, *, public: bool) -> Part:
    well: Part = {"description": address.summary, "content": {address.media: _content(address)}}
    found: Part = {"200": well}
    if address.name in _FILES:
        well["headers"] = {"Content-Disposition": {"schema": {"type": "string"}}}
    if address.media != EVENTS:
        found["304"] = {"description": "As the asker has it, by If-None-Match."}
    refused = [status for status in _ALWAYS if not (public and status in {401, 421})]
    for status in sorted((*refused, *address.refused)):
        found[str(status)] = {"$ref": f"#/components/responses/{_refusal(status)}"}
    return found


def _content(address: Address) -> Part:
    if address.gives is not None:
        return {"schema": {"$ref": _REF + address.gives.__name__}}
    if address.tells is not None:
        item = {"oneOf": [_event(address.tells), _event(ResetMessage, "reset")]}
        return {"schema": {"type": "string", "description": _STREAMED}, "x-itemSchema": item}
    return {"schema": {"type": "object"} if address.media == JSON else {"type": "string"}}


def _event(tells: type[msgspec.Struct], named: str | None = None) -> Part:
    """Describe a message as OpenAPI 3.2 will: 3.1 has no word for it."""
    name = {"type": "string"} if named is None else {"const": named}
    data = {
        "type": "string",
        "contentMediaType": JSON,
        "contentSchema": {"$ref": _REF + tells.__name__},
    }
    return {
        "type": "object",
        "properties": {"id": {"type": "string"}, "event": name, "data": data},
        "required": ["id", "event", "data"],
    }


def _refusal(status: int) -> str:
    return f"Refused{status}"


def _refused(status: int) -> Part:
    fault = {"schema": {"$ref": _REF + Fault.__name__}}
    said: Part = {"description": _REFUSED[status], "content": {JSON: fault}}
    if status in {429, 503}:
        said["headers"] = {"Retry-After": {"schema": {"type": "integer", "minimum": 1}}}
    return said


def _schemas(addresses: Sequence[Address]) -> Part:
    given = [one for address in addresses for one in (address.gives, address.tells) if one]
    shapes = [Fault, ResetMessage, *given]
    _, found = msgspec.json.schema_components(shapes, ref_template=_REF + "{name}")
    made = {name: _said(name, schema) for name, schema in found.items()}
    # A message has those fields of a view that changed.
    told = made["TableMessage"]["properties"]["view"]
    told["$ref"] = _REF + "ViewChange"
    view = made["TableView"]
    says = "The fields of a TableView that an entry changed, with their new values, whole."
    made["ViewChange"] = {**view, "title": "ViewChange", "description": says, "required": []}
    return dict(sorted(made.items()))


def _said(name: str, schema: Part) -> Part:
    """Say that every field is there: what is spelled has its defaults too, and nothing else."""
    told = {key: value for key, value in schema.items() if key != "required"}
    if "properties" in told:
        told["required"] = list(told["properties"])
        told["additionalProperties"] = False
        means = MEANS.get(name, {})
        told["properties"] = {
            field: {key: value for key, value in said.items() if key != "default"}
            | ({"description": means[field]} if field in means else {})
            for field, said in told["properties"].items()
        }
    if isinstance(told.get("description"), str):
        told["description"] = " ".join(told["description"].split())
    return told
