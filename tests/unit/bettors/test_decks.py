"""Stacked decks: what a file may say, and what the two shipped ones hold."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.cards import DECK
from schemas.errors import InputError
from services.bettors import read_deck, shipped, shipped_deck


def test_spaces_lines_and_comments() -> None:
    text = "# a deck\n\nAS 9H\t TD   # two hands\r\n#KC\n 2C\n"
    assert read_deck(text, decks=1) == ("AS", "9H", "TD", "2C")


@pytest.mark.parametrize(
    ("text", "decks", "line"),
    [
        ("AS\n10H", 8, "my.deck, line 2: '10H' is no card; write rank, then suit"),
        ("AS\n\nah", 8, "my.deck, line 3: 'ah' is no card"),
        ("AS,9H", 8, "my.deck, line 1: 'AS,9H' is no card"),
        ("AS 9H\n9H", 1, "my.deck, line 2: 9H comes 2 times; the shoe is dealt from 1 decks"),
        ("9H " * 9, 8, "my.deck, line 1: 9H comes 9 times"),
        ("", 8, "my.deck: there is no card in it"),
        ("# AS\n", 8, "my.deck: there is no card in it"),
    ],
)
def test_what_is_no_deck_is_refused_in_one_line(text: str, decks: int, line: str) -> None:
    with pytest.raises(InputError) as caught:
        read_deck(text, decks=decks, where="my.deck")
    assert str(caught.value).startswith(line)
    assert "\n" not in str(caught.value)


@given(st.lists(st.sampled_from(DECK), min_size=1, max_size=60), st.randoms())
def test_any_order_reads_back(order: list[str], random: object) -> None:
    text = "".join(card + random.choice([" ", "\n", "  # x\n", "\t"]) for card in order)  # type: ignore[attr-defined]
    most = max(Counter(order).values())
    assert list(read_deck(text, decks=most)) == order
    if most > 1:
        with pytest.raises(InputError):
            read_deck(text, decks=most - 1)


@pytest.mark.parametrize("name", shipped("yaba4").decks)
def test_the_shipped_decks_are_whole_packs(name: str) -> None:
    assert sorted(shipped_deck(name, 8)) == sorted(DECK)
    assert shipped_deck(name, 1) == shipped_deck(name, 8)


def test_another_name_is_refused_with_those_there_are() -> None:
    with pytest.raises(InputError, match=r"use one of: yaba4-lost, yaba4-won"):
        shipped_deck("yaba5", 8)
