"""Looks on while a table plays itself: its end, its troubles, its figures. Plays nothing."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Final

import msgspec
from redis.exceptions import RedisError

from schemas.address import CLOSED
from schemas.envelope import load
from schemas.errors import ShoetrailError, Unavailable, Unreadable
from services.cli.figures import Figures
from services.cli.whole_shoe import trouble_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from services.cli.autoplay_screen import Screen
    from services.cli.autoplay_table import AutoTable
    from services.dealer.app import DealerService
    from services.journal import Journal, TableService
    from services.runtime.apart import Apart

#: Keeps a session's figures as far as they are; also given the first shoe's commitment.
Keep = Callable[[Figures, str], None]
_KEEP_S: Final = 5.0
#: A Redis of our own that is gone does not come back.
_PATIENCE_S: Final = 60.0


class Watch:
    """Watches one table and its services.

    ``own`` is the journal where its Redis is ours alone: there nobody waits for closed shoes.
    """

    def __init__(
        self,
        table: AutoTable,
        working: Sequence[TableService | DealerService],
        auditor: Apart,
        keep: Keep,
        own: Journal | None,
    ) -> None:
        """Look at nothing yet."""
        self._table, self._working, self._auditor = table, working, auditor
        self._keep, self._own = keep, own
        self._kept = (time.monotonic(), 0)
        #: What was done when last something was, and for how many looks nothing was.
        self._seen, self._still = (0, 0), 0

    async def until_over(self, screen: Screen) -> Exception | None:
        """Look until all is played and audited; give what went wrong, if anything did."""
        while not self._table.done.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(self._table.done.wait(), screen.pause)
            screen.look()
            trouble = self._trouble(screen.pause)
            if trouble is not None:
                return trouble
            await self._tend()
        return None

    def _trouble(self, pause: float) -> Exception | None:
        stopped = trouble_of(self._working) or self._auditor.trouble
        return stopped or _stopped(self._auditor.said()) or self._stuck(pause)

    def _stuck(self, pause: float) -> Unavailable | None:
        """Tell whether nothing happens any more: by looks, for whoever is stopped has no time."""
        table = self._table
        seen = table.dealt, table.audited
        self._still = 0 if seen != self._seen or table.paused else self._still + 1
        self._seen = seen
        if self._own is None or self._still * pause < _PATIENCE_S + table.pace:
            return None
        return Unavailable(f"nothing has happened for {_PATIENCE_S:.0f} s; did the Redis end?")

    async def _tend(self) -> None:
        """Write the figures down now and then, and empty the queue that nobody works."""
        since, hands = self._kept
        figures = msgspec.structs.replace(self._table.figures)
        if figures.hands == hands or time.monotonic() - since < _KEEP_S:
            return
        self._kept = (time.monotonic(), figures.hands)
        with suppress(ShoetrailError):  # what is kept in the end is what counts
            await asyncio.to_thread(self._keep, figures, self._table.commitment)
        if self._own is not None:
            with suppress(RedisError, OSError):
                await self._own.client.xtrim(CLOSED, maxlen=0, approximate=False)


def _stopped(said: str) -> Unavailable | None:
    """Find in the auditor's last words that his table stopped."""
    try:
        line = load(said.encode(), "auditor")
    except Unreadable:
        return None
    if not isinstance(line, dict) or not str(line.get("event")).startswith("table stopped"):
        return None
    return Unavailable(f"the auditor stopped: {line.get('what') or line.get('exception')}")
