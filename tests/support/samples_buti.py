"""The samples of BACCARAT 3.00: a whole shoe by two of its systems, and one shuffled too soon.

The clean one comes from the real services. The disputed one comes from a naive table that says the
shoe ended by the rules, where the seed, once it is revealed, says that it had not.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from schemas.address import Shoe
from schemas.commands import ShoeOpen
from schemas.instant import parse
from services.bettors.config import parse_systems
from services.cli.whole_shoe import play_shoe
from services.cli.wiring import Simulation
from services.dealer.opening import House
from services.runtime.process import run_async
from services.runtime.settings import Settings
from tests.unit.auditor.table import Table

TABLE: Final = "BUTI-1990"
DISPUTED: Final = "DISPUTE-BUTI-1990"
RULES: Final = "buti-1990"
START: Final = parse("2026-01-01T20:00:00.000000Z")
#: Thirty-one on the banker, whose wins are charged; and the side that the card count says.
SYSTEMS: Final = "ray=thirty-one:side=banker,una=card-count"
BANKROLL: Final = 1_000_000
#: With this one the count falls below 1 and rises again, and the point is met to the card.
SEED: Final = b"BUTI-1990 20".ljust(32, b".")
#: So many rounds are dealt before the naive table shuffles.
ROUNDS: Final = 24


def clean(folder: Path) -> None:
    """A whole shoe, to the point where its seed has it reshuffled."""
    names = tuple(seat.name for seat in parse_systems(SYSTEMS, BANKROLL))
    run_async(
        lambda: play_shoe(
            Settings.read({}),
            Shoe(TABLE, 1),
            House("dora", "shoetrail 0.1.0", ShoeOpen(RULES, seats=names), 1),
            lambda: parse_systems(SYSTEMS, BANKROLL),
            folder,
            simulation=Simulation(SEED, START),
        )
    )
    (folder / TABLE / ".lock").unlink()


def shuffled_too_soon() -> Table:
    """A shoe that is closed as by its rules, with some 300 cards left in it."""
    naive = Table(
        RULES, table=DISPUTED, shoe=1, seed=DISPUTED.encode().ljust(32, b"."),
        seats=[("ray", 1, BANKROLL)], software="naive table", dealer="dora",
    )  # fmt: skip
    naive.seat_all()
    naive.cut(by="ray")
    return naive.play([("ray", "banker", 1_500)], rounds=ROUNDS).close()


def make(folder: Path) -> None:
    """Write both logs into a folder."""
    clean(folder)
    path = folder / DISPUTED / "1.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(line + b"\n" for line in shuffled_too_soon().lines()))
