"""How rare a figure is where chance alone is at work: the tails. Floats, and no money.

Sources: DLMF 8.4.8, 8.4.9 and 8.8.2 (the incomplete gamma function of whole and half-whole order);
Bennett 1962, as in Boucheron, Lugosi and Massart, "Concentration Inequalities", theorem 2.9; Holm
1979.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

_HALF: Final = 0.5


def chi_square_tail(statistic: float, freedom: int) -> float:
    """Give the probability that chi-square with so many degrees of freedom is as large or larger.

    That is the regularized incomplete gamma function Q(freedom / 2, statistic / 2), whose order is
    whole or half: so it is a finite sum of positive terms, each worked out by its logarithm.
    """
    if freedom < 1:
        raise ValueError(f"{freedom} degrees of freedom")
    if statistic <= 0:
        return 1.0
    x = statistic / 2
    if math.isinf(x):
        return 0.0
    order = 0.0 if freedom % 2 == 0 else _HALF
    parts = [0.0 if order == 0 else math.erfc(math.sqrt(x))]
    while order < freedom / 2:
        # Q(a + 1, x) = Q(a, x) + x^a e^-x / Γ(a + 1), from Q(1/2, x) = erfc(√x) or Q(0, x) = 0.
        parts.append(math.exp(order * math.log(x) - x - math.lgamma(order + 1)))
        order += 1
    return min(math.fsum(parts), 1.0)


def sum_tail(distance: float, variance: float, most: float) -> float:
    """Bound the probability that a sum is so far above its mean, or farther (Bennett).

    ``most`` is what one of its parts can be above its own mean, at most. The bound holds for any
    number of parts, however skew: a long shot that comes in once is no proof of anything.
    """
    if distance <= 0:
        return 1.0
    if variance <= 0 or most <= 0:
        return 0.0
    u = most * distance / variance
    if math.isinf(u):
        return 0.0
    return math.exp(-variance / most**2 * ((1 + u) * math.log1p(u) - u))


def adjusted(found: Sequence[float]) -> list[float]:
    """Adjust p-values for how many were looked at (Holm): each is then as rare as it says.

    The chance that any of them is at or below a level is at most that level, related or not.
    """
    order = sorted(range(len(found)), key=found.__getitem__)
    result = [1.0] * len(found)
    worst = 0.0
    for rank, place in enumerate(order):
        worst = max(worst, min((len(found) - rank) * found[place], 1.0))
        result[place] = worst
    return result
