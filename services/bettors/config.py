"""Bettors as the command line spells them. Reads one line and nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from schemas.address import is_name
from schemas.commands import SPOT
from schemas.errors import InputError
from schemas.ruleset import RuleSet
from services.bettors.flat import Flat
from services.bettors.nine import KINDS, make, spelling
from services.bettors.systems import System, Wish
from services.bettors.table import Seat

_EXAMPLE: Final = "write alice=player:1000,bob=banker:1000+tie:500, stakes in minor units"
_SYSTEM: Final = "write alice=martingale or bob=thirty-one:unit=500:max=50000:restart=no"
#: The systems' document has dollars; a seat's money is in minor units, so many to the dollar.
_DOLLAR: Final = 100
_BET = re.compile(rf"({SPOT}):([1-9][0-9]{{0,15}})", re.ASCII)


def parse_flat(text: str, bankroll: int, rules: RuleSet | None = None) -> list[Seat]:
    """Read ``alice=player:1000,bob=banker:1000+tie:500`` as seats, each with this bankroll.

    Where the table's rules are given, a spot that they do not offer is refused.
    """

    def flat(bets: str) -> System:
        return Flat([_wish(bet, rules) for bet in bets.split("+")])

    return _seats(text, bankroll, flat, _EXAMPLE)


def parse_systems(text: str, bankroll: int) -> list[Seat]:
    """Read ``alice=martingale,bob=thirty-one:unit=500`` as seats, each with this bankroll.

    The settings are ``unit``, ``min`` and ``max`` (minor units), ``restart``, ``side``, ``series``
    (``1-2-3``) and ``start-count``; what is not set is as in the systems' document.
    """

    def system(words: str) -> System:
        name, _, settings = words.partition(":")
        if name not in KINDS:
            known = ", ".join(KINDS)
            raise InputError(f"{name[:40]!r} is no system", mend=f"{_SYSTEM}; there are: {known}")
        return make(name, spelling.terms(settings), dollar=_DOLLAR)

    return _seats(text, bankroll, system, _SYSTEM)


def parse_seats(
    flat: str | None, systems: str | None, bankroll: int, rules: RuleSet | None = None
) -> list[Seat]:
    """Read flat bettors and those who play systems, either of which may be missing."""
    seats = [] if flat is None else parse_flat(flat, bankroll, rules)
    players = [] if systems is None else parse_systems(systems, bankroll)
    for player in players:
        if any(seat.name == player.name for seat in seats):
            raise InputError(f"{player.name} is there twice", "seats", "give each bettor once")
    return seats + players


def _seats(text: str, bankroll: int, read: Callable[[str], System], example: str) -> list[Seat]:
    seats: list[Seat] = []
    for part in text.split(","):
        name, _, words = part.strip().partition("=")
        if not is_name(name):
            raise InputError(f"{name[:40]!r} is no bettor's name", "seats", example)
        if any(seat.name == name for seat in seats):
            raise InputError(f"{name} is there twice", "seats", "give each bettor once")
        try:
            seats.append(Seat(name, bankroll, read(words)))
        except InputError as error:
            where = ", ".join(filter(None, ["seats", name, error.where]))
            raise InputError(error.what, where, error.mend) from None
    return seats


def _wish(text: str, rules: RuleSet | None) -> Wish:
    found = _BET.fullmatch(text)
    if found is None:
        raise InputError(f"{text[:40]!r} is no bet", mend=_EXAMPLE)
    if rules is not None and found[1] not in rules.spots:
        there = ", ".join(rules.spots)
        raise InputError(f"{rules.name} has no spot {found[1]!r}", mend=f"use one of: {there}")
    return Wish(found[1], int(found[2]))
