"""The deck's order and names; errors that are one line."""

from __future__ import annotations

import pytest

from schemas.cards import DECK, RANKS, SUITS, card_at, card_named, order_text
from schemas.errors import Conflict, InputError, Lost, ShoetrailError, Unavailable, Unreadable


def test_the_deck_in_index_order() -> None:
    assert tuple(rank + suit for suit in SUITS for rank in RANKS) == DECK
    assert (DECK[0], DECK[12], DECK[13], DECK[51]) == ("AC", "KC", "AD", "KS")
    assert [card_at(index) for index in range(52)] == list(DECK)
    assert card_at(52) == card_at(0) == "AC"
    assert card_at(415) == "KS"


def test_names() -> None:
    assert all(card_named(card) == card for card in DECK)
    for name in ("", "A", "AC ", "ac", "1C", "10C", "CA", "XX", "AC\n"):
        assert card_named(name) is None
    assert order_text(["AC", "TD"]) == "AC TD"
    assert order_text(()) == ""


def test_an_error_says_what_where_and_what_to_do_in_one_line() -> None:
    error = InputError("a stake\nof  0", "T7/12-45", "stake\tmore")
    assert str(error) == "T7/12-45: a stake of 0; stake more"
    assert (error.what, error.where, error.mend) == ("a stake of 0", "T7/12-45", "stake more")
    assert str(InputError("a stake of 0")) == "a stake of 0"


@pytest.mark.parametrize("kind", [InputError, Unreadable, Conflict, Lost, Unavailable])
def test_whatever_we_raise_on_purpose_has_one_ground(kind: type[ShoetrailError]) -> None:
    assert isinstance(kind("said"), ShoetrailError)
    assert str(kind("said")) == "said"
