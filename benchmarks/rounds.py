"""One table with all its services in one process: rounds a second, from first bet to verdict."""

from __future__ import annotations

import secrets
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from benchmarks.bare import bare_rounds_per_s
from schemas.address import Shoe
from schemas.commands import ShoeOpen
from services.bettors.config import parse_flat
from services.cli.summary import summarise
from services.cli.whole_shoe import play_shoe
from services.cli.wiring import Simulation
from services.dealer.opening import House
from services.runtime.logging import configure
from services.runtime.process import run_async
from services.runtime.settings import Settings

SHOES = 12
BETTORS = "alice=player:2500,bob=banker:2500,carol=tie:500"


def run() -> dict[str, float]:
    """Give ``rounds_per_s`` over several whole shoes, embedded Redis, AOF everysec.

    It depends on the machine, so a bare loop of the same conversation is timed beside it.
    """
    configure(Settings.read({"SHOETRAIL_LOG_LEVEL": "critical"}))
    marks: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        settings = replace(Settings.read({}), state_dir=Path(folder) / "state")
        opens = ShoeOpen("punto-banco", seats=("alice", "bob", "carol"))
        run_async(
            lambda: play_shoe(
                settings,
                Shoe("BENCH", SHOES),
                House("bench", "shoetrail bench", opens, SHOES),
                lambda: parse_flat(BETTORS, 10**9),
                Path(folder),
                simulation=Simulation(secrets.token_bytes(32)),
                progress=lambda _rounds: marks.append(time.perf_counter()),
            )
        )
        end = time.perf_counter()
        logs = [summarise(path, "") for path in sorted(Path(folder).glob("BENCH/*.jsonl"))]
    rounds = sum(log.rounds for log in logs)
    assert len(logs) == SHOES
    ours, bare = (rounds - 1) / (end - marks[0]), bare_rounds_per_s()
    return {"rounds_per_s": ours, "bare_rounds_per_s": bare, "rounds_vs_bare": ours / bare}
