"""The root of the shoe's log, worked out by the dealer from events and outcomes. Writes none.

The next shoe names it as ``previous_root``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from services.ledger.lines import LogOrder
from services.ledger.merkle import TreeBuilder

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Lines of a dozen rounds: many at once cost the tree half of what each alone does.
_MANY: Final = 144


class LogRoot:
    """One shoe's."""

    def __init__(self) -> None:
        """Begin before the first line."""
        self._order: LogOrder[bytes] = LogOrder()
        self._tree = TreeBuilder()
        #: Lines that are not in the tree yet.
        self._unhashed: list[bytes] = []

    def event(self, seq: int, data: bytes, *, closes: bool) -> None:
        """Take an event; the shoe's last ends the log."""
        self._take(self._order.event(seq, data, closes=closes))

    def events(self, first: int, datas: Sequence[bytes]) -> None:
        """Take events that are numbered on from the first; the shoe's last is not among them."""
        self._order.events(first, datas)

    def outcome(self, pivot_seq: int, data: bytes) -> None:
        """Take an outcome, which stands after this event."""
        self._take(self._order.outcome(pivot_seq, data))

    def root(self) -> str:
        """Give the Merkle root of all lines until now (hex)."""
        return self._hashed().root().hex()

    def _take(self, lines: list[bytes]) -> None:
        self._unhashed += lines
        if len(self._unhashed) >= _MANY:
            self._hashed()

    def _hashed(self) -> TreeBuilder:
        self._tree.add_lines(self._unhashed)
        self._unhashed.clear()
        return self._tree
