"""Cards drawn in error: what the auditor says of each policy, kept and broken, in one finding."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from schemas import events as ev
from schemas.ruleset import published
from schemas.verdicts import Finding
from services.auditor.fold import ShoeAudit
from services.auditor.offline import audit_lines
from tests.support.misdraws import CASES, Case
from tests.unit.auditor.table import Entry, Table

TO_A_HAND, ANNUL, DUMMY = "banker-or-next-hand", "annul-and-burn", "dummy-hand"
HANDS = {"P": "player", "B": "banker", "E": "error"}
BET = ("ann", "player", 500_000)
#: P 6, B 3: the banker has to draw; P 6, B 7: both stand. The card in error is the 2 at 4.
DRAWS = "6C 3S TD TC 2C 9D 2H KD 5S AC 6H 7H QC QD 8S 9C"
STANDS = "6C 7S TD TC 2C 9D 6H KD 3H 5C KC 4C 8S TH KS 7D"


class Stacked(Table):
    """A stacked shoe by the standard chart, of this policy, without burn or cut card."""

    def __init__(self, policy: str, order: str) -> None:
        super().__init__(
            "yaba4",
            stacked=order,
            seats=(("ann", 1, 100_000_000),),
            edit=lambda text: text.replace(TO_A_HAND, policy),
        )
        self.begin()

    def closed_for_bets(self, *bets: tuple[str, str, int]) -> None:
        """Open a round and close its bets."""
        self.open_round()
        for bet in bets:
            self.bet(*bet)
        self.close_bets()

    def until_error(self) -> Entry:
        """Deal the first four of a round, and a card in error."""
        self.closed_for_bets(BET)
        self.first_four()
        return self.draw("error")

    def end(self, *, void: bool = False) -> Entry:
        """Say that the round is dealt, or void by the rules, and settle it."""
        entry = self.void("misdraw", "rules") if void else self.dealt()
        self.settle(void=void)
        return entry

    def begin_with(self, position: int, reason: str = "all-spoke") -> Entry:
        """Deal a round whose first card is the one in error."""
        self.open_round()
        self.close_bets(reason)
        first = self.draw_again("player", position)
        self.deal(dealt=1)
        self.settle()
        return first

    def sign(self, sign: str, why: str = "misdraw") -> None:
        """Say one sign of a vector's line; ``why`` a card is put aside."""
        if sign[0] == "D":
            self.discard(int(sign[1:]), why)
        elif int(sign[1:]) < self.position:
            self.draw_again(HANDS[sign[0]], int(sign[1:]))
        else:
            self.draw(HANDS[sign[0]])


def audited(table: Table) -> tuple[Finding, ...]:
    """Audit at once and line by line, which has to come to the same."""
    text = table.entries[0].data.rules
    known = {**published(), text.name: text}
    lines = table.lines()
    result = audit_lines(lines, known=known)
    slowly = ShoeAudit(known=known)
    for line in lines:
        slowly.line(line)
    assert slowly.result() == result
    return result.findings


def said(table: Table) -> list[tuple[str, str]]:
    """Give what was found, but that the shoe was asked to close and that something was void."""
    known = {"closed-early", "voided"}
    return [(one.code, one.at) for one in audited(table) if one.code not in known]


def played(case: Case) -> tuple[Stacked, list[Entry]]:
    """Play a case as it is written; give the cards in error."""
    table = Stacked(case.policy, case.order)
    for hand in case.rounds:
        signs = hand.line.split()
        table.open_round()
        if signs[0] == "0":
            signs = signs[1:]
            table.close_bets("no-bets")
        else:
            table.bet(*BET)
            table.close_bets()
        for sign in signs[:-1]:
            table.sign(sign)
        if signs[-1] == "V":
            exhausted = signs[-2][0] != "D"
            table.void("shoe-exhausted" if exhausted else "misdraw", "rules")
        else:
            table.dealt()
        table.settle(void=signs[-1] == "V")
        assert (" ".join(table.player), " ".join(table.banker)) == (hand.player, hand.banker)
    if case.end:
        table.sign(case.end, "no-next-hand")
    errors = [e for e in table.entries if isinstance(e.data, ev.CardDrawn)]
    table.close()
    return table, [e for e in errors if e.data.hand == "error"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_shoe_worked_by_hand_passes_with_a_notice_for_each_card(case: Case) -> None:
    table, errors = played(case)
    assert len(errors) == len(case.erred)
    assert said(table) == [("policy-applied", table.at(error)) for error in errors]
    found = audited(table)
    assert all(one.grade == "notice" for one in found)
    notices = [one for one in found if one.code == "policy-applied"]
    assert [one.round for one in notices] == case.erred
    assert {one.expected for one in notices} <= {case.policy}
    assert {one.rule for one in notices} <= {"yaba4/misdraw"}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_by_another_policy_it_is_a_fault_for_each_card_that_it_puts_elsewhere(case: Case) -> None:
    """The same events under the other two policies never pass, but where both say the same."""
    for policy in {TO_A_HAND, ANNUL, DUMMY} - {case.policy}:
        table, errors = played(case)
        table.entries[0].set(rules=Stacked(policy, case.order).entries[0].data.rules)
        faults = [one for one in audited(table) if one.grade == "fault"]
        same = not errors or (case.name == "no-next-hand" and policy == DUMMY)
        assert bool(faults) is not same


Break = Callable[[], tuple[Table, list[tuple[str, Entry]]]]
BREAKS: dict[str, Break] = {}


def breaks(make: Break) -> Break:
    BREAKS[make.__name__] = make
    return make


# ----------------------------------------------------------------------------------- to a hand
@breaks
def the_banker_draws_another() -> tuple[Table, list[tuple[str, Entry]]]:
    table = Stacked(TO_A_HAND, DRAWS)
    error = table.until_error()
    table.draw("banker")
    table.end()
    return table, [("draw-extra", error)]


@breaks
def the_banker_draws_none() -> tuple[Table, list[tuple[str, Entry]]]:
    table = Stacked(TO_A_HAND, DRAWS)
    table.until_error()
    return table, [("draw-missing", table.end())]


@breaks
def the_banker_gets_another_card_of_that_position() -> tuple[Table, list[tuple[str, Entry]]]:
    table = Stacked(TO_A_HAND, DRAWS)
    error = table.until_error()
    wrong = table.draw_again("banker", error.data.position)
    wrong.set(card="9S")
    table.banker[-1] = "9S"
    table.end()
    return table, [("card-order", wrong)]


@breaks
def the_banker_gets_it_though_he_stands() -> tuple[Table, list[tuple[str, Entry]]]:
    table = Stacked(TO_A_HAND, STANDS)
    error = table.until_error()
    wrong = table.draw_again("banker", error.data.position)
    table.end()
    return table, [("draw-extra", error), ("draw-extra", wrong)]


@breaks
def the_banker_has_to_draw_and_it_is_put_aside() -> tuple[Table, list[tuple[str, Entry]]]:
    table = Stacked(TO_A_HAND, DRAWS)
    error = table.until_error()
    table.discard(error.data.position, "misdraw")
    table.draw("banker")
    table.end()
    return table, [("draw-extra", error)]


@breaks
def the_next_hand_begins_with_another() -> tuple[Table, list[tuple[str, Entry]]]:
    table = Stacked(TO_A_HAND, STANDS)
    error = table.until_error()
    table.end()
    table.round()
    return table, [("draw-extra", error)]


@breaks
def it_is_put_aside_and_another_hand_follows() -> tuple[Table, list[tuple[str, Entry]]]:
    table = Stacked(TO_A_HAND, STANDS)
    error = table.until_error()
    table.end()
    table.discard(error.data.position, "no-next-hand")
    table.round()
    return table, [("draw-extra", error)]


@breaks
def it_stays_on_the_table() -> tuple[Table, list[tuple[str, Entry]]]:
    table = Stacked(TO_A_HAND, STANDS)
    error = table.until_error()
    table.end()
    return table, [("draw-extra", error)]


@breaks
def it_is_burned_at_the_end() -> tuple[Table, list[tuple[str, Entry]]]:
    table = Stacked(TO_A_HAND, STANDS)
    error = table.until_error()
    table.end()
    burned = table.say(ev.CardBurned(error.data.position, error.data.card, command=None))
    return table, [("burn-wrong", burned)]


@breaks
def another_is_put_aside_at_the_end() -> tuple[Table, list[tuple[str, Entry]]]:
    table = Stacked(TO_A_HAND, STANDS)
    error = table.until_error()
    table.end()
    aside = table.discard(error.data.position, "no-next-hand")
    aside.set(card="9S")
    return table, [("card-order", aside)]


@breaks
def it_is_put_aside_without_a_reason() -> tuple[Table, list[tuple[str, Entry]]]:
    table = Stacked(TO_A_HAND, STANDS)
    error = table.until_error()
    table.end()
    return table, [("out-of-place", table.discard(error.data.position, " "))]


@breaks
def the_round_is_annulled_all_the_same() -> tuple[Table, list[tuple[str, Entry]]]:
    table = Stacked(TO_A_HAND, STANDS)
    error = table.until_error()
    void = table.end(void=True)
    table.begin_with(error.data.position)
    return table, [("void-after-card", void)]


# ----------------------------------------------------------------------------- annul and burn
@breaks
def the_round_is_not_annulled() -> tuple[Table, list[tuple[str, Entry]]]:
    table = Stacked(ANNUL, STANDS)
    error = table.until_error()
    table.discard(error.data.position, "misdraw")
    table.end()
    table.round()
    return table, [("draw-extra", error)]


@breaks
def the_banker_gets_it_in_a_round_that_had_to_be_annulled() -> tuple[Table, Any]:
    table = Stacked(ANNUL, DRAWS)
    error = table.until_error()
    table.draw_again("banker", error.data.position)
    table.end()
    return table, [("draw-extra", error)]


@breaks
def it_is_annulled_for_another_reason() -> tuple[Table, list[tuple[str, Entry]]]:
    table = Stacked(ANNUL, STANDS)
    error = table.until_error()
    table.discard(error.data.position, "misdraw")
    void = table.void("spilt drink")
    table.settle(void=True)
    return table, [("void-after-card", void)]


@breaks
def it_is_not_burned() -> tuple[Table, list[tuple[str, Entry]]]:
    table = Stacked(ANNUL, STANDS)
    error = table.until_error()
    table.end(void=True)
    table.round()
    return table, [("draw-extra", error)]


@breaks
def it_is_not_burned_and_the_shoe_closes() -> tuple[Table, list[tuple[str, Entry]]]:
    table = Stacked(ANNUL, STANDS)
    error = table.until_error()
    table.end(void=True)
    return table, [("draw-extra", error)]


@breaks
def it_is_burned_too_late() -> tuple[Table, list[tuple[str, Entry]]]:
    table = Stacked(ANNUL, STANDS)
    error = table.until_error()
    table.end(void=True)
    late = table.discard(error.data.position, "misdraw")
    table.round()
    return table, [("out-of-place", late)]


@breaks
def a_round_without_an_error_is_annulled() -> tuple[Table, list[tuple[str, Entry]]]:
    table = Stacked(ANNUL, STANDS)
    table.closed_for_bets(BET)
    table.first_four()
    return table, [("void-after-card", table.end(void=True))]


@breaks
def a_card_that_is_not_in_error_is_burned() -> tuple[Table, list[tuple[str, Entry]]]:
    table = Stacked(ANNUL, STANDS)
    table.closed_for_bets(BET)
    table.first_four()
    aside = table.discard(table.take()[0], "misdraw")
    table.end()
    return table, [("draw-extra", aside)]


# --------------------------------------------------------------------------------- dummy hand
@breaks
def the_banker_gets_the_dummy_hands_card() -> tuple[Table, list[tuple[str, Entry]]]:
    table = Stacked(DUMMY, DRAWS)
    error = table.until_error()
    table.draw_again("banker", error.data.position)
    table.end()
    return table, [("draw-extra", error)]


@breaks
def the_dummy_hand_begins_with_another() -> tuple[Table, list[tuple[str, Entry]]]:
    table = Stacked(DUMMY, STANDS)
    error = table.until_error()
    table.end()
    table.open_round()
    table.close_bets("no-bets")
    table.deal()
    table.settle()
    return table, [("draw-extra", error)]


@breaks
def somebody_bets_on_a_dummy_hand() -> tuple[Table, list[tuple[str, Entry]]]:
    table = Stacked(DUMMY, STANDS)
    error = table.until_error()
    table.end()
    table.open_round()
    bet = table.bet(*BET)
    table.close_bets("no-bets")
    table.draw_again("player", error.data.position)
    table.deal(dealt=1)
    table.settle()
    return table, [("policy-applied", error), ("bet-late", bet)]


@breaks
def somebody_passes_a_dummy_hand() -> tuple[Table, list[tuple[str, Entry]]]:
    table = Stacked(DUMMY, STANDS)
    error = table.until_error()
    table.end()
    table.open_round()
    passed = table.say(ev.BetPassed(2, "ann", command="12/bet.pass/ann/2"))
    table.close_bets("no-bets")
    table.draw_again("player", error.data.position)
    table.deal(dealt=1)
    table.settle()
    return table, [("policy-applied", error), ("out-of-place", passed)]


@breaks
def a_dummy_hand_takes_bets() -> tuple[Table, list[tuple[str, Entry]]]:
    table = Stacked(DUMMY, STANDS)
    error = table.until_error()
    table.end()
    table.open_round()
    closed = table.say(ev.BetsClosed(2, "all-spoke", command=None))
    table.draw_again("player", error.data.position)
    table.deal(dealt=1)
    table.settle()
    return table, [("policy-applied", error), ("out-of-place", closed)]


@breaks
def a_hand_is_called_a_dummy_though_it_is_none() -> tuple[Table, list[tuple[str, Entry]]]:
    table = Stacked(DUMMY, STANDS)
    table.open_round()
    closed = table.close_bets("no-bets")
    table.deal()
    table.settle()
    return table, [("out-of-place", closed)]


@breaks
def the_next_hand_is_a_dummy_though_the_policy_is_another() -> tuple[Table, Any]:
    table = Stacked(TO_A_HAND, STANDS)
    error = table.until_error()
    table.end()
    table.begin_with(error.data.position, "no-bets")
    closed = next(e for e in table.entries if getattr(e.data, "reason", "") == "no-bets")
    return table, [("policy-applied", error), ("out-of-place", closed)]


# ------------------------------------------------------------- said to be in error, and was not
@breaks
def it_was_due_to_the_player() -> tuple[Table, list[tuple[str, Entry]]]:
    table = Stacked(ANNUL, "2C 7S 3D TC 2D 9D 6H KD 3H 5C KC 4C")
    error = table.until_error()
    table.discard(error.data.position, "misdraw")
    table.end(void=True)
    table.round()
    return table, [("draw-missing", error)]


@breaks
def it_was_due_to_the_banker() -> tuple[Table, list[tuple[str, Entry]]]:
    table = Stacked(ANNUL, "2C 3S 3D KS 4H 9D 6H KD 3H 5C KC 4C")
    table.closed_for_bets(BET)
    table.first_four()
    table.draw("player")
    error = table.draw("error")
    table.discard(error.data.position, "misdraw")
    table.end(void=True)
    table.round()
    return table, [("draw-extra", error)]


@breaks
def it_was_one_of_the_first_four() -> tuple[Table, list[tuple[str, Entry]]]:
    table = Stacked(ANNUL, STANDS)
    table.closed_for_bets(BET)
    table.draw("player")
    error = table.draw("error")
    table.discard(error.data.position, "misdraw")
    table.end(void=True)
    table.round()
    return table, [("deal-order", error)]


@breaks
def there_are_two() -> tuple[Table, list[tuple[str, Entry]]]:
    table = Stacked(ANNUL, STANDS)
    error = table.until_error()
    second = table.draw("error")
    table.discard(error.data.position, "misdraw")
    table.end(void=True)
    return table, [("policy-applied", error), ("draw-extra", second)]


@breaks
def it_answers_another_command() -> tuple[Table, list[tuple[str, Entry]]]:
    table = Stacked(ANNUL, STANDS)
    error = table.until_error()
    error.set(command="12/round.void/desk/1")
    table.discard(error.data.position, "misdraw")
    table.end(void=True)
    return table, [("malformed", error), ("policy-applied", error)]


@breaks
def its_being_put_aside_answers_a_command() -> tuple[Table, list[tuple[str, Entry]]]:
    table = Stacked(ANNUL, STANDS)
    error = table.until_error()
    aside = table.discard(error.data.position, "misdraw")
    aside.set(command="12/card.misdraw/desk/1")
    table.end(void=True)
    return table, [("malformed", aside), ("policy-applied", error)]


@pytest.mark.parametrize("name", BREAKS)
def test_a_broken_policy_is_found(name: str) -> None:
    table, wanted = BREAKS[name]()
    table.asked()
    assert sorted(said(table)) == sorted((code, table.at(entry)) for code, entry in wanted)


def test_a_card_in_error_may_answer_the_command_that_asked_for_it() -> None:
    table = Stacked(TO_A_HAND, DRAWS)
    error = table.until_error()
    error.set(command="12/card.misdraw/desk/1")
    table.draw_again("banker", error.data.position)
    table.end()
    assert said(table.asked()) == [("policy-applied", table.at(error))]


def test_what_is_at_stake_is_what_the_hands_had_to_pay() -> None:
    """P 6 against B 3 + 2 = 5: the bet on the player had won; with a 9 it wins too: nothing."""
    for order, amount in ((DRAWS, 0), (DRAWS.replace("9D", "5D"), 1_000_000)):
        table = Stacked(TO_A_HAND, order)
        table.until_error()
        table.draw("banker")
        table.end()
        (found,) = [one for one in audited(table.asked()) if one.grade == "fault"]
        assert (found.code, found.amount) == ("draw-extra", amount)


def test_a_fault_in_a_hand_that_begins_with_it_is_worth_what_that_hand_had_to_pay() -> None:
    """Dummy or not, the hand is dealt from the card in error: P 2+6 = 8, B 9+10 = 9."""
    table = Stacked(TO_A_HAND, STANDS)
    error = table.until_error()
    table.end()
    table.closed_for_bets(("ann", "banker", 500_000))
    table.draw_again("player", error.data.position)
    table.draw("banker")
    wrong = table.draw("player", "5H")
    table.draw("banker")
    table.draw("player")
    table.draw("banker")
    table.end()
    found = {one.code: one for one in audited(table.asked()) if one.grade == "fault"}
    assert found["card-order"].at == table.at(wrong)
    assert found["card-order"].amount == 500_000 - (
        500_000 if table.winner() == "banker" else -500_000
    )


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_lost_line_is_a_gap_and_little_else(case: Case) -> None:
    table, erred = played(case)
    errors = [entry.data for entry in erred]
    told = [at for at, entry in enumerate(table.entries) if entry.is_outcome]
    lines = table.lines()
    text = table.entries[0].data.rules
    known = {**published(), text.name: text}
    for at in range(3, len(lines) - 1):
        found = audit_lines([*lines[:at], *lines[at + 1 :]], known=known).findings
        faults = [one.code for one in found if one.grade == "fault"]
        lost = table.entries[at].data
        if isinstance(lost, ev.RoundDealt | ev.RoundVoided):  # its outcome hangs in the air
            assert set(faults) == {"sequence-gap", "outcome-range"}, lost
        elif lost in errors and case.policy == DUMMY:  # what it was is not known any more
            assert "sequence-gap" in faults
            assert len(faults) <= 3
        else:
            assert faults == ["outcome-missing" if at in told else "sequence-gap"], lost


@pytest.mark.parametrize("window", [None, 20])
def test_no_hand_is_a_dummy_in_a_shoe_without_an_error(window: int | None) -> None:
    table = Table("punto-banco-dummy", window=window).begin().play(rounds=3)
    table.open_round()
    closed = table.close_bets("no-bets")
    table.deal()
    table.settle()
    table.play(rounds=2)
    assert said(table.asked()) == [("out-of-place", table.at(closed))]
