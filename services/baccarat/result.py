"""What a finished round came to, as far as any bet can ask. It may not know stakes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from schemas.outcomes import Winner
    from schemas.ruleset import When


class RoundResult(NamedTuple):
    """A finished round; a pair is two first cards of one rank, suited also of one suit."""

    winner: Winner
    natural: bool
    player_total: int
    banker_total: int
    player_cards: int
    banker_cards: int
    player_pair: bool
    banker_pair: bool
    player_suited: bool
    banker_suited: bool


def holds(when: When, result: RoundResult) -> bool:
    """Tell whether all that a condition asks is so."""
    cards = result.player_cards + result.banker_cards
    margin = abs(result.player_total - result.banker_total)
    return (
        (when.winner is None or result.winner in when.winner)
        and (when.player_total is None or result.player_total in when.player_total)
        and (when.banker_total is None or result.banker_total in when.banker_total)
        and (when.player_cards is None or result.player_cards in when.player_cards)
        and (when.banker_cards is None or result.banker_cards in when.banker_cards)
        and (when.cards is None or cards in when.cards)
        and (when.margin is None or margin in when.margin)
        and when.natural in {None, result.natural}
        and when.player_pair in {None, result.player_pair}
        and when.banker_pair in {None, result.banker_pair}
        and when.player_suited in {None, result.player_suited}
        and when.banker_suited in {None, result.banker_suited}
    )
