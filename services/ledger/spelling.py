"""Base64 in one spelling (RFC 4648 section 4), and whole numbers in one. Knows no format."""

from __future__ import annotations

import binascii
from base64 import b64decode, b64encode
from typing import Final

from schemas.errors import Unproven

#: Sizes and indices stay below 2**63, as everywhere in these formats.
LARGEST: Final = 2**63 - 1
_DIGITS: Final = 19


def to_base64(data: bytes) -> str:
    """Spell bytes."""
    return b64encode(data).decode("ascii")


def from_base64(text: str, what: str, size: int | None = None) -> bytes:
    """Read bytes, of a given length where told; no other spelling of the same is taken."""
    try:
        data = b64decode(text.encode("ascii"), validate=True)
    except (binascii.Error, UnicodeError, ValueError):
        data = None
    if data is None or to_base64(data) != text:
        raise Unproven(f"{what} is no base64 in its one spelling")
    if size is not None and len(data) != size:
        raise Unproven(f"{what} is {len(data)} bytes, not {size}")
    return data


def to_number(text: str, what: str) -> int:
    """Read a decimal number without leading zeroes, below 2**63."""
    if text.isascii() and text.isdecimal() and len(text) <= _DIGITS:
        number = int(text)
        if number <= LARGEST and str(number) == text:
            return number
    raise Unproven(f"{what} is no whole number in its one spelling")
