"""What bets come to: worked by hand for each rule set, and checked against plain fractions."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.errors import InputError
from schemas.outcomes import Settlement
from schemas.ruleset import Rounding, published
from services.baccarat import RoundResult, house_net, settlement, void_settlement
from services.baccarat.rounding import rounded
from services.baccarat.settlement import SettlementRules
from tests.unit.baccarat.hands import cards, changed, game

if TYPE_CHECKING:
    from collections.abc import Callable

#: Rounds that differ in all that a bet can ask.
PLAYER_NATURAL = ("9C TD", "7H TS")
BANKER_7_IN_THREE = ("2C 3D 9H", "3S TC 4D")
PLAYER_8_IN_THREE = ("2C 3D 3H", "7S TC")
BANKER_WINS = ("6C TD", "7H TS")
TIE = ("7C TD", "7H TS")
PAIRS = ("8C 8D", "KH KH")


def settle(rules: str, spot: str, stake: int, hands: tuple[str, str]) -> Settlement:
    played = game(rules)
    result = played.result(cards(hands[0]), cards(hands[1]))
    return played.settle("12-17/ann/x/1", "ann", spot, stake, result)


def parts(paid: Settlement) -> tuple[str, str | None, int, int, int]:
    return paid.result, paid.odds, paid.won, paid.commission, paid.returned


@pytest.mark.parametrize(
    ("hands", "expected"),
    [
        (PLAYER_NATURAL, ("player", True, 9, 7, 2, 2, False, False, False, False)),
        (BANKER_7_IN_THREE, ("banker", False, 4, 7, 3, 3, False, False, False, False)),
        (PLAYER_8_IN_THREE, ("player", False, 8, 7, 3, 2, False, False, False, False)),
        (TIE, ("tie", False, 7, 7, 2, 2, False, False, False, False)),
        (PAIRS, ("player", False, 6, 0, 2, 2, True, True, False, True)),
        # A king and a queen are worth the same and are no pair.
        (("KC QD", "8H TS"), ("banker", True, 0, 8, 2, 2, False, False, False, False)),
        # A first total counts for the natural, never a total of three cards.
        (("2C 3D 4H", "7S TC"), ("player", False, 9, 7, 3, 2, False, False, False, False)),
    ],
)
def test_what_a_round_came_to(hands: tuple[str, str], expected: tuple[object, ...]) -> None:
    result = game().result(cards(hands[0]), cards(hands[1]))
    assert result == expected
    assert isinstance(result, RoundResult)


@pytest.mark.parametrize(
    ("rules", "spot", "stake", "hands", "expected"),
    [
        # 5% of $19: won 1900, commission 95.
        ("punto-banco", "banker", 1900, BANKER_WINS, ("win", "1/1", 1900, 95, 1900)),
        # Fractions of a cent to the player's favour: 5% of $10.01 is 50.05 cents.
        ("punto-banco", "banker", 1001, BANKER_WINS, ("win", "1/1", 1001, 50, 1001)),
        ("punto-banco", "banker", 1019, BANKER_WINS, ("win", "1/1", 1019, 50, 1019)),
        ("punto-banco", "player", 1900, BANKER_WINS, ("lose", None, 0, 0, 0)),
        ("punto-banco", "player", 1900, PLAYER_NATURAL, ("win", "1/1", 1900, 0, 1900)),
        ("punto-banco", "tie", 500, TIE, ("win", "8/1", 4000, 0, 500)),
        ("punto-banco", "tie", 500, BANKER_WINS, ("lose", None, 0, 0, 0)),
        # Fault 9: a tie returns the stakes and charges no commission.
        ("punto-banco", "banker", 1900, TIE, ("push", None, 0, 0, 1900)),
        ("punto-banco", "player", 1900, TIE, ("push", None, 0, 0, 1900)),
        ("punto-banco", "player-pair", 500, PAIRS, ("win", "11/1", 5500, 0, 500)),
        ("punto-banco", "banker-pair", 500, PAIRS, ("win", "11/1", 5500, 0, 500)),
        ("punto-banco", "banker-pair", 500, TIE, ("lose", None, 0, 0, 0)),
        # Evens with no commission named.
        ("punto-banco-even", "banker", 1900, BANKER_WINS, ("win", "1/1", 1900, 0, 1900)),
        ("yaba4", "banker", 500_000, BANKER_WINS, ("win", "1/1", 500_000, 0, 500_000)),
        ("yaba4", "tie", 500_000, TIE, ("win", "8/1", 4_000_000, 0, 500_000)),
        # 19 to 20 is odds, and no commission.
        ("fun-casino-as-printed", "banker", 2000, BANKER_WINS, ("win", "19/20", 1900, 0, 2000)),
        ("fun-casino-as-printed", "banker", 2001, BANKER_WINS, ("win", "19/20", 1900, 0, 2001)),
        ("fun-casino-simple", "banker", 2000, BANKER_WINS, ("win", "1/1", 2000, 0, 2000)),
        # Commission on what was wagered; 25 cents at least, which binds below $5 only.
        ("buti-1990", "banker", 500, BANKER_WINS, ("win", "1/1", 500, 25, 500)),
        ("buti-1990", "banker", 10_000, BANKER_WINS, ("win", "1/1", 10_000, 500, 10_000)),
        ("buti-1990", "banker", 100, BANKER_WINS, ("win", "1/1", 100, 25, 100)),
        ("buti-1990", "banker", 100, TIE, ("push", None, 0, 0, 100)),
        # $19 on banker: won 19.00, commission 0.95, net 18.05.
        ("ktane", "banker", 1900, BANKER_WINS, ("win", "1/1", 1900, 95, 1900)),
        ("ez-baccarat", "banker", 1900, BANKER_7_IN_THREE, ("push", None, 0, 0, 1900)),
        ("ez-baccarat", "banker", 1900, BANKER_WINS, ("win", "1/1", 1900, 0, 1900)),
        ("ez-baccarat", "dragon-7", 500, BANKER_7_IN_THREE, ("win", "40/1", 20_000, 0, 500)),
        ("ez-baccarat", "dragon-7", 500, BANKER_WINS, ("lose", None, 0, 0, 0)),
        ("ez-baccarat", "panda-8", 500, PLAYER_8_IN_THREE, ("win", "25/1", 12_500, 0, 500)),
        ("ez-baccarat", "panda-8", 500, PLAYER_NATURAL, ("lose", None, 0, 0, 0)),
    ],
)
def test_bets(
    rules: str,
    spot: str,
    stake: int,
    hands: tuple[str, str],
    expected: tuple[str, str | None, int, int, int],
) -> None:
    paid = settle(rules, spot, stake, hands)
    assert parts(paid) == expected
    assert (paid.bet, paid.bettor, paid.spot, paid.stake) == ("12-17/ann/x/1", "ann", spot, stake)


def test_a_stake_near_the_largest_is_settled_to_the_last_cent() -> None:
    stake = 2**53 - 1
    paid = settle("punto-banco", "tie", stake, TIE)
    assert paid.won == 8 * stake
    assert settle("punto-banco", "banker", stake, BANKER_WINS).commission == stake // 20


def test_any_number_of_stakes_is_priced_each_by_itself() -> None:
    played = game()
    result = played.result(cards(BANKER_WINS[0]), cards(BANKER_WINS[1]))
    for _ in range(2):
        for stake in range(1000, 2000):
            paid = played.settle("b", "a", "banker", stake, result)
            assert (paid.won, paid.commission) == (stake, stake // 20)
            assert played.prices(result)["banker"].pay(stake) == parts(paid)


def test_only_so_many_payments_are_remembered_over_all_kinds_of_round(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A system may stake anything, for 200,000 hands."""
    monkeypatch.setattr(settlement, "_REMEMBERED", 50)
    rules = SettlementRules(game().rules)
    results = [game().result(cards(player), cards(banker)) for player, banker in (TIE, BANKER_WINS)]
    for stake in range(1000, 1200):
        for result in results:
            for spot in ("banker", "player"):
                paid = rules.settle("b", "a", spot, stake, result)
                lost = result is results[1] and spot == "player"
                assert paid.returned == (0 if lost else stake)
        prices = [price for result in results for price in rules.prices(result).values()]
        assert sum(len(price._paid) for price in prices) <= 50


def test_half_a_refund_keeps_the_odd_cent_where_the_rules_say() -> None:
    half = ('{ when = { winner = ["banker"] }, odds = "1/1" }',) * 2
    down = changed("punto-banco-even", (half[0], half[1].replace("1/1", "1/2")))
    up = changed(
        "punto-banco-even",
        (half[0], half[1].replace("1/1", "1/2")),
        ('direction = "down"', 'direction = "up"'),
    )
    result = down.result(cards(BANKER_WINS[0]), cards(BANKER_WINS[1]))
    assert down.settle("b", "a", "banker", 1001, result).won == 500
    assert up.settle("b", "a", "banker", 1001, result).won == 501


def test_the_first_condition_that_holds_decides() -> None:
    pays = 'pays = [\n  { when = { winner = ["player"] }, odds = "1/1" },'
    lost = 'pays = [\n  { when = { natural = true }, result = "lose" },'
    rules = changed("punto-banco", (pays, lost + pays.removeprefix("pays = [")))
    natural = rules.result(cards("9C TD"), cards("7H TS"))
    plain = rules.result(cards("7C TD"), cards("6H TS"))
    assert rules.settle("b", "a", "player", 1000, natural).result == "lose"
    assert rules.settle("b", "a", "player", 1000, plain).result == "win"


@pytest.mark.parametrize(
    ("when", "holds"),
    [
        ("margin = [5]", True),
        ("margin = [3]", False),
        ("cards = [4]", True),
        ("cards = [5, 6]", False),
        ("natural = true", True),
        ("natural = false", False),
        ("player_total = [9], banker_total = [4]", True),
        ("player_total = [9], banker_total = [6]", False),
        ("player_cards = [2], banker_cards = [2, 3]", True),
        ("player_cards = [3]", False),
        ("player_suited = true", False),
        ("player_suited = false", True),
        ("banker_suited = true", True),
        ("banker_pair = true", True),
        ("player_pair = true", False),
        ("", True),
    ],
)
def test_what_a_condition_can_ask(when: str, *, holds: bool) -> None:
    old = 'pays = [{ when = { winner = ["tie"] }, odds = "8/1" }]'
    rules = changed("punto-banco", (old, f'pays = [{{ when = {{ {when} }}, odds = "8/1" }}]'))
    result = rules.result(cards("9C TD"), cards("7H 7H"))
    assert (rules.settle("b", "a", "tie", 1000, result).result == "win") is holds


def test_a_spot_that_there_is_not() -> None:
    with pytest.raises(InputError, match="no spot of punto-banco"):
        settle("punto-banco", "dragon-7", 1000, TIE)


def test_a_void_round_gives_the_stake_back() -> None:
    paid = void_settlement("12-17/ann/x/1", "ann", "anything", 1900)
    assert parts(paid) == ("void", None, 0, 0, 1900)
    assert house_net([paid]) == 0


def test_the_house_wins_what_the_bettors_lose() -> None:
    paid = [
        settle("punto-banco", "banker", 1900, BANKER_WINS),
        settle("punto-banco", "player", 1000, BANKER_WINS),
        settle("punto-banco", "tie", 500, BANKER_WINS),
    ]
    assert house_net(paid) == -(1900 - 95) + 1000 + 500
    assert house_net([]) == 0


@given(
    numerator=st.integers(0, 10**20),
    denominator=st.integers(1, 10**9),
    unit=st.integers(1, 1000),
    direction=st.sampled_from(["down", "up", "half-even"]),
)
def test_rounding_is_that_of_fractions(
    numerator: int, denominator: int, unit: int, direction: str
) -> None:
    exact = Fraction(numerator, denominator * unit)
    whole: dict[str, Callable[[Fraction], int]] = {
        "down": math.floor,
        "up": math.ceil,
        "half-even": round,
    }
    rounding = Rounding(unit, direction)  # type: ignore[arg-type]
    assert rounded(numerator, denominator, rounding) == whole[direction](exact) * unit


@given(
    name=st.sampled_from(sorted(published())),
    stake=st.integers(1, 2**53 - 1),
    hands=st.sampled_from([PLAYER_NATURAL, BANKER_7_IN_THREE, PLAYER_8_IN_THREE, TIE, PAIRS]),
)
def test_no_bet_returns_more_than_it_can(name: str, stake: int, hands: tuple[str, str]) -> None:
    for spot in game(name).rules.spots:
        paid = settle(name, spot, stake, hands)
        assert paid.returned == (0 if paid.result == "lose" else stake)
        assert (paid.odds is not None) == (paid.result == "win")
        if paid.result != "win":
            assert paid.won == paid.commission == 0
