from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.errors import InputError
from services.runtime.clocks import Clock, SimulatedClock, WallClock


def test_the_wall_clock_says_now_in_microseconds() -> None:
    before = time.time_ns() // 1000
    said = WallClock().next(None)
    assert before <= said <= time.time_ns() // 1000


@given(st.lists(st.integers(0, 2**51)), st.integers(0, 2**51))
def test_the_wall_clock_never_goes_back(readings: list[int], first: int) -> None:
    left = iter([first, *readings])
    clock = WallClock(now=lambda: next(left))
    last = clock.next(None)
    assert last == first
    for reading in readings:
        said = clock.next(last)
        assert said == max(reading, last)
        last = said


@given(st.integers(0, 2**51), st.integers(0, 2**30), st.integers(0, 500))
def test_the_simulated_clock_is_start_plus_step_times_seq(start: int, step: int, seq: int) -> None:
    clock: Clock = SimulatedClock(start, step)
    last: int | None = None
    for _ in range(seq + 1):
        last = clock.next(last)
    assert last == start + step * seq


@given(
    st.none() | st.integers(0, 2**51),
    st.integers(0, 2**51),
    st.integers(0, 2**30),
    st.integers(0, 9),
)
def test_several_times_are_those_one_after_the_other(
    last: int | None, start: int, step: int, count: int
) -> None:
    for clock in (SimulatedClock(start, step), WallClock(now=lambda: start)):
        times, time_now = [], last
        for _ in range(count):
            time_now = clock.next(time_now)
            times.append(time_now)
        assert clock.several(last, count) == times


def test_one_step_is_a_second_unless_told() -> None:
    assert SimulatedClock(5).next(5) == 1_000_005


@pytest.mark.parametrize(("start", "step"), [(-1, 1), (0, -1)])
def test_a_clock_that_would_go_backwards_is_refused(start: int, step: int) -> None:
    with pytest.raises(InputError):
        SimulatedClock(start, step)
