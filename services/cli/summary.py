"""What a shoe's log amounts to: rounds, winners and money, for demo and games. Audits nothing."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import msgspec

from schemas.envelope import decode_line
from schemas.outcomes import RoundHalted, RoundResolved

if TYPE_CHECKING:
    from pathlib import Path


class Winners(msgspec.Struct):
    """How often each side won."""

    banker: int = 0
    player: int = 0
    tie: int = 0


class Summary(msgspec.Struct):
    """A whole log in numbers; money in minor units, ``house`` the house's net.

    ``checkpoint`` is its file, null where the log is not sealed; ``vkey`` checks it.
    """

    log: str
    sha256: str
    rounds: int = 0
    winners: Winners = msgspec.field(default_factory=Winners)
    staked: int = 0
    won: int = 0
    commission: int = 0
    house: int = 0
    verdict: str = ""
    checkpoint: str | None = None
    vkey: str | None = None


def summarise(path: Path, verdict: str) -> Summary:
    """Add up a log."""
    data = path.read_bytes()
    summary = Summary(str(path), hashlib.sha256(data).hexdigest(), verdict=verdict)
    for line in data.splitlines():
        outcome = decode_line(line).data
        if not isinstance(outcome, RoundResolved | RoundHalted):
            continue
        summary.rounds += 1
        summary.house += outcome.house
        if isinstance(outcome, RoundResolved) and outcome.winner != "void":
            before = getattr(summary.winners, outcome.winner)
            setattr(summary.winners, outcome.winner, before + 1)
        for paid in outcome.settlements:
            summary.staked += paid.stake
            summary.won += paid.won
            summary.commission += paid.commission
    return summary
