"""The next round's odds of each table: counted once a round, beside the loop, one at a time.

While a round is dealt the odds stay those of before it: nobody bets on what is half seen.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import TYPE_CHECKING, Final, Protocol

from services.dashboard.board.next_odds import NextRound, next_round
from services.dashboard.web.odds_worker import OddsWorker
from services.dashboard.web.respond import Refusal
from services.dashboard.web.turns import Turns

if TYPE_CHECKING:
    from services.dashboard.board.asked_shapes import OddsShape
    from services.dashboard.web.ports import Board

_WAITING: Final = 8
_MOST_TABLES: Final = 1024
#: A process that nobody asks is in the way.
_IDLE_S: Final = 120.0


class Worker(Protocol):
    """Whoever counts; see ``OddsWorker``."""

    def ask(self, asked: NextRound, /) -> OddsShape | None:
        """Count; None where that failed."""

    def stop(self) -> None:
        """End."""


class OddsDesk:
    """Answers what the next round's odds are. Raises ``Refusal``: 404 there are none, 503 busy."""

    def __init__(self, worker: Worker | None = None, idle_s: float = _IDLE_S) -> None:
        """``worker`` None: a process of its own, which is there while it is asked."""
        self._worker = OddsWorker() if worker is None else worker
        self._idle_s = idle_s
        self._turns = Turns(1, _WAITING, "too many odds are asked for")
        self._known: OrderedDict[str, tuple[NextRound, OddsShape]] = OrderedDict()
        self._counting: dict[str, tuple[NextRound, asyncio.Task[OddsShape]]] = {}
        self._idle: asyncio.TimerHandle | None = None

    async def odds(self, table: str, board: Board) -> OddsShape:
        """Give a table's; ``board`` is its fold."""
        tile = board.tile()
        known = self._known.get(table)
        if tile.phase == "dealing":
            if known is not None and known[0].shoe == tile.shoe:
                return known[1]
            raise Refusal(503, "a round is being dealt", "ask when it is over", again_after=2)
        asked = next_round(board)
        if asked is None:
            raise Refusal(404, f"nobody can say the odds at {table}", "ask while a shoe is open")
        if known is not None and known[0] == asked:
            return known[1]
        counting = self._counting.get(table)
        if counting is None or counting[0] != asked:
            task = asyncio.create_task(self._count(table, asked))
            counting = self._counting[table] = (asked, task)
            task.add_done_callback(lambda done: self._done(table, done))
        # Who asked first may go away; others wait for the same.
        return await asyncio.shield(counting[1])

    async def stop(self) -> None:
        """Count no more."""
        if self._idle is not None:
            self._idle.cancel()
        for _, task in list(self._counting.values()):
            task.cancel()
        await asyncio.to_thread(self._worker.stop)

    async def _count(self, table: str, asked: NextRound) -> OddsShape:
        found = await self._turns.run(lambda: self._worker.ask(asked))
        if self._idle is not None:
            self._idle.cancel()
        self._idle = asyncio.get_running_loop().call_later(self._idle_s, self._rest)
        if found is None:
            raise Refusal(503, f"the odds at {table} cannot be counted", "", again_after=30)
        self._known[table] = (asked, found)
        self._known.move_to_end(table)
        while len(self._known) > _MOST_TABLES:
            self._known.popitem(last=False)
        return found

    def _rest(self) -> None:
        if not self._counting:
            self._worker.stop()

    def _done(self, table: str, done: asyncio.Task[OddsShape]) -> None:
        counting = self._counting.get(table)
        if counting is not None and counting[1] is done:
            del self._counting[table]
        if not done.cancelled():
            done.exception()  # those who wait get it, and nobody may be left
