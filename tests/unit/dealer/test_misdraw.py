"""The dealer draws a card in error: when, how often, and what the rules' policy makes of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from schemas import commands as co
from schemas import events as ev
from schemas.envelope import decode_outcome
from schemas.outcomes import RoundResolved
from schemas.ruleset import published
from tests.support.misdraws import CASES, Case, spelled
from tests.unit.dealer.house import Table, cards, rules_like
from tests.unit.resolver.script import fold

if TYPE_CHECKING:
    from collections.abc import Sequence

POLICIES = ("banker-or-next-hand", "annul-and-burn", "dummy-hand")
#: P 6, B 7: both stand, hand after hand.
STANDING = "6C 7C KC KD 6D 7D KH KS 6H 7H QC QD 6S 7S QH QS TC TD TH TS"


def open_stacked(
    order: str,
    policy: str,
    *changes: tuple[str, str],
    name: str = "yaba4",
    window: int | None = None,
) -> Table:
    changes = (('misdraw = "banker-or-next-hand"', f'misdraw = "{policy}"'), *changes)
    table = Table(
        co.ShoeOpen("test", co.AskFixed("stacked"), seats=("alice",), window=window),
        decks={"stacked": cards(order)},
        rules=rules_like(name, *changes),
    )
    table.sit("alice", bankroll=10_000_000)
    return table


def misdraw(table: Table, number: int, n: int | None = None, shoe: int = 1) -> str:
    name = co.command_id(shoe, "card.misdraw", "desk", n or number)
    table.send(name, co.CardMisdraw(number))
    return name


def dealt(case: Case) -> Table:
    """Play a case; alice bets on every round that is no dummy hand."""
    table = open_stacked(case.order, case.policy)
    for number in case.misdraws:
        misdraw(table, number)
    table.say()
    for number in range(1, len(case.rounds) + 1):
        table.bet(number, "alice", "player", 500_000)
        table.say()
    return table


def outcomes(table: Table) -> list[RoundResolved]:
    told = [decode_outcome(data).data for _, data in table.outcomes]
    assert all(isinstance(one, RoundResolved) for one in told)
    return [one for one in told if isinstance(one, RoundResolved)]


def refusals(table: Table) -> list[tuple[str, str]]:
    return [
        (event.command or "", event.reason)
        for event in table.events
        if isinstance(event, ev.CommandRefused | ev.BetRefused)
    ]


def kinds(events: Sequence[ev.Event]) -> list[type]:
    return [type(event) for event in events]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_shoe_worked_by_hand(case: Case) -> None:
    table = dealt(case)
    assert spelled(table.events) == ([hand.line for hand in case.rounds], case.end)
    order = cards(case.order)
    for event in table.events:
        if isinstance(event, ev.CardDrawn | ev.CardDiscarded):
            assert event.card == order[event.position]
    found = [
        (" ".join(one.player.cards), " ".join(one.banker.cards), one.winner)
        for one in outcomes(table)
    ]
    assert found == [(hand.player, hand.banker, hand.winner) for hand in case.rounds]
    assert isinstance(table.events[-1], ev.ShoeClosed)
    assert table.events[-1].reason == "rules"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_it_goes_on_from_after_every_event(case: Case) -> None:
    table = dealt(case)
    whole = [data for _, data in table.entries]
    for events in range(len(whole) + 1):
        assert table.gone_on_from(events) == whole, f"after {events} events"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_command_gets_one_event(case: Case) -> None:
    table = dealt(case)
    asked = {co.command_id(1, "card.misdraw", "desk", number) for number in case.misdraws}
    answers = [event for event in table.events if event.command in asked]
    assert [event.command for event in answers] == sorted(asked)
    erred = [event.round for event in answers if isinstance(event, ev.CardDrawn)]
    assert erred == case.erred
    assert all(isinstance(event, ev.CardDrawn | ev.CommandRefused) for event in answers)


@pytest.mark.parametrize("case", [case for case in CASES if case.policy == "dummy-hand"])
def test_who_bets_on_a_dummy_hand_is_too_late(case: Case) -> None:
    table = dealt(case)
    dummies = [n for n, hand in enumerate(case.rounds, 1) if hand.line.startswith("0")]
    late = [f"1-{number}/alice/player/1" for number in dummies]
    assert [(name, why) for name, why in refusals(table) if "card" not in name] == [
        (name, "late") for name in late
    ]
    for number in dummies:
        assert outcomes(table)[number - 1].settlements == ()
        assert outcomes(table)[number - 1].house == 0


def test_an_annulled_coup_gives_every_stake_back() -> None:
    case = next(case for case in CASES if case.name == "a-natural-annulled")
    table = dealt(case)
    void = outcomes(table)[0]
    assert [(paid.result, paid.returned) for paid in void.settlements] == [("void", 500_000)]
    (voided,) = [event for event in table.events if isinstance(event, ev.RoundVoided)]
    assert (voided.reason, voided.by, voided.command) == ("misdraw", "rules", None)


def test_a_dummy_hand_is_dealt_at_once_and_opens_no_window() -> None:
    table = open_stacked(STANDING, "dummy-hand", window=20)
    misdraw(table, 1)
    table.say()
    table.let_go(1)
    table.say()
    rounds, _ = spelled(table.events)
    assert rounds[1].startswith("0 P4 B5 P6 B7")
    assert rounds[1].endswith("=")
    assert rounds[2] == ""
    assert table.dealer.window_ends_at() is not None


@pytest.mark.parametrize("policy", POLICIES)
def test_a_command_for_a_round_to_come_waits_for_it(policy: str) -> None:
    table = open_stacked(STANDING, policy)
    name = misdraw(table, 2)
    table.say()
    table.let_go(1)
    assert not any(event.command == name for event in table.say())
    table.let_go(2)
    (answer,) = [event for event in table.say() if event.command == name]
    assert isinstance(answer, ev.CardDrawn)
    assert (answer.round, answer.hand, answer.position) == (2, "error", 8)


@pytest.mark.parametrize("policy", POLICIES)
def test_of_two_commands_for_a_round_the_first_is_done(policy: str) -> None:
    table = open_stacked(STANDING, policy)
    first, second = misdraw(table, 1, n=7), misdraw(table, 1, n=8)
    table.say()
    table.let_go(1)
    table.say()
    drawn = [event for event in table.events if event.command == first]
    assert kinds(drawn) == [ev.CardDrawn]
    assert (second, "repeat") in refusals(table)
    errors = [e for e in table.events if isinstance(e, ev.CardDrawn) and e.hand == "error"]
    assert len(errors) == 1


@pytest.mark.parametrize("policy", POLICIES)
def test_the_same_command_twice_is_one(policy: str) -> None:
    table = open_stacked(STANDING, policy)
    misdraw(table, 1)
    misdraw(table, 1)
    table.say()
    table.let_go(1)
    table.say()
    misdraw(table, 1)
    assert table.say() == []
    assert refusals(table) == []


def test_a_round_that_is_dealt_or_was_never_there_is_refused() -> None:
    table = open_stacked(STANDING, "banker-or-next-hand")
    none = misdraw(table, 0, n=1)
    below = misdraw(table, -3, n=2)
    table.say()
    table.let_go(1)
    table.say()
    dealt_ = misdraw(table, 1, n=3)
    table.say()
    assert refusals(table) == [(none, "no-round"), (below, "no-round"), (dealt_, "dealt")]


def test_a_voided_round_has_no_card_to_draw() -> None:
    table = open_stacked(STANDING, "banker-or-next-hand")
    name = misdraw(table, 1)
    table.send("1/round.void/pit/1", co.RoundVoid(1, "spilt drink", "pit"))
    table.say()
    table.let_go(1)
    table.say()
    assert refusals(table)[0] == (name, "dealt")


def test_what_still_waits_when_the_shoe_ends_is_refused() -> None:
    table = open_stacked("6C 7S TD TC", "banker-or-next-hand")
    name = misdraw(table, 5)
    table.say()
    table.let_go(1)
    table.say()
    assert refusals(table) == [(name, "shoe-ended")]


def test_a_command_for_another_shoe_gets_no_answer() -> None:
    table = open_stacked(STANDING, "annul-and-burn")
    name = misdraw(table, 1, shoe=2)
    table.say()
    for number in range(1, 6):
        table.let_go(number)
        table.say()
    assert table.dealer.shoe_closed
    assert not any(event.command == name for event in table.events)


def test_without_a_command_no_card_is_drawn_in_error() -> None:
    for policy in POLICIES:
        table = open_stacked(STANDING, policy)
        table.say()
        for number in range(1, 6):
            table.let_go(number)
            table.say()
        assert "E" not in " ".join(spelled(table.events)[0])


@pytest.mark.parametrize("policy", ["banker-or-next-hand", "dummy-hand"])
def test_a_shoe_that_is_asked_to_close_puts_the_card_aside_first(policy: str) -> None:
    table = open_stacked(STANDING, policy)
    misdraw(table, 1)
    later = misdraw(table, 9)
    table.send("1/shoe.close/pit/1", co.ShoeClose("pit", after_round=1))
    table.say()
    table.let_go(1)
    table.say()
    aside, refused, closed = table.events[-3:]
    assert isinstance(aside, ev.CardDiscarded)
    assert (aside.position, aside.card, aside.reason) == (4, "6D", "no-next-hand")
    assert isinstance(refused, ev.CommandRefused)
    assert refused.command == later
    assert isinstance(closed, ev.ShoeClosed)


def test_a_round_voided_before_its_cards_leaves_the_card_to_the_next() -> None:
    table = open_stacked(STANDING, "banker-or-next-hand")
    misdraw(table, 1)
    table.say()
    table.let_go(1)
    table.say()
    table.send("1/round.void/pit/1", co.RoundVoid(2, "spilt drink", "pit"))
    table.say()
    table.let_go(3)
    table.say()
    rounds, _ = spelled(table.events)
    assert rounds[1] == "V"
    assert rounds[2].startswith("P4 B5 P6 B7")


def test_a_dummy_hand_cannot_be_voided() -> None:
    table = open_stacked(STANDING, "dummy-hand")
    misdraw(table, 1)
    table.say()
    table.let_go(1)
    table.resolve = False
    table.say()
    table.send("1/round.void/pit/2", co.RoundVoid(2, "spilt drink", "pit"))
    bet = table.bet(2)
    table.resolve = True
    ((name, outcome),) = fold(table.entries)
    table.dealer.outcome(name, outcome)
    table.say()
    assert spelled(table.events)[0][1].startswith("0 P4 B5 P6 B7")
    assert refusals(table) == [("1/round.void/pit/2", "dealt"), (bet, "late")]


TEXT = published()["punto-banco"].text
NO_BURN = (TEXT[TEXT.index("[burn]") : TEXT.index("[ending]")], "")


def with_cut(policy: str, from_end: int, after: int = 1) -> Table:
    """A shoe of 20 cards with a cut card and no burn."""
    return open_stacked(
        STANDING,
        policy,
        NO_BURN,
        ("from_end = 14", f"from_end = {from_end}"),
        ("hands_after = 1", f"hands_after = {after}"),
        ("round_needs = 6", "round_needs = 4"),
        name="punto-banco",
    )


@pytest.mark.parametrize(
    ("policy", "from_end", "after", "last"),
    [
        ("banker-or-next-hand", 16, 1, 2),  # it lies before the card in error: within hand 1
        ("annul-and-burn", 16, 1, 3),  # hand 1 is annulled: the next is the one in play
        ("annul-and-burn", 16, 0, 2),
        ("dummy-hand", 16, 1, 2),  # the dummy hand is the one more
        ("banker-or-next-hand", 15, 1, 3),  # behind it: hand 2 has its first card already
        ("dummy-hand", 15, 1, 3),
        ("annul-and-burn", 15, 1, 2),  # in place of hand 2's first card: that one is the last
    ],
)
def test_where_the_cut_card_comes_out(policy: str, from_end: int, after: int, last: int) -> None:
    table = with_cut(policy, from_end, after)
    misdraw(table, 1)
    table.say()
    table.play_on("alice")
    events = table.events
    place = next(i for i, event in enumerate(events) if isinstance(event, ev.CutCardOut))
    cut, then = events[place], events[place + 1]
    assert isinstance(cut, ev.CutCardOut)
    assert cut.position == 20 - from_end
    assert isinstance(then, ev.CardDrawn)
    assert then.position == cut.position
    assert (then.hand == "error") is (from_end == 16)
    rounds = [event.round for event in events if isinstance(event, ev.RoundDealt)]
    assert rounds[-1] == last
    assert isinstance(events[-1], ev.ShoeClosed)
    assert events[-1].reason == "rules"
    whole = [data for _, data in table.entries]
    for number in range(len(whole) + 1):
        assert table.gone_on_from(number) == whole


def test_no_hand_after_the_cut_card_and_the_card_is_put_aside() -> None:
    table = with_cut("banker-or-next-hand", 16, after=0)
    misdraw(table, 1)
    table.say()
    table.play_on("alice")
    assert spelled(table.events) == (["P0 B1 P2 B3 E4 ="], "D4")
