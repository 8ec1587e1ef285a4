"""Clocks that are handed in: the wall's, and a simulated one. Nobody else may ask the time."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from schemas.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable


class Clock(Protocol):
    """Says the time of the next event, in microseconds since 1970, UTC."""

    def next(self, last: int | None) -> int:
        """Say the time of the event after one at ``last`` (None: it is the first)."""
        ...

    def several(self, last: int | None, count: int) -> list[int]:
        """Say the times of so many events that are said at once, after one at ``last``."""
        ...


def wall_microseconds() -> int:
    """Say what the machine's clock says now."""
    return time.time_ns() // 1000


@dataclass(frozen=True, slots=True)
class WallClock:
    """The machine's time, but never before the last event, even when the machine's is set back."""

    now: Callable[[], int] = wall_microseconds

    def next(self, last: int | None) -> int:
        """Say now, or ``last`` where now lies before it."""
        now = self.now()
        return now if last is None else max(now, last)

    def several(self, last: int | None, count: int) -> list[int]:
        """Say now, once for all."""
        return [self.next(last)] * count


@dataclass(frozen=True, slots=True)
class SimulatedClock:
    """Start, then a fixed step an event: a run leaves the same bytes each time."""

    start_us: int
    step_us: int = 1_000_000

    def __post_init__(self) -> None:
        """Refuse a clock that would go backwards."""
        if self.start_us < 0:
            raise InputError("the start lies before 1970", "simulated clock", "give a later one")
        if self.step_us < 0:
            raise InputError("the step is negative", "simulated clock", "give zero or more")

    def next(self, last: int | None) -> int:
        """Say the start, or one step after ``last``."""
        return self.start_us if last is None else last + self.step_us

    def several(self, last: int | None, count: int) -> list[int]:
        """Say what ``next`` would, one after the other."""
        first, step = self.next(last), self.step_us
        return [first + step * later for later in range(count)]
