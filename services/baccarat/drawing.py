"""Who gets the next card, and why. It may not look at the shoe, at bets or at what is paid."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from schemas.ruleset import TOTALS
from services.baccarat.values import rank_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from schemas.cards import Card
    from schemas.ruleset import Drawing, Side

FIRST: Final = 4
TWO: Final = 2


class DrawingRules:
    """A rule set's drawing: the deal order, then the third cards.

    Both questions are about hands that these rules dealt; whoever checks a deal asks before each
    card. The first totals decide: a third card is never added before the table is read.
    """

    __slots__ = ("_after_two", "_chart", "_deal", "_naturals", "_values")

    def __init__(self, drawing: Drawing, values: Mapping[Card, int]) -> None:
        """Work out who draws after every pair of first totals."""
        self._values = values
        self._deal = drawing.deal
        self._naturals = frozenset(drawing.naturals)
        self._chart = tuple(frozenset(row) for row in drawing.banker_chart)
        self._after_two = tuple(
            tuple(_after_two(drawing, player, banker) for banker in range(TOTALS))
            for player in range(TOTALS)
        )

    def next_draw(self, player: Sequence[Card], banker: Sequence[Card]) -> Side | None:
        """Tell who gets the next card; None where both hands are complete."""
        dealt = len(player) + len(banker)
        if dealt < FIRST:
            return self._deal[dealt]
        if len(banker) > TWO:
            return None
        values = self._values
        banker_total = (values[banker[0]] + values[banker[1]]) % TOTALS
        if len(player) > TWO:
            # The card's value, not whether it is worth anything: a king is a third card too.
            return "banker" if values[player[TWO]] in self._chart[banker_total] else None
        return self._after_two[(values[player[0]] + values[player[1]]) % TOTALS][banker_total]

    def why(self, player: Sequence[Card], banker: Sequence[Card]) -> str:
        """Say in a few words why ``next_draw`` answers as it does."""
        side = self.next_draw(player, banker)
        dealt = len(player) + len(banker)
        if dealt < FIRST:
            return f"card {dealt + 1} of the first {FIRST}: {side}"
        player_total, banker_total = self._first(player), self._first(banker)
        natural = max({player_total, banker_total} & self._naturals, default=None)
        if natural is not None:
            return f"natural {natural}: both stand"
        if len(banker) > TWO:
            return "both hands are complete"
        if side == "player":
            return f"player draws on {player_total}"
        verb = "stands" if side is None else "draws"
        if len(player) == TWO:
            return f"banker {banker_total} {verb}: player stood on {player_total}"
        third = f"player's third card is {rank_name(player[TWO])}"
        return f"banker {banker_total} {verb}: {third}, chart row {banker_total}"

    def _first(self, hand: Sequence[Card]) -> int:
        return (self._values[hand[0]] + self._values[hand[1]]) % TOTALS


def _after_two(drawing: Drawing, player: int, banker: int) -> Side | None:
    if player in drawing.naturals or banker in drawing.naturals:
        return None
    if player in drawing.player:
        return "player"
    return "banker" if banker in drawing.banker_player_stood else None
