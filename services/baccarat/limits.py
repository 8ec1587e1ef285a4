"""A table's limits, from its rule set and what the house asks instead. Judges no bet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemas.errors import InputError
from schemas.events import Limits, SpotLimits
from schemas.money import is_amount, parse_fraction

if TYPE_CHECKING:
    from collections.abc import Mapping

    from schemas.events import Ktane
    from schemas.ruleset import RuleSet


def resolve_limits(
    rules: RuleSet,
    overrides: Mapping[str, SpotLimits] | None = None,
    differential: int | None = None,
) -> Limits:
    """Work out each spot's limits; what is asked for replaces the rule set's own.

    A ``maximum_share`` is of the largest maximum that any main spot has at this table, rounded down
    to the spot's step; where that is below the spot's minimum, the table does not offer the spot.
    Raises ``InputError`` for limits that no bet could be judged by.
    """
    asked = dict(overrides or {})
    for name, limits in asked.items():
        _check(name, limits, rules)
    if differential is not None and not is_amount(differential):
        mend = "give a positive whole number of minor units"
        raise InputError(f"{differential} is no table differential", mend=mend)
    mains = [
        asked[name].maximum if name in asked else spot.maximum
        for name, spot in rules.spots.items()
        if spot.main
    ]
    table_maximum = max(maximum for maximum in mains if maximum is not None)
    spots: dict[str, SpotLimits] = {}
    for name, spot in rules.spots.items():
        if name in asked:
            spots[name] = asked[name]
            continue
        maximum = spot.maximum
        if maximum is None:
            share = table_maximum * parse_fraction(spot.maximum_share or "1/1")
            maximum = int(share // spot.step) * spot.step
            if maximum < spot.minimum:
                continue
        spots[name] = SpotLimits(spot.minimum, maximum, spot.step)
    return Limits(spots, rules.differential if differential is None else differential)


def placard(rules: RuleSet, bomb: Ktane) -> dict[str, SpotLimits]:
    """Read a module's table limits off its placard: they are those of the main spots."""
    return {
        name: SpotLimits(bomb.min, bomb.max, spot.step)
        for name, spot in rules.spots.items()
        if spot.main
    }


def _check(name: str, limits: SpotLimits, rules: RuleSet) -> None:
    if name not in rules.spots:
        mend = "use one of: " + ", ".join(rules.spots)
        raise InputError(f"{name[:40]!r} is no spot of {rules.name}", mend=mend)
    numbers = (limits.minimum, limits.maximum, limits.step)
    if not all(map(is_amount, numbers)) or limits.maximum < limits.minimum:
        what = f"limits of {name}: minimum {numbers[0]}, maximum {numbers[1]}, step {numbers[2]}"
        raise InputError(what, mend="give positive minor units, the minimum not above the maximum")
