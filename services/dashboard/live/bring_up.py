"""Brings up whoever comes again with a cursor, however many come at once. It only reads.

Hundreds may come with one outage's end. Of a table's shoe one fold is made for all of them, and
each message once: who comes to a cursor that another has passed is given what that one was.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple
from weakref import WeakValueDictionary

from services.dashboard.live.lobby_resume import LobbyResume
from services.dashboard.live.resume import Resume, Unserved
from services.dashboard.live.ring import Made

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from services.dashboard.board.shapes import Tile
    from services.dashboard.live.cursor import LobbyCursor, TableCursor
    from services.dashboard.live.feed import Feed
    from services.dashboard.live.kept import KeptShoes
    from services.dashboard.live.lobby import Lobby
    from services.dashboard.live.ring import Step
    from services.journal import Journal

#: So many may be made at once: each folds a shoe again.
_AT_ONCE: Final = 4
#: So many folds that have not come to their end are kept for whoever comes to where they stand; one
#: is a shoe's entries, about a megabyte.
_FOLDS: Final = 64
#: So long what was made is kept once nobody is brought up any more.
_KEPT_S: Final = 30.0


class _Fold(NamedTuple):
    """A shoe's fold on its way, and whereto."""

    steps: AsyncIterator[list[Step]]
    to: TableCursor


class BringUp:
    """For all tables and the lobby."""

    def __init__(self, journal: Journal, kept: KeptShoes | None) -> None:
        """``kept``: shoes that Redis holds no longer. Nothing is read before somebody comes."""
        self._journal, self._kept = journal, kept
        self._made = Made()
        #: By where they stand.
        self._folds: OrderedDict[tuple[bool, TableCursor], _Fold] = OrderedDict()
        self._locks: WeakValueDictionary[tuple[bool, str], asyncio.Lock] = WeakValueDictionary()
        self._turns = asyncio.Semaphore(_AT_ONCE)
        #: Goes on whenever something is forgotten.
        self._epoch = 0
        self._there = 0
        self._end: asyncio.TimerHandle | None = None

    def forget(self, table: str | None = None) -> None:
        """Keep nothing of a table, whose streams are read afresh; or of any."""
        self._epoch += 1
        self._made.forget(table)
        for key in [key for key in self._folds if table in (None, key[1].table)]:
            del self._folds[key]

    async def at_table(
        self, feed: Feed, after: TableCursor, to: TableCursor, *, public: bool
    ) -> AsyncIterator[bytes]:
        """Give what a table said from a cursor up to ``to``. Raises ``Unserved``."""
        if after.table != feed.table:
            raise Unserved(f"the cursor is of another table than {feed.table}")
        at, lock = after, self._lock(feed.table, public=public)
        self._came()
        try:
            while at != to:
                chunk = feed.audience.said(at, to, public=public)
                if chunk is not None:
                    at = to
                else:
                    async with lock:  # whoever waits finds what the one before him made
                        chunk, at = self._made.follow(at, to, public=public)
                        if not chunk:
                            chunk, at = await self._make(feed, at, to, public=public)
                yield chunk
        finally:
            self._left()

    def in_lobby(
        self, lobby: Lobby, after: LobbyCursor, tile: Callable[[str], Tile], *, public: bool
    ) -> AsyncIterator[bytes]:
        """Give what all tables said from a cursor up to this moment. Raises ``Unserved``."""
        if lobby.is_large:
            return _given(None if after.at else lobby.ring.after(after, public=public))
        return self._in_lobby(after, lobby.cursor, dict(lobby.marks), tile, public=public)

    async def _in_lobby(
        self,
        after: LobbyCursor,
        to: LobbyCursor,
        marks: dict[str, str],
        tile: Callable[[str], Tile],
        *,
        public: bool,
    ) -> AsyncIterator[bytes]:
        chunks = LobbyResume(self._journal, after, to, marks, tile).chunks(public=public)
        while True:
            async with self._turns:  # whoever is slow to take his holds up nobody
                chunk = await anext(chunks, None)
            if chunk is None:
                return
            yield chunk

    async def _make(
        self, feed: Feed, at: TableCursor, to: TableCursor, *, public: bool
    ) -> tuple[bytes, TableCursor]:
        """Make what comes next, and keep it for others."""
        async with self._turns:
            fold = self._folds.pop((public, at), None)
            if fold is None or any(
                one > there for one, there in zip(fold.to.at, to.at, strict=True)
            ):
                resume = Resume(self._journal, self._kept, feed.streams, at, to)
                # What was made leads past this reader's end: he is given messages of his own.
                aside = self._made.knows(at, public=public)
                known = _nothing if aside else partial(self._made.knows, public=public)
                fold = _Fold(resume.steps(known, public=public), to)
            epoch = self._epoch
            steps: list[Step] = await anext(fold.steps, [])
        if not steps:
            raise Unserved("what came after the cursor is no more than was read already")
        at = steps[-1].after
        if epoch == self._epoch:  # else the streams may be others now
            self._keep(steps, fold, public=public)
        return b"".join([step.message for step in steps]), at

    def _keep(self, steps: list[Step], fold: _Fold, *, public: bool) -> None:
        for step in steps:
            self._made.add(step, public=public)
        at = steps[-1].after
        if at != fold.to and not self._made.knows(at, public=public):
            self._folds[public, at] = fold
            while len(self._folds) > _FOLDS:
                self._folds.popitem(last=False)

    def _lock(self, table: str, *, public: bool) -> asyncio.Lock:
        lock = self._locks.get((public, table))
        if lock is None:
            lock = self._locks[public, table] = asyncio.Lock()
        return lock

    def _came(self) -> None:
        self._there += 1
        if self._end is not None:
            self._end.cancel()
            self._end = None

    def _left(self) -> None:
        self._there -= 1
        if not self._there:
            self._end = asyncio.get_running_loop().call_later(_KEPT_S, self.forget)


def _nothing(_: TableCursor) -> bool:
    return False


async def _given(missed: bytes | None) -> AsyncIterator[bytes]:
    if missed is None:
        raise Unserved("what came after the cursor is kept no longer")
    yield missed
