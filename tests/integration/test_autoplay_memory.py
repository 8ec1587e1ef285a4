"""A table that plays itself at length takes no more memory than one that has just begun."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple, cast

import pytest
import redis

from services.runtime.redis_server import EmbeddedRedis
from tests.integration.test_autoplay import env_of, words

pytestmark = [
    pytest.mark.integration,
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc"),
]
MB = 1 << 20
#: A shoe is some 300 kB, in the log as in Redis. What is kept for each would be far above these
#: after so many; what is remembered of the rules fills up meanwhile, and takes a part of it.
FEW, MANY = 10, 22
PROCESS, REDIS = 3 * MB, 1.5 * MB


class Memory(NamedTuple):
    """Bytes: of the game's process, of its auditor's, and of what is in Redis."""

    game: int
    auditor: int
    redis: int


def resident(pid: int) -> int:
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    assert found is not None
    return 1024 * int(found[1])


def auditor_of(pid: int) -> int:
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    auditors = [
        int(child)
        for child in children
        if b"\0auditor\0" in Path(f"/proc/{child}/cmdline").read_bytes()
    ]
    assert len(auditors) == 1
    return auditors[0]


def measured(process: subprocess.Popen[str], server: EmbeddedRedis) -> Memory:
    with redis.Redis.from_url(server.url) as client:
        used = cast("dict[str, int]", client.info("memory"))["used_memory"]
    return Memory(resident(process.pid), resident(auditor_of(process.pid)), used)


def test_memory_does_not_grow_with_the_shoes(tmp_path: Path) -> None:
    def after(shoes: int) -> Memory:
        last = f"{shoes + 1}.jsonl"  # its log is begun: the auditor is done with so many
        while not any((tmp_path / "logs").rglob(last)):
            assert process.poll() is None, process.communicate()
            time.sleep(0.02)
        return measured(process, server)

    # Many stakes, too: none of them is to be remembered for ever.
    options = words(200_000, "--json", "--max", "500", system="cancellation")
    with EmbeddedRedis() as server:
        # One of its own, that shares no memory with another.
        process = subprocess.Popen(
            [sys.executable, "-m", "services.cli.main", *options],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **env_of(tmp_path, SHOETRAIL_REDIS_URL=server.url)},
        )
        few, many = after(FEW), after(MANY)
        process.send_signal(signal.SIGTERM)
        out, _ = process.communicate(timeout=60)
    assert json.loads(out)["verdict"] == "pass"
    grown = Memory(*(more - less for more, less in zip(many, few, strict=True)))
    assert grown.game < PROCESS, grown
    assert grown.auditor < PROCESS, grown
    assert grown.redis < REDIS, grown
