"""The exact numbers that others have published for eight decks come out of our rules."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import perm
from typing import TYPE_CHECKING

import pytest

from tests.unit.baccarat.counting import combinations
from tests.unit.baccarat.hands import changed, game

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable

    from services.baccarat import Game, RoundResult

STAKE = 1_000_000

pytestmark = pytest.mark.slow


@cache
def counted(name: str) -> Counter[RoundResult]:
    return combinations(game(name))


def many(name: str, which: Callable[[RoundResult], bool]) -> int:
    return sum(ways for result, ways in counted(name).items() if which(result))


def edge(rules: Game, results: Counter[RoundResult], spot: str) -> Fraction:
    """The house's share of the stake."""
    net = 0
    for result, ways in results.items():
        paid = rules.settle("b", "a", spot, STAKE, result)
        net += ways * (paid.returned + paid.won - paid.commission - STAKE)
    return Fraction(-net, STAKE * sum(results.values()))


def test_who_wins() -> None:
    assert many("punto-banco", lambda r: r.winner == "banker") == 2_292_252_566_437_888
    assert many("punto-banco", lambda r: r.winner == "player") == 2_230_518_282_592_256
    assert many("punto-banco", lambda r: r.winner == "tie") == 475_627_426_473_216
    assert counted("punto-banco").total() == 4_998_398_275_503_360 == perm(416, 6)


@pytest.mark.parametrize(
    ("cards", "ways"),
    [(4, 1_893_735_611_458_560), (5, 1_516_734_808_780_800), (6, 1_587_927_855_264_000)],
)
def test_how_many_cards_a_round_takes(cards: int, ways: int) -> None:
    assert many("punto-banco", lambda r: r.player_cards + r.banker_cards == cards) == ways


def test_naturals() -> None:
    assert many("punto-banco", lambda r: r.natural) == 1_714_696_016_515_584


@pytest.mark.parametrize(
    ("winner", "total", "cards", "ways"),
    [
        ("banker", 6, 2, 186_173_936_904_192),
        ("banker", 6, 3, 83_058_367_551_488),
        ("banker", 7, 3, 112_633_011_329_024),
        ("player", 8, 3, 172_660_763_262_976),
    ],
)
def test_wins_by_total_and_cards(winner: str, total: int, cards: int, ways: int) -> None:
    def so_won(result: RoundResult) -> bool:
        if winner == "banker":
            won = (result.banker_total, result.banker_cards)
        else:
            won = (result.player_total, result.player_cards)
        return result.winner == winner and won == (total, cards)

    assert many("punto-banco", so_won) == ways


@pytest.mark.parametrize(
    ("name", "spot", "percent"),
    [
        ("punto-banco", "banker", "1.0579"),
        ("punto-banco", "player", "1.2351"),
        ("punto-banco", "tie", "14.3596"),
        ("punto-banco-even", "player", "1.2351"),
        ("ktane", "banker", None),
        ("ez-baccarat", "banker", "1.0183"),
        ("ez-baccarat", "dragon-7", "7.6113"),
        ("ez-baccarat", "panda-8", "10.1876"),
    ],
)
def test_the_house_edge(name: str, spot: str, percent: str | None) -> None:
    found = edge(game(name), counted("punto-banco" if name != "ktane" else name), spot)
    # Commission on the stake or on winnings at even money is one and the same.
    assert f"{float(found) * 100:.4f}" == (percent or "1.0579")


def test_the_edges_that_other_odds_would_have() -> None:
    nine = changed("punto-banco", ('odds = "8/1"', 'odds = "9/1"'))
    assert f"{float(edge(nine, counted('punto-banco'), 'tie')) * 100:.4f}" == "4.8440"


def test_the_simple_game_is_even() -> None:
    results = counted("fun-casino-simple")
    for spot in ("player", "banker"):
        assert edge(game("fun-casino-simple"), results, spot) == 0


def test_the_misprint_changes_the_game() -> None:
    printed = counted("fun-casino-as-printed")
    assert printed.total() == perm(416, 6)
    banker = sum(ways for result, ways in printed.items() if result.winner == "banker")
    assert banker < many("punto-banco", lambda r: r.winner == "banker")
