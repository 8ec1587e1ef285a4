"""All tables as they are read now, and who looks on. It never writes to Redis, nor asks it twice.

Called on the loop; nothing waits between two calls.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from services.dashboard.ports import Board
    from services.dashboard.shapes import FindingRow
    from services.journal import Journal


class Hub:
    """Reads each table once for all viewers. ``ports.Live`` is what the API sees of it."""

    name = "dashboard"

    def __init__(self, journal: Journal, tables: Sequence[str] | None = None) -> None:
        """``tables`` None: all that are announced. Nothing is read before ``start``."""
        self._journal = journal
        self._only = tables

    async def start(self) -> None:
        """Begin to read."""
        raise NotImplementedError

    async def stop(self) -> None:
        """Let all viewers go, and read no more."""
        raise NotImplementedError

    def ready(self) -> dict[str, bool]:
        """Say of each table whether it is folded up to its present end, and read."""
        raise NotImplementedError

    def tables(self) -> list[str]:
        """Name the tables that are known, in order."""
        raise NotImplementedError

    def board(self, table: str) -> Board | None:
        """Give the fold of the shoe that is on a table; None where the table is not known."""
        raise NotImplementedError

    def cursor(self, table: str) -> str:
        """Say how far a table was read, for its stream to go on from."""
        raise NotImplementedError

    def lobby_cursor(self) -> str:
        """Say how far all tables were read, for the lobby's stream to go on from."""
        raise NotImplementedError

    @property
    def findings(self) -> Sequence[FindingRow]:
        """What was found at any table, newest first, as far back as it is kept."""
        raise NotImplementedError
