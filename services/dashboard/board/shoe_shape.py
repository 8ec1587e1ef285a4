"""What a shoe is, in the board's shape. Shows what is known of it; folds nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemas import events as ev
from services.dashboard.board.shapes import ShoeShape

if TYPE_CHECKING:
    from services.dashboard.board.shapes import Status
    from services.dashboard.board.shoe_fold import ShoeFold


def shoe_shape(shoe: ShoeFold) -> ShoeShape:
    """Give a shoe."""
    opened, closed, cards = shoe.opened, shoe.closed, shoe.cards
    rules = None if shoe.game is None else shoe.game.rules
    return ShoeShape(
        table=shoe.name.table,
        shoe=shoe.name.number,
        status=status_of(shoe),
        rules="" if opened is None else opened.rules.name,
        rules_title="" if rules is None else rules.title,
        rules_sha256="" if opened is None else opened.rules.sha256,
        currency="" if opened is None else opened.currency,
        decks=0 if opened is None else opened.decks,
        cards=cards.size,
        drawn=cards.drawn,
        cut_card=None if opened is None else opened.cut_card,
        cut_card_out=shoe.cut_card_out,
        origin="unknown" if opened is None else origin_of(opened),
        commitment=None if opened is None else opened.commitment,
        revealed=closed is not None and closed.reveal is not None,
        previous_root=None if opened is None else opened.previous_root,
        dealer=shoe.dealer,
        supervisor=shoe.supervisor,
        software="" if opened is None else opened.software,
        spots=() if opened is None else tuple(opened.limits.spots),
        opened=shoe.opened_at,
        closed=shoe.closed_at,
        close_reason=None if closed is None else closed.reason,
        lamp=shoe.lamp,
        counts=shoe.counts,
        root=shoe.root,
    )


def status_of(shoe: ShoeFold | None) -> Status:
    """Tell whether a shoe is being dealt."""
    if shoe is None:
        return "none"
    return "open" if shoe.closed is None else "closed"


def origin_of(opened: ev.ShoeOpened) -> str:
    """Name where the order comes from, as the record does."""
    if isinstance(opened.origin, ev.Seeded):
        return "seeded"
    return "fixed" if isinstance(opened.origin, ev.Fixed) else "ktane"
