"""The next round's odds of each table: worked out once a round, beside the loop, one at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from services.dashboard.respond import Refusal

if TYPE_CHECKING:
    from services.dashboard.ports import Board
    from services.dashboard.shapes import OddsShape


class OddsDesk:
    """Answers what the next round's odds are."""

    async def odds(self, table: str, board: Board) -> OddsShape:
        """Give a table's; raises ``Refusal`` where they cannot be had now."""
        shoe = board.tile().shoe
        raise Refusal(503, f"the odds of {table}/{shoe} are not worked out", again_after=10)
