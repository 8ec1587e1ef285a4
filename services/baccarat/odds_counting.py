"""Counts every way that a shoe's first six cards can lie, by what its first round comes to.

Integers only. It may not know what is paid, nor look at a shoe that is being dealt.

Cards of one value are alike to whoever draws, so third cards are dealt by value. Pairs are of rank
and suit, and only of the first four cards: how often a four of given values holds which pairs is
counted apart, from the ways in which four ranks can coincide.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import product
from math import perm
from typing import TYPE_CHECKING, Final, NamedTuple

from schemas.cards import RANKS, SUITS
from schemas.ruleset import TOTALS
from services.baccarat.game import compile_rules
from services.baccarat.result import RoundResult

if TYPE_CHECKING:
    from collections.abc import Iterator

    from schemas.cards import Card
    from schemas.outcomes import Winner
    from schemas.ruleset import RuleSet

#: No round takes more cards.
MOST: Final = 6
_FOUR: Final = 4

#: Of the first two cards of each hand: player's pair and suited pair, banker's.
_Flags = tuple[bool, bool, bool, bool]
#: Values of the first four cards: the player's two, rising, then the banker's.
_Firsts = tuple[int, int, int, int]


class _End(NamedTuple):
    """What the values of a round's cards come to; pairs they do not tell."""

    player_total: int
    banker_total: int
    player_cards: int
    banker_cards: int
    natural: bool


def count_rounds(
    rules: RuleSet, decks: int, ranks: str = RANKS, suits: str = SUITS
) -> Counter[RoundResult]:
    """Count ordered six-card beginnings of a fresh shoe by the result of its first round.

    The cards behind a shorter round may lie in any order, so that all counts have one total:
    the ways to lay six cards of ``52 * decks``. Burned cards change nothing, being unknown. Fewer
    ``ranks`` and ``suits`` make a stripped deck, of six cards at least, that can be counted by
    laying out each order.
    """
    ends = _Ends(rules, len(suits) * decks, ranks)
    found: Counter[RoundResult] = Counter()
    for values, pairs in _first_fours(rules, decks, ranks, len(suits)).items():
        for end, after in ends.of(values).items():
            for flags, ways in pairs.items():
                found[_result(end, flags)] += ways * after
    return found


def _result(end: _End, flags: _Flags) -> RoundResult:
    winner: Winner = "tie"
    if end.player_total != end.banker_total:
        winner = "player" if end.player_total > end.banker_total else "banker"
    player_pair, player_suited, banker_pair, banker_suited = flags
    return RoundResult(
        winner,
        end.natural,
        end.player_total,
        end.banker_total,
        end.player_cards,
        end.banker_cards,
        player_pair,
        banker_pair,
        player_suited,
        banker_suited,
    )


class _Ends:
    """How rounds end after four cards of given values: the third cards, by value."""

    def __init__(self, rules: RuleSet, of_rank: int, ranks: str) -> None:
        game = compile_rules(rules)
        self._next_draw = game.next_draw
        self._naturals = frozenset(rules.drawing.naturals)
        self._size = of_rank * len(ranks)
        self._held = [0] * TOTALS
        #: A card of each value, to be shown to whoever decides the draws.
        self._card: dict[int, Card] = {}
        for card, value in game.values.items():
            if card[0] in ranks:
                self._card.setdefault(value, card)
        for rank in ranks:
            self._held[rules.values[RANKS.index(rank)]] += of_rank

    def of(self, firsts: _Firsts) -> Counter[_End]:
        """Count the ways in which the fifth and sixth card can lie, by the round's end."""
        one, two, three, four = firsts
        left = self._held.copy()
        for value in firsts:
            left[value] -= 1
        player, banker = (one + two) % TOTALS, (three + four) % TOTALS
        natural = player in self._naturals or banker in self._naturals
        players, bankers = [self._card[one], self._card[two]], [self._card[three], self._card[four]]
        found: Counter[_End] = Counter()
        # Cards that the round leaves in the shoe lie as they like.
        rest = self._size - _FOUR
        draws = self._next_draw(players, bankers)
        if draws is None:
            found[_End(player, banker, 2, 2, natural)] += perm(rest, 2)
        elif draws == "banker":
            for total, ways in _drawn(banker, left):
                found[_End(player, total, 2, 3, natural)] += ways * (rest - 1)
        else:
            for third, ways in enumerate(left):
                if not ways:
                    continue
                total = (player + third) % TOTALS
                if self._next_draw([*players, self._card[third]], bankers) is None:
                    found[_End(total, banker, 3, 2, natural)] += ways * (rest - 1)
                    continue
                left[third] -= 1
                for last, more in _drawn(banker, left):
                    found[_End(total, last, 3, 3, natural)] += ways * more
                left[third] += 1
        return found


def _drawn(total: int, left: list[int]) -> Iterator[tuple[int, int]]:
    """Give the totals that a third card leads to, with the cards that do."""
    for value, ways in enumerate(left):
        if ways:
            yield (total + value) % TOTALS, ways


def _first_fours(
    rules: RuleSet, decks: int, ranks: str, suits: int
) -> dict[_Firsts, Counter[_Flags]]:
    """Count the first four cards by their values and pairs.

    The two cards of a hand may come in either order, so that values within a hand rise.
    """
    worth = [rules.values[RANKS.index(rank)] for rank in ranks]
    patterns = set(map(_pattern, product(range(_FOUR), repeat=_FOUR)))
    ways_of = {pattern: _suits(pattern, decks, suits) for pattern in patterns}
    fours: dict[tuple[_Firsts, tuple[int, ...]], int] = defaultdict(int)
    for four in product(range(len(ranks)), repeat=_FOUR):
        one, two, three, last = (worth[rank] for rank in four)
        firsts = (min(one, two), max(one, two), min(three, last), max(three, last))
        fours[firsts, _pattern(four)] += 1
    found: dict[_Firsts, Counter[_Flags]] = {}
    for (firsts, pattern), times in fours.items():
        flags_of = found.setdefault(firsts, Counter())
        for flags, ways in ways_of[pattern].items():
            flags_of[flags] += times * ways
    return {firsts: pairs for firsts, pairs in found.items() if pairs}


def _pattern(four: tuple[int, ...]) -> tuple[int, ...]:
    """Tell which of four ranks are equal: each is named by where it came first."""
    return tuple(map(four.index, four))


def _suits(pattern: tuple[int, ...], decks: int, suits: int) -> Counter[_Flags]:
    """Count how four cards of ranks that coincide so can be taken from a shoe, by their pairs."""
    found: Counter[_Flags] = Counter()
    for four in product(range(suits), repeat=_FOUR):
        taken: Counter[tuple[int, int]] = Counter()
        ways = 1
        for card in zip(pattern, four, strict=True):
            ways *= decks - taken[card]
            taken[card] += 1
        player = pattern[0] == pattern[1]
        banker = pattern[2] == pattern[3]
        flags = (player, player and four[0] == four[1], banker, banker and four[2] == four[3])
        if ways > 0:
            found[flags] += ways
    return found
