"""The short way of an append against the long one, which checks everything: the same is so."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from schemas.address import LARGEST, EntryId, Streams
from schemas.errors import ShoetrailError
from services.journal import Entry, ShoeStart, append
from tests.contract.tools import shoe

if TYPE_CHECKING:
    from collections.abc import Callable

    from services.journal import Journal

pytestmark = pytest.mark.asyncio
SHORT, LONG = Streams("SHORT").events, Streams("LONG").events
_words = append._next_words


class Ways:
    """Which way each append is sent first."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.asked = 0
        self.only_long = False
        monkeypatch.setattr(append, "_next_words", self.next_words)

    def next_words(
        self, after: EntryId | ShoeStart, new: list[Entry]
    ) -> tuple[str | bytes | int, ...] | None:
        words = None if self.only_long else _words(after, new)
        self.asked += words is not None
        return words


@pytest.fixture
def ways(monkeypatch: pytest.MonkeyPatch) -> Ways:
    return Ways(monkeypatch)


async def tried(
    journal: Journal, stream: str, after: EntryId | ShoeStart, new: list[Entry]
) -> int | str:
    try:
        return await journal.append(stream, after, new)
    except ShoetrailError as error:
        return f"{type(error).__name__} {error}".replace(stream, "it")


async def both(
    journal: Journal, ways: Ways, after: EntryId | ShoeStart, new: list[Entry]
) -> int | str:
    """Append to both streams, each its own way, and give what both were told."""
    ways.only_long = False
    short = await tried(journal, SHORT, after, new)
    ways.only_long = True
    assert short == await tried(journal, LONG, after, new)
    return short


@pytest.mark.parametrize("begin", [0, 8, 95, 995, 10**14 - 12, LARGEST - 30])
async def test_each_number_is_spelled_as_it_is(journal: Journal, ways: Ways, begin: int) -> None:
    numbers = range(begin, begin + 25)
    mine = shoe(1, *numbers)
    assert await both(journal, ways, ShoeStart(1), mine[:1]) == 1
    for start, end in ((1, 2), (2, 13), (13, 14), (14, 25)):
        assert await both(journal, ways, mine[start - 1].id, mine[start:end]) == end - start
    assert await journal.read(SHORT) == await journal.read(LONG) == mine
    assert (ways.asked == 4) == (begin < 10**14 - 25)


async def test_it_is_gone_where_entries_are_plain_and_only_there(
    journal: Journal, ways: Ways
) -> None:
    async def asked(after: EntryId | ShoeStart, new: list[Entry]) -> int:
        ways.asked = 0
        await both(journal, ways, after, new)
        return ways.asked

    assert await asked(ShoeStart(1), shoe(1, 0)) == 0
    assert await asked(EntryId(1, 0), shoe(1, 1, 2)) == 1
    assert await asked(EntryId(1, 2), shoe(1, 4)) == 0
    assert await asked(EntryId(1, 4), shoe(1, 5, 7)) == 0
    assert await asked(EntryId(1, 7), shoe(1, 8) + shoe(2, 0)) == 0
    assert await asked(EntryId(1, 8), shoe(2, 9)) == 0


def random_append(dice: random.Random, last: int) -> tuple[EntryId | ShoeStart, list[Entry]]:
    """Say something near the end: next to it, again, too far on, with a gap, or otherwise."""
    begin = max(0, last + dice.choice((1, 1, 1, 0, -1, -3, 2)))
    numbers = list(range(begin, begin + dice.choice((1, 2, 5, 12))))
    if dice.random() < 0.1:
        del numbers[dice.randrange(len(numbers))]
    after = ShoeStart(1) if not begin or dice.random() < 0.1 else EntryId(1, begin - 1)
    return after, shoe(1, *numbers, mark=b"other" if dice.random() < 0.1 else b"")


def random_loss(dice: random.Random, last: int) -> Callable[[str], tuple[str | int, ...]]:
    """Take entries away at the end, before it, all of them, or the whole stream."""
    kind = dice.randrange(8)
    if kind < 4:
        return lambda stream: ("XDEL", stream, f"1-{max(0, last - kind)}")
    if kind < 6:
        return lambda stream: ("XTRIM", stream, "MINID", f"1-{max(0, last + kind - 5)}")
    if kind == 6:
        return lambda stream: ("XTRIM", stream, "MAXLEN", 0)
    return lambda stream: ("DEL", stream)


@pytest.mark.parametrize("seed", range(3))
async def test_whatever_happened_to_the_stream_both_tell_the_same(
    journal: Journal, ways: Ways, seed: int
) -> None:
    dice = random.Random(seed)  # noqa: S311 - no secret
    told = set()
    for _ in range(120):
        last = (await journal.last_id(SHORT)).minor
        if dice.random() < 0.15:
            lose = random_loss(dice, last)
            for stream in (SHORT, LONG):
                await journal.client.execute_command(*lose(stream))
        else:
            answer = await both(journal, ways, *random_append(dice, last))
            told.add(answer if isinstance(answer, int) else answer.split()[0])
        assert await journal.last_id(SHORT) == await journal.last_id(LONG)
        assert await journal.read(SHORT) == await journal.read(LONG)
    assert {"Conflict", "Lost", 0, 1, 12} <= told
    assert ways.asked > 20
