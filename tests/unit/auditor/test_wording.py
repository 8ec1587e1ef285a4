"""What the dealer words for the rules: by whom a shoe closes, why a card is put aside."""

from __future__ import annotations

import pytest

from schemas import events as ev
from tests.support.misdraws import CASES, Case
from tests.unit.auditor import test_misdraw
from tests.unit.auditor.table import BETS, good
from tests.unit.auditor.test_codes import audited, expected, last


def test_the_rules_close_a_shoe_and_nobody_else() -> None:
    table = good(rounds=100).close()
    assert audited(table) == []
    closed = last(table, ev.ShoeClosed)
    for by in ("", " ", "desk", "Rules", "resolver", "rules "):
        closed.set(by=by)
        assert audited(table) == [("malformed", table.at(closed))], by


@pytest.mark.parametrize("reason", ["misdraw", "no-next-hand", "", "spilt drink", "Misdraw"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_card_in_error_is_put_aside_for_its_one_reason(case: Case, reason: str) -> None:
    table, _ = test_misdraw.played(case)
    aside = [one for one in table.entries if isinstance(one.data, ev.CardDiscarded)]
    assert {one.code for one in test_misdraw.audited(table)} <= {"policy-applied", "voided"}
    for one in aside[:1]:
        right = "misdraw" if case.policy == test_misdraw.ANNUL else "no-next-hand"
        assert one.data.reason == right
        one.set(reason=reason)
        found = [(f.code, f.at) for f in test_misdraw.audited(table) if f.grade == "fault"]
        assert found == ([] if reason == right else [("out-of-place", table.at(one))])


def test_who_has_passed_may_still_bet_until_betting_closes() -> None:
    """A pass says only that the table need not wait; the dealer takes such a bet."""
    table = good(rounds=1)
    table.open_round()
    table.say(ev.BetPassed(2, "ann", command="12/bet.pass/ann/2"))
    table.spoken.add("ann")
    for bet in BETS:
        table.bet(*bet)
    table.close_bets()
    table.deal()
    table.settle()
    table.asked()
    assert audited(table) == expected(table, [])
