"""The running card count of BACCARAT 3.00, 1990: a fold over the cards shown. It bets nothing.

Source: 001_8304c434475ca3ac.txt, "Card Count"; ``specs/sources.md`` B.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from schemas.cards import Card

#: "On a new shoe, the starting count begins at 14."
START: Final = 14

_WORTH: Final = {
    "A": 0, "6": 0, "7": 0, "2": 1, "5": 1, "3": 2, "4": 3,
    "8": -1, "T": -1, "J": -1, "Q": -1, "K": -1, "9": -2,
}  # fmt: skip


def worth(card: Card) -> int:
    """Give what a card adds to the count when it is shown."""
    return _WORTH[card[0]]


class CardCount:
    """The count of one shoe: ``now``. Cards that leave it face down do not count."""

    __slots__ = ("now",)

    def __init__(self, start: int = START) -> None:
        """Begin a new shoe."""
        self.now = start

    def see(self, card: Card) -> int:
        """Take a card that was shown; give the count."""
        self.now += worth(card)
        return self.now
