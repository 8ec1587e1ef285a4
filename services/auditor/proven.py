"""A proven round's cards against the shoe's order, where the proof holds the reveal. No I/O.

Works the order out as the audit does, from the lines of the proof alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from schemas import events as ev
from schemas.cards import DECK, Card
from services.auditor import order
from services.auditor.order import MOST_CLIENT_BYTES, SEED_BYTES, unhex
from services.auditor.tables import tables

if TYPE_CHECKING:
    from collections.abc import Iterable

    from schemas.address import Shoe
    from schemas.envelope import Said

#: ``right``: each card is the one that the committed order holds at its position; ``wrong``: not;
#: ``unopened``: the reveal, with the cut, does not open the commitment; ``unknown``: nothing is
#: revealed here, or the rules, which say how many decks were shuffled, cannot be read.
Cards = Literal["right", "wrong", "unopened", "unknown"]


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
    laid = tables(opened.rules.text)
    if not _opens(shoe, opened, closed.reveal):
        return "unopened"
    if laid is None and isinstance(closed.reveal, ev.SeedReveal):
        return "unknown"
    cards = _order(shoe, 0 if laid is None else laid.rules.decks, cut, closed.reveal)
    if cards is None:
        return "unopened"
    fits = all(one.position < len(cards) and cards[one.position] == one.card for one in drawn)
    return "right" if fits else "wrong"


def _opens(shoe: Shoe, opened: ev.ShoeOpened, reveal: ev.Reveal) -> bool:
    """Tell whether a reveal, of this shoe's kind, opens its commitment."""
    if isinstance(reveal, ev.OrderReveal):
        salt = unhex(reveal.salt, SEED_BYTES, SEED_BYTES)
        if salt is None or not isinstance(opened.origin, ev.Fixed):
            return False
        return order.order_commitment(str(shoe), salt, reveal.order) == opened.commitment
    seed = unhex(reveal.server_seed, SEED_BYTES, SEED_BYTES)
    if seed is None or not isinstance(opened.origin, ev.Seeded):
        return False
    return order.seed_commitment(str(shoe), seed) == opened.commitment


def _order(shoe: Shoe, decks: int, cut: ev.ShoeCut | None, reveal: ev.Reveal) -> list[Card] | None:
    """Rebuild the order that a reveal opens, or give None where names or the cut do not."""
    if isinstance(reveal, ev.OrderReveal):
        return order.read_order(reveal.order)
    if cut is None:
        return None
    client = unhex(cut.client_seed, 0, MOST_CLIENT_BYTES)
    beacon = unhex(cut.beacon, 0, MOST_CLIENT_BYTES)
    if client is None or beacon is None:
        return None
    key = order.key_of(str(shoe), bytes.fromhex(reveal.server_seed), client, beacon)
    return order.shuffle(key, list(DECK) * decks)
