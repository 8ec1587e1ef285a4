"""The bytes of what the streams send, made once for all who look on. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec import structs

from schemas.address import Shoe
from schemas.envelope import type_of
from schemas.outcomes import RoundResolved
from schemas.verdicts import RoundAudited, ShoeAudited
from services.dashboard.board import redact
from services.dashboard.board.fields import MOST

if TYPE_CHECKING:
    from schemas.verdicts import Finding
    from services.dashboard.board.shapes import Tile
    from services.dashboard.board.shoe_board import Change, ShoeBoard
    from services.dashboard.live.weave import Told

HEARTBEAT: Final = b":\n\n"
UNREADABLE: Final = "unreadable"
#: What may say thousands at once.
_LONG: Final = (RoundResolved, RoundAudited, ShoeAudited)

_encode: Final = msgspec.json.Encoder().encode


def hello(cursor: str) -> bytes:
    """Begin a stream: how long a browser waits before it comes again, and from where.

    No event is made of it; a browser whose line drops before the first one has a cursor, too.
    """
    return b"retry: 1000\nid: %b\n\n" % cursor.encode()


def name_of(told: Told) -> str:
    """Name an entry's type."""
    return UNREADABLE if told.message is None else type_of(told.message.data)


def address_of(table: str, told: Told) -> str:
    """Give an entry's address: ``T7/12-45``, ``T7/12#17``, ``T7/12`` or ``T7:3``."""
    major, minor = told.id
    if told.stream == "disputes":
        return f"{table}:{major}"
    if told.stream == "events":
        return f"{table}/{major}-{minor}"
    if told.message is not None and isinstance(told.message.data, ShoeAudited):
        return str(Shoe(table, major))
    return f"{table}/{major}#{minor}"


def table_message(cursor: str, board: ShoeBoard, told: Told, change: Change) -> bytes:
    """Make a table's message, for whoever may see all."""
    view = {name: board.field(name) for name in change.fields}
    return _framed(cursor, name_of(told), _body(board.table, told, view, change.results))


def public_message(cursor: str, board: ShoeBoard, told: Told, change: Change) -> bytes:
    """Make a table's message without what is a bettor's."""
    view = {
        name: redact.public_field(name, board.field(name)) for name in redact.public_fields(change)
    }
    name = name_of(told)
    said = None if told.message is None else redact.public_said(name, told.message.data)
    body = _body(board.table, told, view, change.results)
    return _framed(cursor, name, body | {"said": said})


def lobby_message(
    cursor: str, at: str, name: str, time: str | None, tile: Tile, findings: tuple[Finding, ...]
) -> bytes:
    """Make the lobby's message."""
    body = {
        "at": at,
        "type": name,
        "time": time,
        "tile": tile,
        "findings": findings[-MOST:],
        "findings_more": max(len(findings) - MOST, 0),
    }
    return _framed(cursor, name, body)


def reset_message(why: str) -> bytes:
    """Say that the view must be asked for anew; the empty id has a browser forget its cursor."""
    return b"id:\nevent: reset\ndata: " + _encode({"why": why}) + b"\n\n"


def _body(table: str, told: Told, view: dict[str, Any], results: object) -> dict[str, Any]:
    message = told.message
    return {
        "at": address_of(table, told),
        "type": name_of(told),
        "time": _time(told),
        "said": None if message is None else _bounded(message.data),
        "view": view,
        "results": results,
    }


def _bounded(said: msgspec.Struct) -> msgspec.Struct:
    """Give what an entry says, of a list in it the first so many: the log has all."""
    if isinstance(said, _LONG):
        name = "settlements" if isinstance(said, RoundResolved) else "findings"
        known = getattr(said, name)
        if len(known) > MOST:
            return structs.replace(said, **{name: known[:MOST]})
    return said


def _time(told: Told) -> str | None:
    return None if told.message is None else told.message.time


def _framed(cursor: str, name: str, body: object) -> bytes:
    return b"id: %b\nevent: %b\ndata: %b\n\n" % (cursor.encode(), name.encode(), _encode(body))
