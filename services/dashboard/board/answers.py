"""What the API's addresses answer, as shapes around those of ``*shapes.py``. Data only."""

from __future__ import annotations

from typing import Any

import msgspec

from schemas.verdicts import Finding
from services.dashboard.board.asked_shapes import OtherShape
from services.dashboard.board.round_shapes import ResultShape, RoundShape
from services.dashboard.board.shapes import FindingRow, Lamp, TableView, Tile


class Fault(msgspec.Struct, frozen=True):
    """Why there is no answer, in a line, and what to do."""

    error: str
    mend: str


class TablesAnswer(msgspec.Struct, frozen=True):
    """All tables in small, and where the lobby's stream goes on from here."""

    tables: tuple[Tile, ...]
    cursor: str


class TableAnswer(msgspec.Struct, frozen=True):
    """The shoe that is on a table, and where the table's stream goes on from here."""

    view: TableView
    cursor: str


class ShoeRow(msgspec.Struct, frozen=True):
    """A shoe that can be shown: ``live`` on the table now, ``log``: its log is there."""

    shoe: int
    live: bool
    log: bool
    lamp: Lamp


class ShoesAnswer(msgspec.Struct, frozen=True):
    """A table's shoes, newest first; ``next`` is the ``before`` of those that follow."""

    shoes: tuple[ShoeRow, ...]
    next: int | None


class LogsRow(msgspec.Struct, frozen=True):
    """A table at which nobody deals now: how many shoes have logs, and the newest of them."""

    table: str
    shoes: int
    newest: int


class LogsAnswer(msgspec.Struct, frozen=True):
    """Tables that only logs know of, by name; ``next`` is the ``after`` of those that follow."""

    tables: tuple[LogsRow, ...]
    next: str | None


class ShoeAnswer(msgspec.Struct, frozen=True):
    """A shoe as it is now."""

    view: TableView


class TableMessage(msgspec.Struct, frozen=True):
    """An entry of a table, and what it changed: the data of a message of the table's stream.

    ``results`` are rows to put in place by round. Of settlements and findings in ``said`` there
    are the first 200.
    """

    at: str
    type: str
    time: str | None
    said: dict[str, Any] | None
    view: TableView
    results: tuple[ResultShape, ...]


class LobbyMessage(msgspec.Struct, frozen=True):
    """An entry of any table, and the table after it: the data of a message of the lobby's stream.

    ``findings`` are those that this entry says and that were not said before, the last 200 of them;
    ``findings_more`` are left out.
    """

    at: str
    type: str
    time: str | None
    tile: Tile
    findings: tuple[Finding, ...]
    findings_more: int = 0


class ResetMessage(msgspec.Struct, frozen=True):
    """Why a view must be asked for anew: the data of the event ``reset``, which ends a stream."""

    why: str


class FindingsAnswer(msgspec.Struct, frozen=True):
    """Findings, newest first; ``next`` is the ``before`` of those that follow."""

    findings: tuple[FindingRow, ...]
    next: str | None


class RulesRow(msgspec.Struct, frozen=True):
    """A published rule set."""

    name: str
    title: str


class RulesAnswer(msgspec.Struct, frozen=True):
    """The published rule sets."""

    rules: tuple[RulesRow, ...]


class RoundAnswer(msgspec.Struct, frozen=True):
    """A round, its row once settled, what was found in it, and what other rules would make of it.

    ``other`` is null unless ``rules`` was asked for.
    """

    round: RoundShape
    result: ResultShape | None
    findings: tuple[Finding, ...]
    other: OtherShape | None = None
