"""The committed sample of disputes: made again byte for byte, and what is said of it."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from schemas.envelope import decode_event
from schemas.events import MoneyAdjusted, ShoeOpened
from services.auditor.offline import audit_paths
from services.cli.main import app
from services.ledger.dispute_file import read_book
from services.runtime.logging import configure
from services.runtime.settings import Settings
from tests.support import samples, samples_dispute

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.integration
FOLDER = samples.ROOT / samples_dispute.TABLE


def test_it_is_made_again_byte_for_byte(tmp_path: Path) -> None:
    configure(Settings.read({"SHOETRAIL_LOG_LEVEL": "critical"}))
    samples_dispute.make(tmp_path)
    made = {path.name: path.read_bytes() for path in (tmp_path / samples_dispute.TABLE).iterdir()}
    assert made.keys() == {"1.jsonl", "2.jsonl", "disputes.jsonl"}
    for name, data in made.items():
        assert data == (FOLDER / name).read_bytes(), name


def test_the_money_is_explained_by_the_record() -> None:
    audit = audit_paths([FOLDER])
    assert audit.verdict == "pass"
    assert {one.code for one in audit.findings} == {"closed-early"}
    assert {one.grade for one in audit.findings} == {"notice"}
    lines = (FOLDER / "2.jsonl").read_bytes().splitlines()
    said = [decode_event(line).data for line in lines[:5]]
    assert isinstance(said[0], ShoeOpened)
    assert isinstance(said[4], MoneyAdjusted)
    book = read_book(FOLDER, samples_dispute.TABLE)
    assert not book.held
    one = book.get(1)
    assert one.resolved is not None
    assert said[4].dispute == one.address
    assert (said[4].reason, said[4].by) == (one.resolved.finding, one.resolved.by)


def test_without_the_record_it_is_not(tmp_path: Path) -> None:
    shutil.copytree(FOLDER, tmp_path / "logs")
    (tmp_path / "logs" / "disputes.jsonl").unlink()
    audit = audit_paths([tmp_path])
    faults = [(one.code, one.at) for one in audit.findings if one.grade == "fault"]
    assert faults == [
        ("adjustment-unexplained", "DISPUTED/2-4"),
        ("dispute-dropped", "DISPUTED:1"),
    ]


def test_its_page_tells_the_story(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SHOETRAIL_REDIS_URL", raising=False)
    monkeypatch.setenv("SHOETRAIL_LOG_DIR", str(samples.ROOT))
    done = CliRunner().invoke(app, ["dispute", "show", "DISPUTED:1", "--json"])
    assert done.exit_code == 0, done.stderr
    page = json.loads(done.stdout)
    assert page["winner"] == "player"
    assert page["dispute"]["resolution"]["adjusted_at"] == "DISPUTED/2-4"
    # one chip of 25 won 25; two, as claimed, win 50: the second was paid later
    worth = page["worth"]
    assert (worth["paid"], worth["due"], worth["claimed"]) == (2500, 2500, 5000)
    listed = json.loads(CliRunner().invoke(app, ["dispute", "list", "--json"]).stdout)
    assert [one["id"] for one in listed["disputes"]] == ["DISPUTED:1", "DISPUTED:2"]
    assert [one["seconds"] for one in listed["disputes"]] == [60, 20]
