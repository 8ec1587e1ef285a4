"""A bets file: what each line means, and one clear line for what means nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.errors import InputError
from services.bettors.bets_file import Lay, TakeBack, parse_bets

SPOTS = ("player", "banker", "tie", "player-pair", "banker-pair")


def read(text: str) -> list[tuple[Lay | TakeBack, ...]]:
    return parse_bets(text, SPOTS, "my.bets")


def test_rounds_stakes_stacks_and_bets_taken_back() -> None:
    text = """
    # the first round
    player 100        # a hundred dollars
    tie 2.50
    play

    banker 5k+25+25+1
    withdraw banker
    banker 10
    play
    play
    """
    assert read(text) == [
        (Lay("player", 10_000), Lay("tie", 250)),
        (
            Lay("banker", 505_100, (500_000, 2500, 2500, 100)),
            TakeBack("banker"),
            Lay("banker", 1000),
        ),
        (),
    ]


def test_chips_are_kept_in_the_order_they_are_laid() -> None:
    assert read("player 1+25+5\nplay") == [(Lay("player", 3100, (100, 2500, 500)),)]


def test_line_ends_of_any_kind() -> None:
    assert read("player 10\r\nplay\r\n") == read("player 10\nplay\n") == read("player\t10\nplay")


@pytest.mark.parametrize(
    ("text", "where", "says"),
    [
        ("", "my.bets", "there is no round"),
        ("# nothing", "my.bets", "there is no round"),
        ("player 10", "my.bets, line 1", "never played"),
        ("player 10\nplay\n\nbanker 10\n\n", "my.bets, line 5", "never played"),
        ("player", "my.bets, line 1", "'player' is no bet"),
        ("play now", "my.bets, line 1", "no spot 'play'"),
        ("Play", "my.bets, line 1", "'Play' is no bet"),
        ("player 10 20\nplay", "my.bets, line 1", "is no bet"),
        ("player 10\nbaccarat 10\nplay", "my.bets, line 2", "no spot 'baccarat'"),
        ("player ten\nplay", "my.bets, line 1", "'ten' is no amount"),
        ("player 0\nplay", "my.bets, line 1", "'0' is no amount"),
        ("player 0.00\nplay", "my.bets, line 1", "'0.00' is no amount"),
        ("player -10\nplay", "my.bets, line 1", "'-10' is no amount"),
        ("player 10.5\nplay", "my.bets, line 1", "'10.5' is no amount"),
        ("player 10.505\nplay", "my.bets, line 1", "is no amount"),
        ("player 1e3\nplay", "my.bets, line 1", "is no amount"),
        ("player \u0661\u0660\nplay", "my.bets, line 1", "is no amount"),
        ("player 5+\nplay", "my.bets, line 1", "'' is no amount"),
        ("player +5\nplay", "my.bets, line 1", "'' is no amount"),
        ("player 5++5\nplay", "my.bets, line 1", "'' is no amount"),
        ("player 5+0\nplay", "my.bets, line 1", "'0' is no amount"),
        ("player 10\nplayer 10\nplay", "my.bets, line 2", "lies on player already"),
        ("withdraw player\nplay", "my.bets, line 1", "no bet lies on player"),
        ("player 10\nplay\nwithdraw player\nplay", "my.bets, line 3", "no bet lies on player"),
        ("player 10\nwithdraw\nplay", "my.bets, line 2", "'withdraw' is no bet"),
        ("withdraw nowhere\nplay", "my.bets, line 1", "no spot 'nowhere'"),
        (f"player {10**11 + 1}\nplay", "my.bets, line 1", "so much cannot be laid"),
        (f"player {'9' * 13}\nplay", "my.bets, line 1", "is no amount"),
        ("player " + "+".join(["5"] * 201) + "\nplay", "my.bets, line 1", "201 chips"),
        ("\ufffd\ufffd\nplay", "my.bets, line 1", "is no bet"),
        ("#" * (1 << 20) + "#", "my.bets", "longer than"),
    ],
)
def test_what_cannot_be_read(text: str, where: str, says: str) -> None:
    with pytest.raises(InputError) as wrong:
        read(text)
    assert (wrong.value.where, says in wrong.value.what) == (where, True), wrong.value


def test_as_much_as_can_be_laid() -> None:
    assert read(f"player {10**11}\nplay") == [(Lay("player", 10**13),)]
    ((stack,),) = read("player " + "+".join(["5"] * 200) + "\nplay")
    assert isinstance(stack, Lay)
    assert stack.chips is not None
    assert len(stack.chips) == 200


@given(st.text(st.sampled_from("playerbanktiwhdw 10+.k#\n-"), max_size=60))
def test_whatever_is_written_is_read_or_refused_in_one_line(text: str) -> None:
    presses = [line.partition("#")[0].split() for line in text.splitlines()].count(["play"])
    try:
        said: object = len(read(text))
    except InputError as wrong:
        said = str(wrong)
    assert said == presses or (isinstance(said, str) and "\n" not in said)
