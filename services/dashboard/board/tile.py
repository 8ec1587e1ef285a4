"""A table in small, for the lobby. Folds nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from services.dashboard.board.roads_board import last_columns
from services.dashboard.board.shapes import Tile
from services.dashboard.board.shoe_shape import status_of

if TYPE_CHECKING:
    from services.dashboard.board.shoe_board import ShoeBoard

#: So many letters, and so many columns of the big road, are on a tile.
LETTERS: Final = 12
COLUMNS: Final = 20


def tile_of(board: ShoeBoard) -> Tile:
    """Give a table's tile as it is now."""
    shoe = board.shoe
    if shoe is None:
        return _empty(board)
    opened, current, results = shoe.opened, shoe.current, shoe.results
    tally = results.tally()
    return Tile(
        table=board.table,
        shoe=shoe.name.number,
        status=status_of(shoe),
        phase=None if current is None else current.phase,
        rules=None if opened is None else opened.rules.name,
        currency=None if opened is None else opened.currency,
        dealer=shoe.dealer or None,
        rounds=tally.rounds,
        last="".join(results.roads.bead[-LETTERS:]),
        big=last_columns(results.roads, COLUMNS),
        banker=tally.banker,
        player=tally.player,
        tie=tally.tie,
        cards=shoe.cards.size,
        drawn=shoe.cards.drawn,
        cut_card=None if opened is None else opened.cut_card,
        lamp=shoe.lamp,
        faults=sum(one.grade == "fault" for one in shoe.findings),
        disputed=board.disputes.undecided,
        updated=board.updated,
    )


def _empty(board: ShoeBoard) -> Tile:
    return Tile(
        table=board.table,
        shoe=None,
        status="none",
        phase=None,
        rules=None,
        currency=None,
        dealer=None,
        rounds=0,
        last="",
        big=(),
        banker=0,
        player=0,
        tie=0,
        cards=0,
        drawn=0,
        cut_card=None,
        lamp="none",
        faults=0,
        disputed=board.disputes.undecided,
        updated=board.updated,
    )
