"""Exact fractions to whole minor units, the way a rule set says. No floats."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from schemas.ruleset import Rounding


def rounded(numerator: int, denominator: int, rounding: Rounding) -> int:
    """Round a non-negative fraction of minor units to a multiple of the rounding's unit."""
    step = denominator * rounding.unit
    units, rest = divmod(numerator, step)
    if rounding.direction == "up":
        units += rest > 0
    elif rounding.direction == "half-even":
        units += 2 * rest > step or (2 * rest == step and units % 2)
    return units * rounding.unit
