"""What bets come to in the long run: exact mean and variance over all that a round may be.

Whole numbers only: a mean is a numerator over the ways that a shoe's first six cards can lie. It
looks at no round that was dealt.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from services.baccarat.game import compile_rules
from services.baccarat.odds import counts_of
from services.baccarat.odds_counting import count_rounds
from services.baccarat.result import RoundResult, holds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schemas.ruleset import RuleSet
    from services.baccarat.odds import Counts

#: Stakes on a spot, and sets of bets, that are remembered.
_REMEMBERED: Final = 4096


class Terms(NamedTuple):
    """What the house takes of a set of bets, in minor units.

    The mean is ``mean`` over the ways, the variance ``variance`` over their square; ``most`` and
    ``least`` are how far above and below the mean one round can be, at most.
    """

    mean: int
    variance: int
    most: float
    least: float


class _Line(NamedTuple):
    """Rounds in which the same line of a spot decides: how many, and any one of them."""

    ways: int
    example: RoundResult


class Expectation:
    """A rule set's rounds, counted for a fresh shoe of so many decks.

    Each round of a shuffled shoe has these odds, wherever in the shoe it begins, for its cards are
    as likely to be any six as the first are. Bets of one round are taken together, since they
    depend on the same cards; bets on one spot differ in their stakes alone.
    """

    __slots__ = ("_game", "_joint", "_kinds", "_lines", "_places", "_sets", "_taken", "counts")

    def __init__(self, rules: RuleSet, decks: int) -> None:
        """Count; it takes about half a second."""
        rounds = count_rounds(rules, decks)
        self.counts: Counts = counts_of(rounds)
        self._game = compile_rules(rules)
        self._kinds = list(rounds.items())
        self._places: dict[str, list[int]] = {}
        self._lines: dict[str, list[_Line]] = {}
        self._joint: dict[tuple[str, str], dict[tuple[int, int], int]] = {}
        self._taken: dict[tuple[str, int], list[int]] = {}
        self._sets: dict[tuple[tuple[str, int], ...], Terms] = {}

    @property
    def ways(self) -> int:
        """In how many ways six cards can lie: what the means are over."""
        return self.counts.total

    def knows(self, spot: str) -> bool:
        """Whether the rules have such a spot."""
        return spot in self._game.rules.spots

    def terms(self, bets: Sequence[tuple[str, int]]) -> Terms:
        """Work out what the house takes of these (spot, stake) in one round."""
        key = tuple(sorted(bets))
        known = self._sets.get(key)
        if known is None:
            if len(self._sets) >= _REMEMBERED:
                self._sets.clear()
            known = self._sets[key] = self._work_out(key)
        return known

    def _work_out(self, bets: tuple[tuple[str, int], ...]) -> Terms:
        takes: dict[str, list[int]] = {}
        for spot, stake in bets:
            taken = self._take(spot, stake)
            before = takes.get(spot)
            if before is not None:
                taken = [one + more for one, more in zip(before, taken, strict=True)]
            takes[spot] = taken
        mean = square = high = low = 0
        spots = list(takes)
        for place, spot in enumerate(spots):
            take = takes[spot]
            high += max(take)
            low += min(take)
            for line, taken_here in zip(self._of(spot), take, strict=True):
                mean += line.ways * taken_here
                square += line.ways * taken_here**2
            for other in spots[place + 1 :]:
                others = takes[other]
                square += 2 * sum(
                    ways * take[one] * others[two]
                    for (one, two), ways in self._both(spot, other).items()
                )
        variance = square * self.ways - mean**2
        centre = mean / self.ways
        return Terms(mean, variance, high - centre, centre - low)

    def _take(self, spot: str, stake: int) -> list[int]:
        """Give what the house takes of a stake by the line that decides."""
        taken = self._taken.get((spot, stake))
        if taken is None:
            if len(self._taken) >= _REMEMBERED:
                self._taken.clear()
            paid = [self._game.prices(line.example)[spot].pay(stake) for line in self._of(spot)]
            taken = [-one.net(stake) for one in paid]
            self._taken[spot, stake] = taken
        return taken

    def _of(self, spot: str) -> list[_Line]:
        """Sort the rounds by the line of a spot that decides."""
        if spot not in self._lines:
            pays = self._game.rules.spots[spot].pays
            found: dict[int, _Line] = {}
            deciding = []
            for result, ways in self._kinds:
                line = next((n for n, pay in enumerate(pays) if holds(pay.when, result)), -1)
                known = found.get(line)
                found[line] = _Line(ways + (0 if known is None else known.ways), result)
                deciding.append(line)
            place = {line: at for at, line in enumerate(found)}
            self._places[spot] = [place[line] for line in deciding]
            self._lines[spot] = list(found.values())
        return self._lines[spot]

    def _both(self, spot: str, other: str) -> dict[tuple[int, int], int]:
        """Count the rounds by the lines of two spots that decide."""
        key = (spot, other)
        if key not in self._joint:
            self._of(spot)
            self._of(other)
            found: Counter[tuple[int, int]] = Counter()
            pairs = zip(self._places[spot], self._places[other], self._kinds, strict=True)
            for one, two, (_, ways) in pairs:
                found[one, two] += ways
            self._joint[key] = dict(found)
        return self._joint[key]
