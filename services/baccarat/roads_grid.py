"""The six-row grid that roads are drawn on: runs go down and turn right. Knows no winner."""

from __future__ import annotations

from typing import Final, NamedTuple

ROWS: Final = 6


class Cell(NamedTuple):
    """A place on a grid, from 0: the column from the left, the row from the top."""

    column: int
    row: int


class Grid:
    """Lays marks in runs, one run a logical column.

    A run goes down; where the cell below is off the grid or taken, it goes right on its row (a
    dragon's tail), and down again where that is free again. The next run starts in row 0 of its own
    logical column. Should a tail already lie there, which takes six ever shorter runs in a row and
    27 decisions at least, it starts in the next free column (``specs/roads.md`` is silent).
    """

    __slots__ = ("_last", "_runs", "_taken")

    def __init__(self) -> None:
        """Begin with an empty grid."""
        self._taken: set[Cell] = set()
        self._runs = 0
        self._last = Cell(0, 0)

    def lay(self, *, new_run: bool) -> Cell:
        """Give the cell of the next mark, which begins a new run or goes on with the last."""
        cell = self._start() if new_run or not self._runs else self._beside()
        self._taken.add(cell)
        self._last = cell
        return cell

    def _start(self) -> Cell:
        column = self._runs
        self._runs += 1
        while Cell(column, 0) in self._taken:
            column += 1
        return Cell(column, 0)

    def _beside(self) -> Cell:
        column, row = self._last
        below = Cell(column, row + 1)
        # To the right nothing lies on or above a row that a run has come down to: see the tests.
        free = below.row < ROWS and below not in self._taken
        return below if free else Cell(column + 1, row)
