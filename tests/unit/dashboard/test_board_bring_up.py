"""Who comes again when many do: each is given what he missed, and it is made once for all."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, cast

import pytest

from schemas.address import LARGEST, START, EntryId, Streams
from services.dashboard.live import resume
from services.dashboard.live.audience import Audience
from services.dashboard.live.bring_up import BringUp
from services.dashboard.live.cursor import NO_SHOE, Positions, TableCursor
from services.dashboard.live.ring import Made, Step
from services.journal import Entry
from tests.support.said import said_at

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

TABLE = "DISPUTED"
STREAMS = Streams(TABLE)


class _Journal:
    """The table's streams as Redis would hold them."""

    def __init__(self) -> None:
        self.reads = 0
        self._held: dict[str, list[Entry]] = {}
        for one in said_at(TABLE):
            self._held.setdefault(getattr(STREAMS, one.stream), []).append(Entry(one.id, one.data))

    async def read(
        self, stream: str, first: EntryId = START, last: EntryId | None = None, count: int = 0
    ) -> list[Entry]:
        self.reads += 1
        await asyncio.sleep(0)
        last = last or EntryId(LARGEST, LARGEST)
        found = [one for one in self._held.get(stream, []) if first <= one.id <= last]
        return found[: count or None]


class _Feed:
    table, streams = TABLE, STREAMS

    def __init__(self) -> None:
        self.audience = Audience()


def end() -> TableCursor:
    """Where the first shoe ends, and all that was said of it."""
    at: dict[str, EntryId] = {}
    for one in said_at(TABLE):
        if one.stream == "disputes" or one.id.major == 1:
            at[one.stream] = max(at.get(one.stream, START), one.id)
    return TableCursor(TABLE, Positions(**at), NO_SHOE)


async def alone(after: TableCursor, to: TableCursor, *, public: bool) -> list[Step]:
    one = resume.Resume(cast("Any", _Journal()), None, STREAMS, after, to)
    return [step async for some in one.steps(lambda _: False, public=public) for step in some]


async def heard(chunks: AsyncIterator[bytes]) -> bytes:
    return b"".join([chunk async for chunk in chunks])


@pytest.mark.asyncio
async def test_many_are_brought_up_at_the_cost_of_a_few(monkeypatch: pytest.MonkeyPatch) -> None:
    to, made = end(), 0
    begin = TableCursor(TABLE, Positions(), NO_SHOE)
    ways = [await alone(begin, to, public=public) for public in (False, True)]
    to = ways[0][-1].after
    assert len(ways[0]) > 100
    # One whose verdicts lag behind: his way is another one at first, and then that of all.
    late = ways[0][60].before
    late = late._replace(at=late.at._replace(verdicts=EntryId(1, late.at.verdicts.minor - 1)))
    lately = b"".join([step.message for step in await alone(late, to, public=False)])
    journal, feed = _Journal(), _Feed()

    def counted(make: Any) -> Any:  # noqa: ANN401
        def count(*words: object) -> object:
            nonlocal made
            made += 1
            return make(*words)

        return count

    monkeypatch.setattr(resume, "table_message", counted(vars(resume)["table_message"]))
    monkeypatch.setattr(resume, "public_message", counted(vars(resume)["public_message"]))
    bring = BringUp(cast("Any", journal), None)
    asked = [(ways[p][place].before, p) for place in range(60, 0, -1) for p in (0, 1)]
    asked.append((late, 0))
    got = await asyncio.gather(
        *(heard(bring.at_table(cast("Any", feed), at, to, public=bool(p))) for at, p in asked)
    )
    for place, one in zip(range(60, 0, -1), zip(got[::2], got[1::2], strict=False), strict=False):
        assert one[0] == b"".join(step.message for step in ways[0][place:])
        assert one[1] == b"".join(step.message for step in ways[1][place:])
        assert b"alice" in one[0]
        assert b"alice" not in one[1]
    assert got[-1] == lately
    assert made < len(ways[0]) + len(ways[1]) + 10
    one_by_one = sum(len(way) - place for way in ways for place in range(1, 61))
    assert made * 20 < one_by_one


@pytest.mark.asyncio
async def test_what_was_made_is_dropped_with_the_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    begin, to = TableCursor(TABLE, Positions(), NO_SHOE), end()
    way = await alone(begin, to, public=False)
    to = way[-1].after
    journal, feed = _Journal(), _Feed()
    bring = BringUp(cast("Any", journal), None)
    await heard(bring.at_table(cast("Any", feed), way[5].before, to, public=False))
    reads = journal.reads
    await heard(bring.at_table(cast("Any", feed), way[9].before, to, public=False))
    assert journal.reads == reads
    bring.forget(TABLE)
    await heard(bring.at_table(cast("Any", feed), way[9].before, to, public=False))
    assert journal.reads > reads
    kept: list[Step] = []
    monkeypatch.setattr(Made, "add", lambda _made, step, **_: kept.append(step))
    bring.forget()
    chunks = bring.at_table(cast("Any", feed), way[9].before, to, public=False)
    reading = asyncio.ensure_future(anext(chunks))
    await asyncio.sleep(0)
    bring.forget(TABLE)  # while it is read
    await reading
    assert kept == []
