"""Where what stands in a round's lines, once it is known how long each number in them is.

It only cuts: what was cut is compared elsewhere.
"""

from __future__ import annotations

import re
from itertools import repeat
from operator import itemgetter
from struct import Struct
from typing import TYPE_CHECKING, Final

from schemas.instant import LENGTH

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    Cut = Callable[[tuple[bytes, ...]], tuple[bytes, ...]]

#: What a stencil has where something goes that changes.
_HOLE: Final = re.compile(rb"(%b|%d|[\4\5])")
#: No entry has it.
_PER_CENT: Final = b"\0"
_KINDS: Final = {b"%d": "place", b"\4": "shoe", b"\5": "round"}
#: The line of a bet has a stake where that of a card has a place.
_OF_A_BET: Final = {**_KINDS, b"%d": "stake"}
_BET: Final = b'"type":"bet.placed"'
#: A text is an event's number, then its time, and then the name of a card.
_TEXTS: Final = ("seq", "time", "card")
_TIME: Final = bytes(LENGTH)
_CARD: Final = b"9H"
#: So many lengths of numbers are remembered, of each kind of round of each table: more than a shoe
#: goes through, most often.
_REMEMBERED: Final = 16


def parts(stencil: bytes) -> tuple[list[bytes], list[bytes]]:
    """Part a stencil into what is fixed, and the holes between."""
    pieces = _HOLE.split(stencil.replace(b"%%", _PER_CENT))
    return [piece.replace(_PER_CENT, b"%") for piece in pieces[::2]], pieces[1::2]


class Layout:
    """A round's lines, joined by newlines.

    The pieces between what changes from round to round are compared as they are.
    """

    __slots__ = (
        "_cuts",
        "_kinds",
        "fixed",
        "numbers",
        "places",
        "rounds",
        "seqs",
        "shoes",
        "stakes",
        "times",
    )

    def __init__(self, lines: Sequence[bytes]) -> None:
        """Lay the lines out."""
        fixed: list[bytes] = []
        kinds: list[str] = []
        for line in lines:
            pieces, holes = parts(line + b"\n")
            texts = iter(_TEXTS)
            known = _OF_A_BET if _BET in line else _KINDS
            kinds += [known.get(hole) or next(texts) for hole in holes]
            # One line's end and the next one's beginning are one piece.
            fixed[-1:] = [b"".join([*fixed[-1:], pieces[0]]), *pieces[1:]]
        fixed[-1] = fixed[-1].removesuffix(b"\n")
        self.fixed = tuple(fixed)
        self._kinds = kinds
        self._cuts: dict[tuple[object, ...], Callable[[bytes], tuple[bytes, ...]]] = {}

        def at(kind: str) -> Cut:
            return itemgetter(*[2 * place + 1 for place, of in enumerate(kinds) if of == kind])

        self.shoes, self.rounds, self.seqs = at("shoe"), at("round"), at("seq")
        self.times, self.places = at("time"), at("place")
        self.numbers = kinds.count("shoe"), kinds.count("round")
        #: Where the stakes stand, of which there may be none, or one.
        self.stakes = tuple([2 * place + 1 for place, of in enumerate(kinds) if of == "stake"])

    def cut(
        self,
        shoe: bytes,
        told: bytes,
        seqs: Sequence[bytes],
        places: Sequence[bytes],
        stakes: tuple[int, ...] = (),
    ) -> Callable[[bytes], tuple[bytes, ...]]:
        """Give what cuts lines with numbers as long as these: what is fixed and holes, in turns.

        ``stakes`` are lengths. It raises ``struct.error`` where they are not as long altogether.
        """
        # Numbers rise one by one: those of the first tell those of all, unless they grow.
        seq, place = len(seqs[0]), len(places[0])
        grown = seqs[-1] if len(seqs[-1]) != seq else b""
        moved = places[-1] if len(places[-1]) != place else b""
        key = (len(shoe), len(told), seq, grown, place, moved, stakes)
        cut = self._cuts.get(key)
        if cut is None:
            sizes: dict[str, Iterator[bytes]] = {
                "shoe": repeat(shoe),
                "round": repeat(told),
                "seq": iter(seqs),
                "place": iter(places),
                "stake": map(bytes, stakes),
                "time": repeat(_TIME),
                "card": repeat(_CARD),
            }
            form = f"{len(self.fixed[0])}s"
            for kind, after in zip(self._kinds, self.fixed[1:], strict=True):
                form += f"{len(next(sizes[kind]))}s{len(after)}s"
            if len(self._cuts) >= _REMEMBERED:
                self._cuts.clear()
            cut = self._cuts[key] = Struct(form).unpack
        return cut
