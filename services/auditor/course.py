"""How a round's events must be spelled, cards and times apart, and where these stand. Judges none.

A round is taken whole: its lines joined are cut at once into what can be foreseen, which is
compared, and what cannot, which is handed back.
"""

from __future__ import annotations

from operator import itemgetter
from struct import Struct
from typing import TYPE_CHECKING, Final

from schemas.address import Sources
from schemas.events import BetPlaced, BetsClosed, CardDrawn, Event, RoundDealt, RoundOpened
from schemas.instant import LENGTH
from schemas.stencil import NUMBER, ROUND, SHOE, TABLE, TEXT, filled, stencil
from services.auditor.play import DRAWS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from schemas.ruleset import Side
    from services.auditor.betting import Row

    Cutter = Callable[[bytes], tuple[bytes, ...]]

CARD: Final = len("AC")
#: As many events as a shoe is likely to have; later ones, and rounds that are called by a higher
#: number, are read line by line.
NUMBERS: Final = tuple([b"%d" % number for number in range(8192)])
#: As many layouts are remembered of each kind of round.
_REMEMBERED: Final = 128
#: What stands, while a layout is worked out, where something is cut out.
_CUT: Final = b"\7"


class Course:
    """How the events of rounds with these bets are spelled, in any shoe of any table.

    All texts of the bets must be plain.
    """

    __slots__ = ("before", "card", "kinds")

    def __init__(self, deal: tuple[Side, ...], rows: Iterable[Row]) -> None:
        """Spell each kind of line once."""
        source = Sources(TABLE).events

        def spelled(event: Event) -> list[bytes]:
            return stencil(f"{SHOE}-{NUMBER}", source, event).split(b"%b")

        before = [spelled(RoundOpened(ROUND, command=None))]
        for end, bettor, spot, stake in rows:
            bet = f"{SHOE}-{ROUND}/{end}"
            before.append(spelled(BetPlaced(ROUND, bet, bettor, spot, stake, None, command=bet)))
        before.append(spelled(BetsClosed(ROUND, "all-spoke", command=None)))
        draw = {
            hand: spelled(CardDrawn(ROUND, hand, NUMBER, TEXT, command=None)) for hand in set(deal)
        }
        last = spelled(RoundDealt(ROUND, command=None))
        #: How many events come before the first card.
        self.before = len(before)
        after = len(draw["player"][-1])
        #: Where a card's name stands, from the end of its line.
        self.card = slice(-after - CARD, -after)
        #: By who drew, as in ``DRAWS``.
        self.kinds = [
            Kind([*before, *(draw[hand] for hand in (*deal, *draws)), last]) for draws in DRAWS
        ]


class Kind:
    """The events of a round in which these drew, given as what stands between times and cards.

    ``size`` is how much is cut out of a round, in bytes.
    """

    __slots__ = ("_marked", "_sizes", "frame", "layouts", "size", "times")

    def __init__(self, lines: Sequence[Sequence[bytes]]) -> None:
        """Lay them out."""
        marked = b"\n".join([_CUT.join(line) for line in lines])
        self._marked = marked.replace(b"%d", b"%b")
        #: With holes for numbers and the table's name, and none where something is cut out.
        self.frame = self._marked.replace(_CUT, b"")
        self._sizes = [size for line in lines for size in (LENGTH, CARD)[: len(line) - 1]]
        self.size = sum(self._sizes)
        #: Picks the times out of all that a layout makes of a round.
        self.times: Callable[[tuple[bytes, ...]], tuple[bytes, ...]] = itemgetter(
            *[2 * at + 1 for at, size in enumerate(self._sizes) if size == LENGTH]
        )
        #: By the lengths of all that is filled in.
        self.layouts: dict[tuple[int, ...], Cutter] = {}

    def layout(self, lengths: tuple[int, ...]) -> Cutter:
        """Give where what can be foreseen stands, and what cannot, in turns.

        ``lengths`` are those of the table's name, the shoe's and the round's number, and of the
        numbers of events and cards in turn.
        """
        layout = self.layouts.get(lengths)
        if layout is None:
            table, shoe, number, *others = (b"x" * length for length in lengths)
            spelled = filled(_placed(self._marked, table, shoe), ROUND, number)
            parts = (spelled % (*others,)).split(_CUT)
            cuts = [f"{len(part)}s{size}s" for part, size in zip(parts, self._sizes, strict=False)]
            layout = Struct(f"{''.join(cuts)}{len(parts[-1])}s").unpack
            if len(self.layouts) >= _REMEMBERED:
                self.layouts.clear()
            self.layouts[lengths] = layout
        return layout


class ShoeCourse:
    """How they are spelled in one shoe."""

    __slots__ = ("_before", "_frames", "_kinds", "_layouts", "_shoe", "_table", "card")

    def __init__(self, course: Course, table: bytes, shoe: bytes) -> None:
        """Say which shoe's."""
        self._kinds, self._before, self.card = course.kinds, course.before, course.card
        self._table, self._shoe = table, shoe
        # By who drew: all but the round's number and the holes; and layouts by how many digits the
        # numbers have of events, cards and the round.
        self._frames = [_placed(kind.frame, table, shoe) for kind in self._kinds]
        self._layouts: list[dict[tuple[int, int, int], Cutter]] = [{} for _ in self._kinds]

    def times(
        self, events: Sequence[bytes], draws: int, number: int, first: int, position: int
    ) -> tuple[bytes, ...] | None:
        """Cut out a round's times; None where a byte beside them and the cards is another.

        ``draws`` is the place in ``DRAWS`` of those who drew, ``first`` the number of the round's
        first event, ``position`` that of its first card.
        """
        before, after = self._before, first + len(events)
        beyond = position + len(events) - before - 1
        if max(after, beyond, number + 1) > len(NUMBERS):
            return None
        seqs, places, said = NUMBERS[first:after], NUMBERS[position:beyond], NUMBERS[number]
        # A number each, but two for a card.
        end = before + 2 * len(places)
        holes = [b""] * (end + 1)
        holes[:before] = seqs[:before]
        holes[before:end:2] = seqs[before:-1]
        holes[before + 1 : end : 2] = places
        holes[end] = seqs[-1]
        expected = filled(self._frames[draws], ROUND, said) % (*holes,)
        joined = b"\n".join(events)
        kind = self._kinds[draws]
        if len(joined) != len(expected) + kind.size:
            return None
        digits = len(seqs[0]), len(places[0]), len(said)
        layout = self._layouts[draws].get(digits)
        even = len(seqs[-1]) == digits[0] and len(places[-1]) == digits[1]
        if layout is None or not even:
            layout = kind.layout(tuple(map(len, (self._table, self._shoe, said, *holes))))
            if even:
                self._layouts[draws][digits] = layout
        cut = layout(joined)
        return kind.times(cut) if b"".join(cut[::2]) == expected else None


def _placed(spelled: bytes, table: bytes, shoe: bytes) -> bytes:
    return filled(filled(spelled, TABLE, table), SHOE, shoe)
