"""Brings one up who comes with a cursor: what a table said after it. It only reads.

From Redis, and from a shoe's log and the verdicts beside it where Redis holds the shoe no longer.

The shoe is folded again from its first event, so that each message says what it would have said.
Raises ``Unserved`` where that cannot be done: then the view must be asked for anew.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from schemas.address import LARGEST, START, EntryId
from schemas.errors import ShoetrailError
from services.dashboard.board.shoe_board import ShoeBoard
from services.dashboard.live.cursor import STREAMS, TableCursor, mark_of
from services.dashboard.live.message import public_message, table_message
from services.dashboard.live.ring import Step
from services.dashboard.live.weave import KINDS, Told, told, weave
from services.journal import Entry
from services.journal.contiguity import break_in

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from schemas.address import Streams
    from services.dashboard.live.cursor import Stream
    from services.dashboard.live.kept import KeptShoes
    from services.journal import Journal

#: Whoever was away for more shoes than this asks anew.
MOST_SHOES: Final = 3
#: So much is folded before others have their turn, and so many bytes are sent at once.
_TURN: Final = 40
_CHUNK: Final = 64 * 1024
#: So much of a stream is read at most: no shoe says more, and a cursor may be forged.
_MOST: Final = 20_000
_TRIMMED: Final = "what came after the cursor is kept no longer"


class Unserved(ShoetrailError):
    """A cursor from which nobody can go on any more; ``str()`` says why, to the viewer."""


class Resume:
    """From a cursor to the position ``to`` of the live feed, which was taken at one moment."""

    def __init__(
        self,
        journal: Journal,
        kept: KeptShoes | None,
        streams: Streams,
        after: TableCursor,
        to: TableCursor,
    ) -> None:
        """Judge what can be judged without Redis."""
        if any(one > there for one, there in zip(after.at, to.at, strict=True)):
            raise Unserved("the cursor is ahead of the table's streams")
        self.shoe, self.to_shoe = after.at.events.major, to.at.events.major
        if self.to_shoe - self.shoe > MOST_SHOES:
            raise Unserved("the cursor is too old")
        self._journal, self._kept, self._streams = journal, kept, streams
        self._after, self._to = after, to
        self._cursor = after
        self._board = ShoeBoard(after.table)
        #: How far each stream was found without a gap.
        self._reached: dict[Stream, EntryId] = dict(zip(STREAMS, after.at, strict=True))

    async def steps(
        self, is_made: Callable[[TableCursor], bool], *, public: bool
    ) -> AsyncIterator[list[Step]]:
        """Give the messages, some at a time; only those before what is made already."""
        make = public_message if public else table_message
        waiting: list[Step] = []
        turn = size = 0
        known, missed = await self._first()
        for shoe in range(self.shoe, self.to_shoe + 1):
            if shoe > self.shoe:
                missed = await self._read(shoe)
            for one in known + missed:
                change = self._board.take(one.stream, one.id, one.message)
                turn += 1
                if one.id > getattr(self._after.at, one.stream):
                    before = self._cursor
                    self._pass(one)
                    message = make(str(self._cursor), self._board, one, change)
                    waiting.append(Step(before, self._cursor, message))
                    size += len(message)
                if size > _CHUNK or (waiting and is_made(self._cursor)):
                    yield waiting
                    waiting, size = [], 0
                elif turn % _TURN == 0:
                    await asyncio.sleep(0)
            known = []
        if self._cursor.at != self._to.at:
            raise Unserved(_TRIMMED)
        if waiting:
            yield waiting

    async def _first(self) -> tuple[list[Told], list[Told]]:
        """Read the cursor's shoe: what came up to the cursor, and what came after it.

        Disputes are all read here, and verdicts and outcomes of earlier shoes that came late.
        """
        read = await self._shoe(self.shoe)
        read["disputes"] = await self._entries("disputes", START, LARGEST)
        opened = read["events"][0].data if read["events"] and self.shoe else None
        there = opened is not None or not self.shoe
        if not there or self._after.mark != mark_of(opened):
            raise Unserved("the table's streams are others now, or that shoe is kept no longer")
        parts: tuple[list[list[Told]], list[list[Told]]] = ([], [])
        for stream in STREAMS:
            there = getattr(self._after.at, stream)
            entries = told(stream, read[stream])
            parts[0].append([one for one in entries if one.id <= there])
            parts[1].append([one for one in entries if one.id > there])
            self._check(stream, parts[1][-1])
        if self.shoe and parts[0][0][-1].id != self._after.at.events:
            raise Unserved("the cursor names an event that is not there")
        return weave(*parts[0]), weave(*parts[1])

    async def _read(self, shoe: int) -> list[Told]:
        read = await self._shoe(shoe)
        parts = [told(stream, read[stream]) for stream in STREAMS[:3]]
        for stream, part in zip(STREAMS, parts, strict=False):
            self._check(stream, part)
        return weave(*parts)

    async def _shoe(self, shoe: int) -> dict[Stream, list[Entry]]:
        """Read a shoe's streams, from wherever they are."""
        first = EntryId(shoe, 0)
        read = {stream: await self._entries(stream, first, shoe) for stream in STREAMS[:3]}
        events = read["events"]
        if shoe and self._kept is not None and not (events and events[0].id == first):
            kept = await asyncio.to_thread(self._kept.shoe, self._after.table, shoe)
            read = read if kept is None else kept
        return read

    async def _entries(self, stream: Stream, first: EntryId, shoe: int) -> list[Entry]:
        """Read a stream up to a shoe's end, or the feed's position."""
        after = getattr(self._after.at, stream)
        if first != START and after.major < first.major and first.major == self.shoe:
            first = EntryId(after.major, after.minor + 1)  # what was said late of earlier shoes
        last = min(EntryId(shoe, LARGEST), getattr(self._to.at, stream))
        if first > last:
            return []
        name = getattr(self._streams, stream)
        found = await self._journal.read(name, first, last, _MOST + 1)
        if len(found) > _MOST:
            raise Unserved("too much was said after the cursor")
        return found

    def _check(self, stream: Stream, missed: list[Told]) -> None:
        """Refuse to go on over a gap: what lay in it was trimmed."""
        entries = [Entry(one.id, one.data) for one in missed]
        if break_in(KINDS[stream], self._reached[stream], entries) is not None:
            raise Unserved(_TRIMMED)
        if entries:
            self._reached[stream] = entries[-1].id

    def _pass(self, one: Told) -> None:
        table, at, mark = self._cursor
        if one.stream == "events" and one.id.minor == 0:
            mark = mark_of(one.data)
        self._cursor = TableCursor(table, at._replace(**{one.stream: one.id}), mark)
