"""Stacked decks as text files: card names in the order they leave the shoe. Never shuffles one."""

from __future__ import annotations

from collections import Counter

from schemas.cards import Card, card_named
from schemas.errors import InputError


def read_deck(text: str, *, decks: int, where: str = "deck") -> tuple[Card, ...]:
    """Read card names parted by white space; ``#`` starts a comment that runs to the line's end.

    A card that no deck holds, more copies of one than so many ``decks`` hold, and a file without
    cards are refused, with the line.
    """
    order: list[Card] = []
    copies: Counter[Card] = Counter()
    for number, line in enumerate(text.splitlines(), start=1):
        for name in line.partition("#")[0].split():
            place = f"{where}, line {number}"
            card = card_named(name)
            if card is None:
                mend = "write rank, then suit: A23456789TJQK, CDHS"
                raise InputError(f"{name[:40]!r} is no card", place, mend)
            copies[card] += 1
            if copies[card] > decks:
                what = f"{card} comes {copies[card]} times"
                raise InputError(what, place, f"the shoe is dealt from {decks} decks at most")
            order.append(card)
    if not order:
        raise InputError("there is no card in it", where, "write cards such as 9H TD AS")
    return tuple(order)
