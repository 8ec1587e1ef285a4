"""What an auditor says: findings and verdicts. Data only, no checks."""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from schemas.money import Amount, Count

Grade = Literal["fault", "notice"]
RoundVerdict = Literal["open", "fail"]
ShoeVerdict = Literal["pass", "fail", "open"]


class Finding(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One thing the auditor found (``specs/findings.md``).

    ``at`` is the address at fault; ``amount`` the minor units at stake, from the bettor's view.
    """

    code: str
    at: str
    round: Count | None
    expected: str
    actual: str
    amount: Amount
    rule: str
    grade: Grade


class Counts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a shoe held."""

    events: Count
    outcomes: Count
    rounds: Count
    voided: Count
    bets: Count
    faults: Count
    notices: Count


class RoundAudited(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A round's verdict; never rewritten, so it cannot be ``pass`` before the reveal."""

    round: Count
    findings: tuple[Finding, ...]
    verdict: RoundVerdict


class ShoeAudited(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A closed shoe's verdict, with all findings and the Merkle root of its log (hex)."""

    findings: tuple[Finding, ...]
    verdict: Literal["pass", "fail"]
    counts: Counts
    root: str


Verdict = RoundAudited | ShoeAudited

VERDICTS: Final[dict[str, type[msgspec.Struct]]] = {
    "round.audited": RoundAudited,
    "shoe.audited": ShoeAudited,
}
