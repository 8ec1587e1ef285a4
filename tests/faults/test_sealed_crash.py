"""An auditor that seals is killed again and again: the same bytes are left, seals among them."""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING, Final

import pytest

from schemas import commands as co
from schemas.address import Streams
from services.ledger.checkpoint import open_checkpoint
from services.ledger.keys import make_key, vkeys
from services.ledger.lines import log_root
from tests.support.crew import TIME, Crew
from tests.support.floor import BANKROLL, FLAT, SEED, names_in

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.faults, pytest.mark.slow, pytest.mark.integration]

T1 = Streams("T1")
ROUNDS: Final = 40
KILLS: Final = 5
#: A slow machine may be through with the shoe before the last kill.
LEAST: Final = 2
LEFT: Final = ("1.jsonl", "1.checkpoint", "1.verdicts.jsonl", "1.verdicts.checkpoint")


def play(crew: Crew, pace: str) -> None:
    """Begin a shoe that leaves the same bytes each time."""
    crew.tell("T1", "1/shoe.close/test/1", co.ShoeClose("test", after_round=ROUNDS))
    simulated = ("--tables", "T1", "--seed", SEED.hex())
    crew.hire("resolver", "resolver")
    crew.hire("bettors", "bettors", *simulated, "--flat", FLAT, "--bankroll", str(BANKROLL))
    crew.hire(
        "dealer", "dealer", *simulated, "--start", TIME, "--rules", "punto-banco",
        "--seats", ",".join(names_in(FLAT)), "--shoes", "1", "--pace", pace,
    )  # fmt: skip


def give_key(folder: Path, one_of_all: Path) -> None:
    """Give the crew's auditor a copy of one key."""
    path = folder / "state" / "signing.key"
    path.parent.mkdir(parents=True)
    if not one_of_all.exists():
        make_key(one_of_all, "casino.example")
    path.write_bytes(one_of_all.read_bytes())
    path.chmod(0o600)


def left_by(crew: Crew) -> list[bytes]:
    return [(crew.log_dir / "T1" / name).read_bytes() for name in LEFT]


def test_killed_again_and_again_the_seals_are_the_same(tmp_path: Path) -> None:
    key = tmp_path / "site.key"
    with Crew(tmp_path / "quiet") as crew, crew.client() as client:
        give_key(tmp_path / "quiet", key)
        crew.hire("auditor", "auditor", "--simulated")
        play(crew, "0")
        crew.until(lambda: client.xlen(T1.verdicts) == ROUNDS + 1, "the shoe to be audited")
        undisturbed = left_by(crew)
    chance = random.Random(4)  # noqa: S311
    with Crew(tmp_path / "killed") as crew, crew.client() as client:
        give_key(tmp_path / "killed", key)
        auditor = crew.hire("auditor", "auditor", "--simulated")
        crew.until_at_work(auditor)
        play(crew, "0.2")
        checkpoint = crew.log_dir / "T1" / "1.checkpoint"
        crew.until(checkpoint.exists, "the first seal")
        kills = 0
        while kills < KILLS and client.xlen(T1.verdicts) < ROUNDS:
            crew.until_at_work(auditor)
            time.sleep(chance.choice([0.0, 0.01, 0.1, 0.2]))
            auditor.kill()
            _holds(crew)
            auditor.start()
            kills += 1
        assert kills >= LEAST
        crew.until(lambda: client.xlen(T1.verdicts) == ROUNDS + 1, "the shoe to be audited")
        assert left_by(crew) == undisturbed
        assert b"not sealed" not in auditor.said.read_bytes()
        private = key.read_bytes().strip().rpartition(b"+")[2]
        assert private not in auditor.said.read_bytes()


def _holds(crew: Crew) -> None:
    """At any moment the seal is one of the log's first lines, all of them on the disk."""
    known = vkeys(crew.state_dir / "signing.key")
    signed = open_checkpoint((crew.log_dir / "T1" / "1.checkpoint").read_bytes(), known)
    lines = (crew.log_dir / "T1" / "1.jsonl").read_bytes().split(b"\n")[:-1]
    assert signed.size <= len(lines)
    assert signed.root == log_root(lines[: signed.size])
