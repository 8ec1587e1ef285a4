"""The dealer's baccarat-shoe/v1: from a seed to the order of a shoe. Draws no randomness itself.

Source: ``docs/shoe.md``. The auditor has an implementation of its own.
"""

from __future__ import annotations

import hashlib
import hmac
import struct
from typing import TYPE_CHECKING, Final

from schemas.cards import DECK, MOST_DECKS, order_text
from schemas.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from schemas.cards import Card

ALGORITHM: Final = "baccarat-shoe/v1"
SEED_BYTES: Final = 32
OPEN_BYTES: Final = 64
_WORDS: Final = struct.Struct(">16H")
_ALL: Final = 1 << 16


def _lp(data: bytes) -> bytes:
    return len(data).to_bytes(2) + data


def _checked(server_seed: bytes, client_seed: bytes, beacon: bytes) -> None:
    if len(server_seed) != SEED_BYTES:
        raise InputError(f"a server seed is {SEED_BYTES} bytes, not {len(server_seed)}")
    for name, data in (("client seed", client_seed), ("beacon", beacon)):
        if len(data) > OPEN_BYTES:
            raise InputError(f"a {name} is at most {OPEN_BYTES} bytes, not {len(data)}")


def commitment(server_seed: bytes, shoe_id: str) -> bytes:
    """Commit to a seed before the client's is accepted (step 1)."""
    _checked(server_seed, b"", b"")
    return hashlib.sha256(
        b"baccarat-shoe/v1 commit\0" + _lp(shoe_id.encode()) + server_seed
    ).digest()


def fixed_commitment(salt: bytes, order: Sequence[Card], shoe_id: str) -> bytes:
    """Commit to a stacked order with a salt of 32 bytes."""
    text = order_text(list(order)).encode()
    head = b"baccarat-shoe/v1 fixed\0" + _lp(shoe_id.encode())
    return hashlib.sha256(head + salt + text).digest()


def shoe_key(server_seed: bytes, shoe_id: str, client_seed: bytes, beacon: bytes) -> bytes:
    """Derive the shoe's key K (step 2)."""
    _checked(server_seed, client_seed, beacon)
    parts = _lp(shoe_id.encode()) + _lp(client_seed) + _lp(beacon)
    return hmac.digest(server_seed, b"baccarat-shoe/v1\0" + parts, "sha256")


def _words(key: bytes, prefix: bytes) -> Iterator[int]:
    counter = 0
    while True:
        yield from _WORDS.unpack(hmac.digest(key, prefix + counter.to_bytes(4), "sha256"))
        counter += 1


def shuffle(key: bytes, decks: int) -> tuple[int, ...]:
    """Shuffle the indices 0 … 52·decks-1 by the key, unbiased (steps 3 to 5)."""
    if not 1 <= decks <= MOST_DECKS:
        raise InputError(f"a shoe has 1 to {MOST_DECKS} decks, not {decks}")
    words = _words(key, b"")
    order = list(range(52 * decks))
    for i in range(len(order) - 1, 0, -1):
        m = i + 1
        limit = _ALL - _ALL % m
        word = next(words)
        while word >= limit:
            word = next(words)
        j = word % m
        order[i], order[j] = order[j], order[i]
    return tuple(order)


def derive(
    server_seed: bytes, shoe_id: str, client_seed: bytes, beacon: bytes, decks: int
) -> tuple[int, ...]:
    """Give the indices of a shoe in the order they leave it."""
    return shuffle(shoe_key(server_seed, shoe_id, client_seed, beacon), decks)


def named(indices: Sequence[int]) -> tuple[Card, ...]:
    """Name the cards of these indices (step 4)."""
    return tuple(DECK[index % 52] for index in indices)


def drawn_number(key: bytes, label: str, below: int) -> int:
    """Draw another number from the shoe's key (step 7): 0 … below-1."""
    limit = _ALL - _ALL % below
    return next(word for word in _words(key, label.encode("ascii") + b"\0") if word < limit) % below
