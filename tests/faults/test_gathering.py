"""An auditor who gathers verdicts for one fsync: none is lost with him, none held back for long."""

from __future__ import annotations

from functools import partial

import pytest

from schemas.address import Streams
from services.auditor import app
from services.auditor.offline import audit_paths
from tests.support.floor import Floor, desk_of, until

pytestmark = [pytest.mark.faults, pytest.mark.integration]

T1 = Streams("T1")
ROUNDS = 12
AN_AGE_S = 30.0


@pytest.mark.asyncio
async def test_stopped_while_he_gathers_another_says_each_verdict_once(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    await floor.close_after("T1", ROUNDS)
    await floor.resolver()
    await floor.bettors("T1")
    first = await floor.auditor()
    await floor.dealer("T1", pace=0.02)
    await until(partial(floor.has, T1.verdicts, 3), "three verdicts")
    monkeypatch.setattr(app, "_GATHER_S", AN_AGE_S)
    monkeypatch.setattr(app, "_GATHER_BUSY_S", AN_AGE_S)
    said = len(await floor.entries(T1.verdicts))
    await until(partial(floor.has, T1.outcomes, said + 3), "outcomes that have no verdict yet")
    assert desk_of(first, "T1").lock.locked()  # by the handler that gathers
    before = len(await floor.entries(T1.verdicts))
    await floor.stop(first)
    assert len(await floor.entries(T1.verdicts)) == before < ROUNDS
    monkeypatch.undo()
    await floor.auditor()
    log = await floor.audited("T1")
    assert audit_paths([log]).verdict == "pass"
    said_at = [one.id.minor for one in await floor.entries(T1.verdicts)]
    assert said_at == list(range(1, ROUNDS + 2))
    events, outcomes = await floor.entries(T1.events), await floor.entries(T1.outcomes)
    assert sorted(log.read_bytes().splitlines()) == sorted(one.data for one in events + outcomes)


@pytest.mark.asyncio
async def test_a_quiet_table_waits_for_no_busy_one(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "_GATHER_BUSY_S", AN_AGE_S)
    await floor.close_after("T1", 3)
    await floor.all_but_dealer("T1")
    await floor.dealer("T1", pace=0.4)
    await until(partial(floor.has, T1.verdicts, 4), "the verdicts, each at once", AN_AGE_S / 2)


@pytest.mark.asyncio
async def test_the_last_verdict_of_a_busy_shoe_waits_for_one_gathering_at_most(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "_BUSY_S", AN_AGE_S)
    monkeypatch.setattr(app, "_GATHER_BUSY_S", 0.5)
    await floor.close_after("T1", ROUNDS)
    await floor.all_but_dealer("T1")
    await floor.dealer("T1")
    await until(partial(floor.has, T1.outcomes, ROUNDS), "the last outcome")
    await until(partial(floor.has, T1.verdicts, ROUNDS + 1), "the shoe's verdict", 4)
