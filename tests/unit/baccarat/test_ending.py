"""How shoes begin and end: burn, cut card, cards left, a drawn number, so many hands."""

from __future__ import annotations

import pytest

from services.baccarat import ShoeProgress, burn_count, cut_card_index, shoe_over
from tests.unit.baccarat.hands import cards, changed, game

BEFORE_THE_CUT_CARD = ShoeProgress(size=416, position=100, hands=17)


@pytest.mark.parametrize(
    ("card", "burned"),
    [("AC", 1), ("2D", 2), ("9H", 9), ("TS", 10), ("JC", 10), ("QD", 10), ("KH", 10)],
)
def test_the_first_card_burns_its_value_and_a_face_ten(card: str, burned: int) -> None:
    # Fault 6: a face card burning none.
    assert burn_count(game().rules, cards(card)[0]) == burned


def test_some_games_burn_nothing() -> None:
    assert burn_count(game("buti-1990").rules, "KH") == 0
    eleven = changed("punto-banco", ("counts = [1, 2,", "counts = [11, 2,"))
    assert burn_count(eleven.rules, "AS") == 11


@pytest.mark.parametrize(
    ("name", "size", "index"),
    [
        ("punto-banco", 416, 402),
        ("punto-banco", 14, 0),
        ("punto-banco", 13, 0),
        ("punto-banco", 0, 0),
        ("buti-1990", 416, None),
        ("ktane", 52, None),
        ("yaba4", 30, None),
    ],
)
def test_where_the_cut_card_lies(name: str, size: int, index: int | None) -> None:
    assert cut_card_index(game(name).rules, size) == index


def cut_out(hand: int, hands: int, *, before_first: bool) -> ShoeProgress:
    return ShoeProgress(
        size=416,
        position=405,
        hands=hands,
        cut_out_hand=hand,
        cut_out_before_first=before_first,
    )


@pytest.mark.parametrize(
    ("progress", "over"),
    [
        (BEFORE_THE_CUT_CARD, False),
        # In the middle of hand 70: that hand and one more.
        (cut_out(70, 70, before_first=False), False),
        (cut_out(70, 71, before_first=False), True),
        # In place of the first card of hand 70: that hand is the last.
        (cut_out(70, 69, before_first=True), False),
        (cut_out(70, 70, before_first=True), True),
        # In the burn of a short shoe: the first hand is the last.
        (cut_out(1, 0, before_first=True), False),
        (cut_out(1, 1, before_first=True), True),
        # Hand 70 was voided after the card came out: it was no hand, so the next is the 70th.
        (cut_out(70, 69, before_first=False), False),
    ],
)
def test_the_cut_card(progress: ShoeProgress, *, over: bool) -> None:
    assert shoe_over(game().rules, progress) is over


def test_a_cut_card_in_place_of_a_first_card_where_that_is_no_matter() -> None:
    rules = changed(
        "punto-banco", ("first_card_is_last = true", "first_card_is_last = false")
    ).rules
    assert not shoe_over(rules, cut_out(70, 70, before_first=True))
    assert shoe_over(rules, cut_out(70, 71, before_first=True))


def test_no_hand_after_the_cut_card() -> None:
    rules = changed("punto-banco", ("hands_after = 1", "hands_after = 0")).rules
    assert shoe_over(rules, cut_out(70, 70, before_first=False))
    assert not shoe_over(rules, cut_out(70, 69, before_first=True))


@pytest.mark.parametrize(("position", "over"), [(25, False), (26, True), (27, True), (52, True)])
def test_so_many_cards_left(position: int, *, over: bool) -> None:
    assert shoe_over(game("ktane").rules, ShoeProgress(52, position, 3)) is over


@pytest.mark.parametrize(
    ("reshuffle_at", "left", "over"),
    [
        (20, 21, False),
        (20, 20, True),
        (30, 30, True),
        # A shoe without a seed has no number: the least of them.
        (None, 17, False),
        (None, 16, True),
    ],
)
def test_a_number_drawn_from_the_seed(reshuffle_at: int | None, left: int, *, over: bool) -> None:
    progress = ShoeProgress(416, 416 - left, 60, reshuffle_at=reshuffle_at)
    assert shoe_over(game("buti-1990").rules, progress) is over


@pytest.mark.parametrize(("hands", "over"), [(0, False), (6, False), (7, True)])
def test_so_many_hands(hands: int, *, over: bool) -> None:
    assert shoe_over(game("yaba4").rules, ShoeProgress(416, 6 * hands, hands)) is over


def test_no_round_begins_that_might_run_out_of_cards() -> None:
    assert not shoe_over(game().rules, ShoeProgress(10, 4, 1))
    assert shoe_over(game().rules, ShoeProgress(10, 5, 1))
    assert not shoe_over(game("yaba4").rules, ShoeProgress(10, 6, 1))
    assert shoe_over(game("yaba4").rules, ShoeProgress(10, 7, 1))
    careless = changed("yaba4", ("round_needs = 4", "round_needs = 0")).rules
    assert shoe_over(careless, ShoeProgress(10, 10, 1))
    assert shoe_over(careless, ShoeProgress(0, 0, 0))
