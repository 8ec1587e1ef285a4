"""Follow one stream from a position: each entry once, in order, or said to be lost.

It may not decide what an entry means, nor write.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Final

import structlog

from schemas.address import LARGEST, START, EntryId
from schemas.errors import Lost
from services.journal.contiguity import break_in
from services.journal.identity import check_identity, is_same
from services.journal.rows import Entry, entries
from services.journal.subscriber import Subscriber
from services.journal.wire import ask, at_key, until_answered

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from faststream.redis import RedisBroker

    from services.journal.contiguity import Contiguity
    from services.journal.follower import Handler, OnError, OnLost
    from services.journal.line import Line

#: A batch is checked against a stream begun anew when the last check is older than this.
_FRESH_S: Final = 0.05

log = structlog.get_logger(__name__)


class Subscription:
    """One followed stream, read by one subscriber of FastStream. Made by ``Shared``."""

    def __init__(
        self,
        line: Line,
        broker: RedisBroker,
        stream: str,
        after: EntryId,
        handler: Handler,
        kind: Contiguity,
        on_lost: OnLost,
        on_error: OnError | None,
    ) -> None:
        """Keep what to do; nothing is read before ``up``."""
        self.stream = stream
        self.kind = kind
        self.position = after
        #: The bytes at ``position``, when it is an entry that was seen.
        self.data: bytes | None = None
        #: The entry up to which the stream was last found to be the one we read.
        self.anchor: Entry | None = None
        self.ended = False
        self.turn = asyncio.Lock()
        self._line, self._client, self._broker = line, line.client, broker
        self._handler, self._on_lost, self._on_error = handler, on_lost, on_error
        self._live: Subscriber | None = None
        #: When the last check passed; 0 has the next batch checked first.
        self.checked = 0.0
        self._known = self.position != START and self.position.minor <= LARGEST
        self._saying: set[asyncio.Task[None]] = set()

    @property
    def is_up(self) -> bool:
        """Tell whether a subscriber of FastStream is reading for us."""
        return self._live is not None

    async def up(self) -> None:
        """Start to read at our own position, with exactly one subscriber of FastStream."""
        async with self.turn:
            await self._down()
            try:
                await self.check()
            except Lost as lost:
                self.lost(lost)
                return
            self._live = Subscriber(self._broker, self.stream, str(self.position), self._receive)
            try:
                await self._live.start()
            except BaseException:
                self._live = None
                raise
            if self.ended:  # stopped in between
                await self._down()

    async def stop(self) -> None:
        """Deliver nothing more. May be called from within the handler."""
        self.ended = True
        await self._down()

    async def said(self) -> None:
        """Wait until ``on_lost`` and ``on_error`` have returned."""
        await asyncio.gather(*self._saying, return_exceptions=True)

    async def check(self) -> None:
        """Make sure that the stream is the one we read; raises ``Lost`` when it is not."""
        position, data = self.position, self.data
        if self._known and not await self._is_plainly_same():
            data = await check_identity(
                self._client, self.stream, self.kind, self.anchor, position, data
            )
        if self.position == position:
            self.data = data
        self.passed(None if data is None else Entry(position, data))

    async def _is_plainly_same(self) -> bool:
        """Tell whether all that we know stands there; False leaves it to the longer check."""
        if self.data is None:
            return False
        here = Entry(self.position, self.data)
        anchor = self.anchor
        known = (here,) if anchor is None or anchor.id == here.id else (here, anchor)
        return await is_same(self._line, self.stream, *known)

    def passed(self, anchor: Entry | None) -> None:
        """Take a check as passed, up to this entry."""
        self.anchor, self.checked = anchor, time.monotonic()

    def lost(self, lost: Lost) -> None:
        """End here: what comes next cannot be trusted."""
        if not self.ended:
            self._end(self._on_lost(lost))

    async def _receive(self, live: Subscriber, batch: list[Entry]) -> None:
        """Deliver what is new; nothing may escape, for FastStream would lose the batch."""
        async with self.turn:
            if self._live is not live or self.ended:
                return
            try:
                if batch[0].id <= self.position:
                    batch = [one for one in batch if one.id > self.position]
                if time.monotonic() - self.checked > _FRESH_S:
                    await until_answered(f"check of {self.stream}", self.check)
                if break_in(self.kind, self.position, batch) is not None:
                    batch = await self._again(batch[-1].id)
                if batch:
                    await self._handler(batch)
                    self.position, self.data = batch[-1]
                    self.anchor = self.anchor or batch[-1]
                    self._known = True
            except Lost as lost:
                self._end(self._on_lost(lost))
            except Exception as error:
                log.exception("following failed", stream=self.stream, after=str(self.position))
                self._end(self._on_error and self._on_error(error))

    async def _again(self, last: EntryId) -> list[Entry]:
        """Read a batch with a gap again from Redis; raises ``Lost`` when it is really missing."""
        words = ("XRANGE", self.stream, f"({self.position}", str(last))
        with at_key(self.stream):
            answer = await until_answered(
                f"read of {self.stream}", lambda: ask(self._client, *words)
            )
        batch = entries(answer)
        index = break_in(self.kind, self.position, batch)
        if batch and index is None:
            return batch
        before = batch[index - 1].id if index else self.position
        found = batch[index or 0].id if batch else "nothing"
        raise Lost(f"{self.stream}: nothing follows {before}: found {found}, entries are missing")

    def _end(self, said: Awaitable[None] | None) -> None:
        """End here, and have it said by a task of its own: it may stop us, or wait."""
        self.ended = True
        if self._live:
            self._live.last()
        if said:
            task = asyncio.ensure_future(_say(said))
            self._saying.add(task)
            task.add_done_callback(self._saying.discard)

    async def _down(self) -> None:
        """End FastStream's subscriber for certain."""
        live, self._live = self._live, None
        if live is not None:
            await live.end()


async def _say(said: Awaitable[None]) -> None:
    try:
        await said
    except Exception:
        log.exception("could not say that following ended")
