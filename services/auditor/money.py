"""What a bet comes to in whole minor units: odds, rounding, commission. No floats, no verdict."""

from __future__ import annotations

from typing import Final, NamedTuple

from schemas.money import Direction
from schemas.outcomes import Result, Winner
from schemas.ruleset import Commission, Pay, Rounding, RuleSet, SpotRules, When

#: The fields of a condition that are a plain yes or no.
_FLAGS: Final = frozenset(
    ("natural", "player_pair", "banker_pair", "player_suited", "banker_suited")
)


class Facts(NamedTuple):
    """All of a finished round that a spot's condition may ask for, by the names of ``When``."""

    winner: Winner
    player_total: int
    banker_total: int
    player_cards: int
    banker_cards: int
    cards: int
    margin: int
    natural: bool
    player_pair: bool
    banker_pair: bool
    player_suited: bool
    banker_suited: bool


class Paid(NamedTuple):
    """What one bet comes to, in the order of a settlement's fields, and the bettor's net."""

    says: tuple[Result, str | None, int, int, int]
    net: int


def rounded(numerator: int, denominator: int, unit: int, direction: Direction) -> int:
    """Round a fraction to a whole multiple of ``unit``."""
    whole, rest = divmod(numerator, denominator * unit)
    if rest:
        twice = 2 * rest - denominator * unit
        up = direction == "up" or (
            direction == "half-even" and (twice > 0 or (twice == 0 and whole % 2 == 1))
        )
        whole += up
    return whole * unit


def _share(amount: int, fraction: str, rounding: Rounding) -> int:
    numerator, denominator = map(int, fraction.split("/"))
    return rounded(amount * numerator, denominator, rounding.unit, rounding.direction)


def holds(when: When, facts: Facts) -> bool:
    """Tell whether a condition holds: all that is given must."""
    for field in When.__struct_fields__:
        wanted = getattr(when, field)
        if wanted is None:
            continue
        found = getattr(facts, field)
        if (found is not wanted) if field in _FLAGS else (found not in wanted):
            return False
    return True


def deciding(spot: SpotRules, facts: Facts) -> Pay | None:
    """Give the first of a spot's lines that holds; none means that the bet is lost."""
    return next((pay for pay in spot.pays if holds(pay.when, facts)), None)


def commission(terms: Commission, spot: str, stake: int, won: int) -> int:
    """Work out what the house keeps of a bet that won."""
    if spot not in terms.spots:
        return 0
    base = won if terms.on == "winnings" else stake
    return max(terms.minimum, _share(base, terms.rate, terms.rounding))


def paid_by(rules: RuleSet, pay: Pay | None, spot: str, stake: int) -> Paid:
    """Work out what a bet comes to by the line that decides its spot; none: it lost."""
    if pay is None or pay.result == "lose":
        return Paid(("lose", None, 0, 0, 0), -stake)
    if pay.odds is None:
        return Paid(("push", None, 0, 0, stake), 0)
    won = _share(stake, pay.odds, rules.rounding)
    fee = 0 if rules.commission is None else commission(rules.commission, spot, stake, won)
    return Paid(("win", pay.odds, won, fee, stake), won - fee)


def given_back(stake: int) -> Paid:
    """Say what a bet comes to in a void round."""
    return Paid(("void", None, 0, 0, stake), 0)
