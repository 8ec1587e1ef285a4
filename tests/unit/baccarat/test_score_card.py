"""The score card: marks by hand, and that every hand has its own."""

from __future__ import annotations

from typing import get_args

from hypothesis import given
from hypothesis import strategies as st

from schemas.outcomes import Winner
from services.baccarat.score_card import ScoreCard


def card_of(*winners: Winner) -> ScoreCard:
    card = ScoreCard()
    for winner in winners:
        card.add(winner)
    return card


def test_marks_by_hand() -> None:
    card = card_of("banker", "player", "tie", "banker", "void", "banker", "tie", "player")
    assert card.marks == [
        ("banker", 1), ("player", 1), ("tie", 1), ("banker", 2), ("banker", 3), ("tie", 2),
        ("player", 2),
    ]  # fmt: skip
    assert (card.won("banker"), card.won("player"), card.won("tie")) == (3, 2, 2)


def test_a_fresh_card_is_empty() -> None:
    assert ScoreCard().marks == []
    assert ScoreCard().won("tie") == 0


@given(st.lists(st.sampled_from(get_args(Winner))))
def test_each_mark_is_the_running_number_of_its_side(winners: list[Winner]) -> None:
    card = card_of(*winners)
    dealt = [winner for winner in winners if winner != "void"]
    assert [mark.winner for mark in card.marks] == dealt
    for at, mark in enumerate(card.marks):
        assert mark.number == dealt[: at + 1].count(mark.winner)
