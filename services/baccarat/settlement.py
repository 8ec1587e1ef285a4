"""What each bet comes to, in whole minor units. It may not know how the cards came."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from schemas.errors import InputError
from schemas.money import parse_fraction
from schemas.outcomes import Result, Settlement
from services.baccarat.result import holds
from services.baccarat.rounding import rounded

if TYPE_CHECKING:
    from collections.abc import Iterable

    from schemas.ruleset import Commission, RuleSet, SpotRules
    from services.baccarat.result import RoundResult


class _Terms(NamedTuple):
    """What every bet on one spot comes to in one kind of round; ``odds`` as two whole numbers."""

    result: Result
    odds: tuple[int, int] | None
    spelled: str | None
    commission: Commission | None


class SettlementRules:
    """A rule set's payouts and commission."""

    __slots__ = ("_lists", "_rate", "_rounding", "_rules")

    def __init__(self, rules: RuleSet) -> None:
        """Read the rates; the price list of a kind of round is worked out when it comes."""
        self._rules = rules
        self._rounding = rules.rounding
        self._rate = (0, 1) if rules.commission is None else _ratio(rules.commission.rate)
        # There are few kinds of round, and many bets: each kind is judged once.
        self._lists: dict[RoundResult, dict[str, _Terms]] = {}

    def settle(
        self, bet: str, bettor: str, spot: str, stake: int, result: RoundResult
    ) -> Settlement:
        """Settle one bet on a finished round; the spot must be one of the rule set's."""
        prices = self._lists.get(result)
        if prices is None:
            prices = self._lists[result] = self._price_list(result)
        if spot not in prices:
            raise InputError(f"{spot[:40]!r} is no spot of {self._rules.name}")
        kind, odds, spelled, commission = prices[spot]
        if odds is None:
            returned = 0 if kind == "lose" else stake
            return Settlement(bet, bettor, spot, stake, kind, None, 0, 0, returned)
        won = rounded(stake * odds[0], odds[1], self._rounding)
        kept = 0
        if commission is not None:
            base = won if commission.on == "winnings" else stake
            kept = rounded(base * self._rate[0], self._rate[1], commission.rounding)
            kept = max(kept, commission.minimum)
        return Settlement(bet, bettor, spot, stake, kind, spelled, won, kept, stake)

    def _price_list(self, result: RoundResult) -> dict[str, _Terms]:
        commission = self._rules.commission
        named = () if commission is None else commission.spots
        return {
            name: _terms(spot, result, commission if name in named else None)
            for name, spot in self._rules.spots.items()
        }


def _terms(spot: SpotRules, result: RoundResult, commission: Commission | None) -> _Terms:
    for pay in spot.pays:
        if holds(pay.when, result):
            odds = None if pay.odds is None else _ratio(pay.odds)
            return _Terms(pay.result, odds, pay.odds, commission)
    return _Terms("lose", None, None, None)


def _ratio(text: str) -> tuple[int, int]:
    return parse_fraction(text).as_integer_ratio()


def void_settlement(bet: str, bettor: str, spot: str, stake: int) -> Settlement:
    """Give a stake back, as in a round that does not count."""
    return Settlement(bet, bettor, spot, stake, "void", None, 0, 0, stake)


def house_net(settlements: Iterable[Settlement]) -> int:
    """Add up what the house made: the negated sum of the bettors' nets."""
    return -sum([paid.returned + paid.won - paid.commission - paid.stake for paid in settlements])
