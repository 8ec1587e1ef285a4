"""Roads as people read them: drawn on a terminal, letters in a pipe. Works out no mark.

Every mark can be told without its colour: B and P and T are letters, and red and blue differ in
their shapes. A road that is wider than the terminal goes on below; a pipe gets it whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from rich.console import Console
from rich.text import Text

from services.baccarat.roads import bead_cell
from services.baccarat.roads_grid import ROWS, Cell
from services.cli import output

if TYPE_CHECKING:
    from collections.abc import Mapping

    from services.baccarat.roads import DerivedRoad, Mark, Roads

_COLOURS: Final = {"B": "bold red", "P": "bold blue", "T": "bold green"}
_SUPERSCRIPTS: Final = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
#: A derived road's red and blue on a terminal: hollow, solid, slashes.
_SHAPES: Final[dict[str, dict[Mark, str]]] = {
    "big eye boy": {"R": "○", "B": "□"},
    "small road": {"R": "●", "B": "■"},
    "cockroach pig": {"R": "/", "B": "\\"},
}
_RED_OR_BLUE: Final[dict[Mark, str]] = {"R": "bold red", "B": "bold blue"}
_EMPTY: Final = "·"
_EMPTY_PLAIN: Final = "."
_MARGIN: Final = "  "
_NARROWEST: Final = 20


class _Drawn(NamedTuple):
    sign: str
    style: str


def show(roads: Roads) -> None:
    """Print the five roads, and what the next round would mark on the last three."""
    console = Console()
    colour = console.is_terminal
    count = roads.bead.count
    title = f"Bead plate: {count('B')} banker, {count('P')} player, {count('T')} ties"
    _grid(console, title, {
        bead_cell(index): _Drawn(letter, _COLOURS[letter] + (" reverse" if colour else ""))
        for index, letter in enumerate(roads.bead)
    })  # fmt: skip
    title = "Big road" + (": a number counts ties" if any(cell.ties for cell in roads.big) else "")
    _grid(console, title, {
        Cell(cell.column, cell.row): _Drawn(
            cell.side + _ties(cell.ties, colour=colour), _COLOURS[cell.side]
        )
        for cell in roads.big
    })  # fmt: skip
    if roads.waiting:
        output.note(f"{_MARGIN}{roads.waiting} ties wait for the first decision")
    for name, road in _derived(roads).items():
        signs = {mark: _sign(name, mark, colour=colour) for mark in _RED_OR_BLUE}
        title = f"{name.capitalize()}: {signs['R']} red, {signs['B']} blue"
        _grid(console, title, {
            cell: _Drawn(signs[mark], _RED_OR_BLUE[mark])
            for cell, mark in zip(road.cells, road.marks, strict=True)
        })  # fmt: skip
    _asked(roads, colour=colour)


def _derived(roads: Roads) -> dict[str, DerivedRoad]:
    return dict(zip(_SHAPES, roads.derived, strict=True))


def _sign(name: str, mark: Mark, *, colour: bool) -> str:
    return _SHAPES[name][mark] if colour else mark


def _ties(count: int, *, colour: bool) -> str:
    if not count:
        return ""
    return str(count).translate(_SUPERSCRIPTS) if colour else str(count)


def _grid(console: Console, title: str, cells: Mapping[Cell, _Drawn]) -> None:
    if not console.is_terminal:
        output.note(title)
    else:
        console.print(Text(title, style="bold"), soft_wrap=True)
    columns = max((cell.column for cell in cells), default=-1) + 1
    width = max((len(drawn.sign) for drawn in cells.values()), default=1) + 1
    fits = columns
    if console.is_terminal:
        fits = max((max(console.width, _NARROWEST) - len(_MARGIN)) // width, 1)
    for first in range(0, columns, fits or 1):
        if first:
            output.note(f"{_MARGIN}from column {first}")
        for row in range(ROWS):
            line = Text(_MARGIN)
            for column in range(first, min(first + fits, columns)):
                drawn = cells.get(Cell(column, row))
                if drawn is None:
                    empty = _EMPTY if console.is_terminal else _EMPTY_PLAIN
                    drawn = _Drawn(empty, "dim")
                line.append(drawn.sign, drawn.style)
                line.append(" " * (width - len(drawn.sign)))
            line.rstrip()
            if console.is_terminal:
                console.print(line, soft_wrap=True)
            else:
                output.note(line.plain)
    if not cells:
        output.note(f"{_MARGIN}no mark yet")


def _asked(roads: Roads, *, colour: bool) -> None:
    banker, player = roads.ask("banker"), roads.ask("player")
    rows = [
        [name, *("-" if mark is None else _sign(name, mark, colour=colour) for mark in marks)]
        for name, *marks in zip(_SHAPES, banker, player, strict=True)
    ]
    output.table("The next mark", ["road", "if banker wins", "if player wins"], rows)
