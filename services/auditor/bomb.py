"""The public order of a bomb's deck (document C), worked out again. No I/O, no judgement.

``min`` and ``max`` are minor units like all money, so the placard's $10 is 1000.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from schemas.cards import RANKS, Card, card_named
from schemas.events import Ktane

_PORTS: Final = ("DVI-D", "Parallel", "PS/2", "RJ-45", "Serial", "Stereo RCA")
_MULTIPLIERS: Final = {
    "red": (20, 33, 26, 41, 12, 31),
    "blue": (18, 2, 50, 22, 34, 8),
    "green": (39, 27, 35, 3, 19, 45),
    "silver": (5, 48, 14, 51, 32, 21),
}
_DOLLAR: Final = 100
_MINIMUMS: Final = frozenset((5, 10, 25, 50, 100))
_BOB_PORTS: Final = (8, 9)
_SIGNS: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")


def _unshuffled() -> list[Card]:
    names = [rank + "H" for rank in RANKS] + [rank + "C" for rank in RANKS]
    names += [rank + "D" for rank in reversed(RANKS)] + [rank + "S" for rank in reversed(RANKS)]
    return [card for card in map(card_named, names) if card is not None]


_UNSHUFFLED: Final = _unshuffled()


def _into(number: int, most: int) -> int:
    """Take ``most`` off until the number is 1 to ``most``."""
    return (number - 1) % most + 1


def is_one(bomb: Ktane) -> bool:
    """Tell whether the document's tables have a row and a column for such a bomb."""
    dollars, cents = divmod(bomb.min, _DOLLAR)
    return (
        bool(bomb.serial)
        and _SIGNS.issuperset(bomb.serial)
        and bomb.colour in _MULTIPLIERS
        and all(port in _PORTS for port in bomb.ports)
        and dollars in _MINIMUMS
        and not cents
        and bomb.max >= bomb.min
    )


def _letter(bomb: Ktane) -> int:
    places = [ord(char) - ord("A") + 1 for char in bomb.serial if "A" <= char <= "Z"]
    if not places:
        return 2
    if len(places) == 1:
        return places[0]
    by_minimum = {5: places[0], 10: places[1], 25: places[-2], 50: places[-1]}
    by_minimum[100] = _into(sum(places), 26)
    return by_minimum[bomb.min // _DOLLAR]


def _digit(bomb: Ktane) -> int:
    digits = [int(char) for char in bomb.serial if "0" <= char <= "9"]
    if not digits:
        return 9
    if len(digits) == 1:
        return digits[0]
    steps = ((50, digits[0]), (100, digits[1]), (200, digits[-2]), (500, digits[-1]))
    for times, digit in steps:
        if bomb.max <= times * bomb.min:
            return digit
    return sum(digits) % 10


def _column(ports: tuple[str, ...]) -> int:
    counts = Counter(ports)
    most = max(counts.values(), default=0)
    tied = [number for number, port in enumerate(_PORTS, 1) if counts[port] == most]
    return _into(sum(tied), 6) - 1


def deck(bomb: Ktane) -> list[Card] | None:
    """Work out the deck's order, or give None where the document's tables have none."""
    if not is_one(bomb):
        return None
    if "BOB" in bomb.lit and len(bomb.ports) in _BOB_PORTS:
        return list(_UNSHUFFLED)
    position = _into(_letter(bomb) + 26 * _digit(bomb) + bomb.solved, 52)
    multiplier = _MULTIPLIERS[bomb.colour][_column(bomb.ports)]
    order = []
    for _ in range(52):
        order.append(_UNSHUFFLED[position - 1])
        position = position * multiplier % 53
    return order
