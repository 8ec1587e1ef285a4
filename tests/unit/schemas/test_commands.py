"""Derived ids: one spelling each, and whatever is none is told apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.commands import (
    COMMANDS,
    BetId,
    CommandId,
    command_id,
    parse_bet_id,
    parse_command_id,
    parse_shoe,
    withdraw_id,
)

NAMES = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9_-]{0,31}", fullmatch=True)
SPOTS = st.from_regex(r"[a-z][a-z0-9-]{0,31}", fullmatch=True)
COUNTS = st.integers(0, 10**10 - 1)


def test_how_they_are_spelled() -> None:
    assert str(BetId(12, 17, "alice", "player-pair", 1)) == "12-17/alice/player-pair/1"
    assert withdraw_id("12-17/alice/banker/1") == "12-17/alice/banker/1/withdraw"
    assert command_id(12, "bet.pass", "alice", 17) == "12/bet.pass/alice/17"
    assert parse_command_id("12/bet.pass/alice/17") == CommandId(12, "bet.pass", "alice", 17)


@given(shoe=COUNTS, number=COUNTS, bettor=NAMES, spot=SPOTS, n=COUNTS)
def test_a_bets_id_is_read_back(shoe: int, number: int, bettor: str, spot: str, n: int) -> None:
    bet = BetId(shoe, number, bettor, spot, n)
    assert parse_bet_id(str(bet)) == bet
    assert parse_command_id(str(bet)) is None
    assert parse_bet_id(withdraw_id(str(bet))) is None
    assert parse_shoe(str(bet)) == parse_shoe(withdraw_id(str(bet))) == shoe


@given(shoe=COUNTS, kind=st.sampled_from(sorted(COMMANDS)), who=NAMES, n=COUNTS)
def test_another_id_is_read_back(shoe: int, kind: str, who: str, n: int) -> None:
    name = command_id(shoe, kind, who, n)
    assert parse_command_id(name) == (shoe, kind, who, n)
    assert parse_bet_id(name) is None
    assert parse_shoe(name) == shoe


@pytest.mark.parametrize(
    "text",
    [
        "",
        "12-17/alice/banker",
        "12-17/alice/banker/01",
        "012-17/alice/banker/1",
        "12-17/alice/Banker/1",
        "12-17/-alice/banker/1",
        "12-17/alice//1",
        "12-17/alice/banker/1\n",
        " 12-17/alice/banker/1",
        "12-17/alice/banker/1/withdraw/withdraw",
        "12-17/alice/banker/-1",
        "12-17/alice/banker/99999999999",
        "12/bet.pass/alice/",
        "12/bet/alice/1",
        "12/Bet.pass/alice/1",
        "12/bet.pass/al ice/1",
    ],
)
def test_what_is_no_id(text: str) -> None:
    assert parse_bet_id(text) is None
    assert parse_command_id(text) is None
    assert parse_shoe(text) is None


@given(text=st.text(max_size=40))
def test_no_text_breaks_the_readers(text: str) -> None:
    for read in (parse_bet_id, parse_command_id):
        found = read(text)
        assert found is None or str(found) == text or isinstance(found, CommandId)
    parse_shoe(text)
