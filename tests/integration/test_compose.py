"""The very commands that compose.yaml names, as processes against one Redis, to an audited shoe."""

from __future__ import annotations

import json
import shlex
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import pytest
import yaml

from schemas.address import Streams
from schemas.envelope import decode_verdict
from schemas.verdicts import ShoeAudited
from tests.support.crew import Crew

ROOT = Path(__file__).parents[2]
pytestmark = [pytest.mark.integration, pytest.mark.slow]


def compose() -> dict[str, dict[str, Any]]:
    plain = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
    return cast("dict[str, dict[str, Any]]", plain["services"])


def test_every_service_but_redis_runs_our_command() -> None:
    services = compose()
    ours = {name: spec["command"] for name, spec in services.items() if name != "redis"}
    assert {command.split()[1] for command in ours.values()} == {
        "dealer",
        "bettors",
        "resolver",
        "auditor",
        "worker",
        "dashboard",
    }
    entry = next(
        line for line in (ROOT / "Dockerfile").read_text().splitlines() if "ENTRYPOINT" in line
    )
    assert json.loads(entry.removeprefix("ENTRYPOINT ")) == ["shoetrail"]


def test_the_board_reads_the_logs_and_cannot_write_them() -> None:
    board = compose()["dashboard"]
    assert board["volumes"] == ["replay-logs:/var/log/shoetrail:ro"]
    assert board["read_only"] is True


def test_redis_answers_only_once_it_is_on_disk_and_evicts_nothing() -> None:
    words = shlex.split(compose()["redis"]["command"])
    assert ("--appendfsync", "always") in pairwise(words)
    assert ("--appendonly", "yes") in pairwise(words)
    assert ("--maxmemory-policy", "noeviction") in pairwise(words)


def test_they_leave_an_audited_shoe(tmp_path: Path) -> None:
    with Crew(tmp_path) as crew:
        for name, spec in compose().items():
            if name != "redis":
                program, *words = shlex.split(spec["command"])
                assert program == "run"
                if words[0] == "dashboard":  # a port of the test's own
                    words += ("--host", "127.0.0.1", "--port", "0")
                crew.hire(name, *words)
        result = crew.log_dir / "T1" / "1.audit.json"
        crew.until(result.exists, "an audited shoe", 150)
        with crew.client() as client:
            last = cast("Any", client.xrevrange(Streams("T1").verdicts, count=1))
        verdict = decode_verdict(last[0][1][b"__data__"]).data
        assert isinstance(verdict, ShoeAudited)
        assert verdict.verdict == "pass"
        audit = json.loads(result.read_bytes())
        assert audit["verdict"] == "pass"
        assert audit["rounds"] == verdict.counts.rounds > 60
        log = (crew.log_dir / "T1" / "1.jsonl").read_bytes()
        assert log.count(b"\n") == verdict.counts.events + verdict.counts.outcomes
