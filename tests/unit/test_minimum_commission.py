"""The least commission of 1990, 25 cents, which binds below $5 only: at a table of lower limits.

Source: 001_8304c434475ca3ac.txt, "Payoffs": "a 5% commission on the amount wagered. The minimum
commission charge is 25 cents"; ``specs/sources.md`` B.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from schemas import commands as co
from schemas.address import EventAddress, Sources
from schemas.envelope import decode_line, decode_outcome, encode
from schemas.outcomes import RoundResolved, pivot
from services.auditor.offline import audit_lines
from tests.unit.dealer.house import TABLE, Table, cards, rules_like

if TYPE_CHECKING:
    from schemas.verdicts import Finding

RULES = rules_like("buti-1990", ("minimum = 500", "minimum = 100"))
#: The banker wins with 7 against 6; then a tie; then the player wins.
BANKER, TIE, PLAYER = "6C 7H TD TS", "7C 7D TC TH", "7S 6H KC KD"
#: So many are left that the shoe need not end.
REST = "2C 3C 4C 5C 8C 9C AC JC QC 2D 3D 4D 5D 8D 9D AD JD QD 2H 3H"
#: Cents wagered on the banker, and 5% of them but 25 at least.
FEES = {100: 25, 200: 25, 300: 25, 400: 25, 500: 25, 600: 30, 1000: 50, 50_000: 2500}


def played() -> Table:
    """Each stake wins once; then it lies through a tie, and then it is lost."""
    hands = [BANKER] * len(FEES) + [TIE, PLAYER]
    deck = cards(" ".join([*hands, REST]))
    table = Table(co.ShoeOpen("test", co.AskFixed("d"), ("ann",)), decks={"d": deck}, rules=RULES)
    table.sit("ann")
    table.say()
    for number, stake in enumerate([*FEES, 100, 100], start=1):
        table.bet(number, "ann", "banker", stake)
        table.say()
    table.send(co.command_id(1, "shoe.close", "desk", 1), co.ShoeClose("desk"))
    table.say()
    assert table.dealer.shoe_closed
    return table


def log_of(table: Table) -> list[bytes]:
    after = {EventAddress.parse(pivot(decode_outcome(o).data)).seq: o for _, o in table.outcomes}
    return [
        line
        for (_, seq), data in table.entries
        for line in ([data, after[seq]] if seq in after else [data])
    ]


def faults(lines: list[bytes]) -> list[Finding]:
    found = audit_lines(lines, known=RULES).findings
    return [finding for finding in found if finding.grade == "fault"]


def test_dealer_resolver_and_auditor_agree_on_the_least_commission() -> None:
    table = played()
    told = [decode_outcome(data).data for _, data in table.outcomes]
    paid = [one.settlements[0] for one in told if isinstance(one, RoundResolved)]
    assert {one.stake: one.commission for one in paid if one.result == "win"} == FEES
    assert [(one.result, one.commission) for one in paid[len(FEES) :]] == [("push", 0), ("lose", 0)]
    assert faults(log_of(table)) == []
    # It bears on the bankroll: what is left is what was won, less all commissions and the loss.
    last = 1_000_000 + sum(FEES) - sum(FEES.values()) - 100
    assert table.dealer._facts.shoe is not None
    assert table.dealer._facts.shoe.seated["ann"].bankroll == last


@pytest.mark.parametrize("stake", [100, 400])
def test_a_plain_five_per_cent_below_it_is_a_fault(stake: int) -> None:
    lines = log_of(played())
    for at, line in enumerate(lines):
        message = decode_line(line)
        said = message.data
        if isinstance(said, RoundResolved) and said.settlements[0].stake == stake:
            (paid,) = said.settlements
            less = paid.commission - stake // 20
            wrong = replace(
                said,
                settlements=(replace(paid, commission=stake // 20),),
                house=said.house - less,
            )
            lines[at] = encode(message.id, Sources(TABLE).outcomes, message.time, wrong)
            break
    (finding,) = faults(lines)
    assert (finding.code, finding.expected, finding.actual, abs(finding.amount)) == (
        "commission", "25", str(stake // 20), 25 - stake // 20,
    )  # fmt: skip
