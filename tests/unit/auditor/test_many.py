"""Long logs: an audit takes time in proportion to its log, not to the square of it."""

from __future__ import annotations

import time

from schemas import events as ev
from services.auditor.offline import audit_lines
from tests.unit.auditor.table import Table, good

MANY = 10_000
#: Many times what it takes; a pass over all for each one would take minutes.
LONGEST_S = 15


def seconds(table: Table) -> tuple[float, set[str]]:
    lines = table.lines()
    start = time.process_time()
    found = audit_lines(lines).findings
    return time.process_time() - start, {finding.code for finding in found}


def test_many_bets_of_one_bettor_in_a_round() -> None:
    table = good(rounds=1)
    table.open_round()
    for n in range(MANY):
        table.bet("ann", "banker", 1_000, n + 1)
    table.close_bets()
    took, codes = seconds(table)
    assert codes >= {"bet-repeat"}
    assert took < LONGEST_S


def test_many_bettors_in_a_round() -> None:
    table = Table("ez-baccarat", seats=tuple((f"b{n}", n + 1, 5_000) for n in range(MANY)))
    table.begin()
    table.open_round()
    for n in range(MANY):
        table.bet(f"b{n}", "banker", 1_000)
    table.close_bets()
    took, codes = seconds(table)
    assert codes == {"cut-by-house"}
    assert took < LONGEST_S


def test_many_seats() -> None:
    table = good(rounds=0)
    for n in range(MANY):
        table.say(ev.BettorSeated(f"b{n}", n + 9, 1_000, command=f"12/bettor.sit/b{n}/1"))
    took, codes = seconds(table)
    assert codes == set()
    assert took < LONGEST_S
