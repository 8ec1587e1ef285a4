"""The five roads in the board's shape, and a few of the big road's columns for a tile. No fold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from services.dashboard.board.shapes import AskedShape, RoadsShape

if TYPE_CHECKING:
    from schemas.ruleset import Side
    from services.baccarat.roads import DerivedRoad, Roads


def roads_shape(roads: Roads) -> RoadsShape:
    """Give all roads, and what the derived ones would get next."""
    return RoadsShape(
        bead="".join(roads.bead),
        big=_big(roads),
        big_eye=_derived(roads.big_eye),
        small=_derived(roads.small),
        cockroach=_derived(roads.cockroach),
        waiting=roads.waiting,
        if_banker=_asked(roads, "banker"),
        if_player=_asked(roads, "player"),
    )


def last_columns(roads: Roads, columns: int) -> tuple[tuple[int, int, str, int], ...]:
    """Give the last columns of the big road as it is drawn, counted from 0 again."""
    first = max((cell.column for cell in roads.big), default=0) + 1 - columns
    return tuple((cell[0] - max(first, 0), *cell[1:]) for cell in _big(roads) if cell[0] >= first)


def _big(roads: Roads) -> tuple[tuple[int, int, str, int], ...]:
    return tuple([(cell.column, cell.row, cell.side, cell.ties) for cell in roads.big])


def _derived(road: DerivedRoad) -> tuple[tuple[int, int, str], ...]:
    return tuple(
        [(cell[0], cell[1], mark) for cell, mark in zip(road.cells, road.marks, strict=True)]
    )


def _asked(roads: Roads, side: Side) -> AskedShape:
    asked = roads.ask(side)
    return AskedShape(asked.big_eye, asked.small, asked.cockroach)
