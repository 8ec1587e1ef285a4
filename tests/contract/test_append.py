from __future__ import annotations

import asyncio
from itertools import pairwise

import pytest

from schemas.address import LARGEST, START, EntryId, Streams
from schemas.errors import Conflict, InputError, Lost
from services.journal import Entry, Journal, ShoeStart
from tests.contract.tools import shoe

pytestmark = pytest.mark.asyncio
EVENTS = Streams("T7").events
FIRST = ShoeStart(1)


async def written(journal: Journal, stream: str = EVENTS) -> list[Entry]:
    return await journal.read(stream)


async def test_appends_go_on_after_one_another(journal: Journal) -> None:
    assert await journal.last_id(EVENTS) == START
    assert await journal.first_id(EVENTS) is None
    assert await journal.append(EVENTS, FIRST, shoe(1, 0, 1, 2)) == 3
    assert await journal.append(EVENTS, EntryId(1, 2), shoe(1, 3)) == 1
    assert await journal.append(EVENTS, EntryId(1, 3), []) == 0
    assert await written(journal) == shoe(1, 0, 1, 2, 3)
    assert await journal.last_id(EVENTS) == (1, 3)
    assert await journal.first_id(EVENTS) == (1, 0)
    assert await journal.last_entry(EVENTS) == shoe(1, 3)[0]


async def test_a_shoe_starts_after_any_entry_of_an_earlier_one(journal: Journal) -> None:
    await journal.append(EVENTS, ShoeStart(3), shoe(3, 0, 1))
    assert await journal.append(EVENTS, ShoeStart(7), shoe(7, 0)) == 1
    assert await journal.append(EVENTS, ShoeStart(7), shoe(7, 0)) == 0
    with pytest.raises(Conflict):
        await journal.append(EVENTS, ShoeStart(7), shoe(7, 0, mark=b"other"))
    with pytest.raises(Conflict, match=r"expected 5-0 next, found 7-0"):
        await journal.append(EVENTS, ShoeStart(5), shoe(5, 0))
    assert await written(journal) == shoe(3, 0, 1) + shoe(7, 0)


async def test_after_nothing_is_where_an_empty_stream_begins(journal: Journal) -> None:
    assert await journal.append(EVENTS, START, shoe(1, 0)) == 1
    assert await journal.append(EVENTS, START, shoe(1, 0)) == 0


async def test_what_is_said_again_is_written_once(journal: Journal) -> None:
    await journal.append(EVENTS, FIRST, shoe(1, *range(6)))
    for start in range(6):
        after = EntryId(1, start - 1) if start else FIRST
        assert await journal.append(EVENTS, after, shoe(1, *range(start, 6))) == 0
        assert await journal.append(EVENTS, after, shoe(1, start)) == 0
    assert await written(journal) == shoe(1, *range(6))


async def test_of_a_partial_overlap_the_rest_is_written(journal: Journal) -> None:
    await journal.append(EVENTS, FIRST, shoe(1, *range(6)))
    assert await journal.append(EVENTS, EntryId(1, 2), shoe(1, *range(3, 9))) == 3
    assert await journal.append(EVENTS, FIRST, shoe(1, *range(12))) == 3
    assert await written(journal) == shoe(1, *range(12))


@pytest.mark.parametrize("start", [0, 2, 5])
@pytest.mark.parametrize("bent", [0, 1])
async def test_other_bytes_in_an_overlap_are_a_conflict(
    journal: Journal, start: int, bent: int
) -> None:
    await journal.append(EVENTS, FIRST, shoe(1, *range(7)))
    after = EntryId(1, start - 1) if start else FIRST
    mine = shoe(1, *range(start, 9))
    mine[bent] = Entry(mine[bent].id, b"something else")
    with pytest.raises(Conflict, match=rf"events: 1-{start + bent} is there already"):
        await journal.append(EVENTS, after, mine)
    assert await written(journal) == shoe(1, *range(7))


async def test_another_writers_entries_are_a_conflict(journal: Journal) -> None:
    await journal.append(EVENTS, FIRST, shoe(1, 0, 1, 2))
    await journal.append(EVENTS, EntryId(1, 2), shoe(2, 0, 1))
    with pytest.raises(Conflict, match=r"expected 1-3 next, found 2-0"):
        await journal.append(EVENTS, EntryId(1, 2), shoe(1, 3))
    with pytest.raises(Conflict, match=r"expected 2-1 next, found 2-0"):
        await journal.append(EVENTS, EntryId(1, 2), shoe(2, 1))
    with pytest.raises(Conflict, match=r"expected 1-2 next, found 1-1"):
        await journal.append(EVENTS, EntryId(1, 0), shoe(1, 2))
    assert await written(journal) == shoe(1, 0, 1, 2) + shoe(2, 0, 1)


async def test_going_on_beyond_the_end_is_lost(journal: Journal) -> None:
    with pytest.raises(Lost, match=r"events: expected entries up to 1-4, found its end at 0-0"):
        await journal.append(EVENTS, EntryId(1, 4), shoe(1, 5))
    await journal.append(EVENTS, FIRST, shoe(1, 0, 1))
    with pytest.raises(Lost, match=r"up to 1-4, found its end at 1-1"):
        await journal.append(EVENTS, EntryId(1, 4), shoe(1, 5))
    assert await written(journal) == shoe(1, 0, 1)


async def test_the_end_survives_trimming(journal: Journal) -> None:
    await journal.append(EVENTS, FIRST, shoe(1, 0, 1, 2))
    await journal.client.xtrim(EVENTS, maxlen=0, approximate=False)
    assert await journal.last_id(EVENTS) == (1, 2)
    assert await journal.append(EVENTS, EntryId(1, 2), shoe(1, 3)) == 1
    with pytest.raises(Lost, match=r"expected 1-1, which was trimmed"):
        await journal.append(EVENTS, EntryId(1, 0), shoe(1, 1, 2, 3))
    assert await written(journal) == shoe(1, 3)


async def test_an_overlap_with_a_hole_is_lost(journal: Journal) -> None:
    await journal.append(EVENTS, FIRST, shoe(1, *range(5)))
    await journal.client.xdel(EVENTS, "1-2", "1-4")
    with pytest.raises(Lost, match=r"expected 1-2, which was deleted"):
        await journal.append(EVENTS, FIRST, shoe(1, *range(5)))
    with pytest.raises(Lost, match=r"expected 1-4, which was deleted"):
        await journal.append(EVENTS, EntryId(1, 3), shoe(1, 4))
    with pytest.raises(Lost, match=r"1-4, which was deleted"):
        await journal.append(EVENTS, EntryId(1, 3), shoe(1, 5))
    await journal.client.xtrim(EVENTS, maxlen=0, approximate=False)
    with pytest.raises(Lost, match=r"expected 1-3, which was trimmed; found 1-4"):
        await journal.append(EVENTS, EntryId(1, 2), shoe(1, 3, 4))


BAD = [
    shoe(1, 3, 4, 4),
    shoe(1, 3, 5, 4),
    shoe(1, 2, 3),
    shoe(1, 3) + shoe(0, 9),
    shoe(1, 3, LARGEST + 1),
    shoe(1, 3) + shoe(LARGEST + 1, 0),
    [*shoe(1, 3), Entry(EntryId(1, -4), b"")],
    shoe(1, 3, 2**70),
]


@pytest.mark.parametrize("batch", BAD)
async def test_a_bad_id_in_mid_batch_writes_nothing(journal: Journal, batch: list[Entry]) -> None:
    await journal.append(EVENTS, FIRST, shoe(1, 0, 1, 2))
    with pytest.raises(InputError, match="cannot be used as id"):
        await journal.append(EVENTS, EntryId(1, 2), batch)
    assert await written(journal) == shoe(1, 0, 1, 2)


async def test_the_largest_ids_are_exact(journal: Journal) -> None:
    for seq in (LARGEST - 1, LARGEST):
        assert await journal.append(EVENTS, EntryId(0, 0), shoe(9, LARGEST - 1, seq)[-1:]) == 1
        await journal.client.delete(EVENTS)
    assert await journal.append(EVENTS, FIRST, shoe(LARGEST, LARGEST - 1, LARGEST)) == 2
    assert await journal.append(EVENTS, FIRST, shoe(LARGEST, LARGEST - 1, LARGEST)) == 0
    with pytest.raises(InputError, match="cannot be used as after"):
        await journal.append(EVENTS, EntryId(LARGEST + 1, 0), shoe(1, 0))


async def test_bytes_are_kept_as_they_are(journal: Journal) -> None:
    datas = [bytes(range(256)), b"", b"\r\n$-1\r\n", "tür ♠".encode(), b"\0" * 5000]
    mine = [Entry(EntryId(1, seq), data) for seq, data in enumerate(datas)]
    await journal.append(EVENTS, FIRST, mine)
    assert await written(journal) == mine
    assert await journal.append(EVENTS, FIRST, mine) == 0


async def test_of_writers_at_once_one_speaks_and_others_are_refused(journal: Journal) -> None:
    async def write(mark: bytes) -> int:
        for seq in range(50):
            after = EntryId(1, seq - 1) if seq else FIRST
            try:
                await journal.append(EVENTS, after, shoe(1, seq, mark=mark))
            except Conflict:
                return seq
        return 50

    reached = await asyncio.gather(*(write(b"%d" % n) for n in range(5)))
    assert max(reached) == 50
    assert sorted(reached)[-2] < 50
    entries = await written(journal)
    assert len({entry.data.split()[1] for entry in entries}) == 1
    assert [entry.id.minor for entry in entries] == list(range(50))


async def test_writers_of_the_same_words_never_conflict(journal: Journal) -> None:
    async def write() -> int:
        new = 0
        for seq in range(0, 60, 3):
            after = EntryId(1, seq - 1) if seq else FIRST
            new += await journal.append(EVENTS, after, shoe(1, seq, seq + 1, seq + 2))
        return new

    assert sum(await asyncio.gather(*(write() for _ in range(4)))) == 60
    assert await written(journal) == shoe(1, *range(60))


async def test_the_script_is_sent_again_where_redis_forgot_it(journal: Journal) -> None:
    await journal.append(EVENTS, FIRST, shoe(1, 0))
    await journal.client.script_flush()
    assert await journal.append(EVENTS, EntryId(1, 0), shoe(1, 1)) == 1


async def test_a_key_that_is_no_stream_is_left_alone(journal: Journal) -> None:
    await journal.client.set(EVENTS, "a string")
    with pytest.raises(Exception, match="WRONGTYPE"):
        await journal.append(EVENTS, FIRST, shoe(1, 0))
    assert await journal.client.get(EVENTS) == b"a string"


async def test_sent_entries_arrive_in_order_with_rising_ids(journal: Journal) -> None:
    await journal.send(Streams("T7").commands, [b"%d" % n for n in range(1200)])
    entries = await written(journal, Streams("T7").commands)
    assert [entry.data for entry in entries] == [b"%d" % n for n in range(1200)]
    assert all(one.id < two.id for one, two in pairwise(entries))


async def test_reading_by_range(journal: Journal) -> None:
    await journal.append(EVENTS, FIRST, shoe(1, *range(10)))
    assert await journal.read(EVENTS, EntryId(1, 3), EntryId(1, 5)) == shoe(1, 3, 4, 5)
    assert await journal.read(EVENTS, EntryId(1, 3), count=2) == shoe(1, 3, 4)
    assert await journal.read(EVENTS, last=START) == []
    batches = [batch async for batch in journal.scan(EVENTS, EntryId(1, 1), batch=4)]
    assert batches == [shoe(1, 1, 2, 3, 4), shoe(1, 5, 6, 7, 8), shoe(1, 9)]
    assert [batch async for batch in journal.scan("shoetrail:{none}:events")] == []
