"""The bets of one round: placed, refused, taken back, settled. Judges and pays nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from services.baccarat import net
from services.dashboard.shapes import BetShape

if TYPE_CHECKING:
    from collections.abc import Iterable

    from schemas import events as ev
    from schemas.outcomes import Settlement


class BetsBoard:
    """A round's bets, in the order in which they were said."""

    __slots__ = ("_bets", "_placed", "_refused")

    def __init__(self) -> None:
        """Begin without one."""
        self._bets: dict[str, BetShape] = {}
        self._placed: dict[str, ev.BetPlaced] = {}
        self._refused = 0

    @property
    def standing(self) -> tuple[ev.BetPlaced, ...]:
        """The bets that were placed and not taken back."""
        return tuple(self._placed.values())

    def place(self, said: ev.BetPlaced) -> None:
        """Take a bet that stands; an id is never used again."""
        if said.bet not in self._bets:
            self._placed[said.bet] = said
            self._bets[said.bet] = BetShape(said.bet, said.bettor, said.spot, said.stake, "placed")

    def refuse(self, said: ev.BetRefused) -> None:
        """Take a bet that does not stand; its id may be that of one that does."""
        self._refused += 1
        self._bets[f"{said.bet} {self._refused}"] = BetShape(
            said.bet, said.bettor, said.spot, said.stake, "refused", said.reason
        )

    def withdraw(self, said: ev.BetWithdrawn) -> None:
        """Take a bet back."""
        if self._placed.pop(said.bet, None) is not None:
            self._bets[said.bet] = structs.replace(self._bets[said.bet], status="withdrawn")

    def shape(self, settlements: Iterable[Settlement]) -> tuple[BetShape, ...]:
        """Give all bets, with what they came to; bets that only the outcome knows come last."""
        paid = {one.bet: one for one in settlements}
        made = [
            _settled(paid.pop(name)) if name in paid and name in self._placed else bet
            for name, bet in self._bets.items()
        ]
        return tuple(made + [_settled(one) for one in paid.values()])


def _settled(paid: Settlement) -> BetShape:
    return BetShape(
        paid.bet,
        paid.bettor,
        paid.spot,
        paid.stake,
        "settled",
        None,
        paid.result,
        paid.odds,
        paid.won,
        paid.commission,
        paid.returned,
        net(paid),
    )
