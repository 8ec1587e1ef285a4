"""How the command line spells those who play a system."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.errors import InputError
from services.bettors import View, Wish, parse_seats, parse_systems
from services.bettors.nine import KINDS, BettingSystem
from services.bettors.nine.system import OnTheCount

RICH = View(1, 1, 10**12)


def only(text: str) -> BettingSystem:
    (seat,) = parse_systems(text, 100_000)
    assert isinstance(seat.system, BettingSystem)
    return seat.system


@pytest.mark.parametrize("name", list(KINDS))
def test_unless_told_a_system_is_the_documents_in_cents(name: str) -> None:
    system = only(f"alice={name}")
    assert system.stake == (2000 if "cancellation" in name else 500)


def test_every_setting() -> None:
    text = "alice=cancellation:unit=200:min=300:max=1000:restart=no:side=banker:series=1-2-3"
    system = only(text)
    assert system.bet(RICH) == (Wish("banker", 800),)
    for _ in range(2):
        system.settle(won=False)
    assert (system.stake, system.restarts) == (1000, 0)
    system.settle(won=False)
    assert (system.stake, system.restarts) == (1000, 0)
    counted = only("alice=card-count:start-count=-3")
    assert isinstance(counted, OnTheCount)
    assert counted.count.now == -3


def test_several_and_flat_ones_beside_them() -> None:
    seats = parse_seats("alice=tie:500", "bob=martingale,carol=thirty-one:side=banker", 70_000)
    assert [(seat.name, seat.bankroll) for seat in seats] == [
        ("alice", 70_000),
        ("bob", 70_000),
        ("carol", 70_000),
    ]
    assert [seat.system.bet(RICH) for seat in seats] == [
        (Wish("tie", 500),),
        (Wish("player", 500),),
        (Wish("banker", 500),),
    ]
    assert parse_seats(None, None, 1) == []


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "'' is no bettor's name"),
        ("alice", "seats, alice: '' is no system"),
        ("alice=poker", "seats, alice: 'poker' is no system"),
        ("alice=martingale:unit", "seats, alice, unit: '' is no amount"),
        ("alice=martingale:unit=0", "seats, alice, unit: '0' is no amount"),
        ("alice=martingale:unit=5.5", "'5.5' is no amount"),
        ("alice=martingale:stake=5", "'stake=5' is no setting of a system; use NAME=VALUE"),
        ("alice=martingale:unit=5:unit=6", "unit is there twice"),
        ("alice=martingale:series=1-2", "martingale has no series"),
        ("alice=cancellation:series=1-x", "seats, alice, series: 'x' is no number of a series"),
        ("alice=cancellation:series=1--3", "seats, alice, series: '-' is no number of a series"),
        ("alice=cancellation:series=-1-3", "seats, alice, series: '-' is no number of a series"),
        ("alice=cancellation:series=", "series: there is no number in it"),
        ("alice=follow-the-shoe:side=player", "follow-the-shoe takes no side"),
        ("alice=martingale:side=tie", "'tie' is neither"),
        ("alice=martingale:restart=maybe", "'maybe' is neither"),
        ("alice=martingale:min=600:max=599", "the maximum, 599, is below the minimum, 600"),
        ("alice=martingale,alice=dalembert", "alice is there twice"),
    ],
)
def test_bad_seats_are_refused_in_one_line(text: str, part: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_systems(text, 1000)
    assert part in str(caught.value)
    assert "\n" not in str(caught.value)


def test_one_name_for_a_flat_bettor_and_a_system_is_refused() -> None:
    with pytest.raises(InputError, match="alice is there twice"):
        parse_seats("alice=tie:500", "alice=martingale", 1000)


@given(
    st.text(max_size=60)
    | st.from_regex(r"[ab]=(martingale|cancellation|card-count)(:[a-z-]{1,9}=[0-9a-z-]{0,5}){0,4}")
)
def test_any_other_text_is_refused_and_never_a_bug(text: str) -> None:
    with suppress(InputError):
        assert parse_systems(text, 1000)
