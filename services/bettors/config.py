"""Flat bettors as the command line spells them. Reads one line and nothing else."""

from __future__ import annotations

import re
from typing import Final

from schemas.address import is_name
from schemas.commands import SPOT
from schemas.errors import InputError
from schemas.ruleset import RuleSet
from services.bettors.flat import Flat
from services.bettors.systems import Wish
from services.bettors.table import Seat

_EXAMPLE: Final = "write alice=player:1000,bob=banker:1000+tie:500, stakes in minor units"
_BET = re.compile(rf"({SPOT}):([1-9][0-9]{{0,15}})", re.ASCII)


def parse_flat(text: str, bankroll: int, rules: RuleSet | None = None) -> list[Seat]:
    """Read ``alice=player:1000,bob=banker:1000+tie:500`` as seats, each with this bankroll.

    Where the table's rules are given, a spot that they do not offer is refused.
    """
    seats: list[Seat] = []
    for part in text.split(","):
        name, _, bets = part.strip().partition("=")
        if not is_name(name):
            raise InputError(f"{name[:40]!r} is no bettor's name", "seats", _EXAMPLE)
        if any(seat.name == name for seat in seats):
            raise InputError(f"{name} is there twice", "seats", "give each bettor once")
        try:
            seats.append(Seat(name, bankroll, Flat([_wish(bet, rules) for bet in bets.split("+")])))
        except InputError as error:
            raise InputError(error.what, f"seats, {name}", error.mend) from None
    return seats


def _wish(text: str, rules: RuleSet | None) -> Wish:
    found = _BET.fullmatch(text)
    if found is None:
        raise InputError(f"{text[:40]!r} is no bet", mend=_EXAMPLE)
    if rules is not None and found[1] not in rules.spots:
        there = ", ".join(rules.spots)
        raise InputError(f"{rules.name} has no spot {found[1]!r}", mend=f"use one of: {there}")
    return Wish(found[1], int(found[2]))
