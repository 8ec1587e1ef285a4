"""The last event of a round that was dealt, told by its bytes. Decodes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemas.address import Sources
from schemas.events import RoundDealt
from schemas.instant import LENGTH, is_timelike
from schemas.stencil import NUMBER, stencil

if TYPE_CHECKING:
    from services.journal import Entry


class RoundEnd:
    """How one table's rounds end."""

    __slots__ = ("_rest", "_spelled")

    def __init__(self, table: str) -> None:
        """Spell it once."""
        end = RoundDealt(NUMBER, command=None)
        self._spelled = stencil(f"{NUMBER}-{NUMBER}", Sources(table).events, end)
        #: What stands after the time.
        self._rest = self._spelled.rpartition(b"%b")[2]

    def is_of(self, number: int, entry: Entry) -> bool:
        """Tell whether this is the end of the round ``number``, to the byte as the dealer says it.

        The time may be any of a time's length.
        """
        data = entry.data
        end = len(self._rest % number)
        time = data[-end - LENGTH : -end]
        return data == self._spelled % (*entry.id, time, number) and is_timelike(time)
