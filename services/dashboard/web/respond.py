"""How the board answers: JSON in one spelling, faults in one line, ETags. Knows no table."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Final

import msgspec
from starlette.responses import Response

from services.dashboard.board.answers import Fault

if TYPE_CHECKING:
    from collections.abc import Mapping

LIVE: Final = "no-store"
#: What does not change, or seldom: it is asked each time whether it did.
KEPT: Final = "private, no-cache"

PUBLIC: Final = "/public"
_API: Final = re.compile(r"(?<!\S)/api/")

_ENCODE: Final = msgspec.json.Encoder().encode


class Refusal(Exception):
    """A request that gets no answer: the status, what is wrong with it, and what to do."""

    def __init__(
        self, status: int, what: str, mend: str = "", *, again_after: int | None = None
    ) -> None:
        """``again_after``: try again after so many seconds."""
        super().__init__(what)
        self.status = status
        self.what = what
        self.mend = mend
        self.again_after = again_after


def fault(
    status: int, what: str, mend: str = "", headers: Mapping[str, str] | None = None
) -> Response:
    """Refuse in one line of JSON."""
    body = _ENCODE(Fault(" ".join(what.split()), " ".join(mend.split())))
    told = {"cache-control": LIVE, **(headers or {})}
    return Response(body, status, told, "application/json")


def refused(refusal: Refusal, path: str = "") -> Response:
    """Spell a refusal of what was asked at ``path``."""
    again = {} if refusal.again_after is None else {"retry-after": str(refusal.again_after)}
    return fault(refusal.status, refusal.what, mend_for(path, refusal.mend), again)


def no_table(table: str) -> Refusal:
    """Say that no table is called so, neither live nor in the logs."""
    return Refusal(404, f"there is no table {table}", "look at /api/tables and /api/logs")


def mend_for(path: str, mend: str) -> str:
    """Send who asks in public to public addresses: the others may be closed to him."""
    return _API.sub(PUBLIC + r"\g<0>", mend) if path.startswith(PUBLIC + "/") else mend


def spelled(plain: object) -> bytes:
    """Spell a shape as JSON."""
    return _ENCODE(plain)


def live(plain: object) -> Response:
    """Answer with what may be different in a moment."""
    return live_bytes(_ENCODE(plain))


def live_bytes(body: bytes) -> Response:
    """Answer so with what is spelled already."""
    return Response(body, 200, {"cache-control": LIVE}, "application/json")


def kept(body: bytes, asked_if: str | None, media: str = "application/json") -> Response:
    """Answer with what stays, or with 304 where the asker has these very bytes."""
    tag = tag_of(body)
    headers = {"cache-control": KEPT, "etag": tag}
    if matches(asked_if, tag):
        return Response(status_code=304, headers=headers)
    return Response(body, 200, headers, media)


def tag_of(body: bytes) -> str:
    """Make the ETag of these bytes."""
    return f'"{hashlib.sha256(body).hexdigest()[:32]}"'


def matches(asked_if: str | None, tag: str) -> bool:
    """Tell whether an ``If-None-Match`` names this tag."""
    if asked_if is None:
        return False
    named = (one.strip().removeprefix("W/") for one in asked_if.split(","))
    return any(one in {"*", tag} for one in named)
