"""What the cards of many shoes say about how they were shuffled. It may not know who won.

A shoe's cards are no independent draws: they are dealt without replacement. For each figure the
variance is the one of a prefix of a random permutation:

- ranks, cards: how often each was seen. Less the share that is due of so many cards, over the cards
  left unseen, that is a martingale, so its mean is zero wherever the shoe stops, and its variance
  after n of N cards is n / ((N - 1)(N - n)) times that of one draw. Few cards are left unseen, so a
  card that comes too seldom is found in a few shoes, where independent draws would take many.
- blocks: ranks by place in the shoe, a deck's length at a time, given the cards seen in that shoe.
- places: how far each card lies from where it lay in an unshuffled shoe (baccarat-shoe/v1, step 4),
  in whole decks' lengths left over: 52 classes, 0 being its own place. A shuffle that moves cards
  by a rule shows here. Across 52 classes the counts are as independent as makes no difference (a
  variance of 1.002 instead of 1 for eight decks).
- stayed: class 0 of these alone, which a shuffle that leaves no card where it was keeps too small.
- drift: the same classes by their first harmonic alone (Rayleigh's test; Mardia and Jupp,
  "Directional Statistics", 6.3.1), which sees a slope over all classes in half as many shoes.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from schemas.cards import DECK, RANKS
from services.office.figures import FEW, Class, Figure, figure, pearson

if TYPE_CHECKING:
    from collections.abc import Mapping

    from schemas.cards import Card

_NAMES: Final = len(DECK)
_RANKS: Final = len(RANKS)
_INDEX: Final = {card: index for index, card in enumerate(DECK)}
_ANGLES: Final = [math.tau * turn / _NAMES for turn in range(_NAMES)]


class Shuffle:
    """The cards of many shoes of so many decks, added up."""

    __slots__ = (
        "_blocks", "_cards", "_due", "_left", "_places", "_ranks", "_seen", "_shoes", "_size",
        "_spread", "shoes",
    )  # fmt: skip

    def __init__(self, decks: int) -> None:
        """Begin with no shoe."""
        self._size = _NAMES * decks
        self.shoes = 0
        self._seen = [0] * _NAMES
        self._places = [0] * _NAMES
        self._blocks = [[0] * _RANKS for _ in range(decks)]
        self._due = [[0.0] * _RANKS for _ in range(decks)]
        #: The martingales at the shoes' ends, and the sum of their variances.
        self._cards = [0.0] * _NAMES
        self._ranks = [0.0] * _RANKS
        self._spread = 0.0
        #: Of the shoes whose last cards were not seen: how many they are, and the cards unseen.
        self._shoes = self._left = 0

    def add(self, seen: Mapping[int, Card]) -> None:
        """Add a shoe: the cards that were seen, by position."""
        counts = [0] * _NAMES
        blocks = [[0] * _RANKS for _ in self._blocks]
        for position, card in seen.items():
            if position >= self._size:
                continue
            index = _INDEX[card]
            counts[index] += 1
            self._places[(index - position) % _NAMES] += 1
            blocks[position // _NAMES][index % _RANKS] += 1
        number = sum(counts)
        if number == 0:
            return
        self.shoes += 1
        self._seen = list(map(sum, zip(self._seen, counts, strict=True)))
        ranks = [sum(counts[rank::_RANKS]) for rank in range(_RANKS)]
        for sums, dues, block in zip(self._blocks, self._due, blocks, strict=True):
            held = sum(block)
            for rank in range(_RANKS):
                sums[rank] += block[rank]
                dues[rank] += held * ranks[rank] / number
        left = self._size - number
        if left > 0:
            self._shoes += 1
            self._left += left
            self._spread += number / ((self._size - 1) * left)
            for index, count in enumerate(counts):
                self._cards[index] += (count - number / _NAMES) / left
            for rank, count in enumerate(ranks):
                self._ranks[rank] += (count - number / _RANKS) / left

    def figures(self) -> list[Figure]:
        """Give the figures."""
        return [
            self._shares("ranks", list(RANKS), self._ranks),
            self._shares("cards", list(DECK), self._cards),
            self._by_block(),
            pearson("places", self._by_place()),
            self._stayed(),
            self._drift(),
        ]

    def _shares(self, name: str, names: list[str], ended: list[float]) -> Figure:
        of = len(names)
        total = sum(self._seen)
        counts = [sum(self._seen[one::of]) for one in range(of)]
        classes = [
            Class(called, count, total / of) for called, count in zip(names, counts, strict=True)
        ]
        statistic = of * sum(end**2 for end in ended) / self._spread if self._spread else 0.0
        # The cards left unseen are the few: it is they that have to be enough.
        enough = min(self._left, total) >= FEW * of
        return figure(name, classes, statistic, of - 1, enough=enough)

    def _by_block(self) -> Figure:
        classes = [
            Class(f"{rank} in cards {start + 1}-{start + _NAMES}", count, due)
            for start, counts, dues in zip(
                range(0, self._size, _NAMES), self._blocks, self._due, strict=True
            )
            for rank, count, due in zip(RANKS, counts, dues, strict=True)
            if sum(counts)
        ]
        total = sum(self._seen)
        # Given both margins, the statistic's mean is n / (n - 1) times the degrees of freedom.
        exact = 1 - self.shoes / total if total else 0.0
        statistic = exact * sum(
            (one.seen - one.expected) ** 2 / one.expected for one in classes if one.expected
        )
        freedom = (len(classes) // _RANKS - 1) * (_RANKS - 1)
        enough = all(one.expected >= FEW for one in classes)
        return figure("blocks", classes, statistic, freedom, enough=enough)

    def _by_place(self) -> list[Class]:
        expected = sum(self._places) / _NAMES
        return [Class(str(turn), count, expected) for turn, count in enumerate(self._places)]

    def _stayed(self) -> Figure:
        total = sum(self._places)
        stayed = self._places[0]
        classes = [
            Class("in its place", stayed, total / _NAMES),
            Class("elsewhere", total - stayed, total - total / _NAMES),
        ]
        return pearson("stayed", classes)

    def _drift(self) -> Figure:
        total = sum(self._places)
        along = sum(n * math.cos(a) for n, a in zip(self._places, _ANGLES, strict=True))
        across = sum(n * math.sin(a) for n, a in zip(self._places, _ANGLES, strict=True))
        statistic = 2 * (along**2 + across**2) / total if total else 0.0
        half = _NAMES // 2
        ahead = sum(self._places[1:half])
        classes = [
            Class("ahead of", ahead, total * (half - 1) / _NAMES),
            Class("behind", sum(self._places[half + 1 :]), total * (half - 1) / _NAMES),
        ]
        return figure("drift", classes, statistic, 2, enough=total >= FEW * _NAMES)
