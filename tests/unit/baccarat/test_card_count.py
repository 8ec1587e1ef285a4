"""The running card count, as 001_8304c434475ca3ac.txt has it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.cards import DECK, RANKS, Card, card_named
from services.baccarat.card_count import START, CardCount, worth

#: The document's table, a line each; its 10 is our T.
TABLE = {"A67": 0, "25": 1, "3": 2, "4": 3, "8TJQK": -1, "9": -2}


@pytest.mark.parametrize("suit", "CDHS")
def test_each_rank_counts_as_the_document_says(suit: str) -> None:
    counted = {}
    for rank in RANKS:
        card = card_named(rank + suit)
        assert card is not None
        counted[rank] = worth(card)
    assert counted == {rank: value for ranks, value in TABLE.items() for rank in ranks}


def test_a_new_shoe_starts_at_14() -> None:
    assert CardCount().now == START == 14


def test_a_round_worked_by_hand() -> None:
    count = CardCount()
    shown: list[Card] = ["9H", "4S", "TD", "3C", "AS", "5D"]
    assert [count.see(card) for card in shown] == [12, 15, 14, 16, 16, 17]


@given(st.permutations(DECK), st.integers(-50, 50))
def test_whole_decks_leave_the_count_where_it_started(deck: list[Card], start: int) -> None:
    """The document's values add up to nothing over a deck."""
    count = CardCount(start)
    for card in deck:
        count.see(card)
    assert count.now == start
