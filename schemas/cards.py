"""Cards: rank then suit, two ASCII letters. Knows no game's values."""

from __future__ import annotations

from typing import Final, Literal, get_args

RANKS: Final = "A23456789TJQK"
SUITS: Final = "CDHS"
#: No shoe has more decks than this.
MOST_DECKS: Final = 16

Card = Literal[
    "AC", "2C", "3C", "4C", "5C", "6C", "7C", "8C", "9C", "TC", "JC", "QC", "KC",
    "AD", "2D", "3D", "4D", "5D", "6D", "7D", "8D", "9D", "TD", "JD", "QD", "KD",
    "AH", "2H", "3H", "4H", "5H", "6H", "7H", "8H", "9H", "TH", "JH", "QH", "KH",
    "AS", "2S", "3S", "4S", "5S", "6S", "7S", "8S", "9S", "TS", "JS", "QS", "KS",
]  # fmt: skip

#: A deck in index order: clubs, diamonds, hearts, spades, each ace to king.
DECK: Final[tuple[Card, ...]] = get_args(Card)
_BY_NAME: Final[dict[str, Card]] = {card: card for card in DECK}


def card_at(index: int) -> Card:
    """Name the card of an index in a shoe of any number of decks (baccarat-shoe/v1, step 4)."""
    return DECK[index % 52]


def card_named(name: str) -> Card | None:
    """Give the card of this name, or None where no card has it."""
    return _BY_NAME.get(name)


def order_text(order: tuple[Card, ...] | list[Card]) -> str:
    """Spell an order as a fixed order is committed and revealed: names joined by one space."""
    return " ".join(order)
