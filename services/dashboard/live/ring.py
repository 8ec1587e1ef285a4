"""A table's last messages, for whoever missed only these: a fold of his own would cost far more."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from services.dashboard.live.cursor import TableCursor

#: So many bytes at most, but for the last message.
_MOST: Final = 48 * 1024


class Ring:
    """Each message with the cursor that it follows, without a gap."""

    def __init__(self) -> None:
        """Nothing was said."""
        self._kept: deque[tuple[TableCursor, bytes]] = deque()
        self._size = 0

    def add(self, before: TableCursor, message: bytes) -> None:
        """Keep a message, and let the oldest go."""
        self._kept.append((before, message))
        self._size += len(message)
        while self._size > _MOST and len(self._kept) > 1:
            self._size -= len(self._kept.popleft()[1])

    def clear(self) -> None:
        """Forget all: what comes next does not follow it."""
        self._kept.clear()
        self._size = 0

    def after(self, cursor: TableCursor) -> bytes | None:
        """Give all messages after a cursor; None where it is none that they follow."""
        found: list[bytes] = []
        for before, message in reversed(self._kept):
            found.append(message)
            if before == cursor:
                return b"".join(reversed(found))
        return None
