"""Two auditors on one folder of logs, two workers on one queue: who dies is replaced."""

from __future__ import annotations

import asyncio
import json
from errno import ENOSPC
from typing import TYPE_CHECKING, Any, cast

import pytest
from structlog.testing import capture_logs

from schemas import commands as co
from schemas.address import CLOSED, Streams
from services.auditor import worker as worker_module
from services.auditor.offline import audit_paths
from services.cli import wiring
from services.ledger.writer import LogWriter
from tests.support.crew import Crew
from tests.support.floor import BANKROLL, FLAT, SEED, TIME, Floor, alarms, desk_of, names_in, until

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from redis import Redis

    from services.auditor.report import Audit
    from services.journal import Journal

pytestmark = [pytest.mark.faults, pytest.mark.integration]

T1 = Streams("T1")
ROUNDS = 40


@pytest.mark.slow
@pytest.mark.asyncio
async def test_the_second_waits_and_takes_over_and_the_log_is_the_same(
    floor: Floor, tmp_path: Path
) -> None:
    await floor.close_after("T1", ROUNDS)
    await floor.all_but_dealer("T1")
    await floor.dealer("T1")
    undisturbed = (await floor.audited("T1")).read_bytes()
    log = await asyncio.to_thread(_killed_in_mid_shoe, tmp_path / "processes")
    assert log.read_bytes() == undisturbed
    assert audit_paths([log]).verdict == "pass"


@pytest.mark.asyncio
async def test_the_second_takes_over_where_a_trouble_stopped_the_first(floor: Floor) -> None:
    await floor.close_after("T1", ROUNDS)
    await floor.resolver()
    await floor.bettors("T1")
    first = await floor.auditor()
    await floor.dealer("T1", pace=0.01)
    await until(lambda: floor.has(T1.verdicts, 5), "five verdicts")
    second = await floor.auditor()
    await until(lambda: "T1" in second.desks, "the second auditor")
    with capture_logs() as logs:
        await desk_of(first, "T1").halt(OSError(ENOSPC, "No space left on device"))
    assert [line["event"] for line in alarms(logs)] == ["table stopped"]  # by no bug of ours
    log = await floor.audited("T1")
    assert audit_paths([log]).verdict == "pass"
    assert desk_of(second, "T1").trouble is None


def _killed_in_mid_shoe(folder: Path) -> Path:
    with Crew(folder) as crew, crew.client() as client:
        crew.tell("T1", "1/shoe.close/test/1", co.ShoeClose("test", after_round=ROUNDS))
        simulated = ("--tables", "T1", "--seed", SEED.hex())
        first = crew.hire("first", "auditor")
        crew.hire("resolver", "resolver")
        crew.hire("bettors", "bettors", *simulated, "--flat", FLAT, "--bankroll", str(BANKROLL))
        crew.until_at_work(first)
        crew.hire(
            "dealer", "dealer", *simulated, "--start", TIME, "--rules", "punto-banco",
            "--seats", ",".join(names_in(FLAT)), "--shoes", "1", "--pace", "0.25",
        )  # fmt: skip
        crew.until(lambda: client.xlen(T1.verdicts) >= 3, "three verdicts")
        second = crew.hire("second", "auditor")
        crew.until_at_work(second)
        at = cast("int", client.xlen(T1.verdicts))
        crew.until(lambda: client.xlen(T1.verdicts) >= at + 3, "the first one to go on")
        assert not LogWriter(crew.log_dir, "T1").try_acquire()
        first.kill()
        killed_at = cast("int", client.xlen(T1.verdicts))
        assert killed_at < ROUNDS - 5
        crew.until(lambda: client.xlen(T1.verdicts) == ROUNDS + 1, "the second to take over")
        crew.until(lambda: client.xlen(CLOSED), "the shoe to be handed over")
        return crew.log_dir / "T1" / "1.jsonl"


@pytest.mark.slow
@pytest.mark.asyncio
async def test_a_worker_dies_in_mid_audit_and_each_shoe_is_audited(tmp_path: Path) -> None:
    with Crew(tmp_path) as crew:
        floor = Floor(crew.redis.url, tmp_path)
        await floor.close_after("T1", *([3] * 6))
        await floor.all_but_dealer("T1")
        await floor.dealer("T1", shoes=6)
        await floor.audited("T1", 6)
        await floor.stop()
        notices = [entry.data for entry in await floor.entries(CLOSED)]
        assert len(notices) == 6
        await floor.journal.client.delete(CLOSED)
        await asyncio.to_thread(_worker_killed, crew, notices)
        await floor.close()
    results = [tmp_path / "logs" / "T1" / f"{shoe}.audit.json" for shoe in range(1, 7)]
    assert [json.loads(path.read_bytes())["verdict"] for path in results] == ["pass"] * 6


def _worker_killed(crew: Crew, notices: Sequence[bytes]) -> None:
    with crew.client() as client:
        dies = crew.hire("dies", "worker", "--name", "dies", "--claim-after", "0.5")
        crew.until_at_work(dies)
        queue = list(notices)
        held: list[Any] = []
        while not held:
            crew.until(lambda: _is_asking(client), "the worker to ask for work")
            dies.pause()
            client.xadd(CLOSED, {"__data__": queue.pop(0)})
            held = cast("list[Any]", client.xpending_range(CLOSED, "auditors", "-", "+", 9, "dies"))
            if not held:  # it did not ask just then
                dies.go_on()
        assert len(queue) >= 3
        for notice in queue:
            client.xadd(CLOSED, {"__data__": notice})
        dies.kill()
        crew.hire("lives", "worker", "--name", "lives", "--claim-after", "0.5")
        crew.until(lambda: _is_done(client), "all to be audited")


def _is_asking(client: Redis) -> bool:
    return any("b" in one["flags"] and one["cmd"] == "xreadgroup" for one in client.client_list())


def _is_done(client: Redis) -> bool:
    (group,) = client.xinfo_groups(CLOSED)
    newest = cast("list[tuple[bytes, Any]]", client.xrevrange(CLOSED, count=1))
    return bool(group["pending"] == 0 and group["last-delivered-id"] == newest[0][0])


@pytest.mark.asyncio
async def test_a_shoe_whose_auditor_died_before_handing_it_over_is_handed_over(
    floor: Floor,
) -> None:
    """The verdict is said, and the notice to the workers is not: the next auditor says it."""
    await floor.close_after("T1", 3)
    await floor.resolver()
    await floor.bettors("T1")
    journal = _mute(floor.connect(), CLOSED)
    dies = await floor.start(wiring.auditor(journal, floor.log_dir, {}, ["T1"]))
    await floor.dealer("T1")
    await floor.audited("T1")
    await floor.stop(dies)
    assert await floor.entries(CLOSED) == []
    await floor.auditor()
    await until(lambda: floor.has_any(CLOSED), "the shoe to be handed over")
    work = await floor.start(wiring.worker(floor.connect(), floor.log_dir, "w"))
    result = floor.log("T1").with_suffix(".audit.json")
    await until(result.exists, "the shoe to be audited")
    await floor.stop(work)
    again = await floor.auditor()
    await until(lambda: "T1" in again.desks, "another auditor")
    await asyncio.sleep(0.2)
    assert len(await floor.entries(CLOSED)) == 1


def _mute(journal: Journal, stream: str) -> Journal:
    """Have whoever sends to this stream wait for ever."""
    send = journal.send

    async def say(to: str, datas: Sequence[bytes]) -> None:
        if to == stream:
            await asyncio.Event().wait()
        await send(to, datas)

    journal.send = say  # type: ignore[method-assign,assignment]
    return journal


@pytest.mark.asyncio
async def test_a_shoe_that_cannot_be_audited_does_not_keep_the_others_waiting(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    await floor.close_after("T1", 3, 3, 3)
    await floor.all_but_dealer("T1")
    await floor.dealer("T1", shoes=3)
    await floor.audited("T1", 3)

    def audit(paths: Sequence[Path]) -> Audit:
        if paths[0].name == "1.jsonl":
            raise RuntimeError("a bug")
        return audit_paths(paths)

    monkeypatch.setattr(worker_module, "audit_paths", audit)
    with capture_logs() as logs:
        await floor.start(wiring.worker(floor.connect(), floor.log_dir, "w", 50))
        for shoe in (2, 3):
            result = floor.log("T1", shoe).with_suffix(".audit.json")
            await until(result.exists, f"shoe {shoe} to be audited")
        await until(lambda: floor.has_any(f"{CLOSED}:dead"), "the first to be put aside")
    assert not floor.log("T1", 1).with_suffix(".audit.json").exists()
    assert {(line["event"], line["shoe"]) for line in alarms(logs)} == {
        ("audit stopped by a bug", 1)
    }
    dead = cast("list[Any]", await floor.journal.client.xrange(f"{CLOSED}:dead"))
    assert b"handed out 5 times and never done" in dead[0][1][b"reason"]
