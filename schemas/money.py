"""Money and odds: whole minor units and exact fractions, never floats."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Annotated, Final, Literal

from msgspec import Meta

from schemas.errors import InputError

#: Amounts in events stay inside what JavaScript and every database read exactly.
LARGEST: Final = 2**53 - 1
#: With more nobody is let sit: what is won of it must stay an amount.
MOST_BANKROLL: Final = 10**15

#: How many, or which one: a count, a position, a round, a total.
Count = Annotated[int, Meta(ge=0, le=LARGEST)]
#: A signed amount of minor units.
Amount = Annotated[int, Meta(ge=-LARGEST, le=LARGEST)]

Direction = Literal["down", "up", "half-even"]

_ODDS = re.compile(r"(0|[1-9][0-9]{0,8})/([1-9][0-9]{0,8})", re.ASCII)


def parse_fraction(text: str) -> Fraction:
    """Read ``19/20`` or ``8/1``, an exact non-negative fraction in lowest terms."""
    found = _ODDS.fullmatch(text)
    if found is None:
        raise InputError(f"{text[:40]!r} is no fraction", mend="write it as 8/1 or 19/20")
    fraction = Fraction(int(found[1]), int(found[2]))
    if spell_fraction(fraction) != text:
        mend = f"write {spell_fraction(fraction)}"
        raise InputError(f"{text!r} is not in lowest terms", mend=mend)
    return fraction


def spell_fraction(fraction: Fraction) -> str:
    """Spell a fraction as ``parse_fraction`` reads it."""
    return f"{fraction.numerator}/{fraction.denominator}"


def is_amount(value: object) -> bool:
    """Tell whether a value is a positive whole amount of minor units that events can carry."""
    return type(value) is int and 0 < value <= LARGEST
