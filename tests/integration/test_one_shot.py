"""A command that plays one shoe: told soon when Redis is away, and ended plainly by a signal."""

from __future__ import annotations

import os
import signal
import time
from typing import TYPE_CHECKING

import pytest

from tests.support.nursery import Command

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.integration
INTERRUPTED = 130


def start(*words: str, **env: str) -> Command:
    clean = {key: value for key, value in os.environ.items() if not key.startswith("SHOETRAIL_")}
    return Command(words, {**clean, **env})


def test_a_redis_that_is_away_is_said_in_a_line_without_its_password(tmp_path: Path) -> None:
    url = "redis://me:secret@127.0.0.1:1/0"
    demo = start("demo", "--log-dir", str(tmp_path), SHOETRAIL_REDIS_URL=url)
    code, out, said = demo.ends()
    assert (code, out) == (2, "")
    line = "no Redis answers at redis://me:***@127.0.0.1:1/0 within 10 seconds"
    assert said == f"shoetrail: {line}\n"


@pytest.mark.parametrize("told", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_in_mid_shoe_ends_it_without_a_word(tmp_path: Path, told: signal.Signals) -> None:
    demo = start("demo", "--log-dir", str(tmp_path))
    end = time.monotonic() + 60
    while not any(tmp_path.rglob("*.jsonl")):
        assert time.monotonic() < end
        assert demo.poll() is None
        time.sleep(0.001)
    demo.send_signal(told)
    assert demo.ends() == (INTERRUPTED, "", "")


def test_a_shoe_that_its_redis_has_had_audited_before(fresh_redis: str, tmp_path: Path) -> None:
    """Its log lies where it was written; there is nothing to write to another folder."""
    words = ("play", "yaba4", "--json", "--log-dir")
    told = [
        start(*words, str(tmp_path / folder), SHOETRAIL_REDIS_URL=fresh_redis).ends()
        for folder in ("one", "one", "other")
    ]
    assert told[0] == told[1]
    assert told[0][2] == ""
    _, out, said = told[2]
    assert out == ""
    assert "this shoe was audited before, in the same Redis; name the folder" in said
    assert said.count("\n") == 1
