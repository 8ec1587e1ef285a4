"""The first four of any cards by their values and their pairs: how often each comes. No draws.

Pairs are of rank and suit, values coarser: a king and a queen are worth the same and are no pair.
So fours are counted by rank, and suits are looked at only where a hand is a pair: ways to lay two
alike of one suit. The order in which four cards are taken changes no count of them.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, NamedTuple

from schemas.cards import RANKS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from schemas.ruleset import RuleSet

#: Of the first two cards of each hand: player's pair and suited pair, banker's.
Pairs = tuple[bool, bool, bool, bool]
#: Values of the first four cards: the player's two, rising, then the banker's.
Firsts = tuple[int, int, int, int]
#: A pair, and whether it is suited.
_NONE = (False, False)
_MIXED = (True, False)
_SUITED = (True, True)


class _Rank(NamedTuple):
    """A rank's cards: how many, and the ways to take two of one suit, and of two suits."""

    worth: int
    held: int
    suited: int
    mixed: int
    #: The ways to take two and two more, by whether each two are of one suit.
    both_suited: int
    one_suited: int
    both_mixed: int


def first_fours(rules: RuleSet, left: Mapping[str, Sequence[int]]) -> dict[Firsts, Counter[Pairs]]:
    """Count the first four cards of those that are left, by their values and pairs.

    ``left`` has the cards of each rank, suit by suit; at least one of each. The two cards of a hand
    may come in either order, so that values within a hand rise.
    """
    ranks = [_rank(rules.values[RANKS.index(rank)], suits) for rank, suits in left.items()]
    hands = list(combinations_with_replacement(range(len(ranks)), 2))
    values = [tuple(sorted((ranks[one].worth, ranks[other].worth))) for one, other in hands]
    found: dict[Firsts, Counter[Pairs]] = {}
    for player, first in zip(hands, values, strict=True):
        for banker, second in zip(hands, values, strict=True):
            of = found.setdefault((first[0], first[1], second[0], second[1]), Counter())
            for pairs, ways in _ways(ranks, player, banker):
                of[pairs] += ways
    return {firsts: +ways for firsts, ways in found.items() if any(ways.values())}


def _ways(
    ranks: Sequence[_Rank], player: tuple[int, int], banker: tuple[int, int]
) -> Iterator[tuple[Pairs, int]]:
    """Give the ways to lay two hands of these ranks, in any order within each, by their pairs."""
    if player[0] != player[1]:
        if banker[0] != banker[1]:
            yield (*_NONE, *_NONE), 2 * _two(ranks, player) * 2 * _two(ranks, banker, player)
            return
        rank, ways = ranks[banker[0]], 2 * _two(ranks, player, banker)
        yield (*_NONE, *_SUITED), ways * rank.suited
        yield (*_NONE, *_MIXED), ways * rank.mixed
        return
    one = ranks[player[0]]
    if banker[0] != banker[1]:
        ways = 2 * _two(ranks, banker, player)
        yield (*_SUITED, *_NONE), one.suited * ways
        yield (*_MIXED, *_NONE), one.mixed * ways
    elif player == banker:
        yield (*_SUITED, *_SUITED), one.both_suited
        yield (*_SUITED, *_MIXED), one.one_suited
        yield (*_MIXED, *_SUITED), one.one_suited
        yield (*_MIXED, *_MIXED), one.both_mixed
    else:
        other = ranks[banker[0]]
        yield (*_SUITED, *_SUITED), one.suited * other.suited
        yield (*_SUITED, *_MIXED), one.suited * other.mixed
        yield (*_MIXED, *_SUITED), one.mixed * other.suited
        yield (*_MIXED, *_MIXED), one.mixed * other.mixed


def _two(ranks: Sequence[_Rank], hand: tuple[int, int], gone: tuple[int, ...] = ()) -> int:
    """Count the ways to take one card of each of two ranks, after those of ``gone``."""
    one, other = hand
    return (ranks[one].held - gone.count(one)) * (ranks[other].held - gone.count(other))


def _rank(worth: int, suits: Sequence[int]) -> _Rank:
    held = sum(suits)
    twos = [many * (many - 1) for many in suits]
    suited = sum(twos)
    all_twos = held * (held - 1)
    # Two of one suit, then two of one suit: of another suit, or of the same.
    fours = [two * (many - 2) * (many - 3) for two, many in zip(twos, suits, strict=True)]
    both = suited * suited - sum(two * two for two in twos) + sum(fours)
    first_suited = suited * max(held - 2, 0) * max(held - 3, 0)
    of_four = all_twos * max(held - 2, 0) * max(held - 3, 0)
    return _Rank(
        worth,
        held,
        suited,
        all_twos - suited,
        both,
        first_suited - both,
        of_four - 2 * first_suited + both,
    )
