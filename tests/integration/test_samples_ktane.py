"""The committed logs of a bomb's module: made again byte for byte, and what the auditor says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from schemas import events as ev
from schemas.envelope import decode_line
from services.auditor.offline import audit_paths
from services.cli.ktane_told import Told
from services.runtime.logging import configure
from services.runtime.settings import Settings
from tests.support import samples, samples_ktane

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.integration
CLEAN = [samples.ROOT / samples_ktane.TABLE / f"{shoe}.jsonl" for shoe in (1, 2)]
DISPUTED = samples.ROOT / samples_ktane.DISPUTED / "1.jsonl"


def test_they_are_made_again_byte_for_byte(tmp_path: Path) -> None:
    configure(Settings.read({"SHOETRAIL_LOG_LEVEL": "critical"}))
    samples_ktane.make(tmp_path)
    made = sorted(path for path in tmp_path.rglob("*") if path.is_file())
    kept = sorted([*CLEAN, DISPUTED])
    assert [path.relative_to(tmp_path) for path in made] == [
        path.relative_to(samples.ROOT) for path in kept
    ]
    assert [path.read_bytes() for path in made] == [path.read_bytes() for path in kept]


def test_the_clean_one_passes_but_for_the_round_that_was_not_dealt() -> None:
    audit = audit_paths(CLEAN)
    assert (audit.verdict, audit.shoes, audit.rounds) == ("pass", 2, 8)
    assert [(one.code, one.grade, one.round) for one in audit.findings] == [("voided", "notice", 3)]


def test_it_holds_all_that_can_happen_to_a_module() -> None:
    told = Told(CLEAN)
    assert told.module.solved
    assert told.module.strikes == samples_ktane.STRIKES
    assert [one.strikes for one in told.module.rounds] == [
        ("loss",), ("chips", "loss"), ("invalid-bet",), ("loss",), (), ("loss",), ("loss",), (),
    ]  # fmt: skip
    said = [decode_line(line).data for path in CLEAN for line in path.read_bytes().splitlines()]
    assert sum(isinstance(one, ev.BetWithdrawn) for one in said) == 1
    assert [one.reason for one in said if isinstance(one, ev.ShoeClosed)] == ["rules", "solved"]
    assert [one.origin for one in said if isinstance(one, ev.ShoeOpened)] == [
        samples_ktane.RED,
        samples_ktane.BLUE,
    ]


def test_the_disputed_one_fails_for_its_one_reason() -> None:
    (finding,) = audit_paths([DISPUTED]).findings
    assert (finding.code, finding.grade) == ("closed-early", "fault")
    last = decode_line(DISPUTED.read_bytes().splitlines()[-1])
    assert finding.at == f"{samples_ktane.DISPUTED}/{last.id}"
    assert isinstance(last.data, ev.ShoeClosed)
