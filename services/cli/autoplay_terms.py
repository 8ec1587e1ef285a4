"""Holds a betting system's terms for ``autoplay`` against the table. Plays nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from schemas.errors import InputError
from schemas.money import MOST_BANKROLL
from services.bettors.nine import settle
from services.cli import output

if TYPE_CHECKING:
    from schemas.ruleset import RuleSet
    from services.bettors.nine import Terms

#: The systems speak of whole dollars; the table's money is in hundredths.
DOLLAR: Final = 100


def in_cents(system: str, terms: Terms) -> Terms:
    """Give terms that were told in dollars as the table counts; None is the document's own."""
    settle(system, terms)  # whatever is wrong is said in dollars

    def cents(amount: int | None) -> int | None:
        return None if amount is None else amount * DOLLAR

    return msgspec.structs.replace(
        terms, unit=cents(terms.unit), minimum=cents(terms.minimum), maximum=cents(terms.maximum)
    )


def check_limits(rules: RuleSet, terms: Terms, system: str) -> None:
    """Refuse a system whose bets the table would refuse."""
    settled = settle(system, terms, dollar=DOLLAR)
    limits = settled.limits
    for spot, of in rules.spots.items():
        if not of.main:
            continue
        least, most = output.money(of.minimum, rules.currency), of.maximum
        if limits.minimum < of.minimum or (most is not None and limits.maximum > most):
            bounds = f"{least} or more"
            if most is not None:
                bounds = f"{least} to {output.money(most, rules.currency)}"
            what = f"the table takes {bounds} on {spot}"
            raise InputError(what, rules.name, "give --min and --max within that")
        if any(amount % of.step for amount in (settled.unit, limits.minimum, limits.maximum)):
            what = f"the table takes multiples of {output.money(of.step, rules.currency)} on {spot}"
            raise InputError(what, rules.name, "give --unit, --min and --max so")


def bankroll_for(hands: int, most: int, currency: str) -> int:
    """Give a bankroll that so many hands of at most ``most`` cannot use up, or refuse them."""
    if hands * most > MOST_BANKROLL:
        each, may = (output.money(amount, currency) for amount in (most, MOST_BANKROLL))
        what = f"{hands} hands of {each} are more than anybody may sit down with, {may}"
        raise InputError(what, "--hands, --max", "give fewer hands, or a smaller maximum")
    return hands * most
