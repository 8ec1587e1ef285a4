"""Tails against tables that were printed long ago, closed forms and counts by hand."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.office.chance import adjusted, chi_square_tail, sum_tail

#: Upper percentage points: Abramowitz and Stegun, table 26.8; NIST handbook 1.3.6.7.4.
POINTS = [
    (1, 3.841, 0.05), (1, 10.828, 0.001), (2, 5.991, 0.05), (2, 13.816, 0.001),
    (3, 7.815, 0.05), (5, 20.515, 0.001), (10, 18.307, 0.05), (12, 21.026, 0.05),
    (12, 32.909, 0.001), (30, 43.773, 0.05), (51, 68.669, 0.05), (51, 87.968, 0.001),
    (100, 124.342, 0.05), (100, 149.449, 0.001),
]  # fmt: skip


@pytest.mark.parametrize(("freedom", "point", "tail"), POINTS)
def test_the_printed_points(freedom: int, point: float, tail: float) -> None:
    assert chi_square_tail(point, freedom) == pytest.approx(tail, rel=2e-3)


@given(st.floats(1e-6, 1e4), st.integers(1, 200))
def test_it_is_the_integral_of_the_density(statistic: float, freedom: int) -> None:
    """Its slope is minus the density, by a difference; and it falls."""
    step = statistic * 1e-5
    below, above = (chi_square_tail(statistic + by, freedom) for by in (-step, step))
    log_density = (
        (freedom / 2 - 1) * math.log(statistic)
        - statistic / 2
        - freedom / 2 * math.log(2)
        - math.lgamma(freedom / 2)
    )
    slope = (below - above) / (2 * step)
    assert below >= above - 1e-12
    assert slope == pytest.approx(math.exp(log_density), rel=1e-3, abs=1e-10 / step)


@pytest.mark.parametrize("freedom", [1, 2, 7, 51])
def test_the_ends(freedom: int) -> None:
    assert chi_square_tail(0, freedom) == 1
    assert chi_square_tail(-1, freedom) == 1
    assert chi_square_tail(1e-300, freedom) == pytest.approx(1)
    assert chi_square_tail(1e9, freedom) == 0
    assert chi_square_tail(math.inf, freedom) == 0


def test_no_freedom_is_no_question() -> None:
    with pytest.raises(ValueError, match="0 degrees"):
        chi_square_tail(1, 0)


def exact_tail(values: dict[int, Fraction], times: int, least: int) -> Fraction:
    return sum(
        (
            math.prod((values[one] for one in way), start=Fraction(1))
            for way in product(values, repeat=times)
            if sum(way) >= least
        ),
        Fraction(0),
    )


@pytest.mark.parametrize(
    "values",
    [
        {1: Fraction(1, 2), -1: Fraction(1, 2)},
        {8: Fraction(1, 10), -1: Fraction(9, 10)},
        {1: Fraction(9, 10), -8: Fraction(1, 10)},
        {2: Fraction(1, 7), 0: Fraction(3, 7), -1: Fraction(3, 7)},
    ],
)
def test_the_bound_is_above_every_exact_tail(values: dict[int, Fraction]) -> None:
    mean = sum(value * share for value, share in values.items())
    variance = sum((value - mean) ** 2 * share for value, share in values.items())
    most = max(values) - mean
    for times in range(1, 7):
        for least in range(math.floor(times * mean) + 1, times * max(values) + 1):
            distance = float(least - times * mean)
            bound = sum_tail(distance, float(times * variance), float(most))
            assert bound >= float(exact_tail(values, times, least)) * (1 - 1e-12)


def test_the_bound_is_near_the_bell_curve_for_many_small_parts() -> None:
    bound = sum_tail(500, 10_000, 1)  # five deviations
    assert math.erfc(5 / math.sqrt(2)) / 2 < bound < math.exp(-12.5) * 1.3
    assert (sum_tail(0, 1, 1), sum_tail(-3, 1, 1)) == (1, 1)
    assert (sum_tail(1, 0, 1), sum_tail(1e308, 1e-300, 1e300)) == (0, 0)


def test_holm_by_hand() -> None:
    assert adjusted([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert adjusted([0.6, 0.7]) == [1, 1]
    assert adjusted([]) == []


@given(st.lists(st.floats(0, 1), max_size=20))
def test_adjusted_values_keep_their_order_and_never_fall(found: list[float]) -> None:
    now = adjusted(found)
    assert all(after >= before for before, after in zip(found, now, strict=True))
    assert sorted(now) == [now[i] for i in sorted(range(len(found)), key=found.__getitem__)]
    most = [min(1, len(found) * before) + 1e-12 for before in found]
    assert all(map(float.__le__, now, most))
