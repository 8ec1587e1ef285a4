"""What was found at all tables, as far back as it is kept, newest first. It only reads."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from schemas.address import EntryId
from services.dashboard.board.shapes import FindingRow
from services.dashboard.live.weave import told

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schemas.address import Streams
    from schemas.verdicts import Finding
    from services.dashboard.live.weave import Told
    from services.journal import Journal

#: So many rows are kept, and so many of a table's last verdicts are looked at when it is begun.
MOST: Final = 5_000
_BACK: Final = 400
_NOTHING: Final = b'"findings":[],'


class Found:
    """An index; what is asked for is put in order once, however often."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._kept: dict[tuple[str, int, Finding], FindingRow] = {}
        self._rows: tuple[FindingRow, ...] | None = ()
        self._turns = asyncio.Semaphore(8)
        self._looking: set[asyncio.Task[None]] = set()

    @property
    def rows(self) -> Sequence[FindingRow]:
        """All rows, newest first."""
        if self._rows is None:
            rows = sorted(
                self._kept.values(), key=lambda row: (row.time, row.table, row.shoe), reverse=True
            )
            self._rows = tuple(rows[:MOST])
            if len(rows) > MOST:
                self._kept = {(row.table, row.shoe, row.finding): row for row in self._rows}
        return self._rows

    def add(self, table: str, one: Told, findings: Sequence[Finding]) -> None:
        """Take what an entry found; what is known already is not new."""
        if one.message is None:
            return
        for finding in findings:
            key = (table, one.id.major, finding)
            if key not in self._kept:
                self._kept[key] = FindingRow(table, one.id.major, one.message.time, finding)
                self._rows = None
        if len(self._kept) > 2 * MOST:
            _ = self.rows

    def look_back(self, streams: Streams, shoe: int) -> None:
        """Find what was found in a table's shoes before this one, in the background."""
        if shoe > 1:
            task = asyncio.create_task(self._look_back(streams, shoe))
            self._looking.add(task)
            task.add_done_callback(self._looking.discard)

    async def stop(self) -> None:
        """Look back no further."""
        for task in list(self._looking):
            task.cancel()
        await asyncio.gather(*self._looking, return_exceptions=True)

    async def _look_back(self, streams: Streams, shoe: int) -> None:
        async with self._turns:
            newest = await self._journal.last_of(streams.verdicts, shoe - 1)
            if newest is None:
                return
            first = EntryId(max(newest.id.major - 5, 1), 0)
            entries = await self._journal.read(streams.verdicts, first, newest.id, _BACK)
            some = [entry for entry in entries if _NOTHING not in entry.data]
            for one in told("verdicts", some):
                if one.message is not None:
                    self.add(streams.table, one, one.message.data.findings)
