"""The last event of a round that was dealt, told by its bytes. Decodes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from schemas.address import Sources
from schemas.events import RoundDealt
from schemas.stencil import NUMBER, stencil

if TYPE_CHECKING:
    from services.journal import Entry

#: How such an event ends, and how long the time before that is.
_END: Final = b'","data":{"round":%d,"command":null}}'
_TIME: Final = len("2026-11-30T03:22:19.123456Z")
#: Text of these alone is spelled in one way.
_OF_TIMES: Final = b"0123456789-T:.Z"


class RoundEnd:
    """How one table's rounds end."""

    __slots__ = ("_spelled",)

    def __init__(self, table: str) -> None:
        """Spell it once."""
        end = RoundDealt(NUMBER, command=None)
        self._spelled = stencil(f"{NUMBER}-{NUMBER}", Sources(table).events, end)

    def is_of(self, number: int, entry: Entry) -> bool:
        """Tell whether this is the end of the round ``number``, to the byte as the dealer says it.

        The time may be any of a time's length.
        """
        data = entry.data
        end = len(_END % number)
        time = data[-end - _TIME : -end]
        said = self._spelled % (*entry.id, time, number)
        return data == said and not time.translate(None, _OF_TIMES)
