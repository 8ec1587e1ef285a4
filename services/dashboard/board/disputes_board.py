"""The disputes of one table, whatever shoe is on it: opened, resolved. Decides nothing.

The stream is its own order; what it says of a round marks that round's row, whichever came first.
"""

from __future__ import annotations

from typing import Final, Literal

from msgspec import structs

from schemas.address import DisputeAddress
from schemas.disputes import DisputeOpened, DisputeResolved
from services.dashboard.board.shapes import DisputeShape

#: So many are shown, the newest; those before them are forgotten.
MOST: Final = 200


class DisputesBoard:
    """All disputes of a table, by the number of the entry that opened each."""

    __slots__ = ("_disputes", "_of", "_table", "moved")

    def __init__(self, table: str) -> None:
        """Begin with none."""
        self._table = table
        self._disputes: dict[int, DisputeShape] = {}
        #: The addresses of rounds for which a dispute was decided to move money.
        self.moved: set[str] = set()
        #: The numbers of the disputes of a round, by its address.
        self._of: dict[str, list[int]] = {}

    def take(self, number: int, said: object, time: str) -> str | None:
        """Take the next entry; give the address of the round that it is about, if any is known."""
        if isinstance(said, DisputeOpened):
            name = str(DisputeAddress(self._table, number))
            shape = DisputeShape(name, said.at, said.by, said.claim, time)
            self._disputes[number] = shape
            self._of.setdefault(said.at, []).append(number)
            self._forget()
            return said.at
        if not isinstance(said, DisputeResolved):
            return None
        opened = self._disputes.get(said.dispute)
        if opened is None or opened.resolved is not None:
            return None
        self._disputes[said.dispute] = structs.replace(opened, resolved=time, finding=said.finding)
        if said.adjustment is not None:
            self.moved.add(opened.round)
        return opened.round

    def state(self, round_address: str) -> Literal["open", "resolved"] | None:
        """Tell whether a round is under dispute, or was."""
        numbers = self._of.get(round_address)
        if not numbers:
            return None
        undecided = any(self._disputes[number].resolved is None for number in numbers)
        return "open" if undecided else "resolved"

    @property
    def undecided(self) -> int:
        """How many are open."""
        return sum(one.resolved is None for one in self._disputes.values())

    def shape(self) -> tuple[DisputeShape, ...]:
        """Give all, as they were opened."""
        return tuple(self._disputes.values())

    def _forget(self) -> None:
        while len(self._disputes) > MOST:
            oldest = next(iter(self._disputes))
            about = self._disputes.pop(oldest).round
            self._of[about].remove(oldest)
            if not self._of[about]:
                del self._of[about]
                self.moved.discard(about)
