"""The evidence for a round of a log that was tampered with: a page or one line, and no worse."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from schemas.address import RoundAddress
from schemas.disputes import DisputeOpened
from schemas.errors import InputError
from services.auditor.fold import ShoeAudit
from services.cli import dispute_html, dispute_shown
from services.cli.dispute_evidence import RoundLog, evidence, shown, verdict_of
from services.ledger.disputes import Dispute

ROOT = Path(__file__).parents[3] / "replay_logs"
BET = "1-2/alice/player/1"
CHANGES = [
    (b"player", b"banker"),
    (b'"round":2', b'"round":1'),
    (b'"round":1', b'"round":2'),
    (b"alice", b"bob"),
    (b"KS", b"9S"),
    (b'"position":', b'"position":1'),
]


def tampered(lines: list[bytes], draw: random.Random) -> list[bytes]:
    """Drop, double, swap or change some of the lines around round 2."""
    told = list(lines)
    for _ in range(draw.randrange(1, 4)):
        at = draw.randrange(1, min(len(told) - 1, 45))
        what = draw.randrange(5)
        if what == 0:
            del told[at]
        elif what == 1:
            told.insert(at, told[at])
        elif what == 2:
            other = draw.randrange(1, min(len(told) - 1, 45))
            told[at], told[other] = told[other], told[at]
        else:
            told[at] = told[at].replace(*draw.choice(CHANGES))
    return told


@pytest.mark.parametrize("seed", range(150))
def test_any_tampered_log_gives_a_page_or_one_line(seed: int) -> None:
    draw = random.Random(seed)  # noqa: S311 - the same logs each time
    path = draw.choice(["DISPUTED", "MISDRAW-HAND", "MISDRAW-ANNUL", "DISPUTE-MISDRAW-DUMMY"])
    lines = tampered((ROOT / path / "1.jsonl").read_bytes().splitlines(), draw)
    at = RoundAddress(path, 1, 2)
    bettor, bet = draw.choice([None, "alice", "ann"]), draw.choice([None, BET])
    terms = draw.choice([(None, None), ("tie", 500)])
    said = DisputeOpened(str(at), "ann", "x", bettor, bet, *terms, ())
    one = Dispute(path, 1, at, "2026-01-01T20:00:00.000000Z", said)
    try:
        log = RoundLog(lines, at, "log")
    except InputError as wrong:
        assert str(wrong).isprintable()  # noqa: PT017 - both ends are allowed
        return
    audit = ShoeAudit()
    audit.lines(lines)
    result = audit.result()
    page = evidence(shown(one, 5), one, log, verdict_of(result.findings, "fail", log), None, ())
    assert dispute_html.page(page).endswith("</html>\n")
    dispute_shown.page(page)
