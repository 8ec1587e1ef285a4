"""A progression between a minimum and a maximum, and its restarts. Knows no sides and no table."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from services.bettors.nine.progressions import Progression


class Limits(NamedTuple):
    """Bounds of every stake; ``restart``: start over rather than bet the maximum for more."""

    minimum: int
    maximum: int
    restart: bool


class Staking:
    """Holds the next stake, always within the limits, and how often the maximum made it restart."""

    def __init__(self, progression: Progression, limits: Limits) -> None:
        """Begin the first series."""
        self._progression = progression
        self._limits = limits
        self.restarts = 0
        self.stake = self._within(progression.begin())

    def settle(self, *, won: bool) -> None:
        """Take that the stake was won or lost. A tie, a refusal and a void round are neither."""
        wanted = self._progression.after(won=won, stake=self.stake)
        if wanted is not None and wanted > self._limits.maximum and self._limits.restart:
            self.restarts += 1
            wanted = None
        if wanted is None:
            # A first stake that is above the maximum itself has nothing to start over: it is cut.
            wanted = self._progression.begin()
        self.stake = self._within(wanted)

    def _within(self, wanted: int) -> int:
        return min(max(wanted, self._limits.minimum), self._limits.maximum)
