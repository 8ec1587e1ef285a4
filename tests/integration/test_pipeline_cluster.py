"""A shoe through a Redis Cluster leaves the very bytes that it leaves through one Redis."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.support import redis_kinds

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.integration, pytest.mark.slow]

DEMO = (
    "demo", "--json", "--rounds", "30", "--seed", "c1" * 32,
    "--start", "2026-01-01T00:00:00.000000Z",
)  # fmt: skip


def demo(folder: Path, url: str) -> Any:  # noqa: ANN401 - the command's document
    done = subprocess.run(
        [sys.executable, "-m", "services.cli.main", *DEMO, "--log-dir", str(folder)],
        env={**os.environ, "SHOETRAIL_REDIS_URL": url},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_cluster_of_two_masters(fresh_redis: str, tmp_path: Path) -> None:
    if reason := redis_kinds.missing("cluster"):
        pytest.skip(reason)
    alone = demo(tmp_path / "alone", fresh_redis)
    with redis_kinds.start("cluster") as cluster:
        spread = demo(tmp_path / "spread", cluster.url.replace("redis://", "redis+cluster://"))
    assert spread["verdict"] == "pass"
    assert spread["rounds"] == 30
    assert spread["sha256"] == alone["sha256"]
