"""The score card that a casino hands out: who won each hand of a shoe. A fold; it draws nothing.

Source: 001_8304c434475ca3ac.txt, "Use Score Card" and "Mark Score Card Using"; it "is used to
track the winning hands of the Banker, Player and Tie". One card a shoe (silent); a hand that was
voided is not on it (silent).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from schemas.outcomes import Winner

Won = Literal["banker", "player", "tie"]


class Mark(NamedTuple):
    """One hand: who won it, and the running number of that side's wins (of ties: of ties)."""

    winner: Won
    number: int


class ScoreCard:
    """The marks of one shoe, in the hands' order."""

    def __init__(self) -> None:
        """Take a fresh card."""
        self.marks: list[Mark] = []
        self._won: dict[Won, int] = {"banker": 0, "player": 0, "tie": 0}

    def add(self, winner: Winner) -> None:
        """Mark the next hand."""
        if winner == "void":
            return
        self._won[winner] += 1
        self.marks.append(Mark(winner, self._won[winner]))

    def won(self, side: Won) -> int:
        """Tell how many hands a side won; for ``tie``, how many were ties."""
        return self._won[side]
