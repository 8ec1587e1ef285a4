"""The tables that are announced, discovered again where their list was begun anew. Reads none."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

import structlog

from schemas.address import TABLES
from services.journal import TableService

if TYPE_CHECKING:
    from schemas.errors import Lost

_PAUSE_S: Final = 1.0

log = structlog.get_logger(__name__)


class Tables(TableService):
    """A service of all tables that begins on those known already, before ``start`` returns."""

    async def start(self) -> None:
        """Begin on all tables that are announced, then follow the announcements."""
        async for entries in self._journal.scan(TABLES):
            await self._announced(entries)
        await super().start()

    async def _lost(self, lost: Lost) -> None:
        """Discover on: who only looks on need not fear to take a table for another."""
        log.warning("tables are discovered afresh", service=self.name, what=str(lost))
        await asyncio.sleep(_PAUSE_S)
        await super().start()
