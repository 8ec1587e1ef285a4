"""Messages that were made, for whoever missed only these: a fold of his own would cost far more.

A ring is a table's last messages as they were sent. What was made again for who was away is kept
for others who were: a message depends on where its reader is and what comes next, and on nothing
of the reader but whether he is in public. Pure: reads nothing, and makes none.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from services.dashboard.live.cursor import TableCursor

#: So many bytes at most of a table's last messages, but for the very last.
_MOST: Final = 48 * 1024
#: So many bytes of all tables' messages that were made again; so many are given at once.
_MOST_MADE: Final = 32 << 20
_AT_ONCE: Final = 64 * 1024
#: What keeping a message costs besides its bytes.
_BESIDE: Final = 1_024


class Step(NamedTuple):
    """A message, the cursor that it follows, and the one that it leads to."""

    before: TableCursor
    after: TableCursor
    message: bytes


class Ring:
    """A table's last messages, without a gap."""

    def __init__(self) -> None:
        """Nothing was said."""
        self._kept: deque[Step] = deque()
        self._size = 0

    def add(self, step: Step) -> None:
        """Keep a message, and let the oldest go."""
        self._kept.append(step)
        self._size += len(step.message)
        while self._size > _MOST and len(self._kept) > 1:
            self._size -= len(self._kept.popleft().message)

    def clear(self) -> None:
        """Forget all: what comes next does not follow it."""
        self._kept.clear()
        self._size = 0

    def between(self, at: TableCursor, to: TableCursor) -> bytes | None:
        """Give all messages from one cursor to another; None where they are not all here."""
        found: list[bytes] = []
        for step in reversed(self._kept):
            if found or step.after == to:
                found.append(step.message)
                if step.before == at:
                    return b"".join(reversed(found))
        return None


class Made:
    """Messages that were made again, of all tables; the oldest go first."""

    def __init__(self, most: int = _MOST_MADE) -> None:
        """Keep ``most`` bytes."""
        self._most = most
        self._kept: OrderedDict[tuple[bool, TableCursor], Step] = OrderedDict()
        self.size = 0

    def add(self, step: Step, *, public: bool) -> None:
        """Keep a message."""
        if (public, step.before) in self._kept:
            return
        self._kept[public, step.before] = step
        self.size += len(step.message) + _BESIDE
        while self.size > self._most:
            self._gone(self._kept.popitem(last=False)[1])

    def knows(self, at: TableCursor, *, public: bool) -> bool:
        """Tell whether what comes after a cursor is here."""
        return (public, at) in self._kept

    def follow(
        self, at: TableCursor, to: TableCursor, *, public: bool
    ) -> tuple[bytes, TableCursor]:
        """Give some messages from a cursor on, and where they lead to; none leads past ``to``.

        Whoever made one may have been on his way to another place, by another order of streams.
        """
        found: list[bytes] = []
        size = 0
        while size < _AT_ONCE and at != to and (step := self._kept.get((public, at))) is not None:
            if any(one > there for one, there in zip(step.after.at, to.at, strict=True)):
                break
            found.append(step.message)
            size += len(step.message)
            at = step.after
        return b"".join(found), at

    def forget(self, table: str | None = None) -> None:
        """Forget what was said at a table, or at all: its streams may be others."""
        for key in [key for key in self._kept if table in (None, key[1].table)]:
            self._gone(self._kept.pop(key))

    def _gone(self, step: Step) -> None:
        self.size -= len(step.message) + _BESIDE
