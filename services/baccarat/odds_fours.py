"""The first four cards of a shoe by their values and their pairs: how often each comes. No draws.

Pairs are of rank and suit, values coarser: a king and a queen are worth the same and are no pair.
So fours are counted by rank, and what suits they can have by which of the four ranks are equal.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import product
from typing import TYPE_CHECKING, Final

from schemas.cards import RANKS

if TYPE_CHECKING:
    from schemas.ruleset import RuleSet

_FOUR: Final = 4

#: Of the first two cards of each hand: player's pair and suited pair, banker's.
Pairs = tuple[bool, bool, bool, bool]
#: Values of the first four cards: the player's two, rising, then the banker's.
Firsts = tuple[int, int, int, int]


def first_fours(rules: RuleSet, decks: int, ranks: str, suits: int) -> dict[Firsts, Counter[Pairs]]:
    """Count the first four cards by their values and pairs.

    The two cards of a hand may come in either order, so that values within a hand rise.
    """
    worth = [rules.values[RANKS.index(rank)] for rank in ranks]
    patterns = set(map(_pattern, product(range(_FOUR), repeat=_FOUR)))
    ways_of = {pattern: _suits(pattern, decks, suits) for pattern in patterns}
    fours: dict[tuple[Firsts, tuple[int, ...]], int] = defaultdict(int)
    for four in product(range(len(ranks)), repeat=_FOUR):
        one, two, three, last = (worth[rank] for rank in four)
        firsts = (min(one, two), max(one, two), min(three, last), max(three, last))
        fours[firsts, _pattern(four)] += 1
    found: dict[Firsts, Counter[Pairs]] = {}
    for (firsts, pattern), times in fours.items():
        ways_of_pairs = found.setdefault(firsts, Counter())
        for pairs, ways in ways_of[pattern].items():
            ways_of_pairs[pairs] += times * ways
    return {firsts: pairs for firsts, pairs in found.items() if pairs}


def _pattern(four: tuple[int, ...]) -> tuple[int, ...]:
    """Tell which of four ranks are equal: each is named by where it came first."""
    return tuple(map(four.index, four))


def _suits(pattern: tuple[int, ...], decks: int, suits: int) -> Counter[Pairs]:
    """Count how four cards of ranks that coincide so can be taken from a shoe, by their pairs."""
    found: Counter[Pairs] = Counter()
    for four in product(range(suits), repeat=_FOUR):
        taken: Counter[tuple[int, int]] = Counter()
        ways = 1
        for card in zip(pattern, four, strict=True):
            ways *= decks - taken[card]
            taken[card] += 1
        player = pattern[0] == pattern[1]
        banker = pattern[2] == pattern[3]
        pairs = (player, player and four[0] == four[1], banker, banker and four[2] == four[3])
        if ways > 0:
            found[pairs] += ways
    return found
