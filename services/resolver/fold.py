"""The resolver of one table as a pure fold: stored events in, outcomes out. No I/O, no clock.

A shoe's outcomes depend on that shoe's events alone, so a resolver that begins at any shoe's first
event says the same bytes as one that has always been there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from schemas.address import EntryId, Shoe
from schemas.envelope import event_or_none
from services.resolver.foreseen import Foreseen
from services.resolver.shoe import ShoeFold

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from services.resolver.shoe import Told


class Said(NamedTuple):
    """An outcome as it goes to the stream: its id ``<shoe>-<round>`` and its bytes."""

    id: EntryId
    data: bytes


class TableFold:
    """One table. Feed it each entry of the events stream, in order, from a shoe's first on."""

    __slots__ = ("_foreseen", "_number", "_shoe", "_table")

    def __init__(self, table: str) -> None:
        """Begin before the first shoe."""
        self._table = table
        self._foreseen = Foreseen(table)
        self._number = 0
        self._shoe: ShoeFold | None = None

    def event(self, entry: EntryId, data: bytes) -> list[Said]:
        """Fold one entry and give what is to be said of it, mostly nothing."""
        return self.events(((entry, data),))

    def events(self, entries: Sequence[tuple[EntryId, bytes]]) -> list[Said]:
        """Fold entries, one after the other, and give what is to be said of them.

        An entry at or before the last one was delivered twice: it is not folded again. Nothing that
        can stand in the stream raises; what cannot be folded is said as ``round.halted``.
        """
        said: list[Said] = []
        lines = [data for _, data in entries]
        for start, end in _runs(entries):
            said += self.run(entries[start][0], lines[start:end])
        return said

    def run(self, first: EntryId, lines: Sequence[bytes]) -> list[Said]:
        """Fold events of one shoe that follow each other, the first being at ``first``."""
        number, seq = first
        said: list[Said] = []
        shoe = self._shoe
        if number != self._number or shoe is None:
            if number < max(self._number, 1):
                return said
            if shoe is not None and (left := shoe.abandoned()) is not None:
                said.append(_said(self._number, left))
            shoe = self._shoe = ShoeFold(Shoe(self._table, number), self._foreseen)
            self._number = number
        at, end = 0, len(lines)
        while at < end:
            ahead = shoe.ahead(seq + at, lines, at)
            if ahead is not None:
                events, told = ahead
                at += events
                said.append(_said(number, told))
                continue
            outcome = shoe.fold(seq + at, event_or_none(lines[at]))
            at += 1
            if outcome is not None:
                said.append(_said(number, outcome))
        return said


def _said(shoe: int, told: Told) -> Said:
    return Said(EntryId(shoe, told.round), told.data)


def _runs(entries: Sequence[tuple[EntryId, bytes]]) -> Iterator[tuple[int, int]]:
    """Part entries where one does not follow the one before in its shoe."""
    start, run, expected = 0, -1, -1
    for at, ((major, minor), _) in enumerate(entries):
        if minor != expected or major != run:
            if at:
                yield start, at
            start, run = at, major
        expected = minor + 1
    if entries:
        yield start, len(entries)
