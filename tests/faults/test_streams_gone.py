"""Streams deleted, trimmed to nothing or begun anew while services run: said, never read on."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, cast

import pytest
from structlog.testing import capture_logs

from schemas.address import TABLES as TABLES_STREAM
from schemas.address import Streams
from schemas.errors import Lost
from tests.support.floor import Floor, alarms, desk_of, until

if TYPE_CHECKING:
    from redis.asyncio import Redis

    from services.dealer.app import DealerService
    from services.journal import TableService

pytestmark = [pytest.mark.faults, pytest.mark.integration, pytest.mark.asyncio]

#: What is done to the table's stream; nothing happens at T4.
DELETED, TRIMMED, ANEW, SOUND = TABLES = ("T1", "T2", "T3", "T4")
READERS = {
    "events": ("auditor", "bettors", "resolver"),
    "outcomes": ("auditor", "bettors", "dealer"),
    "commands": ("auditor", "dealer"),
}


async def harm(client: Redis, kind: str) -> None:
    streams = {table: getattr(Streams(table), kind) for table in TABLES}
    await client.delete(streams[DELETED], streams[ANEW])
    await client.xtrim(streams[TRIMMED], maxlen=0, approximate=False)
    first = {"events": "1-0", "outcomes": "1-1", "commands": "*"}[kind]
    await client.xadd(streams[ANEW], {b"__data__": b"of another run"}, first)


@pytest.mark.parametrize("kind", READERS)
async def test_it_is_said_never_read_on_and_other_tables_go_on(floor: Floor, kind: str) -> None:
    await floor.close_after(SOUND, 150)
    services: dict[str, TableService | DealerService] = {
        **await floor.all_but_dealer(*TABLES),
        "dealer": await floor.dealer(*TABLES, pace=0.02),
    }
    for table in TABLES:
        await until(lambda table=table: floor.has(Streams(table).outcomes, 3), "three rounds")  # type: ignore[misc]
    with capture_logs() as logs:
        await harm(cast("Redis", floor.journal.client), kind)
        for name in READERS[kind]:
            for table in (DELETED, TRIMMED, ANEW):
                desk = desk_of(services[name], table)
                await until(lambda desk=desk: desk.trouble, f"{name} to miss {table}'s {kind}")  # type: ignore[misc]
                assert isinstance(desk.trouble, Lost), (name, table)
    stopped = [(line["service"], line["table"]) for line in alarms(logs)]
    assert len(stopped) == len(set(stopped)), "each is said once"
    for table in (DELETED, TRIMMED, ANEW):
        assert {(name, table) for name in READERS[kind]} <= set(stopped)
        said = [line["what"] for line in alarms(logs) if line["table"] == table]
        assert all(getattr(Streams(table), kind) in what for what in said), said
    before = [await floor.entries(Streams(table).verdicts) for table in TABLES[:3]]
    await asyncio.sleep(0.5)
    assert [await floor.entries(Streams(table).verdicts) for table in TABLES[:3]] == before
    await floor.audited(SOUND)
    assert all(desk_of(service, SOUND).trouble is None for service in services.values())
    assert SOUND not in {table for _, table in stopped}


async def test_tables_that_are_known_go_on_without_the_list_of_tables(floor: Floor) -> None:
    await floor.close_after("T1", 100)
    services: dict[str, TableService | DealerService] = {
        **await floor.all_but_dealer("T1"),
        "dealer": await floor.dealer("T1", pace=0.02),
    }
    await until(lambda: floor.has(Streams("T1").outcomes, 3), "three rounds")
    with capture_logs() as logs:
        await floor.journal.client.delete(TABLES_STREAM)
        await until(lambda: len(alarms(logs)) == 3, "each that discovers tables to say so")
        await floor.audited("T1")
    assert {line["event"] for line in alarms(logs)} == {"tables are no longer discovered"}
    assert {line["service"] for line in alarms(logs)} == {"auditor", "bettors", "resolver"}
    assert all(desk_of(service, "T1").trouble is None for service in services.values())
