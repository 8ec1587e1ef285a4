"""Sealing a finished log by hand: as the live auditor would have, and nothing else."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from schemas.envelope import decode_verdict
from schemas.errors import Conflict, InputError
from schemas.verdicts import ShoeAudited
from services.auditor.offline import audit_paths
from services.auditor.record import Record
from services.auditor.report import Seals
from services.ledger.seal import Sealer
from tests.support.finished import seal_finished
from tests.unit.auditor.site import OTHER, SIGNER, Site, edit
from tests.unit.auditor.table import good

ROOT = Path(__file__).parents[3] / "replay_logs"


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(tmp_path)


def left(path: Path) -> dict[str, bytes]:
    return {one.name: one.read_bytes() for one in path.parent.iterdir()}


def test_it_is_sealed_once_and_the_same_each_time(site: Site) -> None:
    path = site.sealed(good().asked())
    first = left(path)
    assert sorted(first) == [
        "12.checkpoint", "12.jsonl", "12.verdicts.checkpoint", "12.verdicts.jsonl",
    ]  # fmt: skip
    seal_finished(path, Sealer(SIGNER, site.memory))
    assert left(path) == first
    for name in sorted(first):
        if name != "12.jsonl":
            path.with_name(name).unlink()
    seal_finished(path, Sealer(SIGNER, site.memory.with_name("another memory")))
    assert left(path) == first
    *rounds, last = path.with_suffix(".verdicts.jsonl").read_bytes().splitlines()
    assert len(rounds) == 3
    said = decode_verdict(last).data
    assert isinstance(said, ShoeAudited)
    assert said.verdict == "pass"


def test_one_that_was_changed_since_is_not_sealed_again(site: Site) -> None:
    path = site.sealed(good().asked())
    edit(path, b'"software":"test 1"', b'"software":"test 2"')
    before = left(path)
    for signer in (SIGNER, OTHER):  # a new key remembers what the old one signed
        with pytest.raises(Conflict, match=r"T7/12: the first \d+ lines are others than those"):
            seal_finished(path, Sealer(signer, site.memory))
        assert left(path) == before
    assert site.found() == [("root-mismatch", "T7/12")]


def test_one_that_was_dealt_again_is_not_sealed(site: Site) -> None:
    site.sealed(good().asked())
    shutil.rmtree(site.logs)
    with pytest.raises(InputError, match="are others than those that were signed"):
        site.sealed(good(rounds=5, seed=b"z" * 32).asked())
    with pytest.raises(InputError, match="the log ends after"):
        site.sealed(good(rounds=1).asked())
    assert not list(site.logs.rglob("*.checkpoint"))


@pytest.mark.parametrize(
    "change",
    [
        lambda lines: lines[:-1],
        lambda lines: lines[1:],
        lambda lines: [*lines, lines[3]],
        lambda lines: [*lines[:-3], lines[-2], lines[-3], lines[-1]],
        lambda lines: [*lines[:5], b"{}", *lines[5:]],
        lambda lines: [line + b"\r" for line in lines],
    ],
)
def test_what_is_no_finished_log_is_not_sealed(site: Site, change: object) -> None:
    path = site.write(good().asked())
    lines = change(path.read_bytes().splitlines())  # type: ignore[operator]
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    with pytest.raises(InputError) as caught:
        seal_finished(path, Sealer(SIGNER, site.memory))
    assert str(path) in str(caught.value)
    assert list(left(path)) == ["12.jsonl"]


def test_a_torn_one_is_not_sealed(site: Site) -> None:
    path = site.write(good().asked())
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(InputError, match="the last line is torn"):
        seal_finished(path, Sealer(SIGNER, site.memory))


def test_every_sample_can_be_sealed_and_its_audit_is_the_same(tmp_path: Path) -> None:
    for table in ("CLEAN", "KTANE", "DISPUTE-CARD", "DISPUTE-LATE-BET", "MISDRAW-ANNUL"):
        shutil.copytree(ROOT / table, tmp_path / "logs" / table)
    before = audit_paths([tmp_path / "logs"])
    for path in sorted((tmp_path / "logs").glob("*/[0-9].jsonl")):
        seal_finished(path, Sealer(SIGNER, tmp_path / "memory"))
    after = audit_paths([tmp_path / "logs"], record=Record((SIGNER.verifier,)))
    assert after.findings == before.findings
    assert after.seals == Seals(held=6)
