"""A proven round's cards against the shoe's order, where the proof holds the reveal. No I/O.

Works the order out as the audit does, from the lines of the proof alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from schemas import events as ev
from schemas.cards import DECK, Card
from services.auditor import order
from services.auditor.order import MOST_CLIENT_BYTES, SEED_BYTES, unhex

if TYPE_CHECKING:
    from collections.abc import Iterable

    from schemas.address import Shoe
    from schemas.envelope import Said

#: ``right``: each card is the one that the committed order holds at its position; ``wrong``: not;
#: ``unopened``: the reveal does not open the commitment; ``unknown``: nothing is revealed here.
Cards = Literal["right", "wrong", "unopened", "unknown"]
_MOST_DECKS: Final = 16


def proven_cards(shoe: Shoe, said: Iterable[Said], number: int) -> Cards:
    """Judge a round's cards by the shoe's opening, cut and closing that are proven with it."""
    opened = cut = closed = None
    drawn: list[ev.CardDrawn] = []
    for data in said:
        if isinstance(data, ev.ShoeOpened):
            opened = data
        elif isinstance(data, ev.ShoeCut):
            cut = data
        elif isinstance(data, ev.ShoeClosed):
            closed = data
        elif isinstance(data, ev.CardDrawn) and data.round == number:
            drawn.append(data)
    if opened is None or closed is None or closed.reveal is None:
        return "unknown"
    cards = _order(shoe, opened, cut, closed.reveal)
    if cards is None:
        return "unopened"
    fits = all(one.position < len(cards) and cards[one.position] == one.card for one in drawn)
    return "right" if fits else "wrong"


def _order(
    shoe: Shoe, opened: ev.ShoeOpened, cut: ev.ShoeCut | None, reveal: ev.Reveal
) -> list[Card] | None:
    """Rebuild the order, or give None where the reveal does not open the commitment."""
    if isinstance(reveal, ev.OrderReveal):
        salt = unhex(reveal.salt, SEED_BYTES, SEED_BYTES)
        if salt is None:
            return None
        committed = order.order_commitment(str(shoe), salt, reveal.order)
        return order.read_order(reveal.order) if committed == opened.commitment else None
    if cut is None:
        return None
    seed = unhex(reveal.server_seed, SEED_BYTES, SEED_BYTES)
    client = unhex(cut.client_seed, 0, MOST_CLIENT_BYTES)
    beacon = unhex(cut.beacon, 0, MOST_CLIENT_BYTES)
    if seed is None or client is None or beacon is None or not 0 < opened.decks <= _MOST_DECKS:
        return None
    if order.seed_commitment(str(shoe), seed) != opened.commitment:
        return None
    key = order.key_of(str(shoe), seed, client, beacon)
    return order.shuffle(key, list(DECK) * opened.decks)
