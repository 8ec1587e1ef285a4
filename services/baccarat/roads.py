"""The five roads of a shoe, fed round by round. Draws nothing on a screen and knows no money.

Source: ``specs/roads.md``. Bead plate: every round. Big road: a side's run is a column, a tie is
counted on the last cell; ties before the first decision wait for it. The three derived roads are
read from the depths of the big road's logical columns, never from its drawn grid.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, get_args

from services.baccarat.roads_grid import ROWS, Cell, Grid

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from schemas.ruleset import Side

#: A round's winner: banker, player, tie. A void round leaves no mark on any road.
Letter = Literal["B", "P", "T"]
#: A mark of a derived road: red for a shoe that repeats itself, blue for one that does not.
Mark = Literal["R", "B"]
LETTERS: Final[dict[str, Letter]] = {"banker": "B", "player": "P", "tie": "T"}
WINNERS: Final[frozenset[str]] = frozenset(get_args(Letter))


@dataclass(slots=True)
class BigCell:
    """A mark of the big road where it is drawn, and the ties that were counted on it."""

    column: int
    row: int
    side: Letter
    ties: int


class Asked(NamedTuple):
    """The mark each derived road would get next; None where it would get none."""

    big_eye: Mark | None
    small: Mark | None
    cockroach: Mark | None


class DerivedRoad:
    """Big eye boy (``back`` 1), small road (2) or cockroach pig (3): marks, and where they lie."""

    __slots__ = ("_grid", "back", "cells", "marks")

    def __init__(self, back: int) -> None:
        """Begin without a mark."""
        self.back = back
        self.marks: list[Mark] = []
        self.cells: list[Cell] = []
        self._grid = Grid()

    def add(self, mark: Mark) -> None:
        """Lay the next mark: a change of colour begins a new column."""
        turns = not self.marks or self.marks[-1] != mark
        self.marks.append(mark)
        self.cells.append(self._grid.lay(new_run=turns))


class Roads:
    """All five roads. ``add`` each round's winner in order; all else may be read at any time."""

    __slots__ = ("_grid", "bead", "big", "big_eye", "cockroach", "depths", "small", "waiting")

    def __init__(self, winners: Iterable[Letter] = ()) -> None:
        """Begin with the rounds there have been."""
        #: Every round's letter, in order; see ``bead_cell`` for where they lie.
        self.bead: list[Letter] = []
        self.big: list[BigCell] = []
        #: How many cells each logical column of the big road has.
        self.depths: list[int] = []
        #: Ties that wait for the first decision.
        self.waiting = 0
        self.big_eye = DerivedRoad(1)
        self.small = DerivedRoad(2)
        self.cockroach = DerivedRoad(3)
        self._grid = Grid()
        for winner in winners:
            self.add(winner)

    def add(self, winner: Letter) -> None:
        """Take the next round."""
        if winner not in WINNERS:
            raise ValueError(winner)
        self.bead.append(winner)
        if winner == "T":
            if self.big:
                self.big[-1].ties += 1
            else:
                self.waiting += 1
            return
        turns = self._turns(winner)
        for road, mark in zip(self.derived, self._ask(turns=turns), strict=True):
            if mark is not None:
                road.add(mark)
        if turns:
            self.depths.append(1)
        else:
            self.depths[-1] += 1
        column, row = self._grid.lay(new_run=turns)
        self.big.append(BigCell(column, row, winner, self.waiting))
        self.waiting = 0

    def ask(self, side: Side) -> Asked:
        """Tell which marks the derived roads would get, were this side to win the next round."""
        return self._ask(turns=self._turns(LETTERS[side]))

    @property
    def derived(self) -> tuple[DerivedRoad, DerivedRoad, DerivedRoad]:
        """The three roads that are read from the big road."""
        return self.big_eye, self.small, self.cockroach

    def _turns(self, winner: Letter) -> bool:
        return not self.big or self.big[-1].side != winner

    def _ask(self, *, turns: bool) -> Asked:
        depths = self.depths
        return Asked(*(next_mark(depths, road.back, turns=turns) for road in self.derived))


def next_mark(depths: Sequence[int], back: int, *, turns: bool) -> Mark | None:
    """Give a derived road's mark for the big road's next cell, from its columns' depths so far.

    The cell is the first of a new column where the big road ``turns``, else the last column's next.
    A new column's is red where the two columns before it, ``back`` apart, are equally deep. Any
    other is blue where it is the first that reaches below the column ``back`` to its left.
    """
    if turns:
        before = len(depths) - 1
        if before < back:
            return None
        return "R" if depths[before] == depths[before - back] else "B"
    compared = len(depths) - 1 - back
    if compared < 0:
        return None
    return "B" if depths[-1] == depths[compared] else "R"


def bead_cell(index: int) -> Cell:
    """Give the place of a round, from 0, on the bead plate: six to a column, then right."""
    return Cell(*divmod(index, ROWS))
