"""What each bet comes to, in whole minor units. It may not know how the cards came."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from schemas.errors import InputError
from schemas.money import parse_fraction
from schemas.outcomes import Result, Settlement
from services.baccarat.result import holds
from services.baccarat.rounding import rounded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from schemas.ruleset import RuleSet
    from services.baccarat.result import RoundResult


#: Stakes whose payment is remembered, over all spots and kinds of round.
_REMEMBERED: Final = 16_384


class Paid(NamedTuple):
    """What a stake comes to: the part of a ``Settlement`` that is not the bet's own."""

    result: Result
    odds: str | None
    won: int
    commission: int
    returned: int

    def net(self, stake: int) -> int:
        """Give what this stake brought its bettor, in minor units."""
        return self.returned + self.won - self.commission - stake


class Price:
    """What every bet on one spot comes to in one kind of round."""

    __slots__ = (
        "_commission", "_make_room", "_odds", "_paid", "_rate", "_result", "_rounding", "_spelled",
    )  # fmt: skip

    def __init__(
        self,
        rules: RuleSet,
        name: str,
        result: RoundResult,
        make_room: Callable[[], None] = lambda: None,
    ) -> None:
        """Find the first of the spot's conditions that holds.

        ``make_room`` is called before another payment is remembered; it may have all forgotten.
        """
        self._result: Result = "lose"
        self._spelled: str | None = None
        self._odds: tuple[int, int] | None = None
        for pay in rules.spots[name].pays:
            if holds(pay.when, result):
                self._result, self._spelled = pay.result, pay.odds
                self._odds = None if pay.odds is None else _ratio(pay.odds)
                break
        taken = rules.commission
        self._commission = None if taken is None or name not in taken.spots else taken
        self._rate = (0, 1) if taken is None else _ratio(taken.rate)
        self._rounding = rules.rounding
        # Most bettors stake the same again and again.
        self._paid: dict[int, Paid] = {}
        self._make_room = make_room

    def pay(self, stake: int) -> Paid:
        """Work out what a stake comes to."""
        paid = self._paid.get(stake)
        if paid is None:
            self._make_room()
            paid = self._paid[stake] = self._work_out(stake)
        return paid

    def forget(self) -> None:
        """Remember no payment any more."""
        self._paid.clear()

    def _work_out(self, stake: int) -> Paid:
        if self._odds is None:
            return Paid(self._result, None, 0, 0, 0 if self._result == "lose" else stake)
        won = rounded(stake * self._odds[0], self._odds[1], self._rounding)
        kept = 0
        if self._commission is not None:
            base = won if self._commission.on == "winnings" else stake
            kept = rounded(base * self._rate[0], self._rate[1], self._commission.rounding)
            kept = max(kept, self._commission.minimum)
        return Paid(self._result, self._spelled, won, kept, stake)


class SettlementRules:
    """A rule set's payouts and commission."""

    __slots__ = ("_lists", "_payments", "_rules")

    def __init__(self, rules: RuleSet) -> None:
        """Begin with no price; the list of a kind of round is worked out when it comes."""
        self._rules = rules
        # There are few kinds of round, and many bets: each kind is judged once.
        self._lists: dict[RoundResult, dict[str, Price]] = {}
        self._payments = 0

    def prices(self, result: RoundResult) -> dict[str, Price]:
        """Give each spot's price in this kind of round."""
        prices = self._lists.get(result)
        if prices is None:
            prices = {
                name: Price(self._rules, name, result, self._make_room)
                for name in self._rules.spots
            }
            self._lists[result] = prices
        return prices

    def _make_room(self) -> None:
        """Count one more payment that is remembered; of too many all are forgotten."""
        self._payments += 1
        if self._payments > _REMEMBERED:
            self._payments = 1
            for prices in self._lists.values():
                for price in prices.values():
                    price.forget()

    def settle(
        self, bet: str, bettor: str, spot: str, stake: int, result: RoundResult
    ) -> Settlement:
        """Settle one bet on a finished round; the spot must be one of the rule set's."""
        price = self.prices(result).get(spot)
        if price is None:
            raise InputError(f"{spot[:40]!r} is no spot of {self._rules.name}")
        return Settlement(bet, bettor, spot, stake, *price.pay(stake))


def _ratio(text: str) -> tuple[int, int]:
    return parse_fraction(text).as_integer_ratio()


def void_settlement(bet: str, bettor: str, spot: str, stake: int) -> Settlement:
    """Give a stake back, as in a round that does not count."""
    return Settlement(bet, bettor, spot, stake, "void", None, 0, 0, stake)


def net(paid: Settlement) -> int:
    """Give what a bet brought its bettor, in minor units."""
    return paid.returned + paid.won - paid.commission - paid.stake


def house_net(settlements: Iterable[Settlement]) -> int:
    """Add up what the house made: the negated sum of the bettors' nets."""
    return -sum(map(net, settlements))
