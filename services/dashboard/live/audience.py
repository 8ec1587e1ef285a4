"""Who looks on at one table, and the last that they were told. It reads nothing.

What is made of an entry is made once, whoever looks on; in public only where somebody does, or did.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from services.dashboard.live.message import public_message, table_message
from services.dashboard.live.ring import Ring, Step

if TYPE_CHECKING:
    from services.dashboard.board.shoe_board import Change, ShoeBoard
    from services.dashboard.live.cursor import TableCursor
    from services.dashboard.live.viewer import Viewer
    from services.dashboard.live.weave import Told


class Audience:
    """A table's viewers."""

    def __init__(self) -> None:
        """Nobody looks on."""
        self._viewers: set[Viewer] = set()
        self._ring, self._public_ring = Ring(), Ring()
        self._was_public = False

    def attach(self, viewer: Viewer) -> None:
        """Give a viewer each entry after this moment's position."""
        self._viewers.add(viewer)
        self._was_public = self._was_public or viewer.public

    def detach(self, viewer: Viewer) -> None:
        """Give him nothing more."""
        self._viewers.discard(viewer)

    def end(self, last: bytes = b"") -> None:
        """Let all go, with this last word."""
        for viewer in list(self._viewers):
            viewer.end(last)

    def clear(self) -> None:
        """Forget what was said: what comes next does not follow it."""
        self._ring.clear()
        self._public_ring.clear()

    def said(self, at: TableCursor, to: TableCursor, *, public: bool) -> bytes | None:
        """Give what was said from one cursor to another; None where it is kept no longer."""
        return (self._public_ring if public else self._ring).between(at, to)

    def show(
        self,
        before: TableCursor,
        after: TableCursor,
        board: ShoeBoard,
        one: Told,
        change: Change,
        *,
        live: bool,
    ) -> None:
        """Make the bytes of an entry, and where it is ``live`` give them to all."""
        cursor = str(after)
        full, public = table_message(cursor, board, one, change), b""
        self._ring.add(Step(before, after, full))
        if self._was_public or not live:
            public = public_message(cursor, board, one, change)
            self._public_ring.add(Step(before, after, public))
        else:
            self._public_ring.clear()  # it has no gap
        if live:
            for viewer in self._viewers:
                viewer.put(public if viewer.public else full)
