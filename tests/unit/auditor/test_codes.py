# ruff: noqa: ANN401 - fields of any type are changed
"""Every code of the findings: the smallest change to a good log that gives it, and nothing else."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from schemas import events as ev
from schemas import outcomes as oc
from schemas import ruleset
from schemas.instant import spell
from services.auditor.codes import CODES
from services.auditor.fold import ShoeAudit
from services.auditor.offline import audit_lines
from services.auditor.report import Previous
from tests.unit.auditor.table import BETS, SEATS, SECOND, START, Entry, Table, good, house_of

Expected = tuple[str, Entry | str]
Shown = tuple[Table, list[Expected]]
Case = Callable[[], Shown]

CASES: dict[str, list[Case]] = {}


def shows(code: str) -> Callable[[Case], Case]:
    def add(case: Case) -> Case:
        CASES.setdefault(code, []).append(case)
        return case

    return add


def audited(table: Table, previous: Previous | None = None) -> list[tuple[str, str]]:
    text = next(e.data.rules for e in table.entries if isinstance(e.data, ev.ShoeOpened))
    known = {**ruleset.published()}
    if table.edited:
        known[text.name] = text
    lines = table.lines()
    result = audit_lines(lines, known=known, previous=previous)
    slowly = ShoeAudit(known=known, previous=previous)
    for line in lines:
        slowly.line(line)
    assert slowly.result() == result
    return [(finding.code, finding.at) for finding in result.findings]


def expected(table: Table, wanted: list[Expected]) -> list[tuple[str, str]]:
    found = [(code, at if isinstance(at, str) else table.at(at)) for code, at in wanted]
    closed = [entry for entry in table.entries if isinstance(entry.data, ev.ShoeClosed)]
    found += [("closed-early", table.at(e)) for e in closed if e.data.reason == "asked"]
    return sorted(found)


def until(table: Table, wanted: Callable[[Table], bool]) -> None:
    """Play rounds until the first four cards of one are as wanted."""
    while True:
        table.open_round()
        for bet in BETS:
            table.bet(*bet)
        table.close_bets()
        table.first_four()
        if wanted(table):
            return
        if table.player_draws():
            table.draw("player")
        if table.banker_draws():
            table.draw("banker")
        table.dealt()
        table.settle()


def last(table: Table, kind: type) -> Entry:
    return next(entry for entry in reversed(table.entries) if isinstance(entry.data, kind))


def first(table: Table, kind: type) -> Entry:
    return next(entry for entry in table.entries if isinstance(entry.data, kind))


def with_pass() -> Table:
    """A shoe whose second round has a pass, which nothing hangs on."""
    table = good(rounds=1)
    table.round(*BETS[:2])
    return table.play(rounds=1)


# ------------------------------------------------------------------------------------ the lines
@shows("malformed")
def a_line_is_garbage() -> Shown:
    table = with_pass()
    entry = last(table, ev.BetPassed)
    entry.raw = b'{"specversion":"1.0","id'
    return table.asked(), [("malformed", entry)]


@shows("malformed")
def a_time_is_spelled_otherwise() -> Shown:
    table = with_pass()
    entry = last(table, ev.BetPassed)
    entry.time = "2026-11-30 03:22:59.000000Z"
    return table.asked(), [("malformed", entry)]


@shows("malformed")
def a_bet_is_named_after_somebody_else() -> Shown:
    table = good(rounds=1)
    table.open_round()
    name = "12-2/bob/tie/1"
    bet = table.bet("ann", "tie", 500, bet=name, command=name)
    table.close_bets()
    table.deal()
    table.settle()
    return table.asked(), [("malformed", bet)]


@shows("malformed")
def a_line_ends_as_windows_ends_it() -> Shown:
    table = with_pass()
    entry = last(table, ev.BetPassed)
    index = table.entries.index(entry)
    entry.raw = table.lines()[index] + b"\r"
    return table.asked(), [("malformed", entry)]


@shows("unknown-event")
def an_event_has_another_type() -> Shown:
    table = with_pass()
    entry = last(table, ev.BetPassed)
    index = table.entries.index(entry)
    entry.raw = table.lines()[index].replace(b"bet.passed", b"bet.doubled")
    return table.asked(), [("unknown-event", entry)]


@shows("wrong-table")
def an_event_is_of_another_table() -> Shown:
    table = with_pass()
    entry = last(table, ev.BetPassed)
    entry.source = "/tables/T8"
    return table.asked(), [("wrong-table", entry)]


@shows("wrong-table")
def an_event_is_of_another_shoe() -> Shown:
    table = with_pass()
    entry = last(table, ev.BetPassed)
    entry.id = f"13-{table.seqs()[entry]}"
    return table.asked(), [("wrong-table", entry)]


@shows("wrong-table")
def a_line_of_another_table_lies_between() -> Shown:
    table = with_pass()
    entry = table.say(ev.DealerChanged("eve", "sue", command="12/dealer.change/desk/1"))
    entry.source, entry.id, entry.silent = "/tables/T8", "3-9", True
    return table.asked(), [("wrong-table", f"T7/12-{table.seqs()[entry]}")]


@shows("wrong-table")
def an_outcome_is_of_another_table() -> Shown:
    table = good()
    entry = last(table, oc.RoundResolved)
    entry.source = "/tables/T8/outcomes"
    return table.asked(), [("wrong-table", entry)]


@shows("sequence-gap")
def a_number_is_left_out() -> Shown:
    table = good(rounds=1)
    after = table.open_round()
    after.skip = 1
    table.pass_rest()
    table.close_bets()
    table.deal()
    table.settle()
    return table.asked(), [("sequence-gap", after)]


@shows("sequence-gap")
def a_card_is_left_out() -> Shown:
    table = good(rounds=1)
    until(table, Table.player_draws)
    lost = table.entries[-2]
    table.draw("player")
    if table.banker_draws():
        table.draw("banker")
    table.dealt()
    table.settle()
    table.play(rounds=1).asked()
    index = table.entries.index(lost)
    del table.entries[index]
    table.entries[index].skip = 1
    return table, [("sequence-gap", table.entries[index])]


@shows("sequence-repeat")
def an_event_is_written_twice() -> Shown:
    table = good(rounds=1)
    table.open_round()
    entry = table.bet("ann", "banker", 10_000)
    again = copy.copy(entry)
    again.id, again.silent = f"12-{table.seqs()[entry]}", True
    again.time = spell(START + SECOND * table.seqs()[entry])
    table.entries.append(again)
    table.close_bets()
    table.deal()
    table.settle()
    return table.asked(), [("sequence-repeat", table.at(entry))]


@shows("time-backwards")
def an_event_is_earlier_than_its_forerunner() -> Shown:
    table = with_pass()
    entry = last(table, ev.BetPassed)
    entry.time = spell(START)
    return table.asked(), [("time-backwards", entry)]


@shows("time-backwards")
def an_outcome_is_earlier_than_what_it_folds() -> Shown:
    table = good()
    entry = last(table, oc.RoundResolved)
    entry.time = spell(START)
    return table.asked(), [("time-backwards", entry)]


@shows("out-of-place")
def the_shoe_is_opened_again() -> Shown:
    table = good(rounds=1)
    entry = table.say(table.entries[0].data)
    return table.play(rounds=1).asked(), [("out-of-place", entry)]


@shows("out-of-place")
def a_card_comes_outside_a_round() -> Shown:
    table = good(rounds=1)
    entry = table.draw("player")
    return table.play(rounds=1).asked(), [("out-of-place", entry)]


@shows("out-of-place")
def an_event_comes_after_the_close() -> Shown:
    table = good(rounds=1).asked()
    entry = table.say(ev.DealerChanged("eve", "sue", command="12/dealer.change/desk/1"))
    table.say(ev.DealerChanged("dora", "sue", command="12/dealer.change/desk/2"))
    return table, [("out-of-place", entry)]


@shows("out-of-place")
def an_outcome_comes_after_the_close() -> Shown:
    table = good(rounds=1)
    outcome = table.entries.pop()
    table.asked()
    closed = table.entries[-1]
    table.entries.append(outcome)
    after = f"T7/12-{table.seqs()[closed]}"
    return table, [("outcome-missing", closed), ("out-of-place", after)]


@shows("out-of-place")
def a_round_is_opened_before_the_last_is_settled() -> Shown:
    table = good(rounds=2)
    outcome = table.entries.pop()
    opened = table.open_round()
    table.entries.append(outcome)
    table.pass_rest()
    table.close_bets()
    table.deal()
    table.settle()
    return table.asked(), [("out-of-place", opened)]


@shows("out-of-place")
def a_round_number_is_left_out() -> Shown:
    table = good(rounds=1)
    table.number += 1
    opened = table.open_round()
    table.pass_rest()
    table.close_bets()
    table.deal()
    table.settle()
    return table.asked(), [("out-of-place", opened)]


@shows("out-of-place")
def the_cut_card_is_not_said() -> Shown:
    table = Table().begin().play()
    entry = last(table, ev.CutCardOut)
    index = table.entries.index(entry)
    del table.entries[index]
    return table.close(), [("out-of-place", table.entries[index])]


@shows("out-of-place")
def the_cut_card_comes_one_card_early() -> Shown:
    table = Table().begin().play()
    entry = last(table, ev.CutCardOut)
    table.entries.remove(entry)
    before = [e for e in table.entries if isinstance(e.data, ev.CardDrawn)]
    card = next(e for e in before if e.data.position == entry.data.position - 1)
    table.entries.insert(table.entries.index(card), entry)
    return table.close(), [("out-of-place", entry)]


@shows("out-of-place")
def a_shoe_is_cut_before_all_sit() -> Shown:
    table = Table()
    table.seat_all()
    late = table.entries.pop()
    cut = table.cut()
    table.entries.append(late)
    table.burn()
    return table.play(rounds=1).asked(), [("out-of-place", cut)]


@shows("out-of-place")
def a_bet_is_deleted_with_its_settlement() -> Shown:
    table = good(rounds=1)
    table.open_round()
    table.bet(*BETS[0])
    table.bet(*BETS[1])
    table.spoken.add("cyd")
    closed = table.close_bets()
    table.deal()
    table.settle()
    return table.play(rounds=2).asked(), [("out-of-place", closed)]


@shows("out-of-place")
def somebody_passes_who_does_not_sit() -> Shown:
    table = good(rounds=1)
    table.open_round()
    entry = table.say(ev.BetPassed(table.number, "eve", command="12/bet.pass/eve/2"))
    table.close_bets()
    table.deal()
    table.settle()
    return table.play(rounds=2).asked(), [("out-of-place", entry)]


@shows("out-of-place")
def somebody_leaves_during_a_round() -> Shown:
    table = good(rounds=1)
    table.open_round()
    table.pass_rest()
    table.close_bets()
    table.first_four()
    entry = table.say(ev.BettorLeft("ann", command="12/bettor.leave/ann/1"))
    if table.player_draws():
        table.draw("player")
    if table.banker_draws():
        table.draw("banker")
    table.dealt()
    table.settle()
    return table.asked(), [("out-of-place", entry)]


def unnamed(kind: type, command: str | None) -> Shown:
    """Let an event name another command than the one that it answers."""
    table = with_pass()
    entry = last(table, kind)
    entry.set(command=command)
    return table.asked(), [("malformed", entry)]


@shows("malformed")
def a_card_answers_a_command() -> Shown:
    return unnamed(ev.CardDrawn, "12/card.misdraw/desk/1")


@shows("malformed")
def a_round_answers_a_command() -> Shown:
    return unnamed(ev.RoundOpened, "12/bet.pass/ann/1")


@shows("malformed")
def a_pass_answers_nothing() -> Shown:
    return unnamed(ev.BetPassed, None)


@shows("malformed")
def a_pass_answers_another_bettors() -> Shown:
    return unnamed(ev.BetPassed, "12/bet.pass/ann/2")


@shows("malformed")
def a_cut_answers_another_shoes() -> Shown:
    return unnamed(ev.ShoeCut, "11/shoe.cut/ann/1")


@shows("malformed")
def a_bettor_sits_unasked_after_the_opening() -> Shown:
    table = good(rounds=0, seats=(*SEATS[:2],)).play(BETS[:2], 1)
    table.seats = SEATS
    entry = table.say(ev.BettorSeated("cyd", 3, 1_000_000, command=None))
    return table.play(rounds=1).asked(), [("malformed", entry)]


@shows("malformed")
def a_bettor_has_seat_0() -> Shown:
    table = good(seats=(("ann", 0, 1_000_000),), rounds=0)
    return table.play(BETS[:1], 1).asked(), [("malformed", first(table, ev.BettorSeated))]


@shows("malformed")
def a_bettor_has_less_than_nothing() -> Shown:
    table = good(seats=(("ann", 1, -1),), rounds=0)
    return table.play((), 1).asked(), [("malformed", first(table, ev.BettorSeated))]


@shows("malformed")
def a_window_of_no_time() -> Shown:
    table = good(window=0)
    return table.asked(), [("malformed", first(table, ev.ShoeOpened))]


@shows("malformed")
def one_bettor_is_awaited_twice() -> Shown:
    table = good()
    opened = first(table, ev.ShoeOpened)
    opened.set(seats=("ann", "bob", "cyd", "ann"))
    return table.asked(), [("malformed", opened)]


@shows("malformed")
def nobody_who_could_be_named_cuts() -> Shown:
    table = good()
    cut = first(table, ev.ShoeCut)
    cut.set(by="")
    return table.asked(), [("malformed", cut)] * 2


@shows("cut-by-house")
def somebody_cuts_who_does_not_sit() -> Shown:
    table = Table()
    table.seat_all()
    cut = table.cut(by="eve")
    table.burn()
    return table.play(rounds=1).asked(), [("cut-by-house", cut)]


def limited(**fields: int) -> Shown:
    """Open a table with other limits for a spot that nobody bets on."""
    table = good()
    opened = first(table, ev.ShoeOpened)
    limits = opened.data.limits
    said = {"minimum": 1_000, "maximum": 50_000, "step": 100, **fields}
    spots = {**limits.spots, "player-pair": ev.SpotLimits(**said)}
    opened.set(limits=ev.Limits(spots, limits.differential))
    return table.asked(), [("rules-mismatch", opened)]


@shows("rules-mismatch")
def a_step_of_nothing() -> Shown:
    return limited(step=0)


@shows("rules-mismatch")
def a_minimum_of_nothing() -> Shown:
    return limited(minimum=0)


@shows("rules-mismatch")
def a_minimum_above_the_maximum() -> Shown:
    return limited(minimum=60_000)


@shows("rules-mismatch")
def a_spot_that_the_rules_lack() -> Shown:
    table, wanted = limited()
    opened = first(table, ev.ShoeOpened)
    limits = opened.data.limits
    spots = {**limits.spots, "dragon-7": ev.SpotLimits(100, 1_000, 100)}
    opened.set(limits=ev.Limits(spots, None))
    return table, wanted


@shows("closed-early")
def nobody_really_asked_to_close() -> Shown:
    table = good().close("asked", "please")
    return table, []


# -------------------------------------------------------------------------- rules and the shoe
@shows("rules-unknown")
def nobody_publishes_these_rules() -> Shown:
    table = good(edit=lambda text: text.replace('name = "punto-banco"', 'name = "punto-mio"'))
    opened = first(table, ev.ShoeOpened)
    rules = opened.data.rules
    opened.set(rules=ev.RuleText("punto-mio", rules.sha256, rules.text))
    table.edited = False
    return table.asked(), [("rules-unknown", opened)]


@shows("rules-mismatch")
def the_rules_text_is_another() -> Shown:
    table = good(edit=lambda text: text.replace('odds = "8/1"', 'odds = "9/1"'))
    table.edited = False
    return table.asked(), [("rules-mismatch", first(table, ev.ShoeOpened))]


@shows("rules-mismatch")
def the_rules_hash_is_another() -> Shown:
    table = good()
    opened = first(table, ev.ShoeOpened)
    rules = opened.data.rules
    opened.set(rules=ev.RuleText(rules.name, "0" * 64, rules.text))
    return table.asked(), [("rules-mismatch", opened)]


@shows("rules-mismatch")
def the_cut_card_lies_elsewhere() -> Shown:
    table = good(cut_card=410)
    return table.asked(), [("rules-mismatch", first(table, ev.ShoeOpened))]


@shows("commitment-mismatch")
def the_commitment_is_another() -> Shown:
    table = good(commitment="ab" * 32).asked()
    return table, [("commitment-mismatch", table.entries[-1])]


@shows("commitment-mismatch")
def another_seed_is_revealed() -> Shown:
    table = good().asked()
    table.entries[-1].set(reveal=ev.SeedReveal("ff" * 32))
    return table, [("commitment-mismatch", table.entries[-1])]


@shows("commitment-mismatch")
def another_order_is_revealed() -> Shown:
    table = Table("yaba4", stacked=STACKED).begin().play((), rounds=1).asked()
    table.entries[-1].set(reveal=ev.OrderReveal(table.salt.hex(), STACKED[3:] + " AC"))
    return table, [("commitment-mismatch", table.entries[-1])]


@shows("commitment-mismatch")
def nothing_was_committed_to() -> Shown:
    table = good(commitment=None).asked()
    return table, [
        ("commitment-mismatch", first(table, ev.ShoeOpened)),
        ("commitment-mismatch", table.entries[-1]),
    ]


@shows("not-revealed")
def the_shoe_closes_without_a_reveal() -> Shown:
    table = good().asked()
    table.entries[-1].set(reveal=None)
    return table, [("not-revealed", table.entries[-1])]


@shows("cut-by-house")
def the_dealer_cuts() -> Shown:
    table = Table()
    table.seat_all()
    cut = table.cut(by="dora")
    table.burn()
    return table.play(rounds=1).asked(), [("cut-by-house", cut)]


@shows("cut-empty")
def the_cut_is_empty() -> Shown:
    table = Table(client="")
    table.seat_all()
    cut = table.cut()
    table.burn()
    return table.play(rounds=1).asked(), [("cut-empty", cut)]


@shows("card-before-cut")
def the_burn_comes_before_the_cut() -> Shown:
    table = Table()
    table.seat_all()
    table.burn()
    table.cut()
    table.play(rounds=1)
    return table.asked(), [("card-before-cut", first(table, ev.CardBurned))]


@shows("card-before-bets-closed")
def a_card_comes_before_the_close() -> Shown:
    table = good(rounds=1)
    table.open_round()
    table.pass_rest()
    card = table.draw("player")
    table.close_bets()
    for hand in ("banker", "player", "banker"):
        table.draw(hand)
    if table.player_draws():
        table.draw("player")
    if table.banker_draws():
        table.draw("banker")
    table.dealt()
    table.settle()
    return table.asked(), [("card-before-bets-closed", card)]


@shows("order-composition")
def a_stacked_order_has_a_ninth_copy() -> Shown:
    stacked = " ".join(["KS", "QS"] * 8 + ["9H", "KS", *["2C"] * 4])
    table = Table("yaba4", stacked=stacked).begin().play((), rounds=1).asked()
    return table, [("order-composition", table.entries[-1])]


@shows("order-composition")
def a_ninth_copy_is_dealt_before_the_reveal() -> Shown:
    table = Table("yaba4", stacked=" ".join(["KS"] * 16)).begin().play((), rounds=2)
    ninth = [e for e in table.entries if isinstance(e.data, ev.CardDrawn)][8]
    return table.asked(), [("order-composition", ninth)]


@shows("card-order")
def a_card_is_not_the_shoes() -> Shown:
    table = good(rounds=1)
    table.open_round()
    table.bet("ann", "banker", 10_000)
    table.close_bets()
    wrong = table.draw("player", "9S" if table.order[table.position] != "9S" else "9H")
    for hand in ("banker", "player", "banker"):
        table.draw(hand)
    if table.player_draws():
        table.draw("player")
    if table.banker_draws():
        table.draw("banker")
    table.dealt()
    table.settle()
    return table.play(rounds=2).asked(), [("card-order", wrong)]


@shows("card-order")
def a_position_is_skipped() -> Shown:
    table = good(rounds=1)
    table.open_round()
    table.pass_rest()
    table.close_bets()
    table.position += 1
    table.deal()
    skipped = table.entries[table.entries.index(last(table, ev.BetsClosed)) + 1]
    table.settle()
    return table.play(rounds=2).asked(), [("card-order", skipped)]


@shows("card-order")
def a_position_is_used_twice() -> Shown:
    table = good(rounds=1)
    table.open_round()
    table.pass_rest()
    table.close_bets()
    table.position -= 1
    table.deal()
    again = table.entries[table.entries.index(last(table, ev.BetsClosed)) + 1]
    table.settle()
    return table.play(rounds=2).asked(), [("card-order", again)]


@shows("card-order")
def a_card_is_taken_out_without_a_word() -> Shown:
    table = good(rounds=1)
    del table.order[table.position]
    opened = len(table.entries)
    table.play(rounds=5)
    moved = next(e for e in table.entries[opened:] if isinstance(e.data, ev.CardDrawn))
    return table.asked(), [("card-order", moved)]


@shows("card-order")
def another_cut_is_written_into_the_log() -> Shown:
    table = good(rounds=8)
    first(table, ev.ShoeCut).set(client_seed="c11f")
    return table.asked(), [("card-order", first(table, ev.CardBurned))]


@shows("burn-wrong")
def too_few_are_burned() -> Shown:
    table = Table()
    table.begin()
    table.entries.pop()
    table.position -= 1
    opened = len(table.entries)
    return table.play(rounds=1).asked(), [("burn-wrong", table.entries[opened])]


@shows("burn-wrong")
def too_many_are_burned() -> Shown:
    table = Table().begin()
    entry = table.say(ev.CardBurned(table.take()[0], None, command=None))
    return table.play(rounds=1).asked(), [("burn-wrong", entry)]


@shows("burn-wrong")
def nothing_is_burned() -> Shown:
    table = Table()
    table.seat_all()
    table.cut()
    opened = len(table.entries)
    return table.play(rounds=1).asked(), [("burn-wrong", table.entries[opened])]


@shows("burn-wrong")
def the_first_is_burned_face_down() -> Shown:
    table = good(rounds=1)
    burned = first(table, ev.CardBurned)
    burned.set(card=None)
    return table.asked(), [("burn-wrong", burned)]


@shows("burn-wrong")
def a_shoe_without_a_burn_is_burned() -> Shown:
    table = Table("yaba4", stacked=STACKED).begin()
    entry = table.say(ev.CardBurned(table.take()[0], None, command=None))
    return table.play((), rounds=1).asked(), [("burn-wrong", entry)]


@shows("deal-order")
def dealt_player_player_banker_banker() -> Shown:
    table = good(rounds=1)
    table.open_round()
    table.pass_rest()
    table.close_bets()
    table.draw("player")
    wrong = table.draw("player")
    table.draw("banker")
    table.draw("banker")
    if table.player_draws():
        table.draw("player")
    if table.banker_draws():
        table.draw("banker")
    table.dealt()
    table.settle()
    return table.play(rounds=1).asked(), [("deal-order", wrong)]


@shows("draw-missing")
def the_players_draw_is_missed() -> Shown:
    table = good(rounds=1)
    until(table, lambda t: t.player_draws() and not t.banker_draws())
    wrong = table.dealt()
    table.settle()
    return table.play(rounds=1).asked(), [("draw-missing", wrong)]


@shows("draw-missing")
def the_players_draw_is_missed_and_the_banker_draws() -> Shown:
    table = good(rounds=1)
    until(table, lambda t: t.player_draws() and t.value(t.banker) < 6)
    wrong = table.draw("banker")
    table.dealt()
    table.settle()
    return table.play(rounds=1).asked(), [("draw-missing", wrong)]


@shows("draw-missing")
def the_bankers_draw_is_missed() -> Shown:
    table = good(rounds=1)
    until(table, lambda t: not t.player_draws() and t.banker_draws())
    wrong = table.dealt()
    table.settle()
    return table.play(rounds=1).asked(), [("draw-missing", wrong)]


@shows("draw-extra")
def the_player_draws_too_much() -> Shown:
    table = good(rounds=1)
    until(table, lambda t: not t.player_draws() and not t.banker_draws() and not t.natural())
    wrong = table.draw("player")
    table.dealt()
    table.settle()
    return table.play(rounds=1).asked(), [("draw-extra", wrong)]


@shows("draw-extra")
def the_banker_draws_against_a_natural() -> Shown:
    table = good(rounds=1)
    until(table, lambda t: t.natural() and t.value(t.banker) < 6)
    wrong = table.draw("banker")
    table.dealt()
    table.settle()
    return table.play(rounds=1).asked(), [("draw-extra", wrong)]


@shows("dealt-past-cut")
def one_more_round_after_the_last() -> Shown:
    table = Table().begin().play()
    table.open_round()
    wrong = table.entries[-1]
    table.pass_rest()
    table.close_bets()
    table.deal()
    table.settle()
    return table.close(), [("dealt-past-cut", wrong)]


@shows("dealt-past-cut")
def an_eighth_round() -> Shown:
    table = Table("yaba4", stacked=" ".join([STACKED] * 2)).begin().play(())
    wrong = table.open_round()
    table.pass_rest()
    table.close_bets()
    table.deal()
    table.settle()
    return table.close(), [("dealt-past-cut", wrong)]


@shows("shoe-exhausted")
def the_shoe_goes_on_after_its_last_card() -> Shown:
    table = Table("yaba4", stacked="2C 2D 3C 3D").begin()
    table.open_round()
    table.pass_rest()
    table.close_bets()
    table.deal()
    wrong = last(table, ev.CardDrawn)
    table.settle()
    return table.close(), [("shoe-exhausted", wrong)]


@shows("closed-early")
def the_shoe_is_closed_for_no_reason() -> Shown:
    table = good().close()
    return table, [("closed-early", table.entries[-1])]


@shows("closed-early")
def somebody_asked_to_close() -> Shown:
    return good().asked(), []


# ------------------------------------------------------------------------------------- the bets
def bad_bet(table: Table, *bet: Any, **fields: Any) -> Entry:
    """Take one more bet in the round in play, and play it as if it were good."""
    entry = table.bet(*bet, **fields)
    table.close_bets()
    table.deal()
    table.settle()
    return entry


@shows("bet-late")
def a_bet_is_taken_after_the_close() -> Shown:
    table = good(rounds=1)
    table.open_round()
    table.close_bets()
    bet = table.bet("ann", "banker", 10_000)
    table.deal()
    table.settle()
    return table.asked(), [("bet-late", bet)]


@shows("bet-limit")
def a_bet_is_below_the_minimum() -> Shown:
    table = good(rounds=1)
    table.open_round()
    return table, [("bet-limit", bad_bet(table, "ann", "banker", 900))]


@shows("bet-limit")
def a_bet_is_above_the_maximum() -> Shown:
    table = good(rounds=1)
    table.open_round()
    return table, [("bet-limit", bad_bet(table, "ann", "tie", 50_100))]


@shows("bet-step")
def a_bet_is_no_multiple_of_the_step() -> Shown:
    table = good(rounds=1)
    table.open_round()
    return table, [("bet-step", bad_bet(table, "ann", "banker", 1_050))]


@shows("bet-step")
def a_bets_chips_make_another_sum() -> Shown:
    table = good(rounds=1)
    table.open_round()
    return table, [("bet-step", bad_bet(table, "ann", "banker", 1_000, chips=(100,)))]


@shows("bet-spot")
def a_bet_is_on_no_spot() -> Shown:
    table = good(rounds=1)
    table.open_round()
    return table, [("bet-spot", bad_bet(table, "ann", "dragon-7", 1_000))]


@shows("bet-repeat")
def a_second_bet_on_the_spot() -> Shown:
    table = good(rounds=1)
    table.open_round()
    table.bet("ann", "banker", 1_000)
    return table, [("bet-repeat", bad_bet(table, "ann", "banker", 1_000, 2))]


@shows("bet-repeat")
def the_same_bet_again() -> Shown:
    table = good(rounds=1)
    table.open_round()
    table.bet("ann", "banker", 1_000)
    return table, [("bet-repeat", bad_bet(table, "ann", "banker", 1_000))]


@shows("bet-combination")
def two_of_an_exclusive_list() -> Shown:
    table = Table("yaba4", stacked=STACKED).begin()
    table.open_round()
    table.bet("ann", "banker", 100_000)
    return table, [("bet-combination", bad_bet(table, "ann", "tie", 100_000))]


@shows("bet-differential")
def the_sides_lie_too_far_apart() -> Shown:
    table = good(rounds=1, limits=None, edit=lambda text: "differential = 20000\n" + text)
    table.open_round()
    table.bet("ann", "banker", 20_000)
    return table, [("bet-differential", bad_bet(table, "bob", "banker", 1_000))]


@shows("bet-bankroll")
def a_bet_is_more_than_he_has() -> Shown:
    table = good(rounds=0, seats=(("ann", 1, 15_000),))
    table.open_round()
    table.bet("ann", "banker", 10_000)
    return table, [("bet-bankroll", bad_bet(table, "ann", "player", 5_100))]


@shows("bet-bankroll")
def a_bettor_does_not_sit() -> Shown:
    table = good(rounds=1)
    table.open_round()
    return table, [("bet-bankroll", bad_bet(table, "eve", "player", 5_000))]


# --------------------------------------------------------------------------------- the outcomes
@shows("outcome-missing")
def a_round_has_no_outcome() -> Shown:
    table = good(rounds=2)
    table.entries.pop()
    after = len(table.entries)
    table.play(rounds=1)
    return table.asked(), [("outcome-missing", table.entries[after])]


@shows("outcome-missing")
def the_last_round_has_no_outcome() -> Shown:
    table = good(rounds=2)
    table.entries.pop()
    table.asked()
    return table, [("outcome-missing", table.entries[-1])]


@shows("outcome-extra")
def an_outcome_is_said_twice() -> Shown:
    table = good(rounds=2)
    again = copy.copy(table.entries[-1])
    table.entries.append(again)
    return table.play(rounds=1).asked(), [("outcome-extra", again)]


@shows("outcome-extra")
def an_outcome_of_a_round_that_never_was() -> Shown:
    table = good(rounds=2)
    extra = copy.copy(table.entries[-1])
    extra.set(round=9)
    table.entries.append(extra)
    return table.play(rounds=1).asked(), [("outcome-extra", extra)]


@shows("outcome-range")
def an_outcome_begins_elsewhere() -> Shown:
    table = good(rounds=2)
    table.lines()
    outcome = table.entries[-1]
    outcome.set(first=outcome.data.through)
    return table.asked(), [("outcome-range", outcome)]


@shows("outcome-range")
def an_outcome_comes_before_the_round_is_dealt() -> Shown:
    table = good(rounds=2)
    table.entries[-2:] = table.entries[:-3:-1]
    return table.asked(), [("outcome-range", table.entries[-3])]


@shows("outcome-range")
def an_outcome_is_later_than_what_it_folds() -> Shown:
    table = good()
    entry = last(table, oc.RoundResolved)
    entry.time = spell(START + 3600 * SECOND)
    return table.asked(), [("outcome-range", entry)]


@shows("outcome-cards")
def an_outcome_has_another_card() -> Shown:
    table = good()
    outcome = last(table, oc.RoundResolved)
    hand = outcome.data.player
    suit = "H" if hand.cards[0][1] != "H" else "D"
    changed = (hand.cards[0][0] + suit, *hand.cards[1:])
    outcome.set(player=oc.HandResult(changed, hand.total))
    return table.asked(), [("outcome-cards", outcome)]


@shows("outcome-total")
def an_outcome_has_another_total() -> Shown:
    table = good()
    outcome = last(table, oc.RoundResolved)
    hand = outcome.data.player
    outcome.set(player=oc.HandResult(hand.cards, (hand.total + 1) % 10))
    return table.asked(), [("outcome-total", outcome)]


@shows("outcome-winner")
def an_outcome_has_another_winner() -> Shown:
    table = good()
    outcome = last(table, oc.RoundResolved)
    outcome.set(winner="player" if outcome.data.winner != "player" else "banker")
    return table.asked(), [("outcome-winner", outcome)]


@shows("outcome-natural")
def an_outcome_is_no_natural() -> Shown:
    table = good()
    outcome = last(table, oc.RoundResolved)
    outcome.set(natural=not outcome.data.natural)
    return table.asked(), [("outcome-natural", outcome)]


def money(table: Table, index: int, **fields: Any) -> Entry:
    """Change a settlement of the last outcome, and the house's net with it."""
    outcome = last(table, oc.RoundResolved)
    outcome.settlement(index, **fields)
    outcome.set(house=house_of(outcome.data.settlements))
    return outcome


def banker_wins() -> Table:
    table = good(rounds=0)
    while table.round(*BETS).data.winner != "banker":
        pass
    return table


@shows("settlement-missing")
def a_bet_is_not_settled() -> Shown:
    table = good()
    outcome = last(table, oc.RoundResolved)
    left = outcome.data.settlements[1:]
    outcome.set(settlements=left, house=house_of(left))
    return table.asked(), [("settlement-missing", outcome)]


@shows("settlement-extra")
def a_bet_is_settled_twice() -> Shown:
    table = banker_wins()
    outcome = last(table, oc.RoundResolved)
    more = (*outcome.data.settlements, outcome.data.settlements[0])
    outcome.set(settlements=more, house=house_of(more))
    return table.asked(), [("settlement-extra", outcome)]


@shows("settlement-bet")
def another_bettor_is_paid() -> Shown:
    table = banker_wins()
    return table, [("settlement-bet", money(table, 0, bettor="cyd"))]


@shows("settlement-bet")
def another_stake_is_settled() -> Shown:
    table = banker_wins()
    wrong = money(table, 0, stake=20_000, won=20_000, commission=1_000, returned=20_000)
    return table, [("settlement-bet", wrong)]


@shows("payout")
def a_win_is_underpaid() -> Shown:
    table = banker_wins()
    return table, [("payout", money(table, 0, won=9_000))]


@shows("payout")
def a_win_is_called_lost() -> Shown:
    table = banker_wins()
    wrong = money(table, 0, result="lose", odds=None, won=0, commission=0, returned=0)
    return table, [("payout", wrong)]


@shows("payout")
def the_odds_are_others_and_the_commission_follows() -> Shown:
    table = banker_wins()
    return table, [("payout", money(table, 0, odds="2/1", won=20_000, commission=1_000))]


@shows("commission")
def another_commission() -> Shown:
    table = banker_wins()
    return table, [("commission", money(table, 0, commission=400))]


@shows("money-not-conserved")
def the_house_wins_more_than_the_bettors_lose() -> Shown:
    table = good()
    outcome = last(table, oc.RoundResolved)
    outcome.set(house=outcome.data.house + 1)
    return table.asked(), [("money-not-conserved", outcome)]


def marked(text: str) -> str:
    return text.replace('collected = "each-hand"', 'collected = "shoe-end"')


def collected(table: Table) -> dict[str, int]:
    owed: dict[str, int] = {}
    for entry in table.entries:
        if isinstance(entry.data, oc.RoundResolved):
            for one in entry.data.settlements:
                owed[one.bettor] = owed.get(one.bettor, 0) + one.commission
    return {bettor: amount for bettor, amount in owed.items() if amount}


@shows("commission-uncollected")
def marked_commission_is_forgotten() -> Shown:
    table = good(edit=marked, rounds=9).asked()
    return table, [("commission-uncollected", table.entries[-1])]


@shows("commission-uncollected")
def too_little_commission_is_collected() -> Shown:
    table = good(edit=marked, rounds=9)
    (amount,) = collected(table).values()
    entry = table.say(ev.CommissionCollected("ann", amount - 100, command=None))
    return table.asked(), [("commission-uncollected", entry)]


def adjusted(table: Table, **fields: Any) -> Entry:
    told = {"at": "T7/12#2", "bettor": "ann", "amount": 500, "reason": "a card misread", **fields}
    name = "12/money.adjust/sue/1"
    return table.say(
        ev.MoneyAdjusted(**{"bet": None, "by": "sue", "dispute": None, "command": name, **told})
    )


@shows("adjustment-unexplained")
def money_moves_without_a_reason() -> Shown:
    table = good()
    entry = adjusted(table, reason=" ")
    return table.asked(), [("adjustment-unexplained", entry)]


@shows("out-of-place")
def money_moves_twice_for_one_command() -> Shown:
    table = good()
    adjusted(table)
    entry = adjusted(table)
    return table.asked(), [("out-of-place", entry)]


@shows("out-of-place")
def a_command_is_refused_twice() -> Shown:
    table = good()
    said = ev.CommandRefused("dealt", command="12/round.void/sue/1")
    _, entry = table.say(said), table.say(said)
    return table.asked(), [("out-of-place", entry)]


@shows("out-of-place")
def a_pass_is_said_twice() -> Shown:
    table = with_pass()
    place = table.entries.index(last(table, ev.BetPassed))
    entry = Entry(table.entries[place].data)
    table.entries.insert(place + 1, entry)
    return table.asked(), [("out-of-place", entry)]


@shows("out-of-place")
def a_pass_answers_the_command_of_another_round() -> Shown:
    table = with_pass()
    old = last(table, ev.BetPassed).data
    table.play(rounds=1)
    table.round(*BETS[:2])
    entry = last(table, ev.BetPassed)
    entry.set(command=old.command)
    return table.asked(), [("out-of-place", entry)]


@shows("adjustment-unexplained")
def money_moves_for_a_round_not_settled_yet() -> Shown:
    table = good()
    table.open_round()
    entry = adjusted(table, at=f"T7/12#{table.number}")
    table.close_bets()
    table.deal()
    table.settle()
    return table.asked(), [("adjustment-unexplained", entry)]


@shows("adjustment-unexplained")
def money_moves_for_no_round() -> Shown:
    table = good()
    entry = adjusted(table, at="T7/0#0")
    return table.asked(), [("adjustment-unexplained", entry)]


@shows("adjustment-unexplained")
def money_moves_for_round_0_of_another_shoe() -> Shown:
    table = good()
    entry = adjusted(table, at="T7/3#0")
    return table.asked(), [("adjustment-unexplained", entry)]


@shows("adjustment-unexplained")
def money_moves_to_somebody_who_never_sat() -> Shown:
    table = good()
    entry = adjusted(table, bettor="eve")
    return table.asked(), [("adjustment-unexplained", entry)]


@shows("adjustment-unexplained")
def more_money_is_taken_than_he_has() -> Shown:
    table = good()
    entry = adjusted(table, amount=-20_000_000)
    return table.play(rounds=2).asked(), [("adjustment-unexplained", entry)]


@shows("voided")
def a_round_is_voided_before_any_card() -> Shown:
    table = good()
    table.open_round()
    table.bet(*BETS[0])
    table.close_bets()
    entry = table.void()
    table.settle(void=True)
    return table.play(rounds=1).asked(), [("voided", entry)]


@shows("void-after-card")
def a_round_is_voided_after_its_cards() -> Shown:
    table = good()
    until(table, lambda t: not t.player_draws() and not t.banker_draws())
    entry = table.void()
    table.settle(void=True)
    return table.play(rounds=1).asked(), [("void-after-card", entry)]


@shows("void-after-card")
def a_stacked_shoe_is_said_to_be_empty() -> Shown:
    table = Table("yaba4", stacked=STACKED).begin()
    table.open_round()
    table.close_bets()
    table.draw("player")
    entry = table.void("shoe-exhausted", "rules")
    table.settle(void=True)
    # until the reveal shows the order it looks like what the rules allow
    return table.close(), [("voided", entry), ("void-after-card", entry)]


@shows("void-unexplained")
def a_round_is_voided_for_no_reason() -> Shown:
    table = good()
    table.open_round()
    entry = table.void(" ")
    table.settle(void=True)
    return table.play(rounds=1).asked(), [("void-unexplained", entry)]


@shows("void-unexplained")
def no_bet_was_invalid() -> Shown:
    table = good()
    table.open_round()
    entry = table.void("invalid-bet", "rules")
    table.settle(void=True)
    return table.play(rounds=1).asked(), [("void-unexplained", entry)]


def said_to_be_void(table: Table, reason: str, by: str = "rules") -> Entry:
    """Void the next round before any card, though nothing is wrong with its bets."""
    table.open_round()
    for bet in BETS:
        table.bet(*bet)
    table.close_bets()
    entry = table.void(reason, by)
    table.settle(void=True)
    return entry


@shows("void-unexplained")
def a_full_shoe_is_said_to_be_empty() -> Shown:
    table = good()
    entry = said_to_be_void(table, "shoe-exhausted")
    return table.close(), [("void-unexplained", entry)]


@shows("void-unexplained")
def a_stacked_shoe_is_said_to_be_empty_before_a_card() -> Shown:
    table = Table("yaba4", stacked=STACKED).begin()
    table.open_round()
    table.pass_rest()
    table.close_bets()
    entry = table.void("shoe-exhausted", "rules")
    table.settle(void=True)
    return table.close(), [("voided", entry), ("void-unexplained", entry)]


@shows("void-unexplained")
def the_rules_know_no_such_reason() -> Shown:
    table = good()
    entry = said_to_be_void(table, "spilt drink")
    return table.play(rounds=1).asked(), [("void-unexplained", entry)]


@shows("voided")
def a_person_words_a_reason_like_the_rules() -> Shown:
    """He may: it ends no shoe, and says nothing of the bets."""
    table = good()
    entries = [
        said_to_be_void(table, reason, "sue") for reason in ("shoe-exhausted", "invalid-bet")
    ]
    return table.play(rounds=1).asked(), [("voided", entry) for entry in entries]


@shows("closed-early")
def a_person_says_that_the_shoe_is_empty() -> Shown:
    table = good()
    entry = said_to_be_void(table, "shoe-exhausted", "sue")
    table.close()
    return table, [("voided", entry), ("closed-early", table.entries[-1])]


@shows("void-after-cut")
def a_bad_shoe_is_dropped() -> Shown:
    table = good()
    table.close("voided", "12/shoe.close/desk/1")
    return table, [("void-after-cut", table.entries[-1])]


def misdeal(rules: str, wanted: Callable[[Table], bool], policy: str = "") -> tuple[Table, Entry]:
    """Play until the first four are as wanted, and draw one card in error."""

    def edit(text: str) -> str:
        return text.replace('misdraw = "banker-or-next-hand"', f'misdraw = "{policy}"')

    table = good(rules, rounds=1, edit=edit) if policy else good(rules, rounds=1)
    until(table, wanted)
    return table, table.draw("error")


def again(table: Table, hand: str, error: Entry) -> Entry:
    """Give the card drawn in error to a hand."""
    return table.draw_again(hand, error.data.position)


def beginning_with(table: Table, error: Entry) -> None:
    """Deal a round whose first card is the one drawn in error."""
    again(table, "player", error)
    table.deal(dealt=1)
    table.settle()


def put_aside(table: Table, error: Entry, reason: str = "misdraw") -> Entry:
    return table.discard(error.data.position, reason)


def stands(table: Table) -> bool:
    return not table.player_draws() and not table.banker_draws()


def only_banker(table: Table) -> bool:
    return not table.player_draws() and table.banker_draws()


@shows("policy-applied")
def a_card_in_error_goes_to_the_banker() -> Shown:
    table, error = misdeal("punto-banco", only_banker)
    again(table, "banker", error)
    table.dealt()
    table.settle()
    return table.play(rounds=1).asked(), [("policy-applied", error)]


@shows("policy-applied")
def a_card_in_error_begins_the_next_round() -> Shown:
    table, error = misdeal("punto-banco", stands)
    table.dealt()
    table.settle()
    table.open_round()
    table.close_bets()
    beginning_with(table, error)
    return table.play(rounds=1).asked(), [("policy-applied", error)]


@shows("policy-applied")
def a_round_is_annulled_and_its_card_burned() -> Shown:
    table, error = misdeal("punto-banco", stands, "annul-and-burn")
    put_aside(table, error)
    void = table.void("misdraw", "rules")
    table.settle(void=True)
    return table.play(rounds=1).asked(), [("policy-applied", error), ("voided", void)]


@shows("policy-applied")
def a_card_in_error_begins_a_dummy_hand() -> Shown:
    table, error = misdeal("punto-banco", only_banker, "dummy-hand")
    table.draw("banker")
    table.dealt()
    table.settle()
    table.open_round()
    table.close_bets("no-bets")
    beginning_with(table, error)
    return table.play(rounds=1).asked(), [("policy-applied", error)]


@shows("draw-extra")
def a_card_is_found_face_up() -> Shown:
    table = good()
    position, card = table.take()
    entry = table.say(ev.CardDiscarded(position, card, "face up", command=None))
    return table.play(rounds=1).asked(), [("draw-extra", entry)]


@shows("draw-extra")
def a_card_in_error_is_put_aside_twice() -> Shown:
    table, error = misdeal("punto-banco", stands, "annul-and-burn")
    put_aside(table, error)
    again_aside = put_aside(table, error)
    void = table.void("misdraw", "rules")
    table.settle(void=True)
    return table.play(rounds=1).asked(), [
        ("policy-applied", error), ("draw-extra", again_aside), ("voided", void)
    ]  # fmt: skip


@shows("draw-extra")
def a_card_in_error_and_the_banker_draws_another() -> Shown:
    table, error = misdeal("punto-banco", only_banker)
    table.draw("banker")
    table.dealt()
    table.settle()
    return table.play(rounds=1).asked(), [("draw-extra", error)]


@shows("draw-extra")
def a_card_in_error_and_the_next_round_begins_with_another() -> Shown:
    table, error = misdeal("punto-banco", stands)
    table.dealt()
    table.settle()
    return table.play(rounds=1).asked(), [("draw-extra", error)]


@shows("draw-extra")
def a_card_in_error_and_the_round_is_not_annulled() -> Shown:
    table, error = misdeal("punto-banco", stands, "annul-and-burn")
    put_aside(table, error)
    table.dealt()
    table.settle()
    return table.play(rounds=1).asked(), [("draw-extra", error)]


@shows("draw-extra")
def two_cards_in_error() -> Shown:
    table, error = misdeal("punto-banco", stands, "annul-and-burn")
    second = table.draw("error")
    put_aside(table, error)
    void = table.void("misdraw", "rules")
    table.settle(void=True)
    wanted: list[Expected] = [("policy-applied", error), ("draw-extra", second), ("voided", void)]
    return table.play(rounds=1).asked(), wanted


@shows("draw-extra")
def a_card_in_error_does_not_hide_what_is_drawn_after_it() -> Shown:
    table, error = misdeal("punto-banco", lambda t: t.natural() and t.value(t.banker) < 6)
    wrong = table.draw("banker")
    table.dealt()
    table.settle()
    table.open_round()
    table.close_bets()
    beginning_with(table, error)
    return table.asked(), [("policy-applied", error), ("draw-extra", wrong)]


@shows("draw-missing")
def a_card_in_error_does_not_hide_what_is_not_drawn() -> Shown:
    table, _ = misdeal("punto-banco", only_banker)
    wrong = table.dealt()
    table.settle()
    return table.play(rounds=1).asked(), [("draw-missing", wrong)]


@shows("void-after-card")
def a_round_with_a_card_in_error_is_voided_against_the_policy() -> Shown:
    table, _ = misdeal("punto-banco", only_banker)
    void = table.void("misdraw", "rules")
    table.settle(void=True)
    return table.play(rounds=1).asked(), [("void-after-card", void)]


@shows("halted")
def the_resolver_halts() -> Shown:
    table = good()
    table.open_round()
    bet = table.bet(*BETS[0])
    table.close_bets()
    card = table.draw("player")
    back = table.pay(bet.data, void=True)
    entry = table.say(
        oc.RoundHalted(table.number, table.at(card), "card-order", (back,), house_of([back]))
    )
    for hand in ("banker", "player", "banker"):
        table.draw(hand)
    if table.player_draws():
        table.draw("player")
    if table.banker_draws():
        table.draw("banker")
    table.dealt()
    return table.close("halted"), [("halted", entry)]


@shows("rules-changed")
def the_rules_are_not_last_shoes() -> Shown:
    table = good(previous_root="aa" * 32)
    table.previous = Previous(11, "bb" * 32, table.entries[0].data.limits, "aa" * 32)
    return table.asked(), [("rules-changed", table.entries[0])]


@shows("limits-changed")
def the_limits_are_not_last_shoes() -> Shown:
    table = good(previous_root="aa" * 32)
    opened = table.entries[0].data
    table.previous = Previous(11, opened.rules.sha256, ev.Limits({}, None), "aa" * 32)
    return table.asked(), [("limits-changed", table.entries[0])]


@shows("chain-broken")
def the_root_is_not_last_shoes() -> Shown:
    table = good(previous_root="aa" * 32)
    opened = table.entries[0].data
    table.previous = Previous(11, opened.rules.sha256, opened.limits, "ab" * 32)
    return table.asked(), [("chain-broken", table.entries[0])]


@shows("chain-broken")
def the_first_shoe_has_a_forerunner() -> Shown:
    table = good(shoe=1, previous_root="aa" * 32)
    return table.asked(), [("chain-broken", table.entries[0])]


STACKED = " ".join(["KS QS 9H 2C 7D 3S AH 5C"] * 4)

#: What only a witness can see is shown in test_witness.
LIVE = {"clock-skew", "bet-backdated", "command-unanswered", "refusal-wrong"}
#: What lies beside the logs is shown in test_disputed and test_record.
BESIDE = {
    "dispute-dropped", "unsealed", "root-mismatch", "signature", "truncated", "appended",
    "shoe-missing", "seed-reused", "commitment-reused", "equivocation", "receipt-missing",
}  # fmt: skip


@pytest.mark.parametrize(
    ("code", "case"),
    [
        pytest.param(code, case, id=f"{code}: {case.__name__}")
        for code, cases in CASES.items()
        for case in cases
    ],
)
def test_code(code: str, case: Case) -> None:
    table, wanted = case()
    if not any(isinstance(entry.data, ev.ShoeClosed) for entry in table.entries):
        table.asked()
    assert wanted or code == "closed-early"
    assert sorted(audited(table, table.previous)) == expected(table, wanted)


def test_a_shoe_closed_early_is_a_notice_only_where_a_command_asked() -> None:
    grades = []
    for command in ("12/shoe.close/desk/1", "11/shoe.close/desk/1", "12/bet.pass/ann/1", "x", None):
        (found,) = audit_lines(good().close("asked", command).lines()).findings
        grades.append(found.grade)
    assert grades == ["notice", *["fault"] * 4]


def test_a_shoe_that_ended_names_a_close_or_none() -> None:
    table = Table().begin().play().close("asked", "12/bet.pass/ann/1")
    assert audited(table) == [("malformed", table.at(table.entries[-1]))]


def test_every_code_is_shown() -> None:
    assert set(CASES) | LIVE | BESIDE == set(CODES)


def test_findings_come_with_the_line_that_shows_them() -> None:
    table, [(code, entry)] = a_win_is_underpaid()
    table.asked()
    audit = ShoeAudit()
    for line, said in zip(table.lines(), table.entries, strict=True):
        found = audit.line(line)
        if said is entry:
            (finding,) = found
            assert (finding.code, finding.amount, finding.round) == (code, 1_000, table.number)
            verdict = audit.round_verdict()
            assert verdict is not None
            assert (verdict.verdict, verdict.findings) == ("fail", found)
        elif said.is_outcome:
            assert not found
            verdict = audit.round_verdict()
            assert verdict is not None
            assert (verdict.verdict, verdict.round) == ("open", said.data.round)
        else:
            assert audit.round_verdict() is None
    assert audit.state == "closed"
    assert audit.close().verdict == "fail"
