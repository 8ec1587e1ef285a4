"""The flat bettor: the same bets in every round. Learns nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemas.errors import InputError
from schemas.money import is_amount
from services.bettors.systems import System, View, Wish

if TYPE_CHECKING:
    from collections.abc import Sequence


class Flat(System):
    """Bets the same stakes on the same spots, the first of them first, as the bankroll allows."""

    def __init__(self, wishes: Sequence[Wish]) -> None:
        """Refuse stakes that are no money, and two bets on one spot."""
        for wish in wishes:
            if not is_amount(wish.stake):
                mend = "give a positive whole number of minor units"
                raise InputError(f"a stake of {wish.stake} on {wish.spot}", mend=mend)
        if len({wish.spot for wish in wishes}) < len(wishes):
            raise InputError("two bets on one spot", mend="add them up")
        self._wishes = tuple(wishes)
        self._whole = sum(wish.stake for wish in wishes)

    def bet(self, view: View) -> tuple[Wish, ...]:
        """Bet again, leaving out what the bankroll no longer covers."""
        if self._whole <= view.bankroll:
            return self._wishes
        left, bets = view.bankroll, []
        for wish in self._wishes:
            if wish.stake <= left:
                bets.append(wish)
                left -= wish.stake
        return tuple(bets)
