"""Rounds that cannot be folded: the reason, the place, the stakes, and what is said after."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from schemas import events as ev
from schemas.address import EntryId
from schemas.envelope import decode_outcome, encode
from schemas.outcomes import RoundHalted
from schemas.ruleset import sha256_of
from services.resolver.fold import TableFold
from tests.unit.resolver.script import Script, fold, time_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from schemas.cards import Card

    Told = Callable[[Script], object]

NATURAL: tuple[Card, ...] = ("9C", "2D", "TH", "3S")
DRAWS: tuple[Card, ...] = ("2C", "3S", "3D", "TC")


def betting(script: Script) -> Script:
    return script.opened().open_round().bet("banker", 1900)


def dealing(script: Script) -> Script:
    return betting(script).close_bets()


def erring(script: Script) -> Script:
    """The player stands on 6 and gets a card, which goes to the banker: he draws on 3."""
    return dealing(script).deal("6C", "3S", "TD", "TC").card("error", "2C")


def withdrawn(bet: str, number: int = 1) -> ev.BetWithdrawn:
    return ev.BetWithdrawn(round=number, bet=bet, command=None)


def bet(
    stake: int, spot: str = "banker", number: int = 1, name: str = "12-1/a/b/1"
) -> ev.BetPlaced:
    return ev.BetPlaced(
        round=number,
        bet=name,
        bettor="a",
        spot=spot,
        stake=stake,
        chips=None,
        command=None,
    )


IN_A_ROUND: dict[str, tuple[Told, str]] = {
    "bytes that are nothing": (lambda s: betting(s).raw(b"\xff{"), "unreadable"),
    "a second spelling": (
        lambda s: betting(s).raw(
            encode(f"12-{len(s.lines)}", s.source, time_of(3), bet(1)).replace(b",", b", ", 1)
        ),
        "unreadable",
    ),
    "an id that is not its place": (
        lambda s: betting(s).raw(encode("12-7", s.source, time_of(3), bet(1000))),
        "sequence",
    ),
    "another table's event": (
        lambda s: betting(s).raw(encode("12-3", "/tables/T8", time_of(3), bet(1000))),
        "out-of-place",
    ),
    "a second opening": (lambda s: betting(s).opened(), "out-of-place"),
    "a round in a round": (lambda s: betting(s).open_round(2), "out-of-place"),
    "a card before the close of bets": (lambda s: betting(s).card("player", "2C"), "out-of-place"),
    "the end of a round before its bets closed": (lambda s: betting(s).dealt(), "out-of-place"),
    "a shoe closed in a round": (lambda s: betting(s).closed(), "out-of-place"),
    "a cut in a round": (
        lambda s: betting(s).say(ev.ShoeCut(client_seed="", beacon="", by="a", command=None)),
        "out-of-place",
    ),
    "a bet for another round": (
        lambda s: betting(s).say(bet(1000, number=2)),
        "out-of-place",
    ),
    "bets closed for another round": (
        lambda s: betting(s).say(ev.BetsClosed(round=2, reason="window", command=None)),
        "out-of-place",
    ),
    "a bet after the close": (lambda s: dealing(s).bet("tie", 500), "out-of-place"),
    "a bet taken back after the close": (
        lambda s: dealing(s).say(withdrawn("12-1/alice/banker/1")),
        "out-of-place",
    ),
    "bets closed twice": (lambda s: dealing(s).close_bets(), "out-of-place"),
    "no stake": (lambda s: betting(s).say(bet(0)), "bet"),
    "a stake below nothing": (lambda s: betting(s).say(bet(-1000)), "bet"),
    "a bet twice": (lambda s: betting(s).bet("banker", 1900), "bet"),
    "a bet that was never placed taken back": (
        lambda s: betting(s).say(withdrawn("12-1/alice/tie/1")),
        "bet",
    ),
    "a bet taken back for another round": (
        lambda s: betting(s).say(withdrawn("12-1/alice/banker/1", 2)),
        "out-of-place",
    ),
    "a spot that there is not": (lambda s: betting(s).bet("dragon-7", 500), "spot"),
    "player, player, banker, banker": (
        lambda s: dealing(s).card("player", "2C").card("player", "3D"),
        "deal-order",
    ),
    "the banker first": (lambda s: dealing(s).card("banker", "2C"), "deal-order"),
    "a card for another round": (
        lambda s: dealing(s).say(
            ev.CardDrawn(round=2, hand="player", position=0, card="2C", command=None)
        ),
        "out-of-place",
    ),
    "too few cards": (lambda s: dealing(s).deal("2C", "3S").dealt(), "draw-missing"),
    "the player's third card missing": (
        lambda s: dealing(s).deal(*DRAWS).card("banker", "2H"),
        "draw-missing",
    ),
    "no third card at all": (lambda s: dealing(s).deal(*DRAWS).dealt(), "draw-missing"),
    "the banker's third card missing": (
        lambda s: dealing(s).deal(*DRAWS, "KH").dealt(),
        "draw-missing",
    ),
    "a card after a natural": (
        lambda s: dealing(s).deal(*NATURAL).card("banker", "2H"),
        "draw-extra",
    ),
    "a player's card where he stands": (
        lambda s: dealing(s).deal("6C", "3S", "TD", "TC").card("player", "2H"),
        "draw-extra",
    ),
    "a banker's card where he stands": (
        lambda s: dealing(s).deal("2C", "3S", "3D", "TC", "8H").card("banker", "2H"),
        "draw-extra",
    ),
    "a fourth card": (
        lambda s: dealing(s).deal("2C", "3S", "3D", "TC", "KH", "2H").card("banker", "2H"),
        "draw-extra",
    ),
    "a position skipped": (lambda s: dealing(s).card("player", "2C", 1), "card-order"),
    "a position used twice": (
        lambda s: dealing(s).card("player", "2C").card("banker", "2C", 0),
        "card-order",
    ),
    "another card than the one drawn in error": (
        lambda s: erring(s).card("banker", "3C", 4),
        "card-order",
    ),
    "a card drawn in error taken twice": (
        lambda s: erring(s).card("banker", "2C", 4).card("banker", "2C", 4),
        "card-order",
    ),
}


@pytest.mark.parametrize("name", IN_A_ROUND)
def test_a_round_that_cannot_be_folded(name: str) -> None:
    told, reason = IN_A_ROUND[name]
    script = Script()
    told(script)
    last = len(script.lines) - 1
    assert fold(script.lines[:-1]) == []
    # All that the dealer says of this shoe after it changes nothing.
    script.dealt().hand(*NATURAL).closed()
    (said,) = script.fold()
    assert said.id == EntryId(12, 1)
    message = decode_outcome(said.data)
    outcome = message.data
    assert isinstance(outcome, RoundHalted)
    assert (outcome.round, outcome.at, outcome.reason) == (1, f"T7/12-{last}", reason)
    assert outcome.house == 0
    (paid,) = outcome.settlements
    assert (paid.bet, paid.result, paid.returned) == ("12-1/alice/banker/1", "void", 1900)
    assert (paid.won, paid.commission, paid.odds) == (0, 0, None)
    good = last - 1 if reason == "unreadable" else last
    assert message.time == time_of(good)


OUTSIDE: dict[str, tuple[Told, str]] = {
    "bytes that are nothing": (lambda s: s.raw(b""), "unreadable"),
    "a card outside a round": (lambda s: s.card("player", "2C"), "out-of-place"),
    "a bet outside a round": (lambda s: s.say(bet(1000, number=2)), "out-of-place"),
    "a bet taken back outside a round": (lambda s: s.say(withdrawn("x")), "out-of-place"),
    "a round dealt twice": (lambda s: s.dealt(), "out-of-place"),
    "a round voided after it was dealt": (lambda s: s.voided(), "out-of-place"),
    "the same round again": (lambda s: s.open_round(1), "out-of-place"),
    "a round left out": (lambda s: s.open_round(3), "out-of-place"),
    "a cut after the first round": (
        lambda s: s.say(ev.ShoeCut(client_seed="", beacon="", by="a", command=None)),
        "out-of-place",
    ),
    "an event after the close": (lambda s: s.closed().open_round(2), "out-of-place"),
    "a second close": (lambda s: s.closed().closed(), "out-of-place"),
    "a burned card out of order": (
        lambda s: s.say(ev.CardBurned(position=9, card=None, command=None)),
        "card-order",
    ),
}


@pytest.mark.parametrize("name", OUTSIDE)
def test_outside_a_round_a_halt_takes_the_next_rounds_id(name: str) -> None:
    told, reason = OUTSIDE[name]
    script = Script().opened().hand(*NATURAL, bets=[("player", 1000)])
    told(script)
    last = len(script.lines) - 1
    script.hand(*NATURAL).closed()
    first, second = script.fold()
    assert (first.id, second.id) == (EntryId(12, 1), EntryId(12, 2))
    halted = decode_outcome(second.data).data
    assert halted == RoundHalted(2, f"T7/12-{last}", reason, (), 0)  # type: ignore[arg-type]


FIRST: dict[str, tuple[Told, str]] = {
    "bytes that are nothing": (lambda s: s.raw(b"nothing"), "unreadable"),
    "no opening": (lambda s: s.open_round(), "out-of-place"),
    "a hash of another text": (
        lambda s: s.opened(ev.RuleText("punto-banco", "00" * 32, s.rules.text)),
        "rules",
    ),
    "rules that are none": (
        lambda s: s.opened(ev.RuleText("punto-banco", sha256_of("rules"), "rules")),
        "rules",
    ),
    "rules of another name": (
        lambda s: s.opened(ev.RuleText("ktane", s.rules.sha256, s.rules.text)),
        "rules",
    ),
}


@pytest.mark.parametrize("name", FIRST)
def test_a_shoe_that_cannot_be_begun(name: str) -> None:
    told, reason = FIRST[name]
    script = Script()
    told(script)
    script.hand(*NATURAL).closed()
    (said,) = script.fold()
    assert said.id == EntryId(12, 1)
    message = decode_outcome(said.data)
    assert message.data == RoundHalted(1, "T7/12-0", reason, (), 0)  # type: ignore[arg-type]
    assert message.time == (time_of(0) if reason != "unreadable" else "1970-01-01T00:00:00.000000Z")


def test_the_next_shoe_is_folded_as_if_nothing_had_been() -> None:
    halted = Script(shoe=12).opened().open_round().raw(b"{").closed()
    good = Script(shoe=13).opened().hand(*NATURAL).closed()
    first, second = fold(halted.lines + good.lines)
    assert (first.id, second.id) == (EntryId(12, 1), EntryId(13, 1))
    assert [second] == good.fold()


def test_a_shoe_that_was_left_open_is_said_to_be_broken_off() -> None:
    left = Script(shoe=12).opened().open_round().bet("banker", 1900)
    nothing_open = Script(shoe=13).opened()
    good = Script(shoe=15).opened().hand(*NATURAL).closed()
    first, second, third = fold(left.lines + nothing_open.lines + good.lines)
    assert [first.id, second.id, third.id] == [EntryId(12, 1), EntryId(13, 1), EntryId(15, 1)]
    message = decode_outcome(first.data)
    assert isinstance(message.data, RoundHalted)
    # Nothing of the next shoe goes into it, so it is the same whichever shoe comes next.
    assert (message.data.at, message.data.reason) == ("T7/12-2", "sequence")
    assert message.time == time_of(2)
    assert [paid.returned for paid in message.data.settlements] == [1900]
    assert [third] == good.fold()


@pytest.mark.parametrize("missing", range(9))
def test_a_missing_event_is_never_read_over(missing: int) -> None:
    script = Script().opened().hand(*NATURAL, bets=[("player", 1000)]).closed()
    del script.lines[missing]
    (said,) = script.fold()
    outcome = decode_outcome(said.data).data
    assert isinstance(outcome, RoundHalted)
    assert (outcome.at, outcome.reason) == (f"T7/12-{missing + 1}", "sequence")
    assert decode_outcome(said.data).time == time_of(missing + 1)


def test_a_missing_event_before_one_that_cannot_be_read() -> None:
    script = Script().opened().open_round().open_round().raw(b"{")
    del script.lines[2]
    (said,) = script.fold()
    message = decode_outcome(said.data)
    assert message.data == RoundHalted(1, "T7/12-3", "sequence", (), 0)
    assert message.time == time_of(1)


def test_fault_8_an_event_delivered_twice_pays_once() -> None:
    script = Script().opened().hand(*NATURAL, bets=[("player", 1000)]).hand(*NATURAL).closed()
    once = script.fold()
    twice = [line for line in script.lines for _ in range(2)]
    assert fold(twice) == once
    assert fold(script.lines + script.lines) == once
    assert fold(script.lines[:9] + script.lines[3:]) == once
    earlier = Script(shoe=11).opened().hand(*NATURAL)
    assert fold(script.lines + earlier.lines) == once


def test_money_that_no_event_could_carry_is_not_paid() -> None:
    script = Script().opened().hand("7C", "7D", "TH", "TS", bets=[("tie", 2**53 - 1)])
    (outcome,) = script.outcomes()
    assert isinstance(outcome, RoundHalted)
    assert outcome.reason == "money"
    assert outcome.settlements[0].returned == 2**53 - 1
    script = Script().opened().open_round()
    script.bet("player", 2**53 - 1).bet("player", 2**53 - 1, "bob").close_bets()
    (outcome,) = script.deal(*NATURAL).dealt().outcomes()
    assert isinstance(outcome, RoundHalted)
    assert (outcome.reason, outcome.house, len(outcome.settlements)) == ("money", 0, 2)


def test_where_bets_are_judged_at_the_close_a_wrong_spot_may_lie_until_the_round_is_void() -> None:
    script = Script("ktane").opened().open_round().bet("nowhere", 1000).close_bets()
    (outcome,) = script.voided("invalid-bet").outcomes()
    assert not isinstance(outcome, RoundHalted)
    script = Script("ktane").opened().open_round().bet("nowhere", 1000).close_bets()
    (outcome,) = script.deal(*NATURAL).dealt().outcomes()
    assert isinstance(outcome, RoundHalted)
    assert outcome.reason == "spot"


def test_an_outcome_never_carries_a_time_that_is_none() -> None:
    script = Script().opened().open_round().close_bets().deal(*NATURAL)
    entry = f"12-{len(script.lines)}"
    event = ev.RoundDealt(round=1, command=None)
    script.raw(encode(entry, script.source, "yesterday", event))
    (said,) = script.fold()
    assert decode_outcome(said.data).time == "1970-01-01T00:00:00.000000Z"


def test_entries_before_the_first_shoe_are_nothing() -> None:
    resolver = TableFold("T7")
    assert resolver.event(EntryId(0, 0), b"") == []
    assert resolver.event(EntryId(0, 7), b"") == []
