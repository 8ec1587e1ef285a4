"""The deciding card, against every continuation counted out, and in the middle of a hand."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.errors import InputError
from schemas.ruleset import named, parse
from services.baccarat import Game, compile_rules
from services.bettors import deciding_card, shipped, shipped_deck

if TYPE_CHECKING:
    from schemas.cards import Card
    from schemas.ruleset import Side

#: A card of each value from 0 to 9.
CARDS: tuple[Card, ...] = ("KS", "AS", "2S", "3S", "4S", "5S", "6S", "7S", "8S", "9S")
#: Values that stand for all ten in the small games that are counted out whole.
FEW: tuple[Card, ...] = ("KS", "4S", "6S", "9S")


def game_of(name: str = "yaba4") -> Game:
    return compile_rules(parse(named(name).text))


def hands_of(game: Game, order: tuple[Card, ...], most: int) -> list[list[Card]]:
    """Deal up to ``most`` hands; the last one may lack cards."""
    hands: list[list[Card]] = []
    left = list(order)
    while left and len(hands) < most:
        player: list[Card] = []
        banker: list[Card] = []
        hands.append([])
        while left and (side := game.next_draw(player, banker)) is not None:
            hands[-1].append(left[0])
            (player if side == "player" else banker).append(left.pop(0))
    return hands


@pytest.mark.parametrize(
    ("deck", "card", "goal_met"), [("yaba4-won", "4S", True), ("yaba4-lost", "JH", False)]
)
def test_the_shipped_decks(deck: str, card: str, *, goal_met: bool) -> None:
    scenario = shipped("yaba4")
    game = game_of()
    hands = hands_of(game, shipped_deck(deck, 8), scenario.hands)
    goal = scenario.goal
    found = deciding_card(game, hands, side=goal.side, wins=goal.wins, hands=scenario.hands)
    assert found is not None
    assert (found.hand, hands[found.hand - 1][found.card], found.goal_met) == (6, card, goal_met)


def one_hand(cards: str, side: Side = "player") -> tuple[int, bool] | None:
    """Where one hand that has to be won is decided: the card's place and how."""
    hand = [CARDS[int(value)] for value in cards]
    found = deciding_card(game_of(), [hand], side=side, wins=1, hands=1)
    return found and (found.card, found.goal_met)


@pytest.mark.parametrize(
    ("cards", "side", "expected"),
    [
        # P 5 + 4 = 9: only a banker's 9 could tie it, so the banker's last card decides.
        ("5243", "player", (3, True)),
        ("5445", "player", (3, False)),
        # P 0 + 0 draws 0: he cannot win, though the banker has still to draw on 3.
        ("010207", "player", (4, False)),
        # The same card leaves the banker's win open: he may draw 7 to a tie.
        ("010207", "banker", (5, False)),
        # P 2 + 3 draws 9: 4; the banker stands on 4 against a 9, so the hand ends in a tie.
        ("21339", "player", (4, False)),
        ("21339", "banker", (4, False)),
        # P 5 + 1 stands on 6, B 2 + 5 stands on 7: the fourth card.
        ("5215", "banker", (3, True)),
        # P 0 + 0 has still to draw against 7: not decided by four cards, nor by none at all.
        ("0304", "player", None),
        ("", "player", None),
    ],
)
def test_within_a_hand(cards: str, side: Side, expected: tuple[int, bool] | None) -> None:
    assert one_hand(cards, side) == expected


def test_another_chart_decides_elsewhere() -> None:
    """P 7 against B 6 stand in the standard chart; here both draw, and all is open."""
    first: list[Card] = ["5S", "6S", "2S", "KS"]
    standard, simple = game_of(), game_of("fun-casino-simple")
    assert deciding_card(standard, [first], side="player", wins=1, hands=1) == (1, 3, True)
    assert deciding_card(simple, [first], side="player", wins=1, hands=1) is None
    hand: list[Card] = [*first, "3S", "4S"]  # P draws 3: 0, and can only tie
    assert deciding_card(simple, [hand], side="player", wins=1, hands=1) == (1, 4, False)


@given(
    st.lists(st.sampled_from(FEW), min_size=1, max_size=12),
    st.sampled_from(["player", "banker"]),
    st.integers(1, 2),
)
@settings(max_examples=60, deadline=None)
def test_against_every_continuation(cards: list[Card], side: Side, wins: int) -> None:
    """The last hand's continuations are counted out with all ten values."""
    game = game_of()
    hands = hands_of(game, tuple(cards), 2)
    found = deciding_card(game, hands, side=side, wins=wins, hands=2)
    expected = None
    for number, hand in enumerate(hands, start=1):
        for index in range(len(hand)):
            seen = [*hands[: number - 1], hand[: index + 1]]
            agreed = endings(game, seen, side, wins)
            if len(agreed) == 1 and expected is None:
                expected = (number, index, agreed.pop())
    assert found == expected


def endings(game: Game, seen: list[list[Card]], side: Side, wins: int) -> set[bool]:
    """Whether the goal is met, over all the ways two hands can go on from what was seen."""
    totals = [outcomes(game, tuple(hand), side) for hand in seen]
    # A hand not yet begun can always be won and missed: 9 against 0 and 0 against 9.
    totals += [{True, False}] * (2 - len(seen))
    return {sum(way) >= wins for way in product(*totals)}


def outcomes(game: Game, cards: tuple[Card, ...], side: Side) -> set[bool]:
    """Whether a side wins, over all the ways one hand can go on, none of them left out."""
    player: list[Card] = []
    banker: list[Card] = []
    for card in cards:
        (player if game.next_draw(player, banker) == "player" else banker).append(card)
    if game.next_draw(player, banker) is None:
        return {game.result(player, banker).winner == side}
    found: set[bool] = set()
    for card in CARDS:
        found |= outcomes(game, (*cards, card), side)
        if len(found) > 1:
            break
    return found


def test_ties_are_no_wins() -> None:
    """Three ties of seven leave four hands, all to be won; the fourth tie decides."""
    tie: list[Card] = ["5S", "5D", "2S", "2D"]
    found = deciding_card(game_of(), [tie] * 7, side="player", wins=4, hands=7)
    assert found == (4, 3, False)


def test_a_deck_that_ran_out_decides_nothing_by_itself() -> None:
    hand: list[Card] = ["9S", "KS", "KD", "KC"]
    game = game_of()
    assert deciding_card(game, [hand, hand], side="player", wins=4, hands=7) is None
    assert deciding_card(game, [hand, hand[:2]], side="player", wins=4, hands=7) is None
    assert deciding_card(game, [hand] * 9, side="player", wins=4, hands=7) == (4, 3, True)


def test_a_card_too_many_is_refused() -> None:
    with pytest.raises(InputError, match="hand 1: 2S was drawn after both hands were complete"):
        deciding_card(game_of(), [["9S", "KS", "KD", "KC", "2S"]], side="banker", wins=1, hands=2)
