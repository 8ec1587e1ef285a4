"""The page that a bundle for an inspector begins with: what is in it, and how to check it.

Text only; it checks nothing itself, and says what is missing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from schemas.plain_text import clean

if TYPE_CHECKING:
    from collections.abc import Sequence

_WIDTH: Final = 2


class Packed(NamedTuple):
    """A file of a bundle: its name in it, what it is, its size in bytes and its SHA-256 (hex)."""

    name: str
    what: str
    size: int
    sha256: str


class Facts(NamedTuple):
    """What a log says of its shoe; ``root`` is its Merkle root (hex), ``lines`` its leaves."""

    shoe: str
    opened: str
    closed: str | None
    rules: str
    rules_sha256: str
    software: str
    dealer: str
    rounds: int
    lines: int
    root: str


def readme(facts: Facts, packed: Sequence[Packed], missing: Sequence[str], *, keys: bool) -> str:
    """Write the page."""
    folder = facts.shoe.replace("/", "-")
    told = {
        "shoe": facts.shoe,
        "opened": facts.opened,
        "closed": facts.closed or "not yet: nothing is revealed, and the order cannot be checked",
        "rules": f"{facts.rules}, SHA-256 {facts.rules_sha256}",
        "dealer": facts.dealer,
        "software": facts.software,
        "rounds": str(facts.rounds),
        "log": f"{facts.lines} lines, RFC 6962 root {facts.root}",
    }
    width = max(map(len, told)) + _WIDTH
    key = " --key house.vkeys" if keys else ""
    lines = [
        f"{facts.shoe}: the record of a baccarat shoe",
        "",
        *(f"{name:<{width}}{clean(said)}" for name, said in told.items()),
        "",
        "What is in here",
        "",
        *(f"{one.name}\n    {one.what}; {one.size} bytes, SHA-256 {one.sha256}" for one in packed),
        "",
        *(f"Not in here: {what}." for what in missing),
        *([""] if missing else []),
        "How to check it",
        "",
        f"1. In this folder ({folder}): shoetrail audit logs{key}",
        "   It rebuilds the shoe, and checks every card, total, payout and commission again.",
        *_keys(keys=keys),
        *_checker(packed),
        "",
        "The log is plain text, one JSON document a line. Its first line has the rules by which it",
        "was played, in full; rules/ has the same text again. Nothing here has to be believed:",
        "the formats are public (RFC 6962, C2SP signed notes and checkpoints, Ed25519).",
    ]
    return "\n".join(lines) + "\n"


def _keys(*, keys: bool) -> list[str]:
    if not keys:
        return [
            "   Without the house's vkey nothing shows who wrote this record: ask for it.",
        ]
    return [
        "   With the key it also hashes every line again, and checks the signature on its root.",
        "2. Compare house.vkeys with the vkey that the house has given to everybody: who packed",
        "   this file could have put another one in.",
    ]


def _checker(packed: Sequence[Packed]) -> list[str]:
    if not any(one.name == "checker.html" for one in packed):
        return []
    return [
        "-  Or open checker.html in a browser, without a network, and drop the log and its",
        "   checkpoint on it: it checks the same in another way.",
    ]
