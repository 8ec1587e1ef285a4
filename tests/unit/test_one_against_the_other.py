"""Resolver and auditor against each other: every hand by value and every bet, for each rule set.

The two share the rule set's data and nothing else; only here do they meet.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement, pairwise, product

import msgspec
import pytest

from schemas.cards import Card
from schemas.ruleset import named, parse, published
from services.auditor.tables import Tables, tables
from services.baccarat import Game, compile_rules

pytestmark = pytest.mark.slow

#: Two cards of each value but in other suits, so that pairs and suited pairs come up.
ONE: list[Card] = ["KS", "AS", "2S", "3S", "4S", "5S", "6S", "7S", "8S", "9S"]
OTHER: list[Card] = ["KH", "AH", "2H", "3H", "4H", "5H", "6H", "7H", "8H", "9H"]
STAKES = (1, 19, 1000, 2500, 99_999, 500_000)
TWO_STAKES = (19, 2500)


def both(name: str) -> tuple[Game, Tables]:
    text = named(name).text
    laid = tables(text)
    assert laid is not None
    return compile_rules(parse(text)), laid


def dealt_alike() -> list[list[str]]:
    """The rule sets' names, those with the same cards' values and drawing rules together."""
    groups: dict[bytes, list[str]] = {}
    for name in sorted(published()):
        rules = parse(named(name).text)
        groups.setdefault(msgspec.json.encode((rules.values, rules.drawing)), []).append(name)
    return list(groups.values())


def first_twos() -> Iterator[tuple[list[Card], list[Card]]]:
    for p1, p2, b1, b2 in product(range(10), repeat=4):
        yield [ONE[p1], OTHER[p2]], [ONE[b1], OTHER[b2]]


def twos_by_value() -> Iterator[tuple[list[Card], list[Card]]]:
    """Two hands of each pair of values, whose cards lie now in one order, now in the other."""
    pairs = [[ONE[one], OTHER[two]] for one, two in combinations_with_replacement(range(10), 2)]
    for (at, player), (by, banker) in product(enumerate(pairs), repeat=2):
        yield player[:: 1 - 2 * (at + by & 1)], banker[:: 1 - 2 * (by & 1)]


@pytest.mark.parametrize("name", sorted(published()))
def test_every_hand_by_value_is_dealt_alike(name: str) -> None:
    game, laid = both(name)
    hands = 0
    for player, banker in first_twos():
        first = laid.draws(player, banker)
        assert game.next_draw(player, banker) == first
        hands += 1
        if first == "player":
            for third in ONE:
                drawn = [*player, third]
                assert game.next_draw(drawn, banker) == laid.draws(drawn, banker)
                hands += 1
    assert hands > 10_000


@pytest.mark.parametrize("names", dealt_alike(), ids="+".join)
def test_every_finished_hand_is_read_and_paid_alike(names: list[str]) -> None:
    games = [both(name) for name in names]
    dealing, laid = games[0]
    kinds: dict[tuple[object, ...], tuple[list[Card], list[Card]]] = {}
    for player, banker in finished(dealing):
        read = reading(laid, player, banker)
        assert read == told(dealing, player, banker)
        kinds.setdefault(
            (*read, len(player), len(banker), pair(player), pair(banker)), (player, banker)
        )
    assert len(kinds) > 100
    for game, laid in games:
        for hands in kinds.values():
            assert reading(laid, *hands) == told(game, *hands)
        paid_alike(game, laid, list(kinds.values()))


def paid_alike(game: Game, laid: Tables, rounds: list[tuple[list[Card], list[Card]]]) -> None:
    """One of each kind of round, since what is paid depends on nothing else.

    Each with two stakes, one of which is rounded; each line of a bet once with every stake.
    """
    lines: set[tuple[object, ...]] = set()
    for hands in rounds:
        result, read = game.result(*hands), laid.result(*hands)
        for spot in game.rules.spots:
            stakes = list(TWO_STAKES)
            for stake in stakes:
                ours = game.settle("b", "alice", spot, stake, result)
                said = (ours.result, ours.odds, ours.won, ours.commission, ours.returned)
                assert read.paid((spot, stake)).says == said, (hands, spot, stake)
                if (spot, ours.result, ours.odds) not in lines:
                    lines.add((spot, ours.result, ours.odds))
                    stakes += STAKES


def told(game: Game, player: list[Card], banker: list[Card]) -> tuple[object, ...]:
    result = game.result(player, banker)
    return result.player_total, result.banker_total, result.winner, result.natural


def reading(laid: Tables, player: list[Card], banker: list[Card]) -> tuple[object, ...]:
    return laid.result(player, banker).reading


def pair(hand: list[Card]) -> tuple[bool, bool]:
    return hand[0][0] == hand[1][0], hand[0] == hand[1]


def finished(game: Game) -> Iterator[tuple[list[Card], list[Card]]]:
    """Give every hand as it lies at its end, pairs and suited pairs among them."""
    unsuited = [[one, other] for one, other in zip(ONE, OTHER, strict=True)]
    others = unsuited + [[one, other] for one, other in pairwise(ONE)]
    firsts = [*twos_by_value(), *((p, b) for p in suited() for b in suited())]
    firsts += [(p, b) for p in suited() for b in others] + [
        (p, b) for p in others for b in suited()
    ]
    for player, banker in firsts:
        hands = [(player, banker)]
        while hands:
            one, two = hands.pop()
            side = game.next_draw(one, two)
            if side is None:
                yield one, two
                continue
            to_player = side == "player"
            hands += [([*one, third], two) if to_player else (one, [*two, third]) for third in ONE]


def suited() -> Iterator[list[Card]]:
    for card in ONE:
        yield [card, card]
