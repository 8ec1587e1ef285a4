"""The fields of ``TableView``, each made from a table's fold. Folds nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from services.baccarat.roads import Roads
from services.dashboard.board.results import EMPTY
from services.dashboard.board.roads_board import roads_shape
from services.dashboard.board.shoe_shape import shoe_shape

if TYPE_CHECKING:
    from services.dashboard.board.round_shapes import RoundShape
    from services.dashboard.board.shapes import ShoeShape
    from services.dashboard.board.shoe_board import ShoeBoard


def _shoe(board: ShoeBoard) -> ShoeShape | None:
    return None if board.shoe is None else shoe_shape(board.shoe)


def _round(board: ShoeBoard) -> RoundShape | None:
    current = None if board.shoe is None else board.shoe.current
    return None if current is None else current.shape(whole=False)


#: How each field but the table's name is made.
FIELDS: Final[dict[str, Callable[[ShoeBoard], Any]]] = {
    "shoe": _shoe,
    "round": _round,
    "results": lambda board: () if board.shoe is None else board.shoe.results.rows(),
    "roads": lambda board: roads_shape(Roads() if board.shoe is None else board.shoe.results.roads),
    "tally": lambda board: EMPTY if board.shoe is None else board.shoe.results.tally(),
    "left": lambda board: None if board.shoe is None else board.shoe.cards.left(),
    "seats": lambda board: () if board.shoe is None else board.shoe.seats.shape(),
    "findings": lambda board: () if board.shoe is None else tuple(board.shoe.findings),
    "adjustments": lambda board: () if board.shoe is None else tuple(board.shoe.adjustments),
    "disputes": lambda board: board.disputes.shape(),
    "updated": lambda board: board.updated,
}
