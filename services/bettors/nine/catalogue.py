"""The nine systems by name, with the document's defaults; makes them from terms. Plays none.

Source: the menu of 001_8304c434475ca3ac.txt, "BETTING SYSTEMS (F5)": minimum, maximum, restart on
the maximum bet, and side.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple

import msgspec

from schemas.errors import InputError
from schemas.ruleset import Side
from services.baccarat.card_count import START
from services.bettors.nine import progressions
from services.bettors.nine.staking import Limits, Staking
from services.bettors.nine.system import BettingSystem, OnTheCount, OnTheShoe

if TYPE_CHECKING:
    from collections.abc import Callable

    from services.bettors.nine.progressions import Progression

#: The menu's "Min. Bet", in dollars; it is the unit too.
_MINIMUM: Final = 5
#: What a series begins with (silent); the first of the issue's and the document's examples.
_SERIES: Final = (1, 2, 3)
#: So large that no sum of stakes leaves what JSON readers and databases hold.
LARGEST: Final = 10**12


class Kind(NamedTuple):
    """A system: its menu line, and how it is made. ``maximum`` in dollars."""

    title: str
    maximum: int
    #: How the side is chosen: it is told, or the shoe's winners or the card count say.
    chooses: Literal["side", "shoe", "count"]
    #: From a unit, for those without a series of numbers.
    progression: Callable[[int], Progression] | None
    #: Follow or opposite the shoe; crossing off two or three.
    other: bool = False


KINDS: Final = {
    "cancellation": Kind("Cancellation", 500, "side", None),
    "card-count": Kind("Card Count", 5, "count", progressions.Level),
    "dalembert": Kind("D'Alembert", 500, "side", progressions.DAlembert),
    "follow-the-shoe": Kind("Follow The Shoe", 5, "shoe", progressions.Level),
    "martingale": Kind("Martingale", 500, "side", progressions.Martingale),
    "opposite-the-shoe": Kind("Opposite The Shoe", 5, "shoe", progressions.Level, other=True),
    "progressive-win": Kind("Progressive Win", 500, "side", progressions.ProgressiveWin),
    "thirty-one": Kind("Thirty-One", 500, "side", progressions.ThirtyOne),
    "triple-cancellation": Kind("Triple Cancellation", 500, "side", None, other=True),
}


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """What a player sets in a system; None is the document's own. Money in one unit, whichever.

    The unit is the minimum where it is not told: "The unit is your minimum betting amount."
    """

    unit: int | None = None
    minimum: int | None = None
    maximum: int | None = None
    restart: bool = True
    side: Side | None = None
    series: tuple[int, ...] | None = None
    start_count: int | None = None


class Settled(NamedTuple):
    """Terms with nothing left open; None where the system has no such thing."""

    unit: int
    limits: Limits
    side: Side | None
    series: tuple[int, ...] | None
    start_count: int | None


def kind(name: str) -> Kind:
    """Find a system, or say which there are."""
    found = KINDS.get(name)
    if found is None:
        mend = f"use one of: {', '.join(KINDS)}"
        raise InputError(f"{name[:40]!r} is no betting system", mend=mend)
    return found


def settle(name: str, terms: Terms, *, dollar: int = 1) -> Settled:
    """Fill in what the terms leave open, and refuse what cannot be. ``dollar``: its worth here."""
    of = kind(name)
    _refuse_what_it_has_not(name, of, terms)
    minimum = _MINIMUM * dollar if terms.minimum is None else terms.minimum
    maximum = of.maximum * dollar if terms.maximum is None else terms.maximum
    unit = minimum if terms.unit is None else terms.unit
    for what, amount in (("unit", unit), ("minimum", minimum), ("maximum", maximum)):
        if not 1 <= amount <= LARGEST:
            raise InputError(f"a {what} of {amount} cannot be", name, f"give 1 to {LARGEST}")
    if maximum < minimum:
        what = f"the maximum, {maximum}, is below the minimum, {minimum}"
        raise InputError(what, name, "give a maximum that is not below the minimum")
    return Settled(
        unit,
        Limits(minimum, maximum, terms.restart),
        (terms.side or "player") if of.chooses == "side" else None,
        _series(name, terms.series) if of.progression is None else None,
        _start_count(name, terms.start_count) if of.chooses == "count" else None,
    )


def make(name: str, terms: Terms, *, dollar: int = 1) -> BettingSystem:
    """Make a system at the beginning of its first series.

    ``dollar`` is what the document's dollar is in the terms' money: 100 where that is cents.
    """
    of = kind(name)
    settled = settle(name, terms, dollar=dollar)
    if of.progression is not None:
        progression = of.progression(settled.unit)
    else:
        amounts = [number * settled.unit for number in settled.series or ()]
        progression = progressions.Cancellation(amounts, first_three=of.other)
    staking = Staking(progression, settled.limits)
    if of.chooses == "count":
        return OnTheCount(staking, START if settled.start_count is None else settled.start_count)
    if of.chooses == "shoe":
        return OnTheShoe(staking, opposite=of.other)
    return BettingSystem(staking, settled.side)


def _refuse_what_it_has_not(name: str, of: Kind, terms: Terms) -> None:
    # The menu shows a side for the card count, "Player", and none for these: there it may stand.
    if terms.side is not None and of.chooses == "shoe":
        raise InputError(f"{name} takes no side", mend="leave it out: the last winner says it")
    if terms.series is not None and of.progression is not None:
        raise InputError(f"{name} has no series", mend="leave it out, or use a cancellation")
    if terms.start_count is not None and of.chooses != "count":
        raise InputError(f"{name} counts no cards", mend="leave the start count out")


def _series(name: str, series: tuple[int, ...] | None) -> tuple[int, ...]:
    series = _SERIES if series is None else series
    if not series:
        raise InputError("a series without numbers", name, 'write it as "1 2 3"')
    for number in series:
        if not 1 <= number <= LARGEST:
            raise InputError(f"a series with {number}", name, f"use numbers from 1 to {LARGEST}")
    return series


def _start_count(name: str, start: int | None) -> int:
    start = START if start is None else start
    if abs(start) > LARGEST:
        raise InputError(f"a count of {start} cannot be", name, f"give one near {START}")
    return start
