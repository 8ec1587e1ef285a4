"""How much to bet: the progressions of the nine systems. They know no limits, sides or tables.

Source: 001_8304c434475ca3ac.txt, "SYSTEMS EXPLAINED", filled as ``specs/sources.md`` B says. All
amounts are in one unit of money, whichever. What the document says of "your bet" is said of the
bet that was made, which a limit may have made smaller or larger than the one that was wanted: a
Martingale doubles what lay on the table, and a cancellation appends what was lost.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

#: In units: what follows each win, staying at the last.
_AFTER_WINS: Final = (1, 2, 3, 5, 5, 8)
#: In units: what follows each loss; together 31.
_THIRTY_ONE: Final = (1, 1, 1, 2, 2, 4, 4, 8, 8)


class Progression(Protocol):
    """One series of stakes after another; it is told of decided bets only."""

    def begin(self) -> int:
        """Begin a series: give its first stake."""
        ...

    def after(self, *, won: bool, stake: int) -> int | None:
        """Give the stake that follows one that was won or lost; None: the series is over."""
        ...


class _FromOneUnit(Progression):
    """Ground of those whose series begin with one unit."""

    def __init__(self, unit: int) -> None:
        """Begin each series with one unit."""
        self._unit = unit

    def begin(self) -> int:
        """Bet one unit."""
        return self._unit


class Level(_FromOneUnit):
    """The same stake always (card count, follow the shoe, opposite the shoe)."""

    def after(self, *, won: bool, stake: int) -> int | None:  # noqa: ARG002
        """Every bet is a series of its own."""
        return None


class Martingale(_FromOneUnit):
    """Double after a loss; one win ends the series."""

    def after(self, *, won: bool, stake: int) -> int | None:
        """Bet double the last bet, unless it won."""
        return None if won else 2 * stake


class DAlembert(_FromOneUnit):
    """One unit up after a loss, one down after a win; winning the one-unit bet ends the series."""

    def after(self, *, won: bool, stake: int) -> int | None:
        """Go up or down by a unit; never below the first bet, for that is still to be won."""
        if not won:
            return stake + self._unit
        return max(stake - self._unit, self._unit) if stake > self._unit else None


class ProgressiveWin(_FromOneUnit):
    """1 2 3 5 5 8 units after wins, staying at 8; a loss ends the series."""

    def begin(self) -> int:
        """Bet one unit."""
        self._at = 0
        return super().begin()

    def after(self, *, won: bool, stake: int) -> int | None:  # noqa: ARG002
        """Go on to the next number."""
        if not won:
            return None
        self._at = min(self._at + 1, len(_AFTER_WINS) - 1)
        return _AFTER_WINS[self._at] * self._unit


class ThirtyOne(_FromOneUnit):
    """1 1 1 2 2 4 4 8 8 units after losses; a win rides once, and two running end the series."""

    def begin(self) -> int:
        """Bet the first number, which is one unit."""
        self._at, self._riding = 0, False
        return super().begin()

    def after(self, *, won: bool, stake: int) -> int | None:
        """Let a win ride, unless it was the very first bet's; after a loss the next number."""
        if won:
            if self._riding or self._at == 0:
                return None
            self._riding = True
            return 2 * stake
        self._riding = False
        self._at += 1
        return None if self._at == len(_THIRTY_ONE) else _THIRTY_ONE[self._at] * self._unit


class Cancellation(Progression):
    """Bet first + last of a series; a win crosses numbers off it, a loss is appended."""

    def __init__(self, series: Sequence[int], *, first_three: bool = False) -> None:
        """Begin with these amounts each time; a win crosses off first and last, or first three."""
        self._series = tuple(series)
        self._first_three = first_three
        self._left: deque[int] = deque()

    def begin(self) -> int:
        """Write the series down anew."""
        self._left = deque(self._series)
        return self._ends()

    def after(self, *, won: bool, stake: int) -> int | None:
        """Cross off or append; the series is over when all its numbers are crossed off."""
        if won:
            self._cross_off()
        else:
            self._left.append(stake)
        return self._ends() if self._left else None

    def _ends(self) -> int:
        return self._left[0] + self._left[-1] if len(self._left) > 1 else self._left[0]

    def _cross_off(self) -> None:
        if self._first_three:
            for _ in range(min(3, len(self._left))):
                self._left.popleft()
            return
        self._left.popleft()
        if self._left:
            self._left.pop()
