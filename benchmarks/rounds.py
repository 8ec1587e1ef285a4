"""One table with all its services: rounds a second, from first bet to verdict.

Its auditor has a process of his own, as in ``autoplay`` and ``compose.yaml``; the others share one.
"""

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
from services.cli import wiring
from services.cli.summary import summarise
from services.cli.whole_shoe import play_shoe
from services.cli.wiring import Simulation
from services.dealer.opening import House
from services.runtime.logging import configure
from services.runtime.process import run_async
from services.runtime.settings import Settings

#: Enough that the first seconds, in which the auditor starts and all is cold, do not tell.
SHOES = 60
BETTORS = "alice=player:2500,bob=banker:2500,carol=tie:500"


def run() -> dict[str, float]:
    """Give ``rounds_per_s`` over many whole shoes, embedded Redis, AOF everysec.

    It depends on the machine, so a bare loop of the same conversation is timed beside it; and all
    services in one process, as in ``demo`` and ``serve``, over a fifth of the shoes.
    """
    configure(Settings.read({"SHOETRAIL_LOG_LEVEL": "critical"}))
    ours, one, bare = _rounds(SHOES, apart=True), _rounds(SHOES // 5), bare_rounds_per_s()
    return {
        "rounds_per_s": ours,
        "rounds_one_process_per_s": one,
        "bare_rounds_per_s": bare,
        "rounds_vs_bare": ours / bare,
    }


def _rounds(shoes: int, *, apart: bool = False) -> float:
    marks: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        settings = replace(Settings.read({}), state_dir=Path(folder) / "state")
        logs = replace(settings, log_dir=Path(folder))
        opens = ShoeOpen("punto-banco", seats=("alice", "bob", "carol"))
        run_async(
            lambda: play_shoe(
                settings,
                Shoe("BENCH", shoes),
                House("bench", "shoetrail bench", opens, shoes),
                lambda: parse_flat(BETTORS, 10**9),
                Path(folder),
                simulation=Simulation(secrets.token_bytes(32)),
                progress=lambda _rounds: marks.append(time.perf_counter()),
                apart=(
                    lambda url: wiring.auditor_apart(
                        url, logs, "BENCH", simulated=False, sealed=False
                    )
                )
                if apart
                else None,
            )
        )
        end = time.perf_counter()
        played = [summarise(path, "") for path in sorted(Path(folder).glob("BENCH/*.jsonl"))]
    rounds = sum(log.rounds for log in played)
    assert len(played) == shoes
    return (rounds - 1) / (end - marks[0])
