"""A dealer that goes on from any point of a shoe says what an undisturbed one would have said."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas import commands as co
from schemas import events as ev
from schemas.address import EntryId, Sources
from schemas.envelope import decode_event, decode_outcome, encode
from schemas.errors import Conflict
from schemas.outcomes import RoundHalted, RoundResolved
from tests.unit.dealer.house import TIME, Table, cards, rules_like


def eventful(*, window: int | None = None) -> Table:
    """Play two shoes with refusals, a withdrawal, a void, a leave, commission at the end."""
    sets = rules_like("punto-banco", ('collected = "each-hand"', 'collected = "shoe-end"'))
    asks = co.ShoeOpen("test", seats=("alice", "bob"), window=window)
    table = Table(asks, shoes=2, rules=sets)
    table.send("1/shoe.close/pit/1", co.ShoeClose("pit", after_round=6))
    table.sit("alice", "bob")
    table.cut()
    table.say()
    table.bet(1, "alice", "banker", 100_000)
    table.bet(1, "bob", "dragon")
    table.say()
    bet = table.bet(2, "alice", "player")
    table.send(co.withdraw_id(bet), co.BetWithdraw(bet))
    table.let_go(2, "alice")
    table.bet(2, "bob", "banker", 200_000)
    table.say()
    table.send("1/dealer.change/pit/1", co.DealerChange("dirk", "sue"))
    table.send("1/round.void/pit/1", co.RoundVoid(3, "spilt drink", "pit"))
    table.bet(3, "alice", "banker")
    table.say()
    table.send("1/money.adjust/pit/1", co.MoneyAdjust("T7/1#2", "bob", 500, "mispaid", "pit"))
    table.say()
    for number in (4, 5, 6):
        table.bet(number, "alice", "banker", 100_000)
        table.bet(number, "bob", "tie", 500)
        table.say()
        if number == 4:
            table.send("1/bettor.leave/bob/1", co.BettorLeave("bob"))
            table.say()
            table.send("1/bettor.sit/bob/2", co.BettorSit("bob", 70_000))
            table.say()
    table.cut(shoe=2)
    table.say()
    table.bet(1, "alice", "banker", shoe=2)
    table.let_go(1, "bob", shoe=2)
    table.say()
    return table


def test_the_game_is_eventful_enough() -> None:
    seen = {type(event) for event in eventful().events}
    assert seen >= {
        ev.ShoeOpened,
        ev.ShoeCut,
        ev.BettorSeated,
        ev.BettorLeft,
        ev.CardBurned,
        ev.BetPlaced,
        ev.BetRefused,
        ev.BetWithdrawn,
        ev.BetPassed,
        ev.RoundVoided,
        ev.DealerChanged,
        ev.MoneyAdjusted,
        ev.CommissionCollected,
        ev.ShoeClosed,
    }


def test_it_goes_on_from_after_every_event() -> None:
    table = eventful()
    whole = [data for _, data in table.entries]
    for events in range(len(whole) + 1):
        assert table.gone_on_from(events) == whole, f"after {events} events"


def test_a_stacked_shoe_goes_on_in_mid_hand() -> None:
    order = cards("2C 3C 3D 2D 4C 9C " * 9)
    table = Table(
        co.ShoeOpen("yaba4", co.AskFixed("stacked"), seats=("alice",)), decks={"stacked": order}
    )
    table.sit("alice", bankroll=10_000_000)
    table.say()
    for number in range(1, 8):
        table.bet(number, "alice", "player", 100_000)
        table.say()
    assert table.dealer.shoe_closed
    whole = [data for _, data in table.entries]
    for events in range(len(whole) + 1):
        assert table.gone_on_from(events) == whole, f"after {events} events"


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_commands_sent_again_in_any_order_change_nothing(data: st.DataObject) -> None:
    table = eventful()
    before = [bytes_ for _, bytes_ in table.entries]
    again = data.draw(st.permutations(table.commands))
    for command in again:
        table.dealer.command(command)
    # A withdrawn bet that is sent again was answered before: nothing new is said.
    assert table.say() == []
    assert [bytes_ for _, bytes_ in table.entries] == before


def test_no_event_carries_the_seed_before_the_reveal() -> None:
    table = eventful()
    seed = bytes(range(32))
    shapes = [seed, seed.hex().encode()]
    for _, data in table.entries:
        if isinstance(decode_event(data).data, ev.ShoeClosed):
            return
        assert not any(shape in data for shape in shapes)


def test_commission_is_collected_once_for_each_who_owes() -> None:
    table = eventful()
    collected = [e for e in table.events if isinstance(e, ev.CommissionCollected)]
    owed: dict[str, int] = {}
    for _, data in table.outcomes:
        outcome = decode_outcome(data).data
        if isinstance(outcome, RoundResolved) and outcome.first.startswith("T7/1-"):
            for paid in outcome.settlements:
                owed[paid.bettor] = owed.get(paid.bettor, 0) + paid.commission
    assert sum(e.amount for e in collected) == sum(owed.values())
    assert sum(owed.values()) > 0


def test_a_restart_after_thousands_of_answered_commands() -> None:
    table = Table(co.ShoeOpen("punto-banco", seats=("alice",)))
    table.sit("alice")
    table.cut()
    for n in range(3000):
        table.send(co.command_id(1, "dealer.change", "pit", n), co.DealerChange("dirk", "sue"))
    table.say()
    whole = [data for _, data in table.entries]
    assert table.gone_on_from(len(whole)) == whole


def test_a_shoe_that_halts_before_its_first_round_is_not_opened_again_and_again() -> None:
    table = Table(co.ShoeOpen("punto-banco", seats=("alice",)), shoes=None)
    table.say()
    halted = RoundHalted(1, "T7/1-0", "unreadable", (), 0)
    table.dealer.outcome(EntryId(1, 1), encode("1-1", Sources("T7").outcomes, TIME, halted))
    said = table.say()
    assert isinstance(said[-1], ev.ShoeClosed)
    assert said[-1].reason == "halted"
    assert not any(isinstance(event, ev.ShoeOpened) for event in said)


def test_an_outcome_that_settles_nothing_dealt_here_is_refused() -> None:
    table = Table(co.ShoeOpen("punto-banco", seats=("alice",)))
    table.sit("alice")
    table.cut()
    table.say()
    table.bet(1)
    table.say()
    name, data = table.outcomes[0]
    forged = data.replace(b'"id":"1-1"', b'"id":"1-2"').replace(b'"round":1', b'"round":2')
    with pytest.raises(Conflict, match="settles nothing"):
        table.dealer.outcome(EntryId(1, 2), forged)
    with pytest.raises(Conflict, match="settles nothing"):
        table.dealer.outcome(name, data)


def test_no_bankroll_grows_beyond_what_an_event_can_carry() -> None:
    table = Table(co.ShoeOpen("punto-banco", seats=("alice",)))
    table.sit("alice", bankroll=2**53 - 1)
    assert isinstance(table.say()[-1], ev.CommandRefused)
    table.sit("bob", bankroll=10**15)
    table.send("1/bettor.sit/alice/2", co.BettorSit("alice", 1_000))
    table.cut()
    table.let_go(1, "alice")
    table.let_go(1, "bob")
    table.say()
    adjust = co.MoneyAdjust("T7/1#1", "bob", 1, "mispaid", "pit")
    table.send("1/money.adjust/pit/1", adjust)
    said = table.say()
    assert isinstance(said[-1], ev.CommandRefused)
    assert said[-1].reason == "amount"
