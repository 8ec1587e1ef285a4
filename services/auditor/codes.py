"""Every code that this auditor can say, with its grade; what findings come to. Judges no event."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from schemas.money import LARGEST
from schemas.verdicts import Finding, Grade, ShoeVerdict

if TYPE_CHECKING:
    from collections.abc import Iterable

_FAULTS: Final = (
    # the lines
    "malformed", "unknown-event", "wrong-table", "sequence-gap", "sequence-repeat",
    "time-backwards", "out-of-place",
    # the rules and the shoe
    "rules-unknown", "rules-mismatch", "commitment-mismatch", "not-revealed", "card-before-cut",
    "card-before-bets-closed", "order-composition", "card-order", "burn-wrong", "deal-order",
    "draw-missing", "draw-extra", "dealt-past-cut", "shoe-exhausted", "closed-early",
    # the bets
    "bet-late", "bet-limit", "bet-step", "bet-spot", "bet-repeat", "bet-combination",
    "bet-differential", "bet-bankroll", "bet-backdated", "command-unanswered", "refusal-wrong",
    # the outcomes
    "outcome-missing", "outcome-extra", "outcome-range", "outcome-cards", "outcome-total",
    "outcome-winner", "outcome-natural", "settlement-missing", "settlement-extra",
    "settlement-bet", "payout", "commission", "money-not-conserved", "commission-uncollected",
    "adjustment-unexplained", "void-after-card", "void-unexplained", "void-after-cut", "halted",
    # of the record: where the shoe before is known, or the table's disputes
    "chain-broken", "dispute-dropped",
    # and where keys, expected shoes or receipts are given
    "root-mismatch", "signature", "truncated", "appended", "shoe-missing", "seed-reused",
    "commitment-reused", "equivocation", "receipt-missing",
)  # fmt: skip

_NOTICES: Final = (
    "clock-skew", "rules-changed", "limits-changed", "cut-by-house", "cut-empty", "voided",
    "policy-applied", "unsealed",
)  # fmt: skip

#: ``closed-early`` is a notice where ``shoe.closed`` names the command that asked.
CODES: Final[dict[str, Grade]] = {
    **dict.fromkeys(_FAULTS, "fault"),
    **dict.fromkeys(_NOTICES, "notice"),
}
#: So much of what was expected and of what is there is shown.
_LONGEST: Final = 120


def finding(
    code: str, at: str, expected: str, actual: str, rule: str, *,
    number: int | None = None, amount: int = 0, grade: Grade | None = None,
) -> Finding:  # fmt: skip
    """Spell a finding; its grade is the code's, unless told."""
    told = expected[:_LONGEST], actual[:_LONGEST]
    at_stake = max(-LARGEST, min(LARGEST, amount))
    return Finding(code, at, number, *told, at_stake, rule, grade or CODES[code])


def verdict_of(findings: Iterable[Finding], *, closed: bool) -> ShoeVerdict:
    """Say what findings come to: one fault fails; else it is open until all is ``closed``."""
    if any(one.grade == "fault" for one in findings):
        return "fail"
    return "pass" if closed else "open"
