"""Findings a page at a time: which, by code and table, and where the next page begins. Pure.

The place between two pages is the last finding that was shown, by time and content: findings that
come meanwhile shift nothing.
"""

from __future__ import annotations

import hashlib
from itertools import islice
from typing import TYPE_CHECKING

from services.dashboard.board.answers import FindingsAnswer
from services.dashboard.web.respond import spelled

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from services.dashboard.board.shapes import FindingRow


def findings_page(
    rows: Sequence[FindingRow],
    code: str | None,
    table: str | None,
    limit: int,
    before: str | None,
) -> FindingsAnswer:
    """Give ``limit`` findings of a code and at a table (None: any), newest first as they are."""
    wanted = [
        row
        for row in rows
        if (code is None or row.finding.code == code) and (table is None or row.table == table)
    ]
    found = list(islice(wanted if before is None else _after(wanted, before), limit + 1))
    shown = tuple(found[:limit])
    return FindingsAnswer(shown, _place(shown[-1]) if len(found) > limit else None)


def _after(rows: Sequence[FindingRow], before: str) -> Iterable[FindingRow]:
    """Go on after a place; where its finding is kept no more, with what is older."""
    time = before.partition("~")[0]
    for at, row in enumerate(rows):
        if row.time == time and _place(row) == before:
            return rows[at + 1 :]
    return [row for row in rows if row.time < time]


def _place(row: FindingRow) -> str:
    return f"{row.time}~{hashlib.sha256(spelled(row)).hexdigest()[:16]}"
