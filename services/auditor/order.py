"""baccarat-shoe/v1 worked out again: commitments, the order, other numbers. No I/O, no judgement.

Written from the specification alone, so that a slip of the dealer's is not repeated here.
"""

from __future__ import annotations

import hmac
import re
from functools import lru_cache
from hashlib import sha256
from itertools import count
from operator import ge, mod
from struct import Struct, unpack
from typing import Final, TypeVar

from schemas.cards import Card, card_named
from schemas.errors import InputError

T = TypeVar("T")

ALGORITHM: Final = "baccarat-shoe/v1"
SEED_BYTES: Final = 32
MOST_CLIENT_BYTES: Final = 64

_TAG: Final = b"baccarat-shoe/v1"
_SPACE: Final = 1 << 16
_IN_BLOCK: Final = 16
_DIGEST: Final = type(sha256()).digest
_COUNTER: Final = Struct(">I").pack
_LENGTH: Final = Struct(">H").pack
#: Blocks beyond the words needed; so seldom is one refused that a shoe never needs them all.
_SPARE: Final = 8
_PAD: Final = 64
_INNER: Final = bytes(byte ^ 0x36 for byte in range(256))
_OUTER: Final = bytes(byte ^ 0x5C for byte in range(256))
_HEX: Final = re.compile(r"(?:[0-9a-f]{2})*", re.ASCII)


def unhex(text: str, least: int, most: int) -> bytes | None:
    """Read lower-case hex of so many bytes, or give None."""
    if not 2 * least <= len(text) <= 2 * most or _HEX.fullmatch(text) is None:
        return None
    return bytes.fromhex(text)


def _prefixed(data: bytes) -> bytes:
    return _LENGTH(len(data)) + data


def seed_commitment(shoe_id: str, server_seed: bytes) -> str:
    """Work out what a dealer publishes before the client seed is taken (hex)."""
    return sha256(_TAG + b" commit\0" + _prefixed(shoe_id.encode()) + server_seed).hexdigest()


def order_commitment(shoe_id: str, salt: bytes, order: str) -> str:
    """Work out what a dealer publishes of a fixed order (hex)."""
    text = order.encode()
    return sha256(_TAG + b" fixed\0" + _prefixed(shoe_id.encode()) + salt + text).hexdigest()


def key_of(shoe_id: str, server_seed: bytes, client_seed: bytes, beacon: bytes) -> bytes:
    """Work out K."""
    said = _prefixed(shoe_id.encode()) + _prefixed(client_seed) + _prefixed(beacon)
    return hmac.digest(server_seed, _TAG + b"\0" + said, "sha256")


def _words(key: bytes, label: bytes, first: int, blocks: int) -> tuple[int, ...]:
    """Give words of HMAC-SHA-256 (RFC 2104, spelled out: OpenSSL's own start is slow)."""
    padded = key.ljust(_PAD, b"\0")
    inner = (padded.translate(_INNER) + label).__add__
    outer = padded.translate(_OUTER).__add__
    counters = map(_COUNTER, range(first, first + blocks))
    hashed = map(_DIGEST, map(sha256, map(inner, counters)))
    data = b"".join(map(_DIGEST, map(sha256, map(outer, hashed))))
    return unpack(f">{_IN_BLOCK * blocks}H", data)


@lru_cache(maxsize=16)
def _moduli(size: int) -> tuple[range, list[int]]:
    """List how many cards are left at each swap, and the first word that is refused there."""
    moduli = range(size, 1, -1)
    return moduli, [_SPACE - _SPACE % left for left in moduli]


def shuffle(key: bytes, cards: list[T]) -> list[T]:
    """Shuffle cards in place; the first is the first out of the shoe."""
    moduli, limits = _moduli(len(cards))
    words = list(_words(key, b"", 0, len(cards) // _IN_BLOCK + _SPARE))
    while True in (refused := list(map(ge, words, limits))):
        del words[refused.index(True)]
    for last, other in zip(range(len(cards) - 1, 0, -1), map(mod, words, moduli), strict=True):
        cards[last], cards[other] = cards[other], cards[last]
    return cards


def number_below(key: bytes, label: str, choices: int) -> int:
    """Draw another number from the seed, below ``choices``: 1 to 65536 of them."""
    if not 1 <= choices <= _SPACE:
        raise InputError(f"no number is below {choices} of at most {_SPACE} choices")
    limit = _SPACE - _SPACE % choices
    words = (_words(key, label.encode() + b"\0", block, 1) for block in count())
    return next(word % choices for some in words for word in some if word < limit)


def read_order(text: str) -> list[Card] | None:
    """Read a fixed order as it was revealed, or give None where a name is no card's."""
    if not text:
        return []
    cards = [card_named(name) for name in text.split(" ")]
    known = [card for card in cards if card is not None]
    return known if len(known) == len(cards) else None
