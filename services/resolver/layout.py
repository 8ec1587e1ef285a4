"""Where what stands in a round's lines, once it is known how long each number in them is.

It only cuts: what was cut is compared elsewhere.
"""

from __future__ import annotations

import re
from operator import itemgetter
from struct import Struct
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

#: What a stencil has where something goes that changes.
_HOLE: Final = re.compile(rb"(%b|%d|[\4\5])")
#: No entry has it.
_PER_CENT: Final = b"\0"
_KINDS: Final = {b"%d": "place", b"\4": "shoe", b"\5": "round"}
#: A text is an event's number, then its time, and then the name of a card.
_TEXTS: Final = ("seq", "time", "card")


def parts(stencil: bytes) -> tuple[list[bytes], list[bytes]]:
    """Part a stencil into what is fixed, and the holes between."""
    pieces = _HOLE.split(stencil.replace(b"%%", _PER_CENT))
    return [piece.replace(_PER_CENT, b"%") for piece in pieces[::2]], pieces[1::2]


class Layout:
    """A round's lines, joined, each number in them having so many digits: where what stands.

    The pieces between what changes from round to round are compared as they are.
    """

    __slots__ = ("cut", "fixed", "numbers", "places", "rounds", "seqs", "shoes", "times")

    def __init__(self, lines: Sequence[bytes], sizes: dict[str, Iterable[int]]) -> None:
        """Lay the lines out; ``sizes`` are those of each kind of hole, in order."""
        fixed: list[bytes] = []
        kinds: list[str] = []
        for line in lines:
            pieces, holes = parts(line + b"\n")
            texts = iter(_TEXTS)
            kinds += [_KINDS.get(hole) or next(texts) for hole in holes]
            # One line's end and the next one's beginning are one piece.
            fixed[-1:] = [b"".join([*fixed[-1:], pieces[0]]), *pieces[1:]]
        fixed[-1] = fixed[-1].removesuffix(b"\n")
        left = {kind: iter(of_kind) for kind, of_kind in sizes.items()}
        form = f"{len(fixed[0])}s"
        for kind, after in zip(kinds, fixed[1:], strict=True):
            form += f"{next(left[kind])}s{len(after)}s"
        self.cut = Struct(form).unpack
        self.fixed = tuple(fixed)

        def at(kind: str) -> Callable[[tuple[bytes, ...]], tuple[bytes, ...]]:
            return itemgetter(*[2 * place + 1 for place, of in enumerate(kinds) if of == kind])

        self.shoes, self.rounds, self.seqs = at("shoe"), at("round"), at("seq")
        self.times, self.places = at("time"), at("place")
        self.numbers = kinds.count("shoe"), kinds.count("round")
