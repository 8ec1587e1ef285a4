"""A bomb's deck, computed from what is seen on the bomb. It may not know what becomes of it.

Source: 002_3d5c389fb97fc965.txt, its last section; ``specs/sources.md`` C. Amounts are minor units,
so the placard's $10 is 1000. The auditor has an implementation of its own.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, cast

from msgspec import structs

from schemas.cards import RANKS
from schemas.errors import InputError
from schemas.money import LARGEST

if TYPE_CHECKING:
    from schemas.cards import Card
    from schemas.events import Ktane

CARDS: Final = 52
#: Positions are worked out modulo this prime, so a primitive root goes through all 52 cards.
_PRIME: Final = 53
#: The table's columns, in reading order.
PORTS: Final = ("DVI-D", "Parallel", "PS/2", "RJ-45", "Serial", "Stereo RCA")
#: The table's rows, one a colour: each deck's multiplier, by column.
MULTIPLIERS: Final = {
    "red": (20, 33, 26, 41, 12, 31),
    "blue": (18, 2, 50, 22, 34, 8),
    "green": (39, 27, 35, 3, 19, 45),
    "silver": (5, 48, 14, 51, 32, 21),
}
#: The placard's minimums: which letter of the serial number counts (None: the sum of all).
_LETTERS: Final = {500: 0, 1000: 1, 2500: -2, 5000: -1, 10_000: None}
#: The placard's maximum divided by its minimum, at most: which digit counts; above: the sum of all.
_DIGITS: Final = ((50, 0), (100, 1), (200, -2), (500, -1))
_NO_LETTERS: Final = "B"
_NO_DIGITS: Final = "9"
_ALPHABET: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_LIT: Final = "BOB"
_LIT_PORTS: Final = (8, 9)

# So much is more than any bomb has, and a command that carries it can still be read.
_SERIAL: Final = re.compile(r"[A-Z0-9]{1,32}", re.ASCII)
_LABEL: Final = re.compile(r"[A-Z0-9]{1,8}", re.ASCII)
_MOST: Final = 100
#: The chips end at $100,000; what is won of this can still be said in an event.
_MOST_MAXIMUM: Final = 10**12


def check_placard(minimum: int, maximum: int) -> None:
    """Refuse table limits that no module shows; ``where`` is ``min`` or ``max``."""
    if minimum not in _LETTERS:
        mend = "use one of " + ", ".join(f"${one // 100}" for one in _LETTERS)
        raise InputError("this is none of the table's five minimums", "min", mend)
    if not minimum <= maximum <= _MOST_MAXIMUM:
        what = "below the minimum" if maximum < minimum else "more than a module's"
        mend = f"give ${minimum // 100} to ${_MOST_MAXIMUM // 100}"
        raise InputError(f"the maximum is {what}", "max", mend)


def check_bomb(bomb: Ktane) -> None:
    """Refuse what is on no bomb: serial number, ports, indicators, the deck's colour, limits.

    ``where`` names the field of ``Ktane``.
    """
    if _SERIAL.fullmatch(bomb.serial) is None:
        what = f"{bomb.serial[:40]!r} is no serial number"
        raise InputError(what, "serial", "write 1 to 32 of A-Z and 0-9, without a space")
    for port in bomb.ports:
        if port not in PORTS:
            mend = "use: " + ", ".join(PORTS)
            raise InputError(f"there is no port {port[:40]!r}", "ports", mend)
    for label in bomb.lit:
        if _LABEL.fullmatch(label) is None:
            mend = "write the label as it is on the bomb, like BOB"
            raise InputError(f"{label[:40]!r} is no indicator", "lit", mend)
    for where, many in (("ports", bomb.ports), ("lit", bomb.lit)):
        if len(many) > _MOST:
            raise InputError(f"{len(many)} are too many", where, f"give at most {_MOST}")
    if bomb.colour not in MULTIPLIERS:
        mend = "use: " + ", ".join(MULTIPLIERS)
        raise InputError(f"{bomb.colour[:40]!r} is no colour of a deck", "colours", mend)
    if not 0 <= bomb.solved <= LARGEST:
        raise InputError("so many modules cannot be solved", "solved", "count from 0")
    check_placard(bomb.min, bomb.max)


def same_bomb(one: Ktane, other: Ktane) -> bool:
    """Tell whether two decks are of one module: all is alike but the deck and when it came."""
    return structs.replace(one, colour=other.colour, solved=other.solved) == other


def bomb_deck(bomb: Ktane) -> tuple[Card, ...]:
    """Give the order of a module's deck, the first out first; refuses what is on no bomb."""
    check_bomb(bomb)
    if _LIT in bomb.lit and len(bomb.ports) in _LIT_PORTS:
        return tuple(map(new_deck, range(1, CARDS + 1)))
    first, multiplier = first_position(bomb), MULTIPLIERS[bomb.colour][column(bomb.ports)]
    return tuple(new_deck(first * pow(multiplier, n, _PRIME) % _PRIME) for n in range(CARDS))


def new_deck(position: int) -> Card:
    """Name the card at a position (1 to 52) of a new deck: A-K H, A-K C, K-A D, K-A S."""
    suit, rank = divmod(position - 1, len(RANKS))
    up = suit < 2  # noqa: PLR2004 - the first two suits rise, the others fall
    return cast("Card", (RANKS if up else RANKS[::-1])[rank] + "HCDS"[suit])


def first_position(bomb: Ktane) -> int:
    """Work out the position (1 to 52) of the first card."""
    found = _ALPHABET.index(letter(bomb)) + 1 + 26 * int(digit(bomb)) + bomb.solved
    return found % CARDS or CARDS


def letter(bomb: Ktane) -> str:
    """Give the letter that counts, by the placard's minimum."""
    letters = [char for char in bomb.serial if char in _ALPHABET] or [_NO_LETTERS]
    which = _LETTERS[bomb.min]
    if len(letters) == 1:
        return letters[0]
    if which is None:
        places = sum(_ALPHABET.index(char) + 1 for char in letters)
        return _ALPHABET[places % 26 - 1]  # 26 is Z, and so is 0
    return letters[which]


def digit(bomb: Ktane) -> str:
    """Give the digit that counts, by the placard's maximum divided by its minimum."""
    digits = [char for char in bomb.serial if char.isdigit()] or [_NO_DIGITS]
    if len(digits) == 1:
        return digits[0]
    for times, which in _DIGITS:
        if bomb.max <= times * bomb.min:
            return digits[which]
    return str(sum(map(int, digits)) % 10)


def column(ports: tuple[str, ...]) -> int:
    """Give the column (from 0) of the most common port; without ports all six are tied."""
    counts = [ports.count(port) for port in PORTS]
    tied = [place for place, count in enumerate(counts, start=1) if count == max(counts)]
    return (sum(tied) - 1) % len(PORTS)
