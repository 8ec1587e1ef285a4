"""The nine systems as bettors: a stake from a progression, and a side to put it on.

They carry their series from shoe to shoe, since the document ends a series by wins and losses
only. Sees what the whole table sees; reads no clock, stream or hidden card.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from services.baccarat.card_count import CardCount
from services.bettors.systems import Coup, System, View, Wish

if TYPE_CHECKING:
    from schemas.cards import Card
    from schemas.ruleset import Side
    from services.bettors.nine.staking import Staking


class BettingSystem(System):
    """One bet a round on the player's or the banker's hand; its results alone move the stake.

    A tie, a push, a refused bet and a void round change nothing: same stake, same side.
    """

    across_shoes = True

    def __init__(self, staking: Staking, side: Side | None = None) -> None:
        """Bet on ``side`` always; None where a subclass finds the side."""
        self._staking = staking
        self._side = side

    @property
    def side(self) -> Side | None:
        """The side of the next bet; None: no bet."""
        return self._side

    @property
    def stake(self) -> int:
        """The next stake, also where there is no side to bet it on yet."""
        return self._staking.stake

    @property
    def restarts(self) -> int:
        """How often the next stake was above the maximum and the series was started over."""
        return self._staking.restarts

    def settle(self, *, won: bool) -> None:
        """Take that the last bet was won or lost."""
        self._staking.settle(won=won)

    def decide(self, winner: Side) -> None:
        """Take that a hand won a round, whether there was a bet on it or not."""

    def coup(self, coup: Coup) -> None:
        """Take what became of the round and of the bet in it."""
        for one in coup.settled:
            if one.result in ("win", "lose"):
                self.settle(won=one.result == "win")
        if coup.winner == "player" or coup.winner == "banker":  # noqa: PLR1714 - mypy narrows it
            self.decide(coup.winner)

    def bet(self, view: View) -> tuple[Wish, ...]:
        """Bet; a stake above the bankroll is not bet, and the series waits (silent)."""
        side = self.side
        if side is None or self.stake > view.bankroll:
            return ()
        return (Wish(side, self.stake),)


class OnTheShoe(BettingSystem):
    """Bets on the last winning side, or on the other one; on none before the first decision.

    A new shoe does not forget the last winner (silent): "the next bet" follows the last winning
    hand, and where the document means a new shoe, as with the card count, it says so.
    """

    def __init__(self, staking: Staking, *, opposite: bool) -> None:
        """Follow the shoe, or bet opposite to it."""
        super().__init__(staking)
        self._opposite = opposite

    def decide(self, winner: Side) -> None:
        """Remember who won."""
        other: Side = "banker" if winner == "player" else "player"
        self._side = other if self._opposite else winner


class OnTheCount(BettingSystem):
    """Bets on the banker when the running card count is 1 or greater, else on the player."""

    # Its stake is level and its count belongs to the shoe.
    across_shoes = False

    def __init__(self, staking: Staking, start: int) -> None:
        """Count from ``start`` in each new shoe."""
        super().__init__(staking)
        self._start = start
        self.count = CardCount(start)

    @property
    def side(self) -> Side:
        """The side that the count asks for."""
        return "banker" if self.count.now >= 1 else "player"

    def shoe(self) -> None:
        """Count anew."""
        self.count = CardCount(self._start)

    def card(self, card: Card) -> None:
        """Count a card that was shown."""
        self.count.see(card)
