"""The committed logs of BACCARAT 3.00: made again byte for byte, and what the auditor says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from schemas import events as ev
from schemas.envelope import decode_line
from schemas.outcomes import RoundResolved
from services.auditor import order
from services.auditor.offline import audit_paths
from services.runtime.logging import configure
from services.runtime.settings import Settings
from tests.support import samples, samples_buti

pytestmark = pytest.mark.integration
CLEAN = samples.ROOT / samples_buti.TABLE / "1.jsonl"
DISPUTED = samples.ROOT / samples_buti.DISPUTED / "1.jsonl"


def said(path: Path) -> list[Any]:
    return [decode_line(line).data for line in path.read_bytes().splitlines()]


def point(path: Path) -> int:
    """At so many cards left the seed has the shoe reshuffled."""
    events = said(path)
    (cut,) = (one for one in events if isinstance(one, ev.ShoeCut))
    reveal = events[-1].reveal
    assert isinstance(reveal, ev.SeedReveal)
    seeds = [bytes.fromhex(seed) for seed in (reveal.server_seed, cut.client_seed, cut.beacon)]
    key = order.key_of(f"{path.parent.name}/1", *seeds)
    return 16 + order.number_below(key, "reshuffle", 15)


def left(path: Path) -> list[int]:
    """Cards left in the shoe at the end of each round."""
    found, drawn = [], 0
    for one in said(path):
        drawn += isinstance(one, ev.CardDrawn)
        if isinstance(one, ev.RoundDealt):
            found.append(416 - drawn)
    return found


def test_they_are_made_again_byte_for_byte(tmp_path: Path) -> None:
    configure(Settings.read({"SHOETRAIL_LOG_LEVEL": "critical"}))
    samples_buti.make(tmp_path)
    for kept in (CLEAN, DISPUTED):
        assert (tmp_path / kept.relative_to(samples.ROOT)).read_bytes() == kept.read_bytes()


def test_the_clean_one_passes_and_ends_where_its_seed_says() -> None:
    audit = audit_paths([CLEAN])
    assert (audit.verdict, audit.findings) == ("pass", ())
    *_, before, last = left(CLEAN)
    assert 16 <= point(CLEAN) <= 30
    assert last <= point(CLEAN) < before


def test_the_clean_one_is_played_as_the_document_says() -> None:
    outcomes = [one for one in said(CLEAN) if isinstance(one, RoundResolved)]
    paid = [one for outcome in outcomes for one in outcome.settlements]
    banker = [one for one in paid if one.spot == "banker" and one.result == "win"]
    assert len(banker) > 20
    # "5% commission on the amount wagered": nothing else is charged, and 25 cents at least.
    assert all(one.commission == max(one.stake // 20, 25) for one in banker)
    assert all(one.commission == 0 for one in paid if one not in banker)
    ray = {one.stake for one in paid if one.bettor == "ray"}
    assert {500, 1000} < ray <= {500, 1000, 2000, 4000, 8000}
    assert {one.spot for one in paid if one.bettor == "ray"} == {"banker"}
    assert {(one.spot, one.stake) for one in paid if one.bettor == "una"} == {
        ("banker", 500),
        ("player", 500),
    }


def test_the_disputed_one_was_shuffled_too_soon() -> None:
    (finding,) = audit_paths([DISPUTED]).findings
    assert (finding.code, finding.grade) == ("closed-early", "fault")
    *_, last = DISPUTED.read_bytes().splitlines()
    assert finding.at == f"{samples_buti.DISPUTED}/{decode_line(last).id}"
    assert len(left(DISPUTED)) == samples_buti.ROUNDS >= samples.AT
    assert left(DISPUTED)[-1] == 291 > point(DISPUTED)
