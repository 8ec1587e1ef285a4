"""All who look on: how many there may be, and what is looked after for all at once. Sends nothing.

One task for them all, once a second: a heartbeat where all is quiet, an end where a sending lasts.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from services.dashboard.live.message import HEARTBEAT
from services.dashboard.live.viewer import Viewer
from services.dashboard.web.rate import network_of
from services.dashboard.web.respond import Refusal

if TYPE_CHECKING:
    from services.dashboard.live.metrics import Metrics

_LOOK_S: Final = 1.0
_AGAIN_S: Final = 10


class Room(NamedTuple):
    """So many may look on, in all and from one address."""

    viewers: int = 2_000
    of_one: int = 1_000


class Viewers:
    """Let in by ``admit``, there from ``came`` to ``left``."""

    def __init__(self, room: Room, metrics: Metrics) -> None:
        """Nobody is there yet."""
        self._room, self._metrics = room, metrics
        self._there: set[Viewer] = set()
        self._of_one: Counter[str] = Counter()
        self._shut = False
        self._looking: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to look after them."""
        self._looking = asyncio.create_task(self._look(), name="board viewers")

    async def stop(self) -> None:
        """Let all go, and look after nobody."""
        self.release()
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.gather(self._looking, return_exceptions=True)

    def release(self) -> None:
        """Let all go, and nobody in; they come again with their cursors."""
        self._shut = True
        for viewer in list(self._there):
            viewer.end()

    def admit(self, address: str, *, public: bool) -> Viewer:
        """Let a viewer in, or raise ``Refusal``: 503, 429 where there are too many of him."""
        who = network_of(address) if address else ""
        if self._shut or len(self._there) >= self._room.viewers:
            raise self._refusal(503, "too many viewers", "try again")
        if self._of_one[who] >= self._room.of_one:
            raise self._refusal(429, "too many streams from one address", "close some")
        return Viewer(who, public=public)

    def came(self, viewer: Viewer, kind: str) -> None:
        """Count one whose stream begins."""
        self._there.add(viewer)
        self._of_one[viewer.address] += 1
        self._metrics.viewers.labels(kind).inc()

    def left(self, viewer: Viewer, kind: str) -> None:
        """Count him no longer."""
        self._there.discard(viewer)
        self._of_one[viewer.address] -= 1
        if not self._of_one[viewer.address]:
            del self._of_one[viewer.address]
        self._metrics.viewers.labels(kind).dec()
        self._metrics.cut_off.inc(viewer.cut_off)

    def _refusal(self, status: int, what: str, mend: str) -> Refusal:
        self._metrics.refused.inc()
        return Refusal(status, what, mend, again_after=_AGAIN_S)

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(_LOOK_S)
            now = time.monotonic()
            for viewer in list(self._there):
                viewer.look(now, HEARTBEAT)
