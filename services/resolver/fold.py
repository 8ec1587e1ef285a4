"""The resolver of one table as a pure fold: stored events in, outcomes out. No I/O, no clock.

A shoe's outcomes depend on that shoe's events alone, so a resolver that begins at any shoe's first
event says the same bytes as one that has always been there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from schemas.address import EntryId, Shoe, Sources
from schemas.envelope import decode_events, encode
from services.resolver.shoe import ShoeFold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from services.resolver.shoe import Told


#: Events that are decoded at once: few enough to stay in a processor's nearest cache.
_AT_ONCE: Final = 128


class Said(NamedTuple):
    """An outcome as it goes to the stream: its id ``<shoe>-<round>`` and its bytes."""

    id: EntryId
    data: bytes


class TableFold:
    """One table. Feed it each entry of the events stream, in order, from a shoe's first on."""

    __slots__ = ("_number", "_shoe", "_source", "_table")

    def __init__(self, table: str) -> None:
        """Begin before the first shoe."""
        self._table = table
        self._source = Sources(table).outcomes
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
        for start in range(0, len(entries), _AT_ONCE):
            said += self._fold(entries[start : start + _AT_ONCE])
        return said

    def _fold(self, entries: Sequence[tuple[EntryId, bytes]]) -> list[Said]:
        # Decode all, fold all, spell all: each of the three is faster in a row.
        told: list[tuple[int, Told]] = []
        messages = decode_events([data for _, data in entries])
        shoe, current = self._shoe, self._number
        fold = None if shoe is None else shoe.fold
        for ((number, seq), _), message in zip(entries, messages, strict=True):
            if number != current or fold is None:
                if number < max(current, 1):
                    continue
                if shoe is not None and (left := shoe.abandoned()) is not None:
                    told.append((current, left))
                shoe = self._shoe = ShoeFold(Shoe(self._table, number))
                current = self._number = number
                fold = shoe.fold
            outcome = fold(seq, message)
            if outcome is not None:
                told.append((number, outcome))
        return [self._spell(number, outcome) for number, outcome in told]

    def _spell(self, shoe: int, told: Told) -> Said:
        entry = EntryId(shoe, told.outcome.round)
        return Said(entry, encode(str(entry), self._source, told.time, told.outcome))
