"""One table in one service: a lock in front of its fold, held across each append. Folds nothing.

FastStream runs the subscribers of a table concurrently; the lock makes them one queue. A trouble
stops this table in this process, and says so once; other tables go on.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import structlog

from schemas.address import EntryId, Streams
from schemas.errors import Lost, ShoetrailError
from services.journal.append import ShoeStart
from services.journal.rows import Entry
from services.runtime.logging import bind_table

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine, Sequence

    from services.journal.contiguity import Contiguity
    from services.journal.follower import Follower
    from services.journal.journal import Journal

    Take = Callable[[list[Entry]], Awaitable[None]]

log = structlog.get_logger(__name__)


class Desk:
    """Ground of every service's work at one table; a service's own desk adds ``start``."""

    def __init__(self, service: str, table: str, journal: Journal) -> None:
        """Sit down; nothing is read yet."""
        self.table = table
        self.journal = journal
        self.streams = Streams(table)
        self.lock = asyncio.Lock()
        self.log = log.bind(service=service, table=table)
        self.trouble: Exception | None = None
        self.stopped = asyncio.Event()
        #: The stream and the first entry of what is, or was last, in hand; for the log.
        self._at: tuple[str, EntryId] | None = None
        self._following: list[Follower] = []
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Read what is there, then follow."""
        raise NotImplementedError

    async def stop(self) -> None:
        """Follow no more, and wait until what is being said is said."""
        self.stopped.set()
        following, self._following = self._following, []
        for follower in following:
            await follower.stop()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def follow(
        self,
        stream: str,
        after: EntryId | ShoeStart,
        take: Take,
        kind: Contiguity,
        rest: Callable[[], Awaitable[None]] | None = None,
        linger: float = 0.0,
    ) -> None:
        """Hand each batch of a stream to ``take``, with the table's lock held.

        Before each it waits for ``rest``, without the lock: what the other streams say is taken.
        ``linger`` is that of ``Journal.follow``.
        """
        if self.stopped.is_set():
            return

        async def guarded(entries: list[Entry]) -> None:
            if rest is not None:
                await self.guard(rest())
            async with self.lock:
                if not self.stopped.is_set():
                    self._at = (stream, entries[0].id)
                    try:  # as ``guard`` does, without one call more for each batch
                        await take(entries)
                    except Exception as trouble:  # noqa: BLE001
                        await self.halt(trouble)

        self._following.append(
            await self.journal.follow(
                stream,
                after,
                guarded,
                kind=kind,
                on_lost=self._lost,
                on_error=self.halt,
                linger=linger,
            )
        )

    async def guard(self, work: Awaitable[None]) -> None:
        """Do a piece of work; whatever goes wrong in it stops this table only."""
        try:
            await work
        except Exception as trouble:  # noqa: BLE001 - a table stops, the service does not
            await self.halt(trouble)

    async def halt(self, trouble: Exception) -> None:
        """Stop this table in this process, and say why, once."""
        if self.trouble is not None:
            return
        self.trouble = trouble
        self.stopped.set()
        place = None if self._at is None else f"{self._at[0]} {self._at[1]}"
        with bind_table(self.table, address=place):
            if isinstance(trouble, ShoetrailError | OSError):
                self.log.error("table stopped", reason=type(trouble).__name__, what=str(trouble))
            else:
                self.log.error("table stopped by a bug", exc_info=trouble)
        self.spawn(self.stop_following())

    async def stop_following(self) -> None:
        """End the subscriptions; not from within their own handlers."""
        for follower in self._following:
            await follower.stop()

    def spawn(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        """Run something beside the subscriptions, as long as the table is worked."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def say(self, stream: str, last: EntryId | None, entries: Sequence[Entry]) -> None:
        """Append entries of one or more shoes; ``last`` is the last that we know was said."""
        start = 0
        while start < len(entries):
            shoe = entries[start].id.major
            end = len(entries) if entries[-1].id.major == shoe else start
            while end < len(entries) and entries[end].id.major == shoe:
                end += 1
            after = last if last is not None and last.major == shoe else ShoeStart(shoe)
            part = entries[start:end] if start or end < len(entries) else entries
            await self.journal.append_until_said(stream, after, part)
            last = part[-1].id
            start = end

    async def _lost(self, lost: Lost) -> None:
        await self.halt(lost)
