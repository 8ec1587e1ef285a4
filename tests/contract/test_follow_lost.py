"""A stream deleted, trimmed or begun anew is said, and never read on."""

from __future__ import annotations

import asyncio

import pytest

from schemas.address import START, EntryId, Streams
from services.journal import Contiguity, Entry, Journal, ShoeStart
from tests.contract.tools import Reader, shoe, until

pytestmark = pytest.mark.asyncio
STREAMS = Streams("T7")
EVENTS, OUTCOMES = STREAMS.events, STREAMS.outcomes
VERDICTS, COMMANDS = STREAMS.verdicts, STREAMS.commands
FIRST = ShoeStart(1)


async def following(journal: Journal, seqs: int = 6) -> Reader:
    """Follow a stream up to 1-5."""
    await journal.append(EVENTS, FIRST, shoe(1, *range(seqs)))
    reader = Reader()
    await reader.follow(journal, EVENTS)
    await until(lambda: len(reader.got) == seqs)
    return reader


async def assert_lost(reader: Reader, says: str, seqs: int = 6) -> None:
    await until(lambda: reader.lost)
    await asyncio.sleep(0.1)
    assert len(reader.lost) == 1
    assert EVENTS in str(reader.lost[0])
    assert says in str(reader.lost[0])
    assert reader.got == shoe(1, *range(seqs))


async def test_a_deleted_stream(journal: Journal) -> None:
    reader = await following(journal)
    await journal.client.delete(EVENTS)
    await assert_lost(reader, "gone")


async def test_a_stream_trimmed_to_nothing(journal: Journal) -> None:
    reader = await following(journal)
    await journal.client.xtrim(EVENTS, maxlen=0, approximate=False)
    await assert_lost(reader, "trimmed to nothing")


async def test_a_deleted_entry_under_our_feet(journal: Journal) -> None:
    reader = await following(journal)
    await journal.client.xdel(EVENTS, "1-5")
    await assert_lost(reader, "deleted")


@pytest.mark.parametrize("wait", [0.0, 0.2])
@pytest.mark.parametrize(
    ("anew", "says"),
    [
        (shoe(1, 0, 1, mark=b"new"), "ends at 1-1"),
        (shoe(1, *range(6), mark=b"new"), "begun anew"),
        (shoe(1, *range(9), mark=b"new"), "begun anew"),
        (shoe(2, 0, 1), "begins at 2-0"),
        (shoe(3, 0, 1), "begins at 3-0"),
        (shoe(1, 6, 7), "begins at 1-6"),
    ],
)
async def test_a_stream_begun_anew(
    journal: Journal, anew: list[Entry], says: str, wait: float
) -> None:
    reader = await following(journal)
    await asyncio.sleep(wait)
    await begin_anew(journal, anew)
    await until(lambda: reader.lost)
    if wait:  # a check is due: nothing of the new stream is delivered
        await assert_lost(reader, says)


async def begin_anew(journal: Journal, anew: list[Entry]) -> None:
    pipe = journal.client.pipeline(transaction=True)
    pipe.delete(EVENTS)
    for entry_id, data in anew:
        pipe.xadd(EVENTS, {"__data__": data}, id=str(entry_id))
    await pipe.execute()


async def test_a_stream_begun_anew_under_load_is_said_soon(journal: Journal) -> None:
    reader = await following(journal)
    await begin_anew(journal, shoe(1, *range(9), mark=b"new"))
    for seq in range(9, 2000):
        if reader.lost:
            break
        await journal.append(EVENTS, EntryId(1, seq - 1), shoe(1, seq, mark=b"new"))
    await until(lambda: reader.lost)
    assert "begun anew" in str(reader.lost[0])


async def test_a_gap_is_said_and_nothing_after_it_delivered(journal: Journal) -> None:
    reader = await following(journal)
    await journal.client.xadd(EVENTS, {"__data__": b"far"}, id="1-8")
    await assert_lost(reader, "nothing follows 1-5: found 1-8")
    await journal.client.xadd(EVENTS, {"__data__": b"far"}, id="1-9")
    await asyncio.sleep(0.1)
    assert len(reader.got) == 6


async def test_a_backlog_with_a_hole(journal: Journal) -> None:
    await journal.append(EVENTS, FIRST, shoe(1, *range(6)))
    await journal.client.xdel(EVENTS, "1-3")
    reader = Reader()
    await reader.follow(journal, EVENTS)
    await until(lambda: reader.lost)
    assert reader.got == []
    assert "nothing follows 1-2: found 1-4" in str(reader.lost[0])


async def test_a_stream_that_lacks_its_beginning(journal: Journal) -> None:
    await journal.client.xadd(EVENTS, {"__data__": b"late"}, id="1-2")
    for after in (START, FIRST):
        await assert_never_begins(journal, after)


async def assert_never_begins(journal: Journal, after: EntryId | ShoeStart) -> None:
    reader = Reader()
    await reader.follow(journal, EVENTS, after)
    await until(lambda: reader.lost)
    assert reader.got == []


async def test_a_position_that_the_stream_does_not_reach(journal: Journal) -> None:
    reader = Reader()
    subscription = await reader.follow(journal, EVENTS, EntryId(1, 5))
    await until(lambda: reader.lost)
    assert subscription.ended
    await journal.append(EVENTS, FIRST, shoe(1, *range(3)))
    reader = Reader()
    await reader.follow(journal, EVENTS, EntryId(1, 5))
    await until(lambda: reader.lost)
    assert "ends at 1-2" in str(reader.lost[0])


async def test_commands_deleted_or_begun_anew(journal: Journal) -> None:
    await journal.send(COMMANDS, [b"one"])
    reader = Reader()
    await reader.follow(journal, COMMANDS, START, Contiguity.NONE)
    await until(lambda: reader.got)
    await asyncio.sleep(0.1)
    await journal.client.delete(COMMANDS)
    await journal.send(COMMANDS, [b"two"])
    await until(lambda: reader.lost)
    assert [entry.data for entry in reader.got] == [b"one"]


async def test_commands_begun_anew_between_two_looks(journal: Journal) -> None:
    """So soon after a batch that the next is not checked: the watch finds it within a second."""
    reader = Reader()
    await reader.follow(journal, COMMANDS, START, Contiguity.NONE)
    await journal.send(COMMANDS, [b"one"])
    await until(lambda: reader.got)
    await asyncio.sleep(0.1)
    await journal.send(COMMANDS, [b"two"])
    await until(lambda: len(reader.got) == 2)
    await journal.client.delete(COMMANDS)
    await journal.send(COMMANDS, [b"three"])
    await until(lambda: reader.lost)
    assert "begun anew" in str(reader.lost[0]) or "begins at" in str(reader.lost[0])


async def test_commands_that_were_trimmed_are_not_missed(journal: Journal) -> None:
    await journal.append(EVENTS, ShoeStart(2), shoe(2, 0))
    await journal.append(VERDICTS, ShoeStart(1), shoe(1, 1))
    reader = Reader()
    await reader.follow(journal, COMMANDS, START, Contiguity.NONE)
    for data in (b"one", b"two", b"three"):
        await journal.send(COMMANDS, [data])
        await until(lambda data=data: reader.got and reader.got[-1].data == data)  # type: ignore[misc]
        await asyncio.sleep(0.1)
    assert await journal.trim(STREAMS, 2, reader.got[-1].id) == 1 + 2
    await asyncio.sleep(1.3)
    await journal.send(COMMANDS, [b"four"])
    await until(lambda: len(reader.got) == 4)
    assert reader.lost == []


async def test_a_stream_that_trimming_left_empty_is_read_on(journal: Journal) -> None:
    """Shoe 2 was closed before its first round, and shoe 1 need not stay."""
    for number in (1, 2):
        await journal.append(EVENTS, ShoeStart(number), shoe(number, 0, 1, 2))
    await journal.append(OUTCOMES, ShoeStart(1), shoe(1, 1, 2))
    await journal.append(VERDICTS, ShoeStart(2), shoe(2, 1))
    on, edge = Reader(), Reader()
    await on.follow(journal, OUTCOMES, START, Contiguity.OUTCOMES)
    await until(lambda: len(on.got) == 2)
    assert await journal.trim(STREAMS, 2) == 3 + 2
    await edge.follow(journal, OUTCOMES, EntryId(1, 2), Contiguity.OUTCOMES)
    await asyncio.sleep(1.3)
    await journal.append(OUTCOMES, ShoeStart(3), shoe(3, 1))
    await until(lambda: len(on.got) == 3 and len(edge.got) == 1)
    assert on.lost == edge.lost == []


async def test_a_reader_further_on_is_untouched_by_trimming(journal: Journal) -> None:
    for number in (1, 2, 3):
        await journal.append(EVENTS, ShoeStart(number), shoe(number, 0, 1, 2))
        await journal.append(VERDICTS, ShoeStart(number), shoe(number, 1))
    on, behind, edge = Reader(), Reader(), Reader()
    await on.follow(journal, EVENTS)
    await until(lambda: len(on.got) == 9)
    assert await journal.trim(STREAMS, 3) == 8
    await edge.follow(journal, EVENTS, EntryId(2, 2))
    await behind.follow(journal, EVENTS, EntryId(1, 2))
    await until(lambda: behind.lost and len(edge.got) == 3)
    await asyncio.sleep(1.3)
    await journal.append(EVENTS, EntryId(3, 2), shoe(3, 3))
    await until(lambda: len(on.got) == 10 and len(edge.got) == 4)
    fresh = Reader()
    await fresh.follow(journal, EVENTS)
    await until(lambda: len(fresh.got) == 4)
    assert on.lost == edge.lost == fresh.lost == []
    assert behind.got == []
