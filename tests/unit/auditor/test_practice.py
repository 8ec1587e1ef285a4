"""The faults seen in the field, one by one: what the auditor says of a table that has them."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import pytest

from schemas import events as ev
from schemas import outcomes as oc
from schemas.ruleset import Rounding
from schemas.verdicts import Finding
from services.auditor.fold import ShoeAudit
from services.auditor.money import rounded
from services.auditor.offline import audit_lines
from tests.unit.auditor.table import BETS, Table, good, house_of

BANKER = ("ann", "banker", 100_000)


def faults(table: Table) -> list[Finding]:
    found = audit_lines(table.lines()).findings
    return [finding for finding in found if finding.grade == "fault"]


def dealt(order: str, draws: Sequence[str]) -> list[str]:
    """Deal one hand of a stacked shoe, with exactly these further draws; the faults' codes."""
    table = Table("yaba4", stacked=order).begin()
    table.open_round()
    table.bet(*BANKER)
    table.close_bets()
    table.first_four()
    for hand in draws:
        table.draw(hand)
    table.dealt()
    table.settle()
    return [finding.code for finding in faults(table.asked())]


@pytest.mark.parametrize(
    ("order", "right", "wrong", "code"),
    [
        # 1: P 2+3 draws an ace, B 6: by the third card he stands; by the total 6 he would draw
        ("2S 6S 3S KS AS 7S", ["player"], ["player", "banker"], "draw-extra"),
        # 2: a third card worth zero is a card
        ("2S 3D 3S KS KD 7S", ["player", "banker"], ["player"], "draw-missing"),
        ("2S 4D 3S KS KD 7S", ["player"], ["player", "banker"], "draw-extra"),
        # 3: the new total is not tested again; P stands on 6, B 4 draws
        ("6S KS KD QS 3S 2S", ["banker"], ["banker", "banker"], "draw-extra"),
        ("6S 4S KD QS 3S 2S", ["banker"], [], "draw-missing"),
        # 5: no draws against a natural
        ("9S 2S KD QS 3S 2D", [], ["banker"], "draw-extra"),
        ("2S 9S KD QS 3S 2D", [], ["player"], "draw-extra"),
    ],
)
def test_1_2_3_5_draws(order: str, right: list[str], wrong: list[str], code: str) -> None:
    assert dealt(order, right) == []
    assert dealt(order, wrong) == [code]


def test_4_a_third_card_left_over_from_the_round_before() -> None:
    """The player draws a 6 first; then he stands, and the banker's 6 must stand too."""
    order = "2S 3S KD QS 6D 4D 7S 6S KC QC 2C 2D"

    def play(*, left_over: bool) -> list[str]:
        table = Table("yaba4", stacked=order).begin()
        table.round(BANKER)
        table.open_round()
        table.close_bets()
        table.first_four()
        if left_over:
            table.draw("banker")
        table.dealt()
        table.settle()
        return [finding.code for finding in faults(table.asked())]

    assert play(left_over=False) == []
    assert play(left_over=True) == ["draw-extra"]


def test_5_a_total_that_is_not_reduced() -> None:
    table = Table("yaba4", stacked="2S 7S 3S KS 8S 2D").begin()
    outcome = table.round(BANKER)
    assert outcome.data.player.total == 3
    assert faults(copy.deepcopy(table).asked()) == []
    outcome.set(player=oc.HandResult(outcome.data.player.cards, 13))
    (finding,) = faults(table.asked())
    assert (finding.code, finding.expected, finding.actual) == (
        "outcome-total",
        "player 3",
        "player 13",
    )


def test_6_a_face_card_that_burns_none() -> None:
    """The first card out is a king: ten more are burned."""
    shoes = (Table(seed=bytes([number]) * 32) for number in range(256))
    table = next(shoe for shoe in shoes if shoe.order[0][0] in "TJQK")
    table.seat_all()
    table.cut()
    table.say(ev.CardBurned(table.take()[0], table.order[0], command=None))
    table.play(rounds=1)
    (finding,) = faults(table.asked())
    assert (finding.code, finding.expected, finding.actual) == (
        "burn-wrong",
        "11 cards",
        "1 cards",
    )


def test_7_a_shoe_rebuilt_in_mid_hand() -> None:
    table = Table("yaba4", stacked="2S 3S KD QS 6D 4D 2C 2D 2H").begin()
    table.round(BANKER)
    table.open_round()
    table.close_bets()
    for hand in ("player", "banker", "player"):
        table.draw(hand)
    table.position = 0
    table.draw("banker")
    table.dealt()
    table.settle()
    codes = {finding.code for finding in faults(table.close())}
    assert codes >= {"dealt-past-cut", "card-order"}


def test_7_auditing_does_not_change_what_is_audited() -> None:
    lines = good(rounds=5).asked().lines()
    assert [audit_lines(lines) for _ in range(3)] == [audit_lines(lines)] * 3


def test_8_a_settled_state_delivered_twice() -> None:
    table = good(rounds=2)
    table.entries.append(copy.copy(table.entries[-1]))
    assert [finding.code for finding in faults(table.asked())] == ["outcome-extra"]


def test_8_a_dropped_event_hides_a_settlement() -> None:
    table = good(rounds=1)
    table.open_round()
    bet = table.bet(*BETS[0])
    table.pass_rest()
    table.close_bets()
    table.deal()
    outcome = table.settle()
    table.play(rounds=1).asked()
    after = table.entries[table.entries.index(bet) + 1]
    after.skip = 1
    table.entries.remove(bet)
    assert [finding.code for finding in faults(table)] == ["sequence-gap"]
    after.skip = 0
    table.lines()  # the numbers closed up again, as if the bet had never been
    outcome.set(first="", through="")
    assert "settlement-extra" in {finding.code for finding in faults(table)}


def test_8_a_bet_paid_again_after_a_restart() -> None:
    table = good(rounds=2)
    outcome = table.entries[-1]
    twice = (*outcome.data.settlements, outcome.data.settlements[-1])
    outcome.set(settlements=twice, house=house_of(twice))
    (finding,) = faults(table.asked())
    assert finding.code == "settlement-extra"
    one = outcome.data.settlements[-1]
    assert finding.amount == -(one.returned + one.won - one.commission - one.stake)


def whole() -> Table:
    return Table().begin().play().close()


def codes(lines: list[bytes]) -> list[str]:
    slowly = ShoeAudit()
    for line in lines:
        slowly.line(line)
    result = audit_lines(lines)
    assert slowly.result() == result
    return [finding.code for finding in result.findings]


def test_8_a_bettor_whose_seat_is_lost_is_missed_once() -> None:
    table = whole()
    seat = next(e for e in table.entries if isinstance(e.data, ev.BettorSeated))
    at, lines = table.entries.index(seat), table.lines()
    assert codes([*lines[:at], *lines[at + 1 :]]) == ["sequence-gap"]
    lines[at] = lines[at][:-3]
    assert codes(lines) == ["malformed"]


def test_8_a_bettor_who_sits_under_another_name_is_missed_once() -> None:
    table = whole()
    seat = next(e for e in table.entries if isinstance(e.data, ev.BettorSeated))
    seat.set(bettor="anm", command="12/bettor.sit/anm/1")
    found = codes(table.lines())
    assert len(found) == len(set(found)) + 1
    assert set(found) == {"out-of-place", "cut-by-house", "bet-bankroll"}


def test_8_a_bet_that_nobody_could_cover_is_said_once() -> None:
    table = good(seats=(("ann", 1, 15_000),), rounds=0)
    for _ in range(9):
        table.round(("ann", "banker", 500_000))
    assert [finding.code for finding in faults(table.asked())] == ["bet-bankroll"]


@pytest.mark.parametrize(("part", "other"), [(b'"12-0"', b'"13-0"'), (b"/T7", b"/T8")])
def test_8_an_opening_of_another_shoe_is_said_once(part: bytes, other: bytes) -> None:
    lines = whole().lines()
    lines[0] = lines[0].replace(part, other, 1)
    found = codes(lines)
    assert found.count("wrong-table") == 1
    assert set(found) <= {"wrong-table", "malformed"}
    assert len(found) <= 4


def test_8_a_line_that_is_moved_is_a_gap_and_a_repeat() -> None:
    table = whole()
    lines = table.lines()
    kinds = (ev.BetsClosed, ev.BetPlaced, ev.CutCardOut, ev.RoundOpened, ev.CardDrawn,
             ev.RoundDealt, ev.ShoeClosed)  # fmt: skip
    for kind in kinds:
        places = [at for at, one in enumerate(table.entries) if isinstance(one.data, kind)]
        for by in (-9, -3, -1, 1, 3, 5, 9):
            at = places[len(places) // 2]
            moved = [*lines[:at], *lines[at + 1 :]]
            moved.insert(at + by, lines[at])
            assert len(codes(moved)) <= 4, (kind, by)


def test_8_the_last_card_before_the_cut_card_is_lost() -> None:
    table = whole()
    lines = table.lines()
    places = [at for at, one in enumerate(table.entries) if isinstance(one.data, ev.CutCardOut)]
    drawn = [at for at, one in enumerate(table.entries) if isinstance(one.data, ev.CardDrawn)]
    last = max(at for at in drawn if at < places[0])
    assert codes([*lines[:last], *lines[last + 1 :]]) == ["sequence-gap"]


@pytest.mark.parametrize("stake", [2**53, 2**63 - 1, 2**63, 2**64 + 10_000, -(2**63)])
def test_9_a_stake_near_the_end_of_the_integers(stake: int) -> None:
    table = good(rounds=1)
    table.open_round()
    bet = table.bet("ann", "banker", 10_000)
    table.close_bets()
    table.deal()
    table.settle()
    index = table.entries.index(bet)
    bet.raw = table.lines()[index].replace(b'"stake":10000,', b'"stake":%d,' % stake)
    codes = [finding.code for finding in faults(table.asked())]
    assert codes[0] == "malformed"


def test_9_the_largest_stake_is_only_too_large() -> None:
    table = good(rounds=1)
    table.open_round()
    table.bet("ann", "tie", 2**53 - 1)
    table.close_bets()
    table.first_four()
    table.dealt()
    table.say(ev.RoundVoided(table.number, "", "", command=None))
    assert "bet-limit" in {finding.code for finding in faults(table.asked())}


def test_9_a_tie_that_charges_commission() -> None:
    table = good(rounds=0)
    while table.round(*BETS).data.winner != "tie":
        pass
    outcome = table.entries[-1]
    outcome.settlement(0, commission=500)
    outcome.set(house=house_of(outcome.data.settlements))
    (finding,) = faults(table.asked())
    assert (finding.code, finding.amount) == ("commission", 500)


def test_9_half_a_refund_that_loses_the_odd_cent() -> None:
    half = {way: rounded(101, 2, 1, way) for way in ("down", "up", "half-even")}
    assert half == {"down": 50, "up": 51, "half-even": 50}
    assert rounded(103, 2, 1, "half-even") == 52
    assert rounded(101, 2, 5, "down") == 50
    assert rounded(101, 2, 5, "up") == 55
    assert rounded(75, 2, 25, "half-even") == 50
    assert Rounding(1, "down").unit == 1


def test_11_a_pay_table_changed_under_its_name() -> None:
    """The log's own text settles the shoe; that it is another's is said once."""

    def richer(text: str) -> str:
        return text.replace('odds = "8/1"', 'odds = "9/1"')

    table = good(edit=richer, rounds=0)
    while table.round(*BETS).data.winner != "tie":
        pass
    assert [finding.code for finding in faults(table.asked())] == ["rules-mismatch"]


def test_11_a_shoe_settled_by_other_rules_than_its_own() -> None:
    table = good(rounds=0)
    while table.round(*BETS).data.winner != "tie":
        pass
    outcome = table.entries[-1]
    outcome.settlement(2, odds="9/1", won=9_000)
    outcome.set(house=house_of(outcome.data.settlements))
    (finding,) = faults(table.asked())
    assert (finding.code, finding.amount) == ("payout", -1_000)


def test_12_an_edited_line_changes_the_root() -> None:
    table = good(rounds=3).asked()
    lines = table.lines()
    right = audit_lines(lines)
    edits: list[Any] = [b'"by":"ann"', b'"dealer":"dora"', b'"software":"test 1"']
    for edit in edits:
        changed = [line.replace(edit, edit[:-2] + b'x"') for line in lines]
        assert changed != lines
        assert audit_lines(changed).root != right.root
