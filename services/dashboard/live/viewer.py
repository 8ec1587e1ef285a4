"""One who looks on: what waits to be sent to him, with bounds. He holds up nobody else."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

#: So much may wait for a viewer, besides what his connection holds.
MOST_BYTES: Final = 512 * 1024
MOST_MESSAGES: Final = 1_000
#: So long one sending may take, and so long nothing may be sent.
SEND_S: Final = 10.0
QUIET_S: Final = 15.0


class Viewer:
    """Messages are put in; his stream takes them out."""

    __slots__ = (
        "_bell",
        "_size",
        "_waiting",
        "address",
        "cut_off",
        "drop",
        "ended",
        "public",
        "sent",
        "since",
        "write",
    )

    def __init__(self, address: str, *, public: bool) -> None:
        """``public``: he is shown nothing that is a bettor's."""
        self.address = address
        self.public = public
        #: Nothing more is for him.
        self.ended = False
        #: He did not read, and was cut off.
        self.cut_off = False
        #: Breaks his connection off at once, where there is one.
        self.drop: Callable[[], None] | None = None
        #: Writes to him at once, or says that he is behind; None where that cannot be done.
        self.write: Callable[[bytes], bool] | None = None
        #: When something was sent last; since when a sending is under way.
        self.sent = time.monotonic()
        self.since: float | None = None
        self._waiting: deque[bytes] = deque()
        self._size = 0
        self._bell = asyncio.Event()

    def put(self, message: bytes) -> None:
        """Have a message sent; one who has too much waiting is cut off."""
        if self.ended:
            return
        # While a sending is under way, or something waits, his stream's task keeps the order.
        if (
            self.write is not None
            and not self._waiting
            and self.since is None
            and self.write(message)
        ):
            self.sent = time.monotonic()
            return
        self._waiting.append(message)
        self._size += len(message)
        if self._size > MOST_BYTES or len(self._waiting) > MOST_MESSAGES:
            self.cut()
        self._bell.set()

    def end(self, last: bytes = b"") -> None:
        """Send this, then nothing more."""
        if not self.ended:
            if last:
                self._waiting.append(last)
            self.ended = True
            self._bell.set()

    def cut(self) -> None:
        """Break off now: what waits is dropped."""
        if not self.cut_off:
            self.ended = self.cut_off = True
            self.forget()
            if self.drop is not None:
                self.drop()

    def forget(self) -> None:
        """Keep nothing: he is gone."""
        self.ended = True
        self._waiting.clear()
        self._size = 0
        self._bell.set()

    async def next(self) -> bytes:
        """Wait for what is to be sent; empty: that was all."""
        while not self._waiting:
            if self.ended:
                return b""
            self._bell.clear()
            await self._bell.wait()
        waiting = self._waiting
        if len(waiting) == 1:
            chunk = waiting.popleft()
        else:
            chunk = b"".join(waiting)
            waiting.clear()
        self._size = 0
        return chunk

    def look(self, now: float, heartbeat: bytes) -> None:
        """Cut him off where a sending takes too long; say something where all is quiet."""
        if self.since is not None:
            if now - self.since > SEND_S:
                self.cut()
        elif not self.ended and now - self.sent >= QUIET_S:
            self.put(heartbeat)
