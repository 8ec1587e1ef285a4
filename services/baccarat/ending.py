"""How a shoe begins and ends: burn, cut card, the last hand. It may not know cards or seeds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from schemas.cards import RANKS
from schemas.ruleset import CardsLeft, CutCard, Drawn

if TYPE_CHECKING:
    from schemas.cards import Card
    from schemas.ruleset import RuleSet


@dataclass(slots=True)
class ShoeProgress:
    """How far a shoe has been dealt. ``hands`` are rounds that were dealt, not voided.

    ``cut_out_hand`` is the hand, from 1, in which the cut card came out: the one in play or,
    between hands and in the burn, the next; ``cut_out_before_first`` says that it had no card yet.
    ``reshuffle_at`` is the number of cards left that the seed drew; a shoe without a seed ends at
    the least of them.
    """

    size: int
    position: int
    hands: int
    cut_out_hand: int | None = None
    cut_out_before_first: bool = False
    reshuffle_at: int | None = None


def burn_count(rules: RuleSet, card: Card) -> int:
    """Tell how many cards are burned face down after ``card`` was burned face up."""
    return 0 if rules.burn is None else rules.burn.counts[RANKS.index(card[0])]


def cut_card_index(rules: RuleSet, size: int) -> int | None:
    """Give the index of the first card behind the cut card; None where the rules have none."""
    if not isinstance(rules.ending, CutCard):
        return None
    return max(size - rules.ending.from_end, 0)


def shoe_over(rules: RuleSet, progress: ShoeProgress) -> bool:
    """Tell whether no further round may be opened; asked before each round, the first included."""
    left = progress.size - progress.position
    if left < max(rules.round_needs, 1):
        return True
    ending = rules.ending
    if isinstance(ending, CutCard):
        last = progress.cut_out_hand
        if last is None:
            return False
        if not (progress.cut_out_before_first and ending.first_card_is_last):
            last += ending.hands_after
        return progress.hands >= last
    if isinstance(ending, CardsLeft):
        return left <= ending.at_most
    if isinstance(ending, Drawn):
        drawn = progress.reshuffle_at
        return left <= (ending.least if drawn is None else drawn)
    return progress.hands >= ending.rounds
