"""What cards are worth and what hands total. It may not know who draws or what is paid."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from schemas.cards import DECK, RANKS
from schemas.ruleset import TOTALS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from schemas.cards import Card
    from schemas.ruleset import RuleSet

NAMES: Final = ("ace", *"23456789", "10", "jack", "queen", "king")


def values_of(rules: RuleSet) -> dict[Card, int]:
    """Give each card's value under a rule set."""
    return {card: rules.values[RANKS.index(card[0])] for card in DECK}


def total(cards: Sequence[Card], values: Mapping[Card, int]) -> int:
    """Add up a hand: the last digit of the sum; a hand without cards totals 0."""
    return sum([values[card] for card in cards]) % TOTALS


def rank_name(card: Card) -> str:
    """Name a card's rank with its article, as people say it: ``an ace``, ``a 9``, ``an 8``."""
    name = NAMES[RANKS.index(card[0])]
    return f"{'an' if name in {'ace', '8'} else 'a'} {name}"
