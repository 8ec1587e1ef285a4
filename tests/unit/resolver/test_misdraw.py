"""Cards drawn in error: the resolver pays what the policy makes of them, and halts at all else."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest

from schemas import events as ev
from schemas.outcomes import RoundHalted, RoundResolved
from schemas.ruleset import named, sha256_of
from tests.support.misdraws import CASES, Case
from tests.unit.resolver.script import Script

if TYPE_CHECKING:
    from collections.abc import Callable

    from schemas.cards import Card

    Told = Callable[[Script], object]

HANDS: dict[str, ev.Hand] = {"P": "player", "B": "banker", "E": "error"}
TO_A_HAND, ANNUL, DUMMY = "banker-or-next-hand", "annul-and-burn", "dummy-hand"


def opened(policy: str) -> Script:
    """A shoe by the standard chart, of this policy."""
    text = named("yaba4").text.replace(TO_A_HAND, policy)
    return Script("yaba4").opened(ev.RuleText("yaba4", sha256_of(text), text))


def aside(script: Script, card: Card, position: int) -> Script:
    return script.say(
        ev.CardDiscarded(position=position, card=card, reason="misdraw", command=None)
    )


def say(script: Script, sign: str, order: list[Card]) -> None:
    """Say one sign of a vector's line."""
    if sign == "0":
        script.say(ev.BetsClosed(round=script.round, reason="no-bets", command=None))
    elif sign == "=":
        script.dealt()
    elif sign == "V":
        script.voided("misdraw")
    elif sign[0] == "D":
        aside(script, order[int(sign[1:])], int(sign[1:]))
    else:
        script.card(HANDS[sign[0]], order[int(sign[1:])], int(sign[1:]))


def told(case: Case) -> Script:
    script = opened(case.policy)
    order = cast("list[Card]", case.order.split())
    for hand in case.rounds:
        signs = hand.line.split()
        script.open_round()
        if signs[0] != "0":
            script.bet("player", 500_000).close_bets()
        for sign in signs:
            say(script, sign, order)
    if case.end:
        say(script, case.end, order)
    return script.closed()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_shoe_worked_by_hand(case: Case) -> None:
    outcomes = told(case).outcomes()
    assert len(outcomes) == len(case.rounds)
    for outcome, hand in zip(outcomes, case.rounds, strict=True):
        assert isinstance(outcome, RoundResolved)
        assert " ".join(outcome.player.cards) == hand.player
        assert " ".join(outcome.banker.cards) == hand.banker
        assert outcome.winner == hand.winner
        results = [paid.result for paid in outcome.settlements]
        if hand.line.startswith("0"):
            assert results == []
        else:
            wanted = {"player": "win", "tie": "push", "void": "void"}
            assert results == [wanted.get(hand.winner, "lose")]


def stands(script: Script) -> Script:
    """P 6, B 7, and a 2 too many, at position 4."""
    script.open_round().bet("banker", 500_000).close_bets()
    return script.deal("6C", "7S", "TD", "TC").card("error", "2C")


def draws(script: Script) -> Script:
    """P 6 stands and is given a 2, at position 4; B 3 has to draw."""
    script.open_round().bet("banker", 500_000).close_bets()
    return script.deal("6C", "3S", "TD", "TC").card("error", "2C")


def dealing(script: Script) -> Script:
    return script.open_round().bet("banker", 500_000).close_bets()


HALTS: dict[str, tuple[str, Told, int, str]] = {
    "the banker draws another": (TO_A_HAND, lambda s: draws(s).card("banker", "9D", 5), 1,
                                 "draw-extra"),
    "the banker draws none": (TO_A_HAND, lambda s: draws(s).dealt(), 1, "draw-missing"),
    "the banker has it though he stands": (TO_A_HAND, lambda s: stands(s).card("banker", "2C", 4),
                                           1, "draw-extra"),
    "the next hand begins with another": (
        TO_A_HAND, lambda s: dealing(stands(s).dealt()).card("player", "9D", 5), 2, "card-order"),
    "the next hand has it second": (
        TO_A_HAND,
        lambda s: dealing(stands(s).dealt()).card("player", "2C", 4).card("banker", "2C", 4),
        2, "card-order"),
    "a second one": (TO_A_HAND, lambda s: stands(s).card("error", "9D", 5), 1, "draw-extra"),
    "a second one once it is played": (
        TO_A_HAND, lambda s: draws(s).card("banker", "2C", 4).card("error", "9D", 5), 1,
        "draw-extra"),
    "an annulled round is dealt": (ANNUL, lambda s: aside(stands(s), "2C", 4).dealt(), 1,
                                   "draw-extra"),
    "an annulled round goes on": (ANNUL, lambda s: draws(s).card("banker", "9D", 5), 1,
                                  "draw-extra"),
    "an annulled round is dealt with it": (ANNUL, lambda s: draws(s).card("banker", "2C", 4), 1,
                                           "draw-extra"),
    "a burned card begins the next hand": (
        ANNUL, lambda s: dealing(aside(stands(s), "2C", 4).voided()).card("player", "2C", 4), 2,
        "card-order"),
    "the banker has a dummy hand's card": (DUMMY, lambda s: draws(s).card("banker", "2C", 4), 1,
                                           "draw-extra"),
    "a dummy hand begins with another": (
        DUMMY, lambda s: dealing(stands(s).dealt()).card("player", "9D", 5), 2, "card-order"),
    "in error though the deal goes on": (
        TO_A_HAND, lambda s: dealing(s).deal("6C", "7S").card("error", "TD"), 1, "deal-order"),
    "in error though the player draws": (
        TO_A_HAND, lambda s: dealing(s).deal("2C", "7S", "3D", "TC").card("error", "TD"), 1,
        "draw-missing"),
    "in error though the banker draws": (
        ANNUL, lambda s: dealing(s).deal("2C", "3S", "3D", "KS", "4H").card("error", "TD"), 1,
        "draw-extra"),
    "in error from a skipped position": (
        ANNUL, lambda s: dealing(s).deal("6C", "7S", "TD", "TC").card("error", "2C", 5), 1,
        "card-order"),
}  # fmt: skip


@pytest.mark.parametrize("name", HALTS)
def test_hands_that_the_policy_does_not_make_are_not_paid(name: str) -> None:
    policy, tell, number, reason = HALTS[name]
    script = opened(policy)
    tell(script)
    last = len(script.lines) - 1
    outcome = script.outcomes()[-1]
    assert isinstance(outcome, RoundHalted)
    assert (outcome.round, outcome.reason) == (number, reason)
    assert outcome.at == f"T7/12-{last}"
    assert [paid.result for paid in outcome.settlements] == ["void"]
    before = Script("yaba4")
    before.lines = script.lines[:-1]
    assert not any(isinstance(one, RoundHalted) for one in before.outcomes())


def test_how_a_card_is_put_aside_is_not_the_resolvers_to_judge() -> None:
    for policy in (TO_A_HAND, DUMMY):
        script = stands(opened(policy)).dealt()
        script.say(ev.CardBurned(position=4, card=None, command=None))
        dealing(script).card("player", "9S", 5)
        script.deal_rest("8D", "KH", "KD").dealt()
        assert all(isinstance(one, RoundResolved) for one in script.outcomes())
    script = stands(opened(ANNUL)).voided("misdraw")
    dealing(script).card("player", "9S", 5).deal_rest("8D", "KH", "KD").dealt()
    assert [cast("RoundResolved", one).winner for one in script.outcomes()] == ["void", "player"]


def test_a_policy_is_read_from_the_rules_the_shoe_was_opened_with() -> None:
    for policy, wanted in ((TO_A_HAND, RoundResolved), (ANNUL, RoundHalted), (DUMMY, RoundHalted)):
        script = draws(opened(policy)).card("banker", "2C", 4).dealt()
        (outcome,) = script.outcomes()
        assert type(outcome) is wanted
