"""What the API needs of the live tables: protocols that the hub and its boards fulfil. No code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from schemas.verdicts import Finding
from services.dashboard.board.round_shapes import ResultShape, RoundShape
from services.dashboard.board.shapes import FindingRow, Lamp, TableView, Tile


class Board(Protocol):
    """A fold of one shoe of a table, as it is now."""

    def view(self) -> TableView:
        """Give the shoe, with the newest of what may be much."""

    def whole(self) -> TableView:
        """Give the shoe, with all of it."""

    def found(self, number: int, /) -> tuple[Finding, ...]:
        """Give what was found in a round."""

    def tile(self) -> Tile:
        """Give the table in small."""

    def round(self, number: int, /) -> RoundShape | None:
        """Give a round of the shoe, or None where there is none."""

    def result(self, number: int, /) -> ResultShape | None:
        """Give a settled round's row, or None."""


class Live(Protocol):
    """All tables as they are read now. Called on the loop; nothing waits between two calls."""

    @property
    def findings(self) -> Sequence[FindingRow]:
        """What was found at any table, newest first, as far back as it is kept."""

    def tables(self) -> list[str]:
        """Name the tables that are known."""

    def board(self, table: str, /) -> Board | None:
        """Give the fold of the shoe that is on a table; None where the table is not known."""

    def cursor(self, table: str, /) -> str:
        """Say how far a table was read, for its stream to go on from."""

    def lobby_cursor(self) -> str:
        """Say how far all tables were read, for the lobby's stream to go on from."""


class Past(Protocol):
    """Past shoes that are still where the live ones come from."""

    async def first(self, table: str, /) -> int:
        """Number the first shoe that is kept whole; 0 where there is none."""

    async def lamp(self, table: str, shoe: int, /) -> Lamp:
        """Say what a shoe's verdict is."""

    async def shoe(self, table: str, shoe: int, /) -> Board | None:
        """Fold a shoe; None where it is not kept whole."""
