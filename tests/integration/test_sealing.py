"""Live auditors that sign: what they leave beside the logs, and what they refuse to sign."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
import structlog
from structlog.testing import capture_logs
from typer.testing import CliRunner, Result

from schemas.address import Streams
from schemas.envelope import decode_verdict
from schemas.ruleset import published
from schemas.verdicts import ShoeAudited
from services.auditor import sealing
from services.auditor.offline import audit_paths
from services.auditor.record import Record
from services.cli import wiring
from services.cli.main import app
from services.ledger.checkpoint import open_checkpoint
from services.ledger.lines import log_root
from services.ledger.note import Signer
from services.ledger.seal import Sealer
from tests.support.floor import Floor, alarms, desk_of, until

if TYPE_CHECKING:
    from pathlib import Path

    from services.journal import TableService
    from services.ledger.checkpoint import Checkpoint

pytestmark = pytest.mark.integration

SIGNER = Signer("casino.example", bytes(range(32)))
T1 = Streams("T1")


@pytest.fixture(autouse=True)
def _all_is_logged() -> None:
    """Commands that ran in this process before may have silenced their services."""
    structlog.reset_defaults()


def sealer_of(folder: Path, signer: Signer = SIGNER) -> Sealer:
    return Sealer(signer, folder / "memory")


async def sealing_auditor(floor: Floor, sealer: Sealer) -> TableService:
    return await floor.start(
        wiring.auditor(floor.connect(), floor.log_dir, published(), sealer=sealer, simulated=True)
    )


async def play(floor: Floor, sealer: Sealer, *rounds: int) -> None:
    """Play shoes of so many rounds, sealed."""
    await floor.close_after("T1", *rounds)
    await sealing_auditor(floor, sealer)
    await floor.resolver()
    await floor.bettors("T1")
    await floor.dealer("T1", shoes=len(rounds))
    await floor.audited("T1", len(rounds))


def opened(path: Path, *signers: Signer) -> Checkpoint:
    known = [one.verifier for one in signers or (SIGNER,)]
    return open_checkpoint(path.read_bytes(), known)


@pytest.mark.asyncio
async def test_logs_and_verdicts_are_sealed_when_the_shoe_is_audited(
    floor: Floor, tmp_path: Path
) -> None:
    sealer = sealer_of(tmp_path)
    await play(floor, sealer, 3, 2)
    assert sealer.refused == []
    for shoe in (1, 2):
        log = floor.log("T1", shoe)
        lines = log.read_bytes().splitlines()
        signed = opened(log.with_suffix(".checkpoint"))
        assert signed == (f"casino.example/T1/{shoe}", len(lines), log_root(lines))
        said = log.with_suffix(".verdicts.jsonl").read_bytes().splitlines()
        verdicts = opened(log.with_suffix(".verdicts.checkpoint"))
        assert verdicts == (f"casino.example/T1/{shoe}/verdicts", len(said), log_root(said))
        assert said == [entry.data for entry in await floor.entries(T1.verdicts, shoe)]
        last = decode_verdict(said[-1]).data
        assert isinstance(last, ShoeAudited)
        assert last.root == signed.root.hex()
    assert audit_paths([floor.log_dir]).verdict == "pass"


@pytest.mark.asyncio
async def test_it_signs_as_the_shoe_grows_and_what_is_left_when_it_stops(
    floor: Floor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sealing, "EVERY_S", 0.02)
    sealer = sealer_of(tmp_path)
    path = floor.log("T1").with_suffix(".checkpoint")
    auditor = await sealing_auditor(floor, sealer)
    await floor.resolver()
    await floor.bettors("T1")
    await floor.dealer("T1", pace=0.05)
    sizes: set[int] = set()

    def grows() -> bool:
        if path.exists():
            sizes.add(opened(path).size)
        return len(sizes) > 3

    await until(grows, "the seal to grow")
    await floor.stop(auditor)
    lines = floor.log("T1").read_bytes().splitlines()
    signed = opened(path)
    assert (signed.size, signed.root) == (len(lines), log_root(lines))
    assert not await floor.is_audited("T1")


@pytest.mark.asyncio
async def test_a_new_key_signs_on(floor: Floor, tmp_path: Path) -> None:
    new = Signer("casino.example", bytes(32))
    await floor.close_after("T1", 12)
    auditor = await sealing_auditor(floor, sealer_of(tmp_path))
    await floor.resolver()
    await floor.bettors("T1")
    await floor.dealer("T1", pace=0.02)
    path = floor.log("T1").with_suffix(".checkpoint")
    await until(path.exists, "the first signature")
    await floor.stop(auditor)
    old = opened(path)
    sealer = sealer_of(tmp_path, new)
    await sealing_auditor(floor, sealer)
    log = await floor.audited("T1")
    signed = opened(path, new)
    assert signed.size > old.size
    assert signed.root == log_root(log.read_bytes().splitlines())
    assert sealer.refused == []


@pytest.mark.asyncio
async def test_a_shoe_dealt_again_under_its_address_is_not_sealed_and_the_record_goes_on(
    floor: Floor, tmp_path: Path
) -> None:
    await play(floor, sealer_of(tmp_path), 3)
    first = floor.log("T1").with_suffix(".checkpoint").read_bytes()
    floor.log_dir.rename(tmp_path / "old")
    await floor.stop()
    await floor.journal.client.flushdb()
    sealer = sealer_of(tmp_path)
    with capture_logs() as logs:
        await play(floor, sealer, 4, 2)
    (alarm,) = alarms(logs)
    assert alarm["event"] == "not sealed"
    assert "casino.example/T1/1: the first" in alarm["what"]
    assert sealer.refused == [alarm["what"]]
    assert not floor.log("T1").with_suffix(".checkpoint").exists()
    assert (tmp_path / "old" / "T1" / "1.checkpoint").read_bytes() == first
    assert opened(floor.log("T1", 2).with_suffix(".checkpoint")).origin == "casino.example/T1/2"
    assert audit_paths([floor.log_dir]).verdict == "pass"


@pytest.mark.asyncio
async def test_a_disk_that_fails_for_a_while_is_tried_again(floor: Floor, tmp_path: Path) -> None:
    memory = tmp_path / "memory"
    memory.write_bytes(b"a file where a folder has to be")
    sealer = sealer_of(tmp_path)
    await floor.close_after("T1", 12)
    with capture_logs() as logs:
        auditor = await sealing_auditor(floor, sealer)
        await floor.resolver()
        await floor.bettors("T1")
        await floor.dealer("T1", pace=0.05)
        await until(lambda: sealer.refused, "the trouble")
        memory.unlink()
        log = await floor.audited("T1")
    assert len(alarms(logs)) == 1
    assert opened(log.with_suffix(".checkpoint")).root == log_root(log.read_bytes().splitlines())
    assert desk_of(auditor, "T1").trouble is None


@pytest.mark.asyncio
async def test_other_verdicts_on_the_disk_are_not_sealed(floor: Floor, tmp_path: Path) -> None:
    said = floor.log("T1").with_suffix(".verdicts.jsonl")
    said.parent.mkdir(parents=True)
    said.write_bytes(b"another verdict\n")
    sealer = sealer_of(tmp_path)
    await play(floor, sealer, 2)
    assert len(sealer.refused) == 1
    assert "another line stands here" in sealer.refused[0]
    assert said.read_bytes() == b"another verdict\n"
    assert not said.with_suffix(".checkpoint").exists()


@pytest.mark.asyncio
async def test_without_a_key_nothing_is_signed(floor: Floor) -> None:
    await floor.close_after("T1", 2)
    await floor.all_but_dealer("T1")
    await floor.dealer("T1")
    log = await floor.audited("T1")
    assert not [path for path in log.parent.iterdir() if "checkpoint" in path.name]
    assert not log.with_suffix(".verdicts.jsonl").exists()


@pytest.mark.asyncio
async def test_a_bettor_s_receipts_come_from_the_streams_and_are_found_in_the_log(
    floor: Floor, tmp_path: Path, fresh_redis: str
) -> None:
    await play(floor, sealer_of(tmp_path), 3)
    env = {"SHOETRAIL_REDIS_URL": fresh_redis, "SHOETRAIL_LOG_DIR": str(floor.log_dir)}
    done = await asyncio.to_thread(_shoetrail, "receipts", "T1", "--bettor", "alice", **env)
    assert done.exit_code == 0
    *bets, note = done.stdout.splitlines()
    assert len(bets) == 3
    assert b'{"round":"T1/1#1","bettor":"alice","spot":"player","stake":2500,"paid":' in (
        bets[0].encode()
    )
    assert note.startswith('{"checkpoint":"casino.example/T1/1\\n')
    mine = tmp_path / "mine"
    mine.write_text(done.stdout)
    log = str(floor.log("T1"))
    same = await asyncio.to_thread(_shoetrail, "receipts", log, "--bettor", "alice")
    assert same.stdout == done.stdout
    words = ("audit", log, "--key", SIGNER.verifier.vkey, "--receipts", str(mine))
    assert _shoetrail(*words).exit_code == 0
    mine.write_text(bets[0].replace('"stake":2500', '"stake":2600') + "\n")
    assert _shoetrail(*words).exit_code == 1
    for bad, says in (
        (("receipts", log, "--bettor", "eve"), "eve has no bet in T1/1"),
        (("receipts", log, "--bettor", "a b"), "is no bettor"),
        (("receipts", str(tmp_path / "x.jsonl"), "--bettor", "eve"), "no such file"),
        (("receipts", "T9", "--bettor", "alice"), "SHOETRAIL_REDIS_URL is not set"),
    ):
        refused = await asyncio.to_thread(_shoetrail, *bad)
        assert (refused.exit_code, refused.stderr.count("\n")) == (2, 1)
        assert says in refused.stderr
    nothing = await asyncio.to_thread(_shoetrail, "receipts", "T9", "--bettor", "alice", **env)
    assert (nothing.exit_code, nothing.stderr.count("\n")) == (2, 1)
    assert "T9 has no shoe" in nothing.stderr


def _shoetrail(*words: str, **env: str) -> Result:
    return CliRunner().invoke(app, words, prog_name="shoetrail", env=env)


@pytest.mark.asyncio
async def test_a_log_that_is_changed_on_the_disk_meanwhile_is_not_what_was_signed(
    floor: Floor, tmp_path: Path
) -> None:
    sealer = sealer_of(tmp_path)
    await floor.close_after("T1", 8)
    await sealing_auditor(floor, sealer)
    await floor.resolver()
    await floor.bettors("T1")
    await floor.dealer("T1", pace=0.05)
    await until(lambda: floor.has(T1.verdicts, 3), "three verdicts")
    log = floor.log("T1")
    with log.open("r+b") as file:
        file.seek(log.read_bytes().index(b'"dealer":"dealer"') + 10)
        file.write(b"D")
    await floor.audited("T1")
    record = Record((SIGNER.verifier,))
    found = [one.code for one in audit_paths([log], record=record).findings]
    assert found[-1] == "root-mismatch"
    # and the next auditor, who reads the shoe again from the streams, does not sign the other log
    await floor.stop()
    await floor.journal.client.delete(T1.verdicts)
    sealer = sealer_of(tmp_path)
    auditor = await sealing_auditor(floor, sealer)
    await until(lambda: "T1" in auditor.desks, "the auditor")
    await until(lambda: desk_of(auditor, "T1").trouble, "the trouble")
    assert "another line stands here" in str(desk_of(auditor, "T1").trouble)
