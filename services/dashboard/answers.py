"""What the API's addresses answer, as shapes around those of ``shapes.py``. Data only."""

from __future__ import annotations

import msgspec

from schemas.verdicts import Finding
from services.dashboard.shapes import (
    FindingRow,
    Lamp,
    OtherShape,
    ResultShape,
    RoundShape,
    TableView,
    Tile,
)


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


class ShoeAnswer(msgspec.Struct, frozen=True):
    """A shoe as it is now."""

    view: TableView


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
