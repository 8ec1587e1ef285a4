"""A key of ours is replaced by another type of value: said in a line, and the others go on."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from structlog.testing import capture_logs

from schemas.address import CLOSED, Streams
from schemas.address import TABLES as TABLES_STREAM
from schemas.errors import Lost
from services.auditor import worker
from services.cli import wiring
from tests.support.floor import Floor, alarms, desk_of, until

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from services.dealer.app import DealerService
    from services.journal import TableService

pytestmark = [pytest.mark.faults, pytest.mark.integration, pytest.mark.asyncio]

#: Who writes a stream finds out only when there is something to write.
READERS = {
    "events": ("auditor", "bettors", "resolver"),
    "outcomes": ("auditor", "bettors", "dealer"),
}


def traced(logs: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    return [line for line in logs if line.get("exc_info")]


async def replace(floor: Floor, key: str) -> None:
    await floor.journal.client.set(key, "x")


async def working(floor: Floor, *tables: str) -> dict[str, TableService | DealerService]:
    services: dict[str, TableService | DealerService] = {
        **await floor.all_but_dealer(*tables),
        "dealer": await floor.dealer(*tables, pace=0.02),
    }
    for table in tables:
        await until(lambda table=table: floor.has(Streams(table).outcomes, 3), "three rounds")  # type: ignore[misc]
    return services


@pytest.mark.parametrize("kind", READERS)
async def test_a_stream_replaced_stops_that_table_in_each_service(floor: Floor, kind: str) -> None:
    await floor.close_after("T2", 150)
    services = await working(floor, "T1", "T2")
    stream = getattr(Streams("T1"), kind)
    with capture_logs() as logs:
        await replace(floor, stream)
        for name in READERS[kind]:
            desk = desk_of(services[name], "T1")
            await until(lambda desk=desk: desk.trouble, f"{name} to miss it")  # type: ignore[misc]
            assert isinstance(desk.trouble, Lost), name
            assert stream in str(desk.trouble)
        await floor.audited("T2")
    assert not traced(logs)
    stopped = [(line["service"], line["table"]) for line in alarms(logs)]
    assert len(stopped) == len(set(stopped)), "each is said once"
    assert {(name, "T1") for name in READERS[kind]} <= set(stopped)
    assert {table for _, table in stopped} == {"T1"}


async def test_the_list_of_tables_replaced_hides_no_other_loss(floor: Floor) -> None:
    services = await working(floor, "T1")
    with capture_logs() as logs:
        await replace(floor, TABLES_STREAM)
        await until(lambda: len(alarms(logs)) == 3, "each that discovers tables to say so")
        await floor.journal.client.delete(Streams("T1").events)
        for name in ("auditor", "bettors", "resolver"):
            desk = desk_of(services[name], "T1")
            await until(lambda desk=desk: desk.trouble, f"{name} to miss it")  # type: ignore[misc]
            assert isinstance(desk.trouble, Lost), name
    assert not traced(logs)
    said = [line for line in alarms(logs) if line["event"] == "tables are no longer discovered"]
    assert sorted(line["service"] for line in said) == ["auditor", "bettors", "resolver"]
    assert all(TABLES_STREAM in line["what"] for line in said)


async def test_the_queue_of_closed_shoes_replaced_stops_no_table(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "_PAUSE_S", 0.05)
    await replace(floor, CLOSED)
    with capture_logs() as logs:
        await floor.start(wiring.worker(floor.connect(), floor.log_dir, "one"))
        await floor.close_after("T1", 3, 3)
        services = await floor.all_but_dealer("T1")
        services["dealer"] = await floor.dealer("T1", shoes=2)  # type: ignore[assignment]
        await floor.audited("T1", 2)
        await until(lambda: len(alarms(logs)) >= 3, "two shoes and the worker")
        assert all(desk_of(service, "T1").trouble is None for service in services.values())
        await asyncio.sleep(0.3)
        assert sorted((line["event"], line.get("shoe")) for line in alarms(logs)) == [
            ("closed shoes cannot be taken", None),
            ("shoe not handed to the workers", 1),
            ("shoe not handed to the workers", 2),
        ]
        assert not traced(logs)
        await floor.journal.client.delete(CLOSED)
        await until(
            lambda: any(line["event"] == "closed shoes can be taken again" for line in logs)
        )
