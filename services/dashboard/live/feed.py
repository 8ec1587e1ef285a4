"""One table, read and folded once, and handed to all who look on. It may not ask Redis for more.

What is lost (a stream begun anew, or shorter) begins afresh, and viewers are told to ask anew.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Protocol

import structlog

from schemas.address import LARGEST, START, EntryId, Streams
from schemas.errors import Lost
from services.dashboard.board.shoe_board import ShoeBoard
from services.dashboard.live.audience import Audience
from services.dashboard.live.cursor import STREAMS, Positions, TableCursor, mark_of
from services.dashboard.live.message import reset_message
from services.dashboard.live.weave import KINDS, told, weave
from services.journal import Entry
from services.journal.gather import Gather, Source

if TYPE_CHECKING:
    from collections.abc import Sequence

    from services.dashboard.board.shoe_board import Change
    from services.dashboard.live.weave import Told
    from services.journal import Journal

_PAUSE_S, _LONG_PAUSE_S = 0.1, 5.0
log = structlog.get_logger(__name__)


class Watching(Protocol):
    """Who is told what a feed takes: the hub."""

    def took(self, feed: Feed, told: Told, change: Change) -> None:
        """Hear of an entry, right after it was folded."""

    def begins(self, feed: Feed) -> None:
        """Hear that a feed is about to be folded from its beginning."""

    def began(self, feed: Feed) -> None:
        """Hear that a feed is folded up to its present end."""

    def reset(self, feed: Feed) -> None:
        """Hear that a feed was begun afresh, and is folded again."""


class Feed:
    """A table's live fold. ``at`` and ``mark`` say how far it is."""

    def __init__(
        self,
        journal: Journal,
        table: str,
        watching: Watching,
        gate: asyncio.Semaphore | None = None,
        near: int = 0,
    ) -> None:
        """Nothing is read before ``start``.

        So many as ``gate`` lets in are folded up to their present end at once. Of so many events
        before it (``near``) messages are made, for whoever was there before a restart.
        """
        self.table = table
        self.streams = Streams(table)
        self.board = ShoeBoard(table)
        self.at = Positions()
        self.mark = mark_of(None)
        #: Folded up to what was its end; stays so through an outage.
        self.is_live = False
        #: Begun in vain: what stands in Redis under its names is no table's.
        self.is_stuck = False
        self.trouble: Exception | None = None
        self.audience = Audience()
        self._gate = asyncio.Semaphore(1) if gate is None else gate
        self._is_in = False
        self._before_end, self._near = near, START
        self._journal = journal
        self._watching = watching
        self._gather: Gather | None = None
        self._outages = 0
        self._again = False
        self._task: asyncio.Task[None] | None = None

    @property
    def cursor(self) -> TableCursor:
        """How far the table was read."""
        return TableCursor(self.table, self.at, self.mark)

    @property
    def is_reading(self) -> bool:
        """Whether it is up to date as far as can be known: Redis answers."""
        return self.is_live and self._gather is not None and self._gather.is_reading

    @property
    def outages(self) -> int:
        """How often Redis did not answer."""
        return self._outages + (0 if self._gather is None else self._gather.outages)

    async def start(self) -> None:
        """Begin to read."""
        self._task = asyncio.create_task(self._work(), name=f"board {self.table}")

    async def stop(self) -> None:
        """Read no more, and let the viewers go."""
        self.audience.end()
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def halt(self, trouble: Exception) -> None:
        """Note why nothing is read."""
        self.trouble = trouble
        log.error("table not shown", table=self.table, what=str(trouble))

    # ------------------------------------------------------------------------------------ reading

    async def _work(self) -> None:
        pause, said = _PAUSE_S, ""
        while True:
            try:
                await self._gate.acquire()
                self._is_in = True
                gather = self._gather = await self._begin()
                await gather.run()
            except Lost as lost:
                what = str(lost)
                if self.is_live or what != said:
                    log.warning("table begun afresh", table=self.table, what=what)
                said = what
            except Exception:
                log.exception("table could not be read, and is begun afresh", table=self.table)
                pause = _LONG_PAUSE_S
            finally:
                self._make_way()
            # What is lost before it was read to its end is likely to be lost again.
            pause = _PAUSE_S if self.is_live else min(2 * pause, _LONG_PAUSE_S)
            self._outages, self._gather = self.outages, None
            self._again = self._again or self.is_live
            self.is_live, self.is_stuck = False, not self.is_live
            await asyncio.sleep(pause)

    def _make_way(self) -> None:
        """Let another table be folded up to its end."""
        if self._is_in:
            self._is_in = False
            self._gate.release()

    async def _begin(self) -> Gather:
        """Find where to begin: the newest shoe's first event, and all that is said of that shoe."""
        streams, last = self.streams, self._journal.last_id
        end = await last(streams.events)
        shoe = end.major
        outcomes = min(await last(streams.outcomes), EntryId(shoe, 0))
        verdicts = min(await last(streams.verdicts), EntryId(shoe, 0))
        begin = EntryId(shoe - 1, LARGEST) if shoe else START
        self._watching.begins(self)
        self.board = ShoeBoard(self.table)
        self.at = Positions(begin, outcomes, verdicts, START)
        self.mark = mark_of(None)
        # Messages are made from here on: viewers of an earlier life come again with such cursors.
        self.audience.clear()
        self._near = EntryId(shoe, max(end.minor - self._before_end, 0))
        sources = [
            Source(getattr(streams, name), KINDS[name], after)
            for name, after in zip(STREAMS, self.at, strict=True)
        ]
        return Gather(self._journal.client, sources, self._take, self._caught_up)

    def _caught_up(self) -> None:
        self._make_way()
        first, self.is_live, self.is_stuck = not self.is_live, True, False
        if not first:
            return
        if self._again:
            self._again = False
            self.audience.end(reset_message("the table's streams are others now"))
            self._watching.reset(self)
        else:
            self._watching.began(self)

    def _take(self, batches: Sequence[list[Entry]]) -> None:
        if not any(batches[1:]) and len(batches[0]) == 1:  # most often
            entries = told("events", batches[0])
        else:
            entries = weave(*map(told, STREAMS, batches))
        for one in entries:
            self._take_one(one)

    def _take_one(self, one: Told) -> None:
        stream, entry, message, data = one
        before = self.cursor
        self.at = self.at._replace(**{stream: entry})
        if stream == "events" and entry.minor == 0:
            self.mark = mark_of(data)
        change = self.board.take(stream, entry, message)
        if self.is_live or (self._before_end and self.at.events >= self._near):
            show = self.audience.show
            show(before, self.cursor, self.board, one, change, live=self.is_live)
        self._watching.took(self, one, change)
