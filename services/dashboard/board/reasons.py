"""Whose card falls next and why, as codes that the pages have words for. Looks at no shoe or bet.

``Reason`` carries what the rule was read from: the totals of the first two cards of each hand and,
for the banker's draw by the chart, the player's third card.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from services.dashboard.board.round_shapes import Reason, Why

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schemas.cards import Card
    from schemas.ruleset import Side
    from services.baccarat.game import Game

_FOUR: Final = 4
_TWO: Final = 2

#: What needs no totals.
FIRST: Final = Reason("first")
ERROR: Final = Reason("error")
UNKNOWN: Final = Reason("unknown")


def due(game: Game, player: Sequence[Card], banker: Sequence[Card]) -> tuple[Side | None, Reason]:
    """Tell which hand gets the next card by the rules, None where both are complete, and why."""
    if len(player) + len(banker) < _FOUR:
        return game.next_draw(player, banker), FIRST
    if len(player) < _TWO or len(banker) < _TWO:  # no hands that these rules dealt
        return None, UNKNOWN
    side = game.next_draw(player, banker)
    players, bankers = game.total(player[:_TWO]), game.total(banker[:_TWO])
    third = player[_TWO] if len(player) > _TWO else None
    if {players, bankers} & set(game.rules.drawing.naturals):
        return side, Reason("natural", players, bankers)
    if len(banker) > _TWO:
        return side, Reason("complete", players, bankers, third)
    if side == "player":
        return side, Reason("player-draws", players, bankers)
    why: Why
    if third is None:
        why = "banker-stands-stood" if side is None else "banker-draws-stood"
    else:
        why = "banker-stands-third" if side is None else "banker-draws-third"
    return side, Reason(why, players, bankers, third)
