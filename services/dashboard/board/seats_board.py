"""Who sits at a table with how much, and what commission is owed. Pays nothing.

A bankroll is what it was said to be when the bettor sat down, and all that moved it after that: by
outcomes, which stand right after an event of the shoe, however late they come; by adjustments.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from services.baccarat import net
from services.dashboard.board.shapes import SeatShape

if TYPE_CHECKING:
    from collections.abc import Iterable

    from schemas import events as ev
    from services.dashboard.board.round_board import Told


class _Seat:
    """A seat that is taken, ``since`` the event of this number."""

    __slots__ = ("bankroll", "number", "owed", "since")

    def __init__(self, number: int, bankroll: int, since: int) -> None:
        self.number = number
        self.bankroll = bankroll
        self.since = since
        self.owed = 0


class SeatsBoard:
    """The seats of one shoe."""

    __slots__ = ("_seats", "marked")

    def __init__(self) -> None:
        """Begin with nobody."""
        #: Whether commission is marked, and collected at the shoe's end.
        self.marked = False
        self._seats: dict[str, _Seat] = {}

    def sit(self, said: ev.BettorSeated, seq: int, told: Iterable[Told]) -> None:
        """Seat somebody; ``told`` are the outcomes that have come already."""
        self._seats.pop(said.bettor, None)  # who sits down again is the last who did
        seat = self._seats[said.bettor] = _Seat(said.seat, said.bankroll, seq)
        for one in told:
            self._move(one, {said.bettor: seat})

    def leave(self, bettor: str) -> bool:
        """Clear a seat; tell whether anybody sat there."""
        return self._seats.pop(bettor, None) is not None

    def settle(self, told: Told) -> bool:
        """Move money by an outcome; tell whether any seat has changed."""
        return self._move(told, self._seats)

    def adjust(self, said: ev.MoneyAdjusted) -> bool:
        """Move money after a round."""
        seat = self._seats.get(said.bettor)
        if seat is not None:
            seat.bankroll += said.amount
        return seat is not None

    def collect(self, said: ev.CommissionCollected) -> bool:
        """Take what was owed; the bankroll moved when it was marked."""
        seat = self._seats.get(said.bettor)
        if seat is not None:
            seat.owed -= said.amount
        return seat is not None

    def __len__(self) -> int:
        """How many are taken."""
        return len(self._seats)

    def shape(self, most: int | None = None) -> tuple[SeatShape, ...]:
        """Give the seats by number; no more than ``most``: of those who sat down last."""
        some = islice(reversed(self._seats.items()), most)
        taken = sorted(some, key=lambda item: (item[1].number, item[0]))
        return tuple(
            [SeatShape(name, seat.number, seat.bankroll, seat.owed) for name, seat in taken]
        )

    def _move(self, told: Told, seats: dict[str, _Seat]) -> bool:
        moved = False
        for paid in told.outcome.settlements:
            seat = seats.get(paid.bettor)
            if seat is None or told.seq <= seat.since:
                continue
            amount = net(paid)
            seat.bankroll += amount
            owed = paid.commission if self.marked else 0
            seat.owed += owed
            moved = moved or amount != 0 or owed != 0
        return moved
