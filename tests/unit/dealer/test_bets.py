"""Bets: taken once, refused with a reason at every edge, withdrawn until the close."""

from __future__ import annotations

import pytest

from schemas import commands as co
from schemas import events as ev
from tests.unit.dealer.house import Table, rules_like


def ready(
    rules: str = "punto-banco", bankroll: int = 1_000_000, window: int | None = 20, **more: object
) -> Table:
    asks = co.ShoeOpen(rules, seats=("alice", "bob"), window=window, **more)  # type: ignore[arg-type]
    sets = rules_like("punto-banco", ("exclusive = []", 'exclusive = [["player", "banker"]]'))
    table = Table(asks, rules=sets)
    table.sit("alice", "bob", bankroll=bankroll)
    table.cut()
    table.say()
    return table


def answer(table: Table, bet: str) -> ev.Event:
    table.say()
    return next(event for event in reversed(table.events) if event.command == bet)


def reason(table: Table, bet: str) -> str:
    said = answer(table, bet)
    return said.reason if isinstance(said, ev.BetRefused) else "taken"


@pytest.mark.parametrize(
    ("spot", "stake", "expected"),
    [
        ("player", 1000, "taken"),
        ("player", 900, "below-minimum"),
        ("player", 999, "below-minimum"),
        ("player", 1001, "step"),
        ("player", 500_000, "taken"),
        ("player", 500_100, "above-maximum"),
        ("tie", 500, "taken"),
        ("tie", 400, "below-minimum"),
        ("tie", 50_000, "taken"),
        ("tie", 50_100, "above-maximum"),
        ("dragon", 1000, "spot"),
        ("player", 0, "stake"),
        ("player", -1000, "stake"),
        ("player", 1000.5, "stake"),
        ("player", 1000.0, "stake"),
        ("player", "1000", "stake"),
        ("player", True, "stake"),
        ("player", None, "stake"),
        ("player", 2**63 - 1, "stake"),
        ("player", 2**63, "stake"),
        ("player", 2**64 + 1000, "stake"),
        ("player", -(2**63) - 1, "stake"),
    ],
)
def test_every_edge_of_a_stake(spot: str, stake: float | str | None, expected: str) -> None:
    table = ready()
    assert reason(table, table.bet(1, "alice", spot, stake, last=False)) == expected


def test_a_bet_above_the_bankroll_counts_what_already_stands() -> None:
    table = ready(bankroll=3000)
    assert reason(table, table.bet(1, "alice", "player", 2500, last=False)) == "taken"
    assert reason(table, table.bet(1, "alice", "tie", 600, last=False)) == "bankroll"
    assert reason(table, table.bet(1, "alice", "tie", 500, last=False, n=2)) == "taken"


def test_a_late_bet() -> None:
    table = ready()
    table.let_go(1, "bob")
    table.bet(1, "alice")
    table.say()
    assert reason(table, table.bet(1, "alice", "tie", 500)) == "late"


def test_a_bet_for_a_round_after_the_next_is_early() -> None:
    table = ready()
    assert reason(table, table.bet(3, "alice")) == "early"


def test_somebody_who_does_not_sit() -> None:
    table = ready()
    assert reason(table, table.bet(1, "eve")) == "not-seated"


def test_the_same_bet_twice_counts_once() -> None:
    table = ready()
    table.bet(1, "alice", last=False)
    table.say()
    before = len(table.entries)
    table.bet(1, "alice", last=False)
    assert table.say() == []
    assert len(table.entries) == before


def test_twice_with_other_terms_is_refused_once() -> None:
    table = ready()
    table.bet(1, "alice", stake=1000, last=False)
    table.say()
    bet = table.bet(1, "alice", stake=2000, last=False)
    assert reason(table, bet) == "repeat"
    table.bet(1, "alice", stake=2000, last=False)
    assert table.say() == []


def test_a_second_bet_on_a_spot_needs_the_first_withdrawn() -> None:
    table = ready()
    first = table.bet(1, "alice", last=False)
    assert reason(table, table.bet(1, "alice", stake=2000, n=2, last=False)) == "repeat"
    table.send(co.withdraw_id(first), co.BetWithdraw(first))
    assert isinstance(answer(table, co.withdraw_id(first)), ev.BetWithdrawn)
    assert reason(table, table.bet(1, "alice", stake=2000, n=3, last=False)) == "taken"


def test_withdrawing_works_until_the_close_and_not_after() -> None:
    table = ready()
    bet = table.bet(1, "alice", last=False)
    table.say()
    table.let_go(1, "alice")
    table.let_go(1, "bob")
    table.say()
    table.send(co.withdraw_id(bet), co.BetWithdraw(bet))
    said = answer(table, co.withdraw_id(bet))
    assert isinstance(said, ev.CommandRefused)


def test_taking_a_bet_back_takes_back_that_one_has_spoken() -> None:
    table = ready(window=None)
    table.let_go(1, "bob")
    bet = table.bet(1, "alice")
    table.send(co.withdraw_id(bet), co.BetWithdraw(bet))
    # bob and alice had spoken; alice took it back before the dealer looked.
    assert not any(isinstance(event, ev.RoundOpened) for event in table.say())
    table.let_go(1, "alice")
    kinds = [type(event) for event in table.say()]
    assert kinds[:5] == [
        ev.RoundOpened,
        ev.BetPassed,
        ev.BetPlaced,
        ev.BetWithdrawn,
        ev.BetPassed,
    ]


def test_a_combination_that_is_not_allowed() -> None:
    table = ready("test")
    assert reason(table, table.bet(1, "alice", "player", last=False)) == "taken"
    assert reason(table, table.bet(1, "alice", "banker", last=False)) == "combination"
    assert reason(table, table.bet(1, "bob", "banker", last=False)) == "taken"


def test_the_table_differential() -> None:
    table = ready(differential=5000)
    assert reason(table, table.bet(1, "alice", "player", 5000, last=False)) == "taken"
    assert reason(table, table.bet(1, "bob", "player", 1000, last=False)) == "differential"
    assert reason(table, table.bet(1, "bob", "banker", 10_000, last=False)) == "taken"
    assert reason(table, table.bet(1, "bob", "tie", 500, last=False)) == "taken"


def test_a_refused_last_bet_has_spoken_all_the_same() -> None:
    table = ready(window=None)
    table.bet(1, "alice", "dragon")
    table.bet(1, "bob", "player", 7)
    kinds = [type(event) for event in table.say()]
    assert kinds[:4] == [ev.RoundOpened, ev.BetRefused, ev.BetRefused, ev.BetsClosed]


def test_a_window_ends_betting_and_says_so() -> None:
    table = ready(window=20)
    assert any(isinstance(event, ev.RoundOpened) for event in table.events)
    table.bet(1, "alice")
    table.say()
    ends = table.dealer.window_ends_at()
    assert ends is not None
    table.dealer.window_ended()
    said = table.say()
    closed = next(event for event in said if isinstance(event, ev.BetsClosed))
    assert closed.reason == "window"


def test_a_window_ends_early_when_all_have_spoken() -> None:
    table = ready(window=20)
    table.bet(1, "alice")
    table.let_go(1, "bob")
    closed = next(event for event in table.say() if isinstance(event, ev.BetsClosed))
    assert closed.reason == "all-spoke"


@pytest.mark.parametrize(
    ("name", "asks", "expected"),
    [
        ("1/bettor.sit/alice/2", co.BettorSit("alice", 1000), "already-seated"),
        ("1/bettor.sit/carol/1", co.BettorSit("carol", 1000, seat=1), "seat-taken"),
        ("1/bettor.sit/carol/1", co.BettorSit("carol", 1000, seat=0), "seat-taken"),
        ("1/bettor.sit/carol/1", co.BettorSit("carol", 0), "bankroll"),
        ("1/bettor.sit/carol/1", co.BettorSit("carol", 2**53), "bankroll"),
        ("1/bettor.leave/eve/1", co.BettorLeave("eve"), "not-seated"),
        ("1/shoe.cut/bob/1", co.Cut("bob", "00"), "already-cut"),
        ("1/round.void/pit/1", co.RoundVoid(9, "spill", "pit"), "no-round"),
        ("1/round.void/pit/1", co.RoundVoid(1, " ", "pit"), "reason"),
        ("1/bet.pass/eve/1", co.BetPass(1, "eve"), "not-seated"),
        ("1/bet.pass/alice/9", co.BetPass(9, "alice"), "no-round"),
        ("1/money.adjust/pit/1", co.MoneyAdjust("T7/1#1", "alice", 5, "r", "pit"), "address"),
        ("1/money.adjust/pit/1", co.MoneyAdjust("nonsense", "alice", 5, "r", "pit"), "address"),
        ("1/shoe.open/desk/1", co.ShoeOpen("punto-banco"), "shoe-open"),
        ("1/shoe.open/desk/1", co.ShoeOpen("no-such-rules"), "rules"),
    ],
)
def test_commands_that_cannot_be_done(name: str, asks: co.Command, expected: str) -> None:
    table = ready()
    table.send(name, asks)
    said = answer(table, name)
    assert isinstance(said, ev.CommandRefused)
    assert said.reason == expected


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{}",
        b"not json",
        b"[" * 9000,
        b'{"specversion":"1.0","id":"x","source":"/tables/T7/commands","type":"bet.pass"}',
    ],
)
def test_unreadable_commands_get_no_answer(data: bytes) -> None:
    table = ready()
    before = len(table.entries)
    assert not table.dealer.command(data)
    table.say()
    assert len(table.entries) == before


def test_a_command_whose_id_says_something_else_is_unreadable() -> None:
    table = ready()
    with pytest.raises(AssertionError, match="readable"):
        table.send("1-1/alice/player/1", co.BetPlace(1, "alice", "banker", 1000))
    with pytest.raises(AssertionError, match="readable"):
        table.send("1/bettor.sit/bob/1", co.BettorSit("carol", 1000))
