from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from schemas.address import CLOSED, START, TABLES, EntryId, Streams
from services.journal import Contiguity, Entry, Journal, ShoeStart, share
from tests.contract.tools import Reader, shoe, until

if TYPE_CHECKING:
    from services.journal import Follower

pytestmark = pytest.mark.asyncio
EVENTS = Streams("T7").events
OUTCOMES = Streams("T7").outcomes
FIRST = ShoeStart(1)


async def test_what_is_there_and_what_comes_is_delivered_once_in_order(journal: Journal) -> None:
    await journal.append(EVENTS, FIRST, shoe(1, *range(1300)))
    reader = Reader()
    subscription = await reader.follow(journal, EVENTS)
    await until(lambda: len(reader.got) == 1300)
    for seq in range(1300, 1340):
        await journal.append(EVENTS, EntryId(1, seq - 1), shoe(1, seq))
    await journal.append(EVENTS, ShoeStart(2), shoe(2, 0, 1))
    await until(lambda: len(reader.got) == 1342)
    assert reader.got == shoe(1, *range(1340)) + shoe(2, 0, 1)
    assert subscription.position == (2, 1)
    await subscription.stop()
    await journal.append(EVENTS, EntryId(2, 1), shoe(2, 2))
    await asyncio.sleep(0.1)
    assert len(reader.got) == 1342


async def test_bytes_arrive_as_they_are_stored(journal: Journal) -> None:
    datas = [
        bytes(range(256)),
        b"",
        b"\x89BIN\r\n\x1a\n junk",
        b'{"data":"\xff"}',
        b"1",
        b"\0" * 9000,
    ]
    mine = [Entry(EntryId(1, seq), data) for seq, data in enumerate(datas)]
    reader = Reader()
    await reader.follow(journal, EVENTS)
    await journal.append(EVENTS, FIRST, mine)
    await until(lambda: len(reader.got) == len(mine))
    assert reader.got == mine


async def test_following_goes_on_after_a_position(journal: Journal) -> None:
    await journal.append(EVENTS, FIRST, shoe(1, 0, 1, 2))
    await journal.append(EVENTS, ShoeStart(2), shoe(2, 0, 1))
    middle, start, end = Reader(), Reader(), Reader()
    await middle.follow(journal, EVENTS, EntryId(1, 1))
    await start.follow(journal, EVENTS, ShoeStart(2))
    await end.follow(journal, EVENTS, EntryId(2, 1))
    await journal.append(EVENTS, EntryId(2, 1), shoe(2, 2))
    await until(lambda: middle.got and start.got and end.got and len(middle.got) == 4)
    assert middle.ids == [(1, 2), (2, 0), (2, 1), (2, 2)]
    assert start.ids == [(2, 0), (2, 1), (2, 2)]
    assert end.ids == [(2, 2)]


async def test_a_shoe_that_has_not_begun_is_awaited(journal: Journal) -> None:
    events, outcomes = Reader(), Reader()
    await events.follow(journal, EVENTS, FIRST)
    await outcomes.follow(journal, OUTCOMES, FIRST, Contiguity.OUTCOMES)
    await journal.append(EVENTS, FIRST, shoe(1, 0))
    await journal.append(OUTCOMES, FIRST, shoe(1, 1, 2))
    await journal.append(OUTCOMES, ShoeStart(4), shoe(4, 1))
    await until(lambda: len(events.got) == 1 and len(outcomes.got) == 3)
    assert events.ids == [(1, 0)]
    assert outcomes.ids == [(1, 1), (1, 2), (4, 1)]


async def test_a_busy_stream_is_read_less_often_where_all_who_follow_may_wait(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(share, "_BUSY_S", 3_600.0)
    waits, other = Reader(), Reader()
    following = await waits.follow(journal, EVENTS, linger=3_600.0)
    await journal.append(EVENTS, FIRST, shoe(1, 0))
    await until(lambda: len(waits.got) == 1)  # the first of a quiet stream waits for nothing,
    await journal.append(EVENTS, EntryId(1, 0), shoe(1, 1))
    await until(lambda: len(waits.got) == 2)  # and what was read is handed out at once;
    await journal.append(EVENTS, EntryId(1, 1), shoe(1, 2))
    await asyncio.sleep(0.2)
    assert len(waits.got) == 2  # only the next reading waits
    await following.stop()
    assert following.position == (1, 1)
    monkeypatch.setattr(share, "_BUSY_S", 0.0)
    await waits.follow(journal, EVENTS, EntryId(1, 1), linger=3_600.0)
    monkeypatch.setattr(share, "_BUSY_S", 3_600.0)
    await other.follow(journal, EVENTS, EntryId(1, 1))
    for seq in range(3, 7):
        await journal.append(EVENTS, EntryId(1, seq - 1), shoe(1, seq))
        await until(lambda seq=seq: other.ids[-1:] == waits.ids[-1:] == [(1, seq)])  # type: ignore[misc]
    assert waits.got == shoe(1, *range(7))  # for one who does not wait, all are served at once


async def test_ids_of_redis_itself_only_rise(journal: Journal) -> None:
    reader = Reader()
    await reader.follow(journal, TABLES, START, Contiguity.NONE)
    for n in range(5):
        await journal.send(TABLES, [b"%d" % n, b"again"])
    await until(lambda: len(reader.got) == 10)
    assert [entry.data for entry in reader.got[::2]] == [b"0", b"1", b"2", b"3", b"4"]


async def test_a_handler_that_fails_ends_the_subscription_and_is_reported(
    journal: Journal,
) -> None:
    reader, calls = Reader(), []

    async def fail(batch: list[Entry]) -> None:
        calls.append(batch)
        raise RuntimeError("on purpose")

    await journal.append(EVENTS, FIRST, shoe(1, 0))
    subscription = await journal.follow(
        EVENTS,
        START,
        fail,
        kind=Contiguity.EVENTS,
        on_lost=reader.on_lost,
        on_error=reader.on_error,
    )
    await until(lambda: reader.errors)
    await journal.append(EVENTS, EntryId(1, 0), shoe(1, 1))
    await asyncio.sleep(0.2)
    assert [str(error) for error in reader.errors] == ["on purpose"]
    assert len(calls) == 1
    assert subscription.ended
    assert subscription.position == START
    assert reader.lost == []


async def test_a_handler_may_stop_its_own_subscription(journal: Journal) -> None:
    got: list[Entry] = []
    subscription: Follower

    async def take(batch: list[Entry]) -> None:
        got.extend(batch)
        await subscription.stop()

    reader = Reader()
    subscription = await journal.follow(
        EVENTS, START, take, kind=Contiguity.EVENTS, on_lost=reader.on_lost
    )
    await journal.append(EVENTS, FIRST, shoe(1, 0))
    await until(lambda: got)
    await journal.append(EVENTS, EntryId(1, 0), shoe(1, 1))
    await asyncio.sleep(0.2)
    assert got == shoe(1, 0)


async def test_stopping_an_idle_subscription_is_quick(journal: Journal) -> None:
    reader = Reader()
    subscription = await reader.follow(journal, EVENTS)
    async with asyncio.timeout(1):
        await subscription.stop()


async def test_one_batch_at_a_time_and_never_more_than_500(journal: Journal) -> None:
    busy, sizes = 0, []

    async def slow(batch: list[Entry]) -> None:
        nonlocal busy
        busy += 1
        assert busy == 1
        await asyncio.sleep(0.02)
        sizes.append(len(batch))
        busy -= 1

    await journal.append(EVENTS, FIRST, shoe(1, *range(1200)))
    reader = Reader()
    await journal.follow(EVENTS, START, slow, kind=Contiguity.EVENTS, on_lost=reader.on_lost)
    await until(lambda: sum(sizes) == 1200)
    assert max(sizes) == 500


async def test_many_streams_are_followed_as_tables_appear(journal: Journal) -> None:
    tables: dict[str, Reader] = {}

    async def discover(batch: list[Entry]) -> None:
        for entry in batch:
            table = entry.data.decode()
            tables[table] = Reader()
            await tables[table].follow(journal, Streams(table).events)

    reader = Reader()
    await journal.follow(TABLES, START, discover, kind=Contiguity.NONE, on_lost=reader.on_lost)
    names = [f"M{n}" for n in range(100)]
    for name in names:
        await journal.append(Streams(name).events, FIRST, shoe(1, 0, mark=name.encode()))
        await journal.send(TABLES, [name.encode()])
    for seq in range(1, 4):
        for name in names:
            mine = shoe(1, seq, mark=name.encode())
            await journal.append(Streams(name).events, EntryId(1, seq - 1), mine)
    await until(lambda: len(tables) == 100 and all(len(x.got) == 4 for x in tables.values()))
    for name in names:
        assert tables[name].got == shoe(1, 0, 1, 2, 3, mark=name.encode())
    assert CLOSED not in tables
