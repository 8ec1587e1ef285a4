"""Who still sits when the next shoe is opened, and with how much: as the last shoe left it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from schemas import events as ev
from schemas.cards import DECK
from services.auditor.codes import CODES
from services.auditor.fold import ShoeAudit
from services.auditor.offline import audit_lines, audit_paths
from tests.unit.auditor.table import BETS, SEATS, Entry, Seats, Table

if TYPE_CHECKING:
    from schemas.verdicts import Finding


def first_shoe(**more: object) -> Table:
    return Table(shoe=1, **more).begin().play(rounds=3)  # type: ignore[arg-type]


def second_shoe(before: Table, seats: Seats, rounds: int = 1) -> Table:
    """Open the next shoe, these bettors being restated; then all as ever."""
    root = audit_lines(before.lines()).root
    table = Table(shoe=2, seed=b"2" * 32, previous_root=root, restated=seats)
    table.seat_all()
    table.cut(by=seats[0][0] if seats else "ann")
    table.burn()
    return table.play([(seats[0][0], "player", 1_000)] if seats else [], rounds)


def found(before: Table, after: Table, folder: Path, *, alone: bool = True) -> list[Finding]:
    """Audit both in one run, of files; line by line, which has to say the same of the second."""
    after.asked()
    paths = []
    for table in (before, after):
        paths.append(folder / f"{table.shoe}.jsonl")
        paths[-1].write_bytes(b"".join(line + b"\n" for line in table.lines()))
    audit = [one for one in audit_paths(paths).findings if one.code != "closed-early"]
    first = ShoeAudit()
    first.lines(before.lines())
    second = ShoeAudit(previous=first.as_previous())
    for line in after.lines():
        second.line(line)
    slowly = [one for one in second.result().findings if one.code != "closed-early"]
    assert [one for one in audit if one.at.startswith("T7/2")] == slowly
    # who does not know the shoe before finds nothing
    assert alone == all(one.grade == "notice" for one in audit_paths(paths[1:]).findings)
    return audit


def restated(table: Table, bettor: str) -> Entry:
    return next(
        entry
        for entry in table.entries
        if isinstance(entry.data, ev.BettorSeated) and entry.data.bettor == bettor
    )


def test_all_who_sit_go_on_with_what_they_have(tmp_path: Path) -> None:
    before = first_shoe().asked()
    seats = before.left()
    assert seats != sorted(SEATS, key=lambda one: one[1])
    assert found(before, second_shoe(before, seats), tmp_path) == []


@pytest.mark.parametrize("more", [1, -1, 5_000_000, -9_000_000])
def test_money_that_grows_or_shrinks_between_shoes(tmp_path: Path, more: int) -> None:
    before = first_shoe().asked()
    seats = before.left()
    who, seat, bankroll = seats[1]
    seats[1] = who, seat, bankroll + more
    after = second_shoe(before, seats)
    (one,) = found(before, after, tmp_path)
    assert (one.code, one.at, one.amount, one.grade) == (
        "money-not-conserved", after.at(restated(after, who)), -more, "fault",
    )  # fmt: skip
    assert (one.expected, one.actual) == (f"{bankroll} of {who}", str(bankroll + more))


def test_another_seat_than_before(tmp_path: Path) -> None:
    before = first_shoe().asked()
    seats = before.left()
    seats[2] = seats[2][0], 7, seats[2][2]
    after = second_shoe(before, seats)
    (one,) = found(before, after, tmp_path)
    assert (one.code, one.at) == ("out-of-place", after.at(restated(after, seats[2][0])))


def test_who_did_not_sit_is_not_restated(tmp_path: Path) -> None:
    before = first_shoe().asked()
    seats = [*before.left(), ("eve", 9, 50_000)]
    after = second_shoe(before, seats)
    (one,) = found(before, after, tmp_path)
    assert (one.code, one.at, one.amount) == (
        "money-not-conserved", after.at(restated(after, "eve")), -50_000,
    )  # fmt: skip


@pytest.mark.parametrize("rounds", [0, 1])
@pytest.mark.parametrize("gone", [0, 1, 2])
def test_who_still_sits_and_is_not_restated(tmp_path: Path, gone: int, rounds: int) -> None:
    before = first_shoe().asked()
    seats = before.left()
    who, _, bankroll = seats.pop(gone)
    after = second_shoe(before, seats, rounds)
    (one,) = found(before, after, tmp_path)
    assert (one.code, one.at, one.amount) == ("money-not-conserved", "T7/2-3", bankroll)
    assert (one.expected, one.actual) == (f"{bankroll} of {who}", "not seated")


def test_nobody_is_restated_and_nobody_says_anything(tmp_path: Path) -> None:
    """Without a cut and without bets nothing but the close can say it."""
    before = first_shoe().asked()
    after = second_shoe(before, [], 0)
    after.entries = after.entries[:1]
    codes = [(one.code, one.at) for one in found(before, after, tmp_path)]
    assert codes == [("money-not-conserved", "T7/2-1")] * 3


def test_who_left_may_sit_anew_with_other_money(tmp_path: Path) -> None:
    before = first_shoe()
    before.say(ev.BettorLeft("bob", command="1/bettor.leave/bob/1"))
    before.asked()
    seats = before.left()
    assert [one[0] for one in seats] == ["ann", "cyd"]
    after = second_shoe(before, seats, 0)
    after.say(ev.BettorSeated("bob", 2, 77, command="2/bettor.sit/bob/1"))
    after.say(ev.BettorLeft("ann", command="2/bettor.leave/ann/1"))
    after.say(ev.BettorSeated("ann", 1, 55_000, command="2/bettor.sit/ann/2"))
    after.seats = [("bob", 2, 77), *seats]
    after.play([("ann", "player", 1_000)], 1)
    assert found(before, after, tmp_path) == []


def test_money_that_was_adjusted_goes_along(tmp_path: Path) -> None:
    before = first_shoe()
    money = ev.MoneyAdjusted(
        "T7/1#1", None, "ann", 250, "paid short", "sue", None, command="1/money.adjust/sue/1"
    )
    before.say(money)
    before.asked()
    after = second_shoe(before, before.left())
    assert found(before, after, tmp_path) == []


def test_a_shoe_that_did_not_pass_tells_nothing_of_the_next(tmp_path: Path) -> None:
    before = first_shoe().asked()
    before.entries[-1].set(reveal=ev.SeedReveal("ff" * 32))
    seats = [(who, seat, money + 7) for who, seat, money in before.left()]
    assert [one.code for one in found(before, second_shoe(before, seats), tmp_path)] == [
        "commitment-mismatch"
    ]


def test_a_bettor_who_is_restated_twice_or_too_late_is_said_once(tmp_path: Path) -> None:
    before = first_shoe().asked()
    after = second_shoe(before, before.left())
    twice = Entry(restated(after, "bob").data)
    after.entries.insert(4, twice)
    late = after.say(ev.BettorSeated("eve", 9, 50_000, command=None))
    codes = [(one.code, one.at) for one in found(before, after, tmp_path, alone=False)]
    assert codes == [("out-of-place", after.at(twice)), ("malformed", after.at(late))]


def test_a_missing_line_is_the_only_fault() -> None:
    before = first_shoe().asked()
    after = second_shoe(before, before.left())
    gone = restated(after, "bob")
    after.entries[after.entries.index(gone) + 1].skip = 1
    after.entries.remove(gone)
    codes = [one.code for one in found_lost(before, after)]
    assert codes == ["sequence-gap"]


def found_lost(before: Table, after: Table) -> list[Finding]:
    first = ShoeAudit()
    first.lines(before.lines())
    second = ShoeAudit(previous=first.as_previous())
    second.lines(after.asked().lines())
    return [one for one in second.result().findings if one.code != "closed-early"]


def test_its_codes_are_faults() -> None:
    assert {CODES["money-not-conserved"], CODES["out-of-place"]} == {"fault"}


def test_who_was_not_restated_is_missed_at_once_in_rounds_taken_whole_too() -> None:
    """Nothing but a pass is a named command here: the finding is of the round it comes in."""
    cards = " ".join(DECK * 8)
    before = Table(shoe=1, stacked=cards).begin().play(rounds=2).asked()
    audit = ShoeAudit()
    audit.lines(before.lines())
    seats = [seat for seat in before.left() if seat[0] != "cyd"]
    after = Table(shoe=2, stacked=cards, previous_root=audit.root, restated=seats).begin()
    for bets in (BETS[:2], BETS[:2], BETS[:1]):
        after.round(*bets)
    lines = after.lines()
    slowly, fast = (ShoeAudit(previous=audit.as_previous()) for _ in range(2))
    for line in lines:
        slowly.line(line)
    fast.lines(lines)
    assert fast.result() == slowly.result()
    assert ("money-not-conserved", 3) in [(one.code, one.round) for one in fast.result().findings]
