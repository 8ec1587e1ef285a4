"""The last messages of a lobby of too many tables for a cursor to name each. Pure.

Then a cursor names no table but the message that was last: whoever comes again with it is given
what he missed while it is kept here, and else asks anew, as after a restart.
"""

from __future__ import annotations

import secrets
from collections import deque
from typing import Final

from services.dashboard.live.cursor import LobbyCursor

#: Of so many tables a cursor has about eight thousand characters.
MOST_TABLES: Final = 1_000
#: So many bytes at most, but for the last message.
_MOST: Final = 1 << 20
_ROUND: Final = 1 << 32


class LobbyRing:
    """Messages by number; the first number is drawn, so that no other process has it."""

    def __init__(self) -> None:
        """Nothing was said."""
        self._last = secrets.randbelow(_ROUND)
        self._kept: deque[tuple[int, dict[bool, bytes]]] = deque()
        self._size = 0

    @property
    def cursor(self) -> LobbyCursor:
        """After the last message."""
        return LobbyCursor({}, f"{self._last:08x}")

    def next(self) -> LobbyCursor:
        """Number the next message."""
        self._last = (self._last + 1) % _ROUND
        return self.cursor

    def add(self, made: dict[bool, bytes]) -> None:
        """Keep the last message, by whether in public, and let the oldest go."""
        self._kept.append((self._last, made))
        self._size += sum(map(len, made.values()))
        while self._size > _MOST and len(self._kept) > 1:
            self._size -= sum(map(len, self._kept.popleft()[1].values()))

    def after(self, cursor: LobbyCursor, *, public: bool) -> bytes | None:
        """Give what was said after a cursor; None where it is kept no longer, or never was."""
        missed = (self._last - int(cursor.mark, 16)) % _ROUND
        if missed > len(self._kept):
            return None
        kept = list(self._kept)[len(self._kept) - missed :]
        return b"".join([made[public] for _, made in kept])
