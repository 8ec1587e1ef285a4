"""The fields of ``TableView``, each made from a table's fold. Folds nothing."""

from __future__ import annotations

from collections.abc import Callable, Sized
from typing import TYPE_CHECKING, Any, Final

from msgspec import structs

from services.baccarat.roads import Roads
from services.dashboard.board.results import EMPTY
from services.dashboard.board.roads_board import roads_shape
from services.dashboard.board.shoe_shape import shoe_shape

if TYPE_CHECKING:
    from services.dashboard.board.round_shapes import RoundShape
    from services.dashboard.board.shapes import ShoeShape, TableView
    from services.dashboard.board.shoe_board import ShoeBoard


def _shoe(board: ShoeBoard) -> ShoeShape | None:
    return None if board.shoe is None else shoe_shape(board.shoe)


def _round(board: ShoeBoard) -> RoundShape | None:
    current = None if board.shoe is None else board.shoe.current
    return None if current is None else current.shape(whole=False)


#: So many seats, findings and adjustments are in a view and a message: the newest. The shoe's own
#: address has all, as a round's has all bets.
MOST: Final = 200
#: By each field that is bounded so, that which says how many are left out.
MORE: Final = {name: f"{name}_more" for name in ("seats", "findings", "adjustments")}


def _more(known: Sized) -> int:
    return max(len(known) - MOST, 0)


#: How each field but the table's name is made.
FIELDS: Final[dict[str, Callable[[ShoeBoard], Any]]] = {
    "shoe": _shoe,
    "round": _round,
    "results": lambda board: () if board.shoe is None else board.shoe.results.rows(),
    "roads": lambda board: roads_shape(Roads() if board.shoe is None else board.shoe.results.roads),
    "tally": lambda board: EMPTY if board.shoe is None else board.shoe.results.tally(),
    "left": lambda board: None if board.shoe is None else board.shoe.cards.left(),
    "seats": lambda board: () if board.shoe is None else board.shoe.seats.shape(MOST),
    "findings": lambda board: () if board.shoe is None else tuple(board.shoe.findings[-MOST:]),
    "adjustments": lambda board: (
        () if board.shoe is None else tuple(board.shoe.adjustments[-MOST:])
    ),
    "disputes": lambda board: board.disputes.shape(),
    "updated": lambda board: board.updated,
    "seats_more": lambda board: 0 if board.shoe is None else _more(board.shoe.seats),
    "findings_more": lambda board: 0 if board.shoe is None else _more(board.shoe.findings),
    "adjustments_more": lambda board: 0 if board.shoe is None else _more(board.shoe.adjustments),
}


def with_counts(
    board: ShoeBoard, fields: tuple[str, ...], known: dict[str, int]
) -> tuple[str, ...]:
    """Add what says how many of these fields are left out, where that is not known yet."""
    changed = []
    for more in (MORE[name] for name in fields if name in MORE):
        count = FIELDS[more](board)
        if count != known.get(more, 0) and more not in fields:
            changed.append(more)
        known[more] = count
    return (*fields, *changed) if changed else fields


def whole(board: ShoeBoard, view: TableView) -> TableView:
    """Give a board's view with all of what may be much."""
    shoe = board.shoe
    if shoe is None or not any(getattr(view, more) for more in MORE.values()):
        return view
    return structs.replace(
        view,
        seats=shoe.seats.shape(),
        findings=tuple(shoe.findings),
        adjustments=tuple(shoe.adjustments),
        **dict.fromkeys(MORE.values(), 0),
    )
