"""Third-card rules against the printed charts, hand by hand, and faults seen in the field."""

from __future__ import annotations

from itertools import product

import pytest

from schemas.ruleset import named, parse, published
from services.baccarat import Game, compile_rules, total
from services.baccarat.values import values_of
from tests.unit.baccarat.charts import NAMES, chart
from tests.unit.baccarat.hands import by_value, cards, changed, game

VALUES = range(10)
PAIRS = [[first, second] for first, second in product(VALUES, VALUES)]


def test_every_published_rule_set_has_a_printed_chart() -> None:
    assert sorted(published()) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_every_reachable_hand_draws_as_the_chart_is_printed(name: str) -> None:
    rules, printed = game(name), chart(name)
    hands = {tuple(values): by_value(values) for values in PAIRS}
    hands |= {(*pair, third): by_value([*pair, third]) for pair in PAIRS for third in VALUES}
    reached = 0
    for player, banker in product(PAIRS, PAIRS):
        ours = rules.next_draw(hands[tuple(player)], hands[tuple(banker)])
        assert ours == printed.next_draw(player, banker), (player, banker)
        reached += 1
        if ours == "banker":
            for third in VALUES:
                assert rules.next_draw(hands[tuple(player)], hands[(*banker, third)]) is None
                reached += 1
        elif ours == "player":
            for third in VALUES:
                with_third = [*player, third]
                then = rules.next_draw(hands[tuple(with_third)], hands[tuple(banker)])
                assert then == printed.next_draw(with_third, banker), (with_third, banker)
                reached += 1
                if then == "banker":
                    for last in VALUES:
                        both = hands[tuple(with_third)], hands[(*banker, last)]
                        assert rules.next_draw(*both) is None
                        reached += 1
    assert reached > 10_000


@pytest.mark.parametrize("name", NAMES)
def test_the_first_four_cards_go_player_banker_player_banker(name: str) -> None:
    hands: dict[str, list[int]] = {"player": [], "banker": []}
    order = []
    for value in (8, 1, 1, 1):
        side = game(name).next_draw(by_value(hands["player"]), by_value(hands["banker"]))
        assert side is not None
        order.append(side)
        hands[side].append(value)
    assert order == ["player", "banker", "player", "banker"]
    assert hands == {"player": [8, 1], "banker": [1, 1]}


def test_another_deal_order_is_data() -> None:
    old = 'deal = ["player", "banker", "player", "banker"]'
    rules = changed("punto-banco", (old, 'deal = ["player", "player", "banker", "banker"]'))
    assert rules.next_draw(cards("2C"), []) == "player"
    assert rules.next_draw(cards("2C 3C"), []) == "banker"


@pytest.mark.parametrize(
    ("player", "banker", "due"),
    [
        # 1. The banker looks at the player's third card, not at the player's total.
        ("2C 3D AH", "6S TC", None),
        # 2. A third card worth zero is a third card.
        ("2C 3D KH", "3S TC", "banker"),
        ("2C 3D KH", "4S TC", None),
        # 3. The first totals decide, once: a banker's new total does not draw again.
        ("6C TD", "QH JS 3C", None),
        ("2C 3D 6H", "QH JS 3C", None),
        ("6C TD", "4H TS", "banker"),
        # 5. A natural ends the round: nobody draws, whatever the other hand is.
        ("9C TD", "2H TS", None),
        ("2C TD", "8H TS", None),
        ("4C 4D", "AH TS", None),
    ],
)
def test_faults_seen_in_the_field(player: str, banker: str, due: str | None) -> None:
    assert game().next_draw(cards(player), cards(banker)) == due


def test_fault_4_nothing_of_the_round_before_is_left_over() -> None:
    rules = game()
    assert rules.next_draw(cards("2C 3D 8H"), cards("3S TC")) is None
    assert rules.next_draw(cards("6C TD"), cards("3S TC")) == "banker"
    assert rules.next_draw(cards("2C 3D 7H"), cards("3S TC")) == "banker"


def test_fault_5_a_total_is_a_last_digit_after_the_third_card_too() -> None:
    rules = game()
    assert rules.total(cards("2C 3D 8H")) == 3
    assert rules.total(cards("9C 9D 9H")) == 7
    assert rules.total(cards("KC QD JH")) == 0
    assert rules.total([]) == 0
    assert total(cards("7C 8D"), values_of(rules.rules)) == 5


def test_the_values_are_the_rule_sets() -> None:
    faces = "values = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0]"
    rules = changed("punto-banco", (faces, "values = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3]"))
    assert rules.total(cards("JC QD KH")) == 6
    assert game().total(cards("AC 5D TH")) == 6


@pytest.mark.parametrize(
    ("player", "banker", "why"),
    [
        ("", "", "card 1 of the first 4: player"),
        ("2C", "3D", "card 3 of the first 4: player"),
        ("2C 2D", "3H 4S", "player draws on 4"),
        ("2C 2D 9H", "3S TC", "banker 3 draws: player's third card is a 9, chart row 3"),
        ("2C 2D 8H", "3S TC", "banker 3 stands: player's third card is an 8, chart row 3"),
        ("2C 2D AH", "4S TC", "banker 4 stands: player's third card is an ace, chart row 4"),
        ("2C 2D TH", "3S TC", "banker 3 draws: player's third card is a 10, chart row 3"),
        ("2C 2D KH", "7S TC", "banker 7 stands: player's third card is a king, chart row 7"),
        ("6C TD", "5H TS", "banker 5 draws: player stood on 6"),
        ("7C TD", "6H TS", "banker 6 stands: player stood on 7"),
        ("7C TD", "5H TS 2C", "both hands are complete"),
        ("8C TD", "2H TS", "natural 8: both stand"),
        ("8C TD", "9H TS", "natural 9: both stand"),
        ("2C TD", "9H TS", "natural 9: both stand"),
    ],
)
def test_why(player: str, banker: str, why: str) -> None:
    assert game().why(cards(player), cards(banker)) == why


def test_one_game_a_rule_set() -> None:
    text = named("punto-banco").text
    assert compile_rules(parse(text)) is compile_rules(parse(text))
    assert compile_rules(parse(text)) is not compile_rules(parse(named("ktane").text))
    copy = text.replace('title = "', 'title = "Our ')
    assert isinstance(compile_rules(parse(copy)), Game)
    assert compile_rules(parse(copy)) is not compile_rules(parse(text))
