"""One who follows a stream: what comes is handed to his handler, a batch at a time, in order.

He has a task of his own, so that a slow one holds up nobody else. He may not read the stream.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING, Final

import structlog

from schemas.errors import Lost, ShoetrailError
from services.journal.wire import cancelled

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from schemas.address import EntryId
    from services.journal.rows import Entry

    Handler = Callable[[list[Entry]], Awaitable[None]]
    OnLost = Callable[[Lost], Awaitable[None]]
    OnError = Callable[[Exception], Awaitable[None]]

#: What a handler is given at most at once, and what may wait for it before reading waits too.
_BATCH: Final = 500

log = structlog.get_logger(__name__)


class HandlerFailed(ShoetrailError):
    """A handler let something escape that must not be taken for our own loss."""


class Follower:
    """Made by ``Journal.follow``. ``position`` is the last entry whose handling has ended."""

    def __init__(
        self,
        stream: str,
        after: EntryId,
        handler: Handler,
        on_lost: OnLost,
        on_error: OnError | None,
        leave: Callable[[Follower], Awaitable[None]],
        linger: float = 0.0,
    ) -> None:
        """Begin after an entry; ``leave`` is called once when nothing more is wanted."""
        self.stream = stream
        #: So long (seconds) his entries may wait where more of them come meanwhile.
        self.linger = linger
        self.position = after
        #: The last entry that was put in the queue.
        self.queued = after
        self.ended = False
        self._handler, self._on_lost, self._on_error, self._leave = (
            handler,
            on_lost,
            on_error,
            leave,
        )
        self._waiting: deque[list[Entry]] = deque()
        self._entries = 0
        self._loop = asyncio.get_running_loop()
        #: Set while our task waits for something to do.
        self._bell: asyncio.Future[None] | None = None
        self._room = asyncio.Event()
        self._saying: set[asyncio.Task[None]] = set()
        self._task = asyncio.create_task(self._work(), name=f"follow {stream}")

    def put(self, batch: list[Entry]) -> None:
        """Queue what is new to this follower."""
        queued = self.queued
        if batch[0].id <= queued:
            batch = [one for one in batch if one.id > queued]
        if batch and not self.ended:
            self.queued = batch[-1].id
            self._waiting.append(batch)
            self._entries += len(batch)
            self._ring()

    async def taken(self) -> None:
        """Wait until not too much waits for the handler: reading is a batch or two ahead at most.

        Entries that wait long are cold when they are read at last; and one who takes his time over
        a round must not hold up the others for it.
        """
        while self._entries > _BATCH and not self.ended:
            self._room.clear()
            await self._room.wait()

    def lost(self, lost: Lost) -> None:
        """End here: what comes next cannot be trusted."""
        if not self.ended:
            self._end(self._on_lost(lost))

    def failed(self, error: Exception) -> None:
        """End here: a handler failed, or reading did."""
        if not self.ended:
            self._end(None if self._on_error is None else self._on_error(error))

    async def stop(self) -> None:
        """Deliver nothing more. May be called from within the handler."""
        if not self.ended:
            self._end(None)
        if self._task is not asyncio.current_task():
            await cancelled([self._task])
        await self._leave(self)

    async def said(self) -> None:
        """Wait until ``on_lost`` and ``on_error`` have returned."""
        await asyncio.gather(*self._saying, return_exceptions=True)

    async def _work(self) -> None:
        while not self.ended:
            if not self._waiting:
                self._bell = self._loop.create_future()
                await self._bell
                continue
            batch = self._next()
            if not self._room.is_set():
                self._room.set()
            try:
                await self._handler(batch)
            except asyncio.CancelledError as error:
                if self._is_cancelled():
                    raise
                # What it waited for was cancelled, not we: it would hold up the others for ever.
                failed = HandlerFailed(f"{self.stream}: what the handler waited for was cancelled")
                failed.__cause__ = error
                self.failed(failed)
                return
            except Exception as error:
                log.exception("following failed", stream=self.stream, after=str(self.position))
                if isinstance(error, Lost):  # of another stream, so not for ``on_lost``
                    what = f"{self.stream}: the handler failed: {error}"
                    failed = HandlerFailed(what)
                    failed.__cause__ = error
                    self.failed(failed)
                else:
                    self.failed(error)
                return
            self.position = batch[-1].id

    def _is_cancelled(self) -> bool:
        return self.ended or self._task.cancelling() > 0

    def _ring(self) -> None:
        bell, self._bell = self._bell, None
        if bell is not None and not bell.done():
            bell.set_result(None)

    def _next(self) -> list[Entry]:
        """Take what waits: all of it, as far as it makes one batch."""
        waiting = self._waiting
        batch = waiting.popleft()
        self._entries -= len(batch)
        while waiting and len(batch) + len(waiting[0]) <= _BATCH:
            more = waiting.popleft()
            self._entries -= len(more)
            batch = batch + more
        return batch

    def _end(self, said: Awaitable[None] | None) -> None:
        self.ended = True
        self._waiting.clear()
        self._entries = 0
        self._room.set()
        self._ring()
        task = asyncio.ensure_future(self._over(said))
        self._saying.add(task)
        task.add_done_callback(self._saying.discard)

    async def _over(self, said: Awaitable[None] | None) -> None:
        """Have it said, by a task of its own: it may stop us, or wait."""
        try:
            if said is not None:
                await said
        except Exception:
            log.exception("could not say that following ended", stream=self.stream)
        await self._leave(self)
