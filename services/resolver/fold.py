"""The resolver of one table as a pure fold: stored events in, outcomes out. No I/O, no clock.

A shoe's outcomes depend on that shoe's events alone, so a resolver that begins at any shoe's first
event says the same bytes as one that has always been there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from schemas.address import EntryId, Shoe
from services.resolver.shoe import ShoeFold

if TYPE_CHECKING:
    from services.resolver.shoe import Outcome


class Said(NamedTuple):
    """An outcome as it goes to the stream: its id ``<shoe>-<round>`` and its bytes."""

    id: EntryId
    data: bytes


class TableFold:
    """One table. Feed it each entry of the events stream, in order, from a shoe's first on."""

    __slots__ = ("_number", "_shoe", "_table")

    def __init__(self, table: str) -> None:
        """Begin before the first shoe."""
        self._table = table
        self._number = 0
        self._shoe: ShoeFold | None = None

    def event(self, entry: EntryId, data: bytes) -> list[Said]:
        """Fold one entry and give what is to be said of it, mostly nothing.

        An entry at or before the last one was delivered twice: it is not folded again. Nothing that
        can stand in the stream raises; what cannot be folded is said as ``round.halted``.
        """
        number, seq = entry
        shoe = self._shoe
        if number != self._number or shoe is None:
            return self._new_shoe(number, seq, data) if number > self._number else []
        outcome = shoe.fold(seq, data)
        return [] if outcome is None else [_said(number, outcome)]

    def _new_shoe(self, number: int, seq: int, data: bytes) -> list[Said]:
        said: list[Said] = []
        if self._shoe is not None and (left := self._shoe.abandoned()) is not None:
            said.append(_said(self._number, left))
        self._number = number
        self._shoe = ShoeFold(Shoe(self._table, number))
        if (outcome := self._shoe.fold(seq, data)) is not None:
            said.append(_said(number, outcome))
        return said


def _said(shoe: int, outcome: Outcome) -> Said:
    return Said(EntryId(shoe, outcome.round), outcome.data)
