"""Reads a request against the description of its address: nothing undescribed gets through.

Raises ``Refusal``: 404 where a path names what there cannot be, 400 for the query.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import unquote_to_bytes

from schemas.address import LARGEST, is_name
from services.dashboard.web.respond import Refusal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.requests import Request

    from services.dashboard.web.routes import Query

_MOST_PAIRS: Final = 16
_MOST_DIGITS: Final = 16


class Asked(NamedTuple):
    """What is asked: ``shoe`` and ``round`` are 0 where the address has none."""

    request: Request
    public: bool
    table: str
    shoe: int
    round: int
    query: dict[str, str]

    @property
    def asked_if(self) -> str | None:
        """What the asker has already, as tags."""
        return self.request.headers.get("if-none-match")

    def number(self, name: str, default: int) -> int:
        """Give a number of the query."""
        return int(self.query.get(name, default))


def asked_of(request: Request, queries: Sequence[Query] | None, *, public: bool) -> Asked:
    """Read a request; with ``queries`` None its query is left unread."""
    place = request.path_params
    table = place.get("table", "")
    if "table" in place and not is_name(table):
        raise Refusal(
            404, "there can be no table of that name", "look at /api/tables and /api/logs"
        )
    shoe = _count(place, "shoe")
    number = _count(place, "round")
    query = {} if queries is None else query_of(request, queries)
    return Asked(request, public, table, shoe, number, query)


def query_of(request: Request, queries: Sequence[Query]) -> dict[str, str]:
    """Read a query: each parameter known, once, and spelled as it has to be."""
    known = {one.name: one for one in queries}
    found: dict[str, str] = {}
    raw: bytes = request.scope["query_string"]
    pairs = [pair for pair in raw.split(b"&") if pair]
    if len(pairs) > _MOST_PAIRS:
        raise Refusal(400, "the query has too many parts", _takes(queries))
    for pair in pairs:
        name, _, value = (_decoded(part) for part in pair.partition(b"="))
        one = known.get(name)
        if one is None:
            raise Refusal(400, "the query names what this address does not take", _takes(queries))
        if name in found:
            raise Refusal(400, f"{name} is given twice", "give it once")
        if one.spelling.fullmatch(value) is None or _outside(one, value):
            raise Refusal(400, f"{name} is not spelled as it has to be", _spelled(one))
        found[name] = value
    return found


def _count(place: dict[str, str], name: str) -> int:
    """Read a shoe's or a round's number, which is 1 at least."""
    text = place.get(name)
    if text is None:
        return 0
    plain = text.isascii() and text.isdigit() and text[0] != "0" and len(text) <= _MOST_DIGITS
    if not plain or int(text) > LARGEST:
        raise Refusal(404, f"there can be no {name} of that number", "count from 1")
    return int(text)


def _decoded(part: bytes) -> str:
    try:
        return unquote_to_bytes(part.replace(b"+", b" ")).decode()
    except UnicodeDecodeError:
        raise Refusal(400, "the query is no UTF-8", "encode it so") from None


def _outside(one: Query, value: str) -> bool:
    if one.schema["type"] != "integer":
        return False
    return not one.schema["minimum"] <= int(value) <= one.schema["maximum"]


def _spelled(one: Query) -> str:
    if one.schema["type"] != "integer":
        return one.says
    least, most = one.schema["minimum"], one.schema["maximum"]
    return f"write a number from {least} to {most}: {one.says}"


def _takes(queries: Sequence[Query]) -> str:
    names = ", ".join(one.name for one in queries)
    return f"it takes {names}" if names else "it takes no query"
