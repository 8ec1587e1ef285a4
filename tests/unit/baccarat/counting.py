"""Counts every way that six cards of a shoe can lie, by the result they come to. For tests."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import perm
from typing import TYPE_CHECKING

from tests.unit.baccarat.hands import by_value

if TYPE_CHECKING:
    from services.baccarat import Game, RoundResult


def combinations(game: Game, decks: int = 8) -> Counter[RoundResult]:
    """Count ordered six-card beginnings of a shoe by what its first round comes to.

    By value, so pairs are not told apart; the cards behind a shorter round may lie in any order.
    """
    left = [16 * decks, *[4 * decks] * 9]
    size = 52 * decks
    found: Counter[RoundResult] = Counter()
    cards = by_value(list(range(10)))

    def deal(player: tuple[int, ...], banker: tuple[int, ...], ways: int) -> None:
        hands = [cards[value] for value in player], [cards[value] for value in banker]
        side = game.next_draw(*hands)
        dealt = len(player) + len(banker)
        if side is None:
            found[game.result(*hands)] += ways * perm(size - dealt, 6 - dealt)
            return
        for value, count in enumerate(left):
            if count:
                left[value] -= 1
                third = (value,)
                if side == "player":
                    deal(player + third, banker, ways * count)
                else:
                    deal(player, banker + third, ways * count)
                left[value] += 1

    # Cards are exchangeable, so the two cards of a hand are dealt once in either order.
    pairs = [(a, b) for a, b in product(range(10), repeat=2) if a <= b]
    for player, banker in product(pairs, pairs):
        ways = (1 + (player[0] != player[1])) * (1 + (banker[0] != banker[1]))
        for value in (*player, *banker):
            ways *= left[value]
            left[value] -= 1
        deal(player, banker, ways)
        for value in (*player, *banker):
            left[value] += 1
    return found
