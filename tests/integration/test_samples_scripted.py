"""The tampered scripted game: made again byte for byte, and caught for its one reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from services.auditor.offline import audit_paths
from services.bettors.scenario import shipped
from services.cli.log_view import read_log
from services.cli.scripted import played
from tests.support import samples, samples_scripted

pytestmark = pytest.mark.integration
LOG = samples.ROOT / samples_scripted.TABLE / "1.jsonl"


def test_it_is_made_again_byte_for_byte(tmp_path: Path) -> None:
    samples_scripted.make(tmp_path)
    made = tmp_path / samples_scripted.TABLE / "1.jsonl"
    assert made.read_bytes() == LOG.read_bytes()


def test_the_audit_finds_the_one_stake_that_was_kept() -> None:
    audit = audit_paths([LOG])
    assert (audit.verdict, len(audit.findings)) == ("fail", 1)
    found = audit.findings[0]
    assert (found.code, found.round, found.amount) == ("payout", samples_scripted.AT, 3_000_000)


def test_the_bets_are_those_of_the_ladder() -> None:
    """Only the tie is tampered with: Bond is handed back what he has less the stake kept."""
    game = shipped("yaba4")
    told = played(game, read_log(LOG), LOG, "fail")
    assert [(hand.spot, hand.stake // 100) for hand in told.hands] == list(samples_scripted.BETS)
    assert (told.goal, told.wins) == (True, 4)
    assert told.handed_back == 7_100_000
