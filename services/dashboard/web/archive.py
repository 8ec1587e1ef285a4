"""Old shoes: read from their replay logs, in a thread, and kept while they are asked for.

It holds a few folded shoes by file, size and time of change, and folds each once at a time.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Collection
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from services.dashboard.board.answers import LogsAnswer, LogsRow, ShoeAnswer, ShoeRow
from services.dashboard.web.log_folder import LogFolder, Seen
from services.dashboard.web.respond import Refusal, spelled
from services.dashboard.web.turns import Turns

if TYPE_CHECKING:
    from pathlib import Path

    from services.dashboard.web.log_folder import Kind
    from services.dashboard.web.ports import Board

#: Folds a shoe's log and what lies beside it, where it does: ``reading.fold_log``.
Fold = Callable[[str, int, bytes, bytes | None, bytes | None, bytes | None], "Board"]
#: The files as they were when a shoe was folded: the log, and what lies beside it.
Version = tuple[Seen, tuple[Seen | None, ...]]

_BESIDE: Final[tuple[Kind, ...]] = ("audit", "verdicts", "disputes")

_KEPT: Final = 8
_AT_ONCE: Final = 1
_WAITING: Final = 16
#: A larger file is no shoe's log.
_LARGEST: Final = 1 << 26


class Archived(NamedTuple):
    """A shoe as its log says it; ``body`` is the answer that shows it whole."""

    board: Board
    log: Seen
    body: bytes


class Archive:
    """The replay logs of all tables, for reading."""

    def __init__(self, folder: Path, fold: Fold) -> None:
        """Name the folder, and how a log is folded."""
        self.files = LogFolder(folder)
        self._fold = fold
        self._kept: OrderedDict[Version, Archived] = OrderedDict()
        self._folding: dict[Version, asyncio.Task[Archived]] = {}
        self._turns = Turns(_AT_ONCE, _WAITING, "too many old shoes are asked for")

    async def tables(self, limit: int, after: str, live: Collection[str]) -> LogsAnswer:
        """Name tables that have logs and are not among the live ones."""
        return await asyncio.to_thread(self._tables, limit, after, live)

    async def shoes(self, table: str) -> list[int]:
        """Number a table's shoes, newest first."""
        return await asyncio.to_thread(self.files.shoes, table)

    async def rows(self, table: str, shoes: list[int]) -> list[ShoeRow]:
        """Say of each shoe what its audit came to."""
        return await asyncio.to_thread(lambda: [self._row(table, shoe) for shoe in shoes])

    async def seen(self, table: str, shoe: int, kind: Kind) -> Seen | None:
        """Find a file of a shoe."""
        return await asyncio.to_thread(self.files.seen, table, shoe, kind)

    async def shoe(self, table: str, shoe: int) -> Archived | None:
        """Give a shoe; None where it has no log. Raises ``Refusal`` where it cannot be shown."""
        version = await asyncio.to_thread(self._version, table, shoe)
        if version is None:
            return None
        found = self._kept.get(version)
        if found is not None:
            self._kept.move_to_end(version)
            return found
        task = self._folding.get(version)
        if task is None:
            task = asyncio.create_task(self._read(version, table, shoe))
            self._folding[version] = task
            task.add_done_callback(lambda done: self._done(version, done))
        # Who asked first may go away; others wait for the same.
        return await asyncio.shield(task)

    def _tables(self, limit: int, after: str, live: Collection[str]) -> LogsAnswer:
        some = islice(self.files.tables(after, live), limit + 1)
        found = tuple(LogsRow(name, len(shoes), shoes[0]) for name, shoes in some)
        return LogsAnswer(found[:limit], found[limit - 1].table if len(found) > limit else None)

    def _row(self, table: str, shoe: int) -> ShoeRow:
        return ShoeRow(shoe, live=False, log=True, lamp=self.files.lamp(table, shoe))

    def _version(self, table: str, shoe: int) -> Version | None:
        log = self.files.seen(table, shoe, "log")
        if log is None:
            return None
        return log, tuple(self.files.seen(table, shoe, kind) for kind in _BESIDE)

    def _done(self, version: Version, task: asyncio.Task[Archived]) -> None:
        del self._folding[version]
        if not task.cancelled():
            task.exception()  # those who wait get it, and nobody may be left

    async def _read(self, version: Version, table: str, shoe: int) -> Archived:
        found = await self._turns.run(lambda: self._folded(version, table, shoe))
        self._kept[version] = found
        while len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        return found

    def _folded(self, version: Version, table: str, shoe: int) -> Archived:
        log, beside = version
        if any(file is not None and file.size > _LARGEST for file in (log, *beside)):
            raise Refusal(503, "the log is too large to be shown", "take it, and audit it")
        data = self.files.read(log)
        if data is None:
            raise Refusal(404, "the log is gone", "look at the table's shoes")
        audit, verdicts, disputes = (
            None if file is None else self.files.read(file) for file in beside
        )
        board = self._fold(table, shoe, data, audit, verdicts, disputes)
        view = board.whole()
        if view.shoe is None or (view.shoe.table, view.shoe.shoe) != (table, shoe):
            raise Refusal(404, "the log is not of this shoe", "see what audit says of it")
        return Archived(board, log, spelled(ShoeAnswer(view)))
