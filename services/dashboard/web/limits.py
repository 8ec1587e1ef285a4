"""What a request may look like before anybody reads it: its path, query, headers and body.

Raises ``Refusal``. Every address of the board is spelled in letters, digits and ``-._~`` alone.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote_to_bytes

from services.dashboard.web.respond import Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

LONGEST_PATH: Final = 512
#: The lobby's cursor has a place for each table.
LONGEST_QUERY: Final = 12_288
MOST_HEADERS: Final = 100
LONGEST_HEADERS: Final = 32768
METHODS: Final = ("GET", "HEAD")

_PERCENT: Final = re.compile(rb"%(?![0-9A-Fa-f]{2})")
_PLAIN: Final = re.compile(r"(?:/[A-Za-z0-9._~-]+)+/?|/", re.ASCII)
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")
_SLASHES: Final = re.compile(rb"%2f|%5c", re.IGNORECASE)
_ENCODE: Final = "encode it as UTF-8, by RFC 3986"


def check_request(scope: Mapping[str, Any]) -> None:
    """Look a request over. What is good of it may still name nothing that there is."""
    check_method(scope["method"])
    check_path(scope.get("raw_path") or scope["path"].encode(), scope["path"])
    check_query(scope["query_string"])
    check_headers(scope["headers"])


def check_method(method: str) -> None:
    """Refuse whatever might be meant to change something."""
    if method not in METHODS:
        raise Refusal(405, "the board is for reading", "use GET or HEAD")


def check_path(raw: bytes, path: str) -> None:
    """Refuse a path that could be read in two ways, and one that is spelled as none of ours."""
    if len(raw) > LONGEST_PATH:
        raise Refusal(414, "the path is too long", f"no address has over {LONGEST_PATH} bytes")
    if not raw.startswith(b"/"):
        raise Refusal(400, "the path does not begin with a slash", "ask for a path of the board")
    decoded = _decoded(raw, "path")
    if decoded != path or _SLASHES.search(raw) or "\\" in decoded:
        raise Refusal(400, "the path can be read in two ways", _ENCODE)
    if any(part in {".", ".."} for part in decoded.split("/")) or "//" in decoded:
        raise Refusal(400, "the path has empty or dotted parts", "ask for the address itself")
    if "%" in decoded and _PERCENT.search(decoded.encode()) is None:
        raise Refusal(400, "the path is encoded twice", _ENCODE)
    if _PLAIN.fullmatch(decoded) is None:
        raise Refusal(404, "there is nothing at this address", "look at /api/openapi.json")


def check_query(raw: bytes) -> None:
    """Refuse a query that is too long or that is no text."""
    if len(raw) > LONGEST_QUERY:
        raise Refusal(414, "the query is too long", f"write at most {LONGEST_QUERY} bytes")
    _decoded(raw, "query")


def check_headers(headers: Sequence[tuple[bytes, bytes]]) -> None:
    """Refuse too many headers, and a body: nothing that is sent here is read."""
    if len(headers) > MOST_HEADERS or sum(len(a) + len(b) for a, b in headers) > LONGEST_HEADERS:
        raise Refusal(431, "the headers are too large", "send fewer of them")
    for name, value in headers:
        if name == b"transfer-encoding" or (name == b"content-length" and value.strip(b" 0")):
            raise Refusal(413, "the request has a body", "send none")


def _decoded(raw: bytes, what: str) -> str:
    if _PERCENT.search(raw):
        raise Refusal(400, f"a percent sign in the {what} is followed by no byte", _ENCODE)
    try:
        decoded = unquote_to_bytes(raw).decode()
    except UnicodeDecodeError:
        raise Refusal(400, f"the {what} is no UTF-8", _ENCODE) from None
    if _CONTROL.search(decoded):
        raise Refusal(400, f"the {what} has control characters", "leave them out")
    return decoded
