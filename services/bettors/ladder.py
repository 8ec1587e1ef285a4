"""The ladder: a stake and a side written down for each hand, by how the last bet fared.

Source: 000_d744afdfeb946d00.txt. What that leaves open is filled as ``specs/sources.md`` A says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from services.bettors.systems import Coup, System, View, Wish

if TYPE_CHECKING:
    from collections.abc import Sequence


class Rung(NamedTuple):
    """One hand's bet: what follows a bet that won, and what follows one that lost."""

    after_win: Wish
    after_loss: Wish


class Ladder(System):
    """Climbs one rung with each hand dealt. A tie decides nothing, and a void round is no hand."""

    def __init__(self, rungs: Sequence[Rung]) -> None:
        """Climb these rungs in every shoe, from the first."""
        self._rungs = tuple(rungs)
        self.shoe()

    def shoe(self) -> None:
        """Begin at the first rung; as long as no bet is decided, go on as after a win."""
        self._hands = 0
        self._last_won = True
        self._stopped = False

    def coup(self, coup: Coup) -> None:
        """Count the hand, and remember how its bet fared where that was decided."""
        if coup.winner == "void":
            return
        self._hands += 1
        for settled in coup.settled:
            if settled.result in ("win", "lose"):
                self._last_won = settled.result == "win"

    def bet(self, view: View) -> tuple[Wish, ...]:
        """Bet this rung; a stake above the bankroll ends the betting, and the hands go on."""
        if self._stopped or self._hands >= len(self._rungs):
            return ()
        rung = self._rungs[self._hands]
        wish = rung.after_win if self._last_won else rung.after_loss
        self._stopped = wish.stake > view.bankroll
        return () if self._stopped else (wish,)
