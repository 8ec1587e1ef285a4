"""One reading of a stream for all in this process that follow it. It may not handle entries.

A table's events have three readers and more; read once, they cost Redis and FastStream once.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Final

from schemas.address import LARGEST, START, EntryId
from schemas.errors import Lost
from services.journal.contiguity import break_in
from services.journal.follow import Subscription
from services.journal.identity import check_identity
from services.journal.read import read
from services.journal.rows import Entry
from services.journal.wire import Waiting, until_answered

if TYPE_CHECKING:
    from faststream.redis import RedisBroker

    from services.journal.contiguity import Contiguity
    from services.journal.follower import Follower
    from services.journal.line import Line

_BATCH: Final = 500
#: A stream that had a batch so shortly before is busy: more will come while one waits.
_BUSY_S: Final = 0.05


class Shared:
    """One stream's subscription, and its followers."""

    def __init__(
        self, line: Line, broker: RedisBroker, stream: str, after: EntryId, kind: Contiguity
    ) -> None:
        """Read after this entry, once ``begin`` is called."""
        self.stream, self.kind = stream, kind
        self.subscription = Subscription(
            line, broker, stream, after, self._hand_out, kind, self._lost, self._failed
        )
        self._client = line.client
        #: The last entry that was handed out, or is being handed out.
        self._handed = after
        self._followers: list[Follower] = []
        #: So long all who follow may wait.
        self._wait = 0.0
        self._joining = 0
        #: When a batch was handed out last, where all who follow may wait.
        self._last_read = -_BUSY_S
        self._begun = asyncio.Event()

    @property
    def is_wanted(self) -> bool:
        """Whether anybody follows, or is about to."""
        return bool(self._followers) or self._joining > 0

    async def begin(self) -> None:
        """Start to read, waiting until Redis answers; all others wait until it is done."""
        waiting = Waiting(f"follow {self.stream}")
        while not self.subscription.is_up and not self.subscription.ended:
            try:
                await self.subscription.up()
            except Exception as error:  # noqa: BLE001 (raised again unless waiting mends it)
                await waiting.after(error)
        waiting.over()
        self._begun.set()

    async def join(self, follower: Follower, *, first: bool) -> None:
        """Bring a follower up to where the stream is handed out, and hand it to him too."""
        self._joining += 1
        try:
            if not first:
                await self._begun.wait()
                await self._check(follower)
            while follower.queued < self._handed and not follower.ended:
                await self._catch_up(follower)
            # No wait between the look above and this: no batch is missed.
            if self.subscription.ended:
                follower.lost(Lost(f"{self.stream}: it is read no longer"))
            elif not follower.ended:
                self._set_followers([*self._followers, follower])
        finally:
            self._joining -= 1

    async def stop(self) -> None:
        """Hand out nothing more, to anybody, and wait until all who must be told were."""
        followers = self._followers
        await asyncio.gather(*(follower.stop() for follower in followers))
        await asyncio.gather(*(follower.said() for follower in followers))

    def leave(self, follower: Follower) -> None:
        """Hand out to all but this one."""
        if follower in self._followers:
            self._set_followers([one for one in self._followers if one is not follower])

    def _set_followers(self, followers: list[Follower]) -> None:
        """Hand out to these; the list itself is never changed, for it may be gone through."""
        self._followers = followers
        self._wait = min((one.linger for one in followers), default=0.0)

    async def _check(self, follower: Follower) -> None:
        """Make sure that the stream reaches where this follower wants to begin."""
        at = follower.position
        if at == START or at.minor > LARGEST:
            return
        try:
            await until_answered(
                f"check of {self.stream}",
                lambda: check_identity(self._client, self.stream, self.kind, None, at, None),
            )
        except Lost as lost:
            follower.lost(lost)

    async def _catch_up(self, follower: Follower) -> None:
        after = follower.queued
        begin = (
            EntryId(after.major + 1, 0)
            if after.minor > LARGEST
            else EntryId(after.major, after.minor + 1)
        )
        batch: list[Entry] = await until_answered(
            f"read of {self.stream}",
            lambda: read(self._client, self.stream, begin, self._handed, _BATCH),
        )
        if not batch and self._handed.minor > LARGEST:
            follower.queued = self._handed  # no entry: the place before a shoe's first
        elif not batch or break_in(self.kind, after, batch) is not None:
            follower.lost(Lost(f"{self.stream}: entries after {after} are missing"))
        else:
            follower.put(batch)
            await follower.taken()

    async def _hand_out(self, batch: list[Entry]) -> None:
        """Give it to all first: who is slow delays the next batch, and nobody's share of this."""
        self._handed = batch[-1].id
        followers = self._followers
        for follower in followers:
            follower.put(batch)
        for follower in followers:
            await follower.taken()
        if self._wait:
            await self._linger()

    async def _linger(self) -> None:
        """Read no further for a while, where nobody minds and the stream is busy.

        A read of one round costs as much as one of ten, and so does all that follows from it.
        """
        now, last = time.monotonic(), self._last_read
        self._last_read = now
        if now - last < _BUSY_S:
            await asyncio.sleep(self._wait)

    async def _lost(self, lost: Lost) -> None:
        for follower in self._followers:
            follower.lost(lost)

    async def _failed(self, error: Exception) -> None:
        for follower in self._followers:
            follower.failed(error)
