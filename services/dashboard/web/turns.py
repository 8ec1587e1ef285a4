"""Work off the loop, a little at a time: so much at once, so much waiting, the rest refused."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeVar

from services.dashboard.web.respond import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


class Turns:
    """Threads for one kind of work; raises ``Refusal`` 503 where too much waits already."""

    def __init__(self, at_once: int, waiting: int, what: str) -> None:
        """``what`` is too much of at a time: "too many proofs"."""
        self._turn = asyncio.Semaphore(at_once)
        self._most = at_once + waiting
        self._what = what
        self._now = 0

    async def run(self, work: Callable[[], T]) -> T:
        """Do it in a thread, when its turn comes."""
        if self._now >= self._most:
            raise Refusal(503, self._what, "try again", again_after=2)
        self._now += 1
        try:
            async with self._turn:
                return await asyncio.to_thread(work)
        finally:
            self._now -= 1
