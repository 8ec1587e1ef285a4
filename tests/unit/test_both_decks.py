"""The dealer's side and the auditor each compute a bomb's deck: one against the other.

They share the document alone; only here do they meet.
"""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.cards import DECK
from schemas.errors import InputError
from schemas.events import Ktane
from services.auditor import bomb
from services.baccarat.bomb import MULTIPLIERS, PORTS, bomb_deck

MINIMUMS = (500, 1000, 2500, 5000, 10_000)
SIGNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

BOMBS = st.builds(
    Ktane,
    serial=st.text(SIGNS, min_size=1, max_size=8),
    min=st.sampled_from(MINIMUMS),
    max=st.integers(10_000, 10_000_000),
    ports=st.lists(st.sampled_from(PORTS), max_size=11).map(tuple),
    lit=st.lists(st.sampled_from(["BOB", "FRK", "SND"]), max_size=3).map(tuple),
    solved=st.integers(0, 120),
    colour=st.sampled_from(sorted(MULTIPLIERS)),
)
ANYTHING = st.builds(
    Ktane,
    serial=st.text(SIGNS + " a", max_size=8),
    min=st.sampled_from(MINIMUMS) | st.integers(0, 20_000),
    max=st.integers(0, 1_000_000),
    ports=st.lists(st.sampled_from([*PORTS, "USB"]), max_size=4).map(tuple),
    lit=st.just(()),
    solved=st.integers(0, 120),
    colour=st.sampled_from([*sorted(MULTIPLIERS), "gold"]),
)


def dealt(asked: Ktane) -> list[str] | None:
    try:
        return list(bomb_deck(asked))
    except InputError:
        return None


@given(BOMBS)
def test_they_agree_on_every_bomb(asked: Ktane) -> None:
    cards = bomb_deck(asked)
    assert list(cards) == bomb.deck(asked)
    assert sorted(cards) == sorted(DECK)


@given(ANYTHING)
def test_they_agree_on_what_is_no_bomb(asked: Ktane) -> None:
    assert dealt(asked) == bomb.deck(asked)


@pytest.mark.parametrize(("colour", "port"), [*product(MULTIPLIERS, PORTS)])
def test_each_of_the_24_decks_from_every_first_card(colour: str, port: str) -> None:
    for solved in range(52):
        asked = Ktane("A0", 500, 500, (port,), (), solved, colour)
        audited = bomb.deck(asked)
        assert audited is not None
        assert sorted(audited) == sorted(DECK)
        assert list(bomb_deck(asked)) == audited


def test_every_edge_of_maximum_over_minimum() -> None:
    for minimum, times, cent in product(MINIMUMS, (50, 100, 200, 500), (-1, 0, 1)):
        asked = Ktane("A1B2C3D4", minimum, times * minimum + cent, ("PS/2",), (), 0, "green")
        assert list(bomb_deck(asked)) == bomb.deck(asked)
