"""Tables discovered while running: one desk for each. Works none of them itself."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Protocol

import structlog

from schemas.address import START, TABLES, is_name
from schemas.envelope import decode_notice
from schemas.errors import Unreadable
from schemas.events import TableAnnounced
from services.journal.contiguity import Contiguity

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from schemas.errors import Lost
    from services.journal.follower import Follower
    from services.journal.journal import Journal
    from services.journal.rows import Entry

log = structlog.get_logger(__name__)


class OneTable(Protocol):
    """A service's work at one table."""

    async def start(self) -> None:
        """Begin."""

    async def stop(self) -> None:
        """End."""

    async def halt(self, trouble: Exception) -> None:
        """Stop this table, and say why."""


class TableService:
    """A service that works every table that is announced, or only those it is told to."""

    def __init__(
        self,
        name: str,
        journal: Journal,
        open_desk: Callable[[str], OneTable],
        tables: Sequence[str] | None = None,
    ) -> None:
        """``tables`` None: all that are announced."""
        self.name = name
        self.desks: dict[str, OneTable] = {}
        self._journal = journal
        self._open_desk = open_desk
        self._only = None if tables is None else frozenset(tables)
        self._starting: set[asyncio.Task[None]] = set()
        self._following: Follower | None = None

    async def start(self) -> None:
        """Follow the announcements from the first."""
        self._following = await self._journal.follow(
            TABLES, START, self._announced, kind=Contiguity.NONE, on_lost=self._lost
        )

    async def stop(self) -> None:
        """Leave all tables."""
        if self._following is not None:
            await self._following.stop()
        for task in list(self._starting):
            task.cancel()
        await asyncio.gather(*self._starting, return_exceptions=True)
        await asyncio.gather(*(desk.stop() for desk in self.desks.values()))

    def work(self, table: str) -> None:
        """Begin to work a table, unless it is worked already."""
        if table in self.desks or (self._only is not None and table not in self._only):
            return
        desk = self.desks[table] = self._open_desk(table)
        task = asyncio.get_running_loop().create_task(_begin(desk))
        self._starting.add(task)
        task.add_done_callback(self._starting.discard)

    async def _announced(self, entries: list[Entry]) -> None:
        for entry in entries:
            try:
                notice = decode_notice(entry.data).data
            except Unreadable:
                log.warning("announcement unreadable", service=self.name, entry=str(entry.id))
                continue
            if isinstance(notice, TableAnnounced) and is_name(notice.table):
                self.work(notice.table)

    async def _lost(self, lost: Lost) -> None:
        log.error("tables are no longer discovered", service=self.name, what=str(lost))


async def _begin(desk: OneTable) -> None:
    try:
        await desk.start()
    except Exception as trouble:  # noqa: BLE001 - a table stops, the service does not
        await desk.halt(trouble)
