"""What the house took of somebody's bets, against what it takes in the long run.

All other checks of ours look at a record that is what it seems to be. Who knows the order of the
cards bets within the rules, and leaves no other trace than this: he wins too much.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

import msgspec

from services.office.chance import sum_tail

if TYPE_CHECKING:
    from collections.abc import Sequence

    from services.office.expectation import Expectation

Who = Literal["bettor", "dealer"]
#: A bettor's bet: who, (spot, stake), and what the house took of it.
Bet = tuple[str, tuple[str, int], int]


class Hold(msgspec.Struct, frozen=True, kw_only=True):
    """A bettor's or a dealer's hold; money in minor units of the currency.

    ``handle`` was staked, ``actual`` the house took of it; ``expected`` and ``deviation`` (the
    standard one) are rounded to whole units. ``z`` is (actual - expected) / deviation. ``p`` bounds
    the chance of being as far off, either way. The rest is set as in ``Figure``.
    """

    who: Who
    name: str
    currency: str
    rounds: int
    bets: int
    handle: int
    actual: int
    expected: int
    deviation: int
    z: float | None
    p: float | None
    adjusted: float | None = None
    alarm: bool = False
    says: str = ""


class Account:
    """Adds up rounds of bets. Money is whole; sums of means are kept over each number of ways."""

    __slots__ = ("_actual", "_bets", "_handle", "_least", "_means", "_most", "_rounds", "_spreads")

    def __init__(self) -> None:
        """Begin with no round."""
        self._rounds = self._bets = self._handle = self._actual = 0
        self._means: dict[int, int] = {}
        self._spreads: dict[int, int] = {}
        self._most = self._least = 0.0

    def add(self, bets: Sequence[Bet], expected: Expectation) -> None:
        """Add a round's bets, all on spots that its rules have."""
        terms, ways = expected.terms([staked for _, staked, _ in bets]), expected.ways
        self._rounds += 1
        self._bets += len(bets)
        for _, (_, stake), take in bets:
            self._handle += stake
            self._actual += take
        self._means[ways] = self._means.get(ways, 0) + terms.mean
        self._spreads[ways] = self._spreads.get(ways, 0) + terms.variance
        self._most = max(self._most, terms.most)
        self._least = max(self._least, terms.least)

    def hold(self, who: Who, name: str, currency: str) -> Hold:
        """Give the figure."""
        mean = sum((Fraction(part, ways) for ways, part in self._means.items()), Fraction(0))
        variance = float(
            sum((Fraction(part, ways**2) for ways, part in self._spreads.items()), Fraction(0))
        )
        deviation = math.sqrt(variance)
        off = float(self._actual - mean)
        # What cannot vary and did is no chance.
        p: float | None = 0.0 if off else None
        z: float | None = None
        if deviation > 0:
            z = off / deviation
            # Rarely far off both ways, so both are asked for: twice the one that it is off.
            p = min(2 * sum_tail(abs(off), variance, self._most if off > 0 else self._least), 1.0)
        return Hold(
            who=who,
            name=name,
            currency=currency,
            rounds=self._rounds,
            bets=self._bets,
            handle=self._handle,
            actual=self._actual,
            expected=round(mean),
            deviation=round(deviation),
            z=z,
            p=p,
        )
