"""The flat bettor and how the command line spells him."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.commands import SPOT
from schemas.errors import InputError
from services.bettors import View, Wish, parse_flat
from services.bettors.flat import Flat
from services.bettors.systems import Leave


def test_bets_the_same_in_every_round() -> None:
    wishes = (Wish("player", 1000), Wish("tie", 500))
    flat = Flat(wishes)
    assert [flat.bet(View(1, n, 1500)) for n in (1, 2, 3)] == [wishes] * 3


@pytest.mark.parametrize(
    ("bankroll", "spots"),
    [
        (1500, ["player", "tie"]),
        (1499, ["player"]),
        (1000, ["player"]),
        (999, ["tie"]),
        (500, ["tie"]),
        (499, []),
        (0, []),
    ],
)
def test_leaves_out_what_the_bankroll_no_longer_covers(bankroll: int, spots: list[str]) -> None:
    flat = Flat([Wish("player", 1000), Wish("tie", 500)])
    assert [wish.spot for wish in flat.bet(View(1, 1, bankroll))] == spots


@pytest.mark.parametrize("stake", [0, -1, 2**53, True, 1.5])
def test_a_stake_that_is_no_money_is_refused(stake: int) -> None:
    with pytest.raises(InputError, match="a stake of"):
        Flat([Wish("player", stake)])


def test_the_command_lines_example() -> None:
    alice, bob = parse_flat("alice=player:1000,bob=banker:1000+tie:500", 100_000)
    assert (alice.name, alice.bankroll) == ("alice", 100_000)
    assert alice.system.bet(View(1, 1, 9999)) == (Wish("player", 1000),)
    assert bob.system.bet(View(1, 1, 9999)) == (Wish("banker", 1000), Wish("tie", 500))


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "'' is no bettor's name"),
        ("alice", "seats, alice: '' is no bet"),
        ("alice=", "seats, alice: '' is no bet"),
        ("=player:5", "'' is no bettor's name"),
        ("al ice=player:5", "'al ice' is no bettor's name"),
        ("alice=player", "'player' is no bet"),
        ("alice=player:0", "'player:0' is no bet"),
        ("alice=player:05", "'player:05' is no bet"),
        ("alice=player:-5", "'player:-5' is no bet"),
        ("alice=player:5.5", "'player:5.5' is no bet"),
        ("alice=player:\u0665", "is no bet"),
        ("alice=Player:5", "'Player:5' is no bet"),
        ("alice=player:9999999999999999", "a stake of 9999999999999999"),
        ("alice=player:5+player:6", "two bets on one spot"),
        ("alice=player:5,", "'' is no bettor's name"),
        ("alice=player:5,alice=tie:5", "alice is there twice"),
    ],
)
def test_bad_seats_are_refused_in_one_line(text: str, part: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_flat(text, 1000)
    assert part in str(caught.value)
    assert "\n" not in str(caught.value)


names = st.from_regex(r"\A[A-Za-z0-9][A-Za-z0-9_-]{0,31}\Z")
bets = st.dictionaries(
    st.from_regex(rf"\A{SPOT}\Z"), st.integers(1, 2**53 - 1), min_size=1, max_size=4
)


@given(st.dictionaries(names, bets, min_size=1, max_size=4))
@settings(deadline=None)
def test_every_table_of_flat_bettors_can_be_spelled(table: dict[str, dict[str, int]]) -> None:
    text = ",".join(
        name + "=" + "+".join(f"{spot}:{stake}" for spot, stake in bets.items())
        for name, bets in table.items()
    )
    seats = parse_flat(text, 2**60)
    assert [seat.name for seat in seats] == list(table)
    for seat in seats:
        wishes = seat.system.bet(View(1, 1, 2**60))
        assert not isinstance(wishes, Leave)
        assert [(wish.spot, wish.stake) for wish in wishes] == list(table[seat.name].items())


@given(st.text(max_size=60))
def test_any_other_text_is_refused_and_never_a_bug(text: str) -> None:
    with suppress(InputError):
        assert parse_flat(text, 1000)
