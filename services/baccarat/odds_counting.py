"""Counts every way that six cards can lie, by what their round comes to: of a shoe, or its rest.

Integers only. It may not know what is paid, nor in which order a shoe lies.

Cards of one value are alike to whoever draws, so third cards are dealt by value; only the first
four can be pairs (``odds_fours``). And who draws is decided by first totals alone, so all first
fours of the same totals and pairs are added up before any third card is dealt.
"""

from __future__ import annotations

from collections import Counter
from math import perm
from typing import TYPE_CHECKING, Final, NamedTuple

from schemas.cards import RANKS, SUITS
from schemas.ruleset import TOTALS
from services.baccarat.game import compile_rules
from services.baccarat.odds_fours import first_fours
from services.baccarat.result import RoundResult

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from schemas.cards import Card
    from schemas.outcomes import Winner
    from schemas.ruleset import RuleSet, Side
    from services.baccarat.odds_fours import Firsts, Pairs

_FOUR: Final = 4
_SIX: Final = 6
_TWO: Final = 2

#: Totals of the player and the banker, and how many cards lie in each hand.
_End = tuple[int, int, int, int]


def count_rounds(
    rules: RuleSet, decks: int, ranks: str = RANKS, suits: str = SUITS
) -> Counter[RoundResult]:
    """Count ordered six-card beginnings of a fresh shoe by the result of its first round.

    The cards behind a shorter round may lie in any order, so that all counts have one total:
    the ways to lay six cards of ``52 * decks``. Burned cards change nothing, being unknown. Fewer
    ``ranks`` and ``suits`` make a stripped deck, of six cards at least, that can be counted by
    laying out each order.
    """
    return count_left(rules, dict.fromkeys(ranks, (decks,) * len(suits)))


def count_left(rules: RuleSet, left: Mapping[str, Sequence[int]]) -> Counter[RoundResult]:
    """Count the rounds that any cards can make next: how many of each rank, suit by suit.

    In all as ``count_rounds``; of fewer than six cards there are no six, and so none are counted.
    """
    ranks = "".join(rank for rank in RANKS if sum(left.get(rank, ())))
    held = [0] * TOTALS
    for rank in ranks:
        held[rules.values[RANKS.index(rank)]] += sum(left[rank])
    if sum(held) < _SIX:
        return Counter()
    thirds = _Thirds(rules, ranks)
    kinds: dict[tuple[int, int, Pairs], _Kind] = {}
    for firsts, ways_of in first_fours(rules, {rank: left[rank] for rank in ranks}).items():
        one, two, three, four = firsts
        player, banker = (one + two) % TOTALS, (three + four) % TOTALS
        draws = thirds.of(firsts, player, banker)
        behind = held.copy()
        for value in firsts:
            behind[value] -= 1
        for pairs, ways in ways_of.items():
            kind = kinds.get((player, banker, pairs))
            if kind is None:
                kind = kinds[player, banker, pairs] = _Kind(player, banker, draws)
            kind.add(ways, behind)
    found: Counter[RoundResult] = Counter()
    naturals = frozenset(rules.drawing.naturals)
    rest = sum(held) - _FOUR
    for (player, banker, pairs), kind in kinds.items():
        natural = player in naturals or banker in naturals
        for end, ways in kind.ends(rest):
            if ways:
                found[_result(end, pairs, natural=natural)] += ways
    return found


def _result(end: _End, pairs: Pairs, *, natural: bool) -> RoundResult:
    player, banker, player_cards, banker_cards = end
    player_pair, player_suited, banker_pair, banker_suited = pairs
    winner: Winner = "tie"
    if player != banker:
        winner = "player" if player > banker else "banker"
    return RoundResult(
        winner,
        natural,
        player,
        banker,
        player_cards,
        banker_cards,
        player_pair,
        banker_pair,
        player_suited,
        banker_suited,
    )


class _Draws(NamedTuple):
    """Who draws after two first totals; on which thirds the banker does where the player drew."""

    first: Side | None
    banker_too: frozenset[int]


class _Thirds:
    """Asks the rules once for each two first totals."""

    def __init__(self, rules: RuleSet, ranks: str) -> None:
        game = compile_rules(rules)
        self._next_draw = game.next_draw
        #: A card of each value, to be shown to whoever decides the draws.
        self._card: dict[int, Card] = {}
        for card, value in game.values.items():
            if card[0] in ranks:
                self._card.setdefault(value, card)
        self._known: dict[tuple[int, int], _Draws] = {}

    def of(self, firsts: Firsts, player: int, banker: int) -> _Draws:
        """Tell who draws; ``firsts`` are any first cards of these totals."""
        known = self._known.get((player, banker))
        if known is None:
            one, two, three, four = map(self._card.__getitem__, firsts)
            bankers = [three, four]
            first = self._next_draw([one, two], bankers)
            too = {
                value
                for value, third in self._card.items()
                if first == "player" and self._next_draw([one, two, third], bankers) == "banker"
            }
            known = _Draws(first, frozenset(too))
            self._known[player, banker] = known
        return known


class _Kind:
    """All first fours of the same totals and pairs: the ways to take them, and the cards after.

    ``_fifth`` counts by the value of the next card, ``_sixth`` by the values of the next two.
    """

    __slots__ = ("_banker", "_draws", "_fifth", "_fours", "_player", "_sixth")

    def __init__(self, player: int, banker: int, draws: _Draws) -> None:
        self._player, self._banker, self._draws = player, banker, draws
        self._fours = 0
        self._fifth = [0] * TOTALS
        self._sixth = {third: [0] * TOTALS for third in draws.banker_too}

    def add(self, ways: int, left: list[int]) -> None:
        """Add a four that can be taken in so many ways; ``left`` are the cards left by value."""
        self._fours += ways
        if self._draws.first is None:
            return
        for third, count in enumerate(left):
            self._fifth[third] += ways * count
        for third, row in self._sixth.items():
            more = ways * left[third]
            left[third] -= 1
            for last, count in enumerate(left):
                row[last] += more * count
            left[third] += 1

    def ends(self, rest: int) -> Iterator[tuple[_End, int]]:
        """Give how the rounds end, with the ways of the ``rest`` cards behind the four."""
        player, banker = self._player, self._banker
        if self._draws.first is None:
            yield (player, banker, 2, 2), self._fours * perm(rest, _TWO)
            return
        for third, ways in enumerate(self._fifth):
            if self._draws.first == "banker":
                yield (player, (banker + third) % TOTALS, 2, 3), ways * (rest - 1)
                continue
            total = (player + third) % TOTALS
            if third not in self._sixth:
                yield (total, banker, 3, 2), ways * (rest - 1)
                continue
            for last, both in enumerate(self._sixth[third]):
                yield (total, (banker + last) % TOTALS, 3, 3), both
