"""Each address of the API, described once: routes and OpenAPI both come of it. Answers nothing.

``/public`` in front of an address that is ``public`` gives the same without what is a bettor's.
"""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple

import msgspec

from schemas.address import LARGEST, NAME
from services.auditor.codes import CODES
from services.dashboard.board import answers
from services.dashboard.board.asked_shapes import OddsShape
from services.dashboard.web import respond

PUBLIC: Final = respond.PUBLIC
JSON: Final = "application/json"
LINES: Final = "application/jsonl"
TEXT: Final = "text/plain"
EVENTS: Final = "text/event-stream"
#: So many findings or shoes at most in one answer, and unless told.
MOST: Final = 500
UNLESS_TOLD: Final = 100

_TABLE: Final = "/api/tables/{table}"
_SHOE: Final = _TABLE + "/shoes/{shoe}"
_ROUND: Final = _SHOE + "/rounds/{round}"
_COUNT: Final = {"type": "integer", "minimum": 1, "maximum": LARGEST}


class Query(NamedTuple):
    """A parameter in the query: how it is spelled, its schema, and what it says."""

    name: str
    spelling: re.Pattern[str]
    schema: dict[str, Any]
    says: str


def _worded(name: str, pattern: str, says: str) -> Query:
    schema = {"type": "string", "pattern": f"^{pattern}$"}
    return Query(name, re.compile(pattern, re.ASCII), schema, says)


def _counted(name: str, most: int, says: str) -> Query:
    schema = {"type": "integer", "minimum": 1, "maximum": most}
    return Query(name, re.compile(r"[1-9][0-9]{0,15}", re.ASCII), schema, says)


AFTER: Final = Query(
    "after",
    re.compile(r"[\x21-\x7e]{1,12000}", re.ASCII),
    {"type": "string"},
    "Begin after this cursor, which a view came with; the header Last-Event-ID beats it.",
)
RULES: Final = _worded("rules", "[a-z0-9][a-z0-9-]{0,63}", "What these rules would make of it.")
CODE: Final = Query(
    "code",
    re.compile("[a-z][a-z0-9-]{0,63}", re.ASCII),
    {"type": "string", "enum": sorted(CODES)},
    "Only findings of this code; docs/findings.md says what each means.",
)
AT_TABLE: Final = _worded("table", NAME, "Only findings at this table.")
LIMIT: Final = _counted("limit", MOST, f"So many at most; {UNLESS_TOLD} unless told.")
BEFORE: Final = _worded(
    "before", "[0-9TZ:.-]{27}~[0-9a-f]{16}", "What `next` said: those that follow."
)
AFTER_TABLE: Final = _worded("after", NAME, "What `next` said: tables whose names follow.")
BEFORE_SHOE: Final = _counted("before", LARGEST, "Only shoes before this one.")

#: What stands in a path, by name.
PLACES: Final[dict[str, tuple[dict[str, Any], str]]] = {
    "table": ({"type": "string", "pattern": f"^{NAME}$"}, "The table's name."),
    "shoe": (_COUNT, "The shoe's number, from 1."),
    "round": (_COUNT, "The round's number in its shoe, from 1."),
}


class Address(NamedTuple):
    """An address: what it gives (a shape, or a media type), what may be asked, what is refused.

    ``tells``: what the data of a stream's messages is.

    Every address may also be refused with 400, 401, 404, 405 and 429.
    """

    path: str
    name: str
    summary: str
    gives: type[msgspec.Struct] | None
    media: str = JSON
    query: tuple[Query, ...] = ()
    refused: tuple[int, ...] = ()
    public: bool = True
    tells: type[msgspec.Struct] | None = None


#: All but the streams are answered by ``api.py``; those by the hub.
ADDRESSES: Final = (
    Address("/api/tables", "tables", "All tables, in small", answers.TablesAnswer),
    Address(
        "/api/logs",
        "logs",
        "Tables that only logs know of: nobody deals at them now",
        answers.LogsAnswer,
        query=(LIMIT, AFTER_TABLE),
    ),
    Address(_TABLE, "table", "The shoe that is on a table", answers.TableAnswer),
    Address(
        _TABLE + "/shoes",
        "shoes",
        "A table's shoes, newest first",
        answers.ShoesAnswer,
        query=(LIMIT, BEFORE_SHOE),
    ),
    Address(_SHOE, "shoe", "A shoe, whole", answers.ShoeAnswer, refused=(503,)),
    Address(
        _ROUND, "round", "A round", answers.RoundAnswer, query=(RULES,), refused=(503,)
    ),
    Address(
        _ROUND + "/proof",
        "proof",
        "A round's proof, where the log is sealed",
        None,
        refused=(503,),
        public=False,
    ),
    Address(_SHOE + "/log", "log", "The shoe's log as far as it is written", None, LINES,
            public=False),
    Address(_SHOE + "/checkpoint", "checkpoint", "The log's signed checkpoint", None, TEXT,
            public=False),
    Address(_SHOE + "/audit", "audit", "A worker's audit of the whole log", None, public=False),
    Address(
        _TABLE + "/odds",
        "odds",
        "The next round's exact odds from the cards that were not seen",
        OddsShape,
        refused=(503,),
    ),
    Address(
        "/api/findings",
        "findings",
        "Findings, newest first",
        answers.FindingsAnswer,
        query=(CODE, AT_TABLE, LIMIT, BEFORE),
        public=False,
    ),
    Address("/api/rules", "rules", "The published rule sets", answers.RulesAnswer),
    Address("/api/stream", "stream_lobby", "The lobby's messages", None, EVENTS, (AFTER,),
            refused=(503,), tells=answers.LobbyMessage),
    Address(_TABLE + "/stream", "stream_table", "A table's messages", None, EVENTS, (AFTER,),
            refused=(503,), tells=answers.TableMessage),
    Address("/api/openapi.json", "openapi", "This document", None),
)  # fmt: skip
