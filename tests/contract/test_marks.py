"""A set that follows from a stream is set in the step that appends, or not at all."""

from __future__ import annotations

import asyncio

import pytest

from schemas.address import START, EntryId, Streams
from schemas.errors import Conflict, Lost
from services.journal import Entry, Journal, Marks

pytestmark = pytest.mark.asyncio
STREAMS = Streams("T7")
STREAM = STREAMS.disputes


def entries(*numbers: int, mark: bytes = b"") -> list[Entry]:
    return [Entry(EntryId(number, 0), b"%d %s" % (number, mark)) for number in numbers]


def marks(*members: int) -> Marks:
    return Marks(STREAMS.held, members)


async def held(journal: Journal) -> set[int]:
    return {int(member) for member in await journal.client.smembers(STREAMS.held)}


async def test_the_set_is_what_was_said_with_the_last_entry(journal: Journal) -> None:
    assert await journal.append_and_mark(STREAM, START, entries(1, 2), marks(12, 9)) == 2
    assert await held(journal) == {9, 12}
    assert await journal.append_and_mark(STREAM, EntryId(2, 0), entries(3), marks(9)) == 1
    assert await held(journal) == {9}
    assert await journal.append_and_mark(STREAM, EntryId(2, 0), entries(3), marks()) == 0
    assert await held(journal) == set()


async def test_without_marks_the_set_stays(journal: Journal) -> None:
    await journal.append_and_mark(STREAM, START, entries(1), marks(12))
    await journal.append_until_said(STREAM, EntryId(1, 0), entries(2))
    assert await held(journal) == {12}


async def test_who_is_behind_sets_nothing(journal: Journal) -> None:
    await journal.append_and_mark(STREAM, START, entries(1, 2, 3), marks(12))
    assert await journal.append_and_mark(STREAM, START, entries(1), marks(9)) == 0
    assert await journal.append_and_mark(STREAM, EntryId(1, 0), entries(2), marks()) == 0
    assert await held(journal) == {12}
    assert await journal.append_and_mark(STREAM, START, entries(1, 2, 3, 4), marks(9)) == 1
    assert await held(journal) == {9}


async def test_who_is_refused_sets_nothing(journal: Journal) -> None:
    await journal.append_and_mark(STREAM, START, entries(1, 2), marks(12))
    with pytest.raises(Conflict):
        await journal.append_and_mark(STREAM, EntryId(1, 0), entries(2, mark=b"x"), marks(9))
    with pytest.raises(Lost):
        await journal.append_and_mark(STREAM, EntryId(7, 0), entries(8), marks(9))
    assert await held(journal) == {12}


async def test_of_two_that_say_the_next_entry_one_sets(journal: Journal) -> None:
    await journal.append_and_mark(STREAM, START, entries(1), marks(1))
    said = [
        journal.append_and_mark(STREAM, EntryId(1, 0), entries(2, mark=b"%d" % n), marks(n))
        for n in range(5)
    ]
    answers = await asyncio.gather(*said, return_exceptions=True)
    (won,) = [n for n, answer in enumerate(answers) if answer == 1]
    assert all(isinstance(one, Conflict) for n, one in enumerate(answers) if n != won)
    assert await held(journal) == {won}


async def test_a_key_of_another_type_is_replaced(journal: Journal) -> None:
    await journal.client.set(STREAMS.held, "nonsense")
    await journal.append_and_mark(STREAM, START, entries(1), marks(12))
    assert await held(journal) == {12}
