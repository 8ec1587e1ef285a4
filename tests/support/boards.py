"""The board's app over committed logs: live tables folded from them, old shoes read from them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from services.dashboard.board.reading import fold_log
from services.dashboard.board.shapes import FindingRow
from services.dashboard.web.api_routes import api_routes
from services.dashboard.web.archive import Archive
from services.dashboard.web.asyncapi_page import asyncapi_routes
from services.dashboard.web.odds_desk import OddsDesk
from services.dashboard.web.pages import Shelf, page_routes
from services.dashboard.web.safe_app import Bounds, SafeApp

if TYPE_CHECKING:
    from collections.abc import Sequence

    from services.dashboard.board.shoe_board import ShoeBoard
    from services.dashboard.web.ports import Board

LOGS = Path(__file__).parents[2] / "replay_logs"
#: A table with shoes of more than one kind on it, and some with faults.
LIVE = {"CLEAN": 1, "DISPUTED": 1, "MISDRAW-HAND": 1}
FREE = Bounds(1e9, 1e9)


@cache
def board_of(table: str, shoe: int) -> ShoeBoard:
    """Fold a committed log."""
    return fold_log(table, shoe, (LOGS / table / f"{shoe}.jsonl").read_bytes())


class Tables:
    """Some live tables, as the hub would have them."""

    def __init__(self, findings: Sequence[FindingRow] = ()) -> None:
        """Take what was found."""
        self.findings = findings

    def tables(self) -> list[str]:
        """Name them."""
        return list(LIVE)

    def board(self, table: str, /) -> Board | None:
        """Give one's fold."""
        return board_of(table, LIVE[table]) if table in LIVE else None

    def cursor(self, table: str, /) -> str:
        """Say where its stream goes on."""
        return f"{table}.cursor"

    def lobby_cursor(self) -> str:
        """Say where the lobby's stream goes on."""
        return "L.cursor"


def board_app(
    logs: Path = LOGS,
    findings: Sequence[FindingRow] = (),
    token: str | None = None,
    bounds: Bounds = FREE,
) -> SafeApp:
    """Make the app; it has no streams."""
    shelf = Shelf()
    api = api_routes(Tables(findings), Archive(logs, fold_log), OddsDesk())
    return SafeApp([*api, *asyncapi_routes(), *page_routes(shelf)], shelf, token, bounds)
