"""A shoe's order where it is public or revealed, for those who show it or deal it again. Pure.

Not checked against the commitment: that is the auditor's.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from schemas import events as ev
from schemas.cards import card_named
from schemas.errors import InputError
from services.baccarat.bomb import bomb_deck
from services.dealer import order as shoe_order

if TYPE_CHECKING:
    from schemas.address import Shoe
    from schemas.cards import Card


def public_order(opened: ev.ShoeOpened) -> tuple[Card, ...]:
    """Give the order of a bomb's deck, which anybody can work out; else nothing."""
    if isinstance(opened.origin, ev.Ktane):
        with suppress(InputError):  # what is on no bomb has no order
            return bomb_deck(opened.origin)
    return ()


def told_order(closed: ev.ShoeClosed) -> tuple[Card, ...]:
    """Give the order that a close says outright, as of a stacked shoe; else nothing."""
    if not isinstance(closed.reveal, ev.OrderReveal):
        return ()
    named = [card_named(name) for name in closed.reveal.order.split(" ")]
    return tuple(card for card in named if card is not None)


def seeded_order(
    name: Shoe, opened: ev.ShoeOpened, cut: ev.ShoeCut | None, closed: ev.ShoeClosed | None
) -> tuple[Card, ...]:
    """Work out the order of a shoe whose seed is revealed; else nothing."""
    reveal = None if closed is None else closed.reveal
    if not isinstance(reveal, ev.SeedReveal) or cut is None:
        return ()
    try:
        parts = [reveal.server_seed, cut.client_seed, cut.beacon]
        server, client, beacon = (bytes.fromhex(part) for part in parts)
        key = shoe_order.shoe_key(server, str(name), client, beacon)
        return shoe_order.named(shoe_order.shuffle(key, opened.decks))
    except (ValueError, InputError):
        return ()
