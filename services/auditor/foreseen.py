"""Rounds that say nothing new, compared as bytes. It says no finding and takes nothing on trust.

Once all bet as in the round before, everything in a round's lines follows from its cards and its
times: they are spelled as they must be and compared with what is there. Where a byte differs, or
anything is out of the ordinary, nothing has changed, and the round is read and judged elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from typing import Final

from schemas.cards import DECK, Card
from schemas.events import BetPlaced, BetsClosed, CardDrawn, Event, RoundDealt, RoundOpened
from schemas.outcomes import HandResult, RoundResolved, Settlement
from schemas.stencil import NUMBER, ROUND, TEXT, filled, stencil
from services.auditor import swift
from services.auditor.betting import Repeated
from services.auditor.money import Paid
from services.auditor.state import Round, State
from services.auditor.stream import MINUTES, well_spelled
from services.auditor.tables import Result

_FOUR: Final = 4
_TIME: Final = len("2026-11-30T03:22:19.123456Z")
_MINUTE: Final = len("2026-11-30T03:22:")
#: A time with each digit a nought, and where the tens of its seconds stand.
_SHAPE: Final = b"0000-00-00T00:00:00.000000Z"
_NOUGHTS: Final = bytes.maketrans(b"123456789", b"000000000")
_TENS: Final = slice(_MINUTE, None, _TIME)
_CARDS: Final[dict[bytes, Card]] = {card.encode(): card for card in DECK}
_CARD: Final = _CARDS.__getitem__
_BYTES: Final = {card: data for data, card in _CARDS.items()}.__getitem__
_ONE: Final = "player"
_PLAYERS: Final = (_ONE,)
_ZERO: Final = "00.000000Z"
_HOLE: Final = b"%b"
_TIME_IS: Final = b'"time":"'
#: As many events as a shoe is likely to have; later ones are read line by line.
_NUMBERS: Final = tuple([b"%d" % number for number in range(8192)])


class Spelling:
    """How the rounds of one shoe are spelled while these bets are repeated."""

    __slots__ = (
        "_closing", "_cuts", "_drawing", "_frames", "_opening", "_table", "_whole", "bets", "card",
        "held", "prefix", "source",
    )  # fmt: skip

    def __init__(self, st: State, bets: Repeated) -> None:
        """Spell each kind of line once."""
        self.bets, self.prefix, self.source = bets, st.prefix, st.source
        #: A round was spelled so.
        self.held = False
        before = [self._spelled(RoundOpened(ROUND, command=None))]
        for end, bettor, spot, stake in bets.rows:
            bet = f"{st.prefix}{ROUND}/{end}"
            event = BetPlaced(ROUND, bet, bettor, spot, stake, None, command=bet)
            before.append(self._spelled(event))
        before.append(self._spelled(BetsClosed(ROUND, "all-spoke", command=None)))
        draw = {
            hand: self._spelled(CardDrawn(ROUND, hand, NUMBER, TEXT, command=None))
            for hand in swift.BOTH
        }
        last = self._spelled(RoundDealt(ROUND, command=None))
        # All lines of a round, by who drew after the first four.
        self._whole: dict[tuple[str, ...], bytes] = {
            draws: b"\n".join([*before, *(draw[hand] for hand in (*st.deal, *draws)), last])
            for draws in swift.DRAWS
        }
        # Where the times begin, but for the digits of the event's number; and the card, from the
        # end of its line.
        self._opening = [_time_at(line) for line in before]
        self._drawing = _time_at(draw["player"])
        self._closing = _time_at(last)
        self._cuts: dict[tuple[int, int], list[slice]] = {}
        self.card = draw["player"].rindex(_HOLE) - len(draw["player"])
        # Outcomes by how many cards lie in the hands, whether a natural ended the round, and what
        # the bets come to: spelled when first met.
        self._frames: dict[tuple[object, ...], bytes] = {}
        self._table = st.base, st.outcome_source

    def _spelled(self, event: Event) -> bytes:
        return stencil(self.prefix + TEXT, self.source, event)

    def times(self, lines: Sequence[bytes], first: int) -> list[bytes]:
        """Cut the times out of a round's events, the number of the first being this."""
        digits, last = len(str(first)), first + len(lines) - 1
        cuts = self._cut(len(lines), digits)
        if last < 10**digits:
            return [line[cut] for line, cut in zip(lines, cuts, strict=True)]
        longer = self._cut(len(lines), digits + 1)
        until = 10**digits - first
        cuts = cuts[:until] + longer[until:]
        return [line[cut] for line, cut in zip(lines, cuts, strict=True)]

    def _cut(self, lines: int, digits: int) -> list[slice]:
        """Give where the times of so many lines stand, their numbers having so many digits."""
        cuts = self._cuts.get((lines, digits))
        if cuts is None:
            draws = lines - len(self._opening) - 1
            starts = [*self._opening, *repeat(self._drawing, draws), self._closing]
            cuts = [slice(start + digits, start + digits + _TIME) for start in starts]
            self._cuts[lines, digits] = cuts
        return cuts

    def lines(
        self,
        number: int,
        first: int,
        times: Sequence[bytes],
        position: int,
        cards: Sequence[bytes],
        draws: tuple[str, ...],
    ) -> bytes:
        """Spell a round's events, joined by newlines; nothing where their numbers are too high."""
        seqs = _NUMBERS[first : first + len(times)]
        if len(seqs) < len(times):
            return b""
        last = len(times) - 1
        before = 2 * len(self._opening)
        end = before + 4 * len(cards)
        holes: list[object] = [None] * (end + 2)
        # A number and a time each, but four things for a card.
        holes[:before:2], holes[1:before:2] = seqs[: before // 2], times[: before // 2]
        holes[before:end:4] = seqs[before // 2 : last]
        holes[before + 1 : end : 4] = times[before // 2 : last]
        holes[before + 2 : end : 4] = range(position, position + len(cards))
        holes[before + 3 : end : 4] = cards
        holes[end:] = seqs[last], times[last]
        return filled(self._whole[draws], ROUND, _NUMBERS[number]) % (*holes,)

    def outcome(self, done: Round, time: bytes, result: Result, paid: Sequence[Paid]) -> bytes:
        """Spell a round's outcome."""
        player, banker = done.player, done.banker
        player_total, banker_total, winner, natural = result.reading
        kind = (len(player), len(banker), natural, *[one.says for one in paid])
        frame = self._frames.get(kind)
        if frame is None:
            frame = self._frames[kind] = self._frame(done, paid, natural=natural)
        return filled(frame, ROUND, _NUMBERS[done.number]) % (
            time,
            done.opened,
            done.ended,
            *map(_BYTES, player),
            player_total,
            *map(_BYTES, banker),
            banker_total,
            winner.encode("ascii"),
        )

    def _frame(self, done: Round, paid: Sequence[Paid], *, natural: bool) -> bytes:
        base, source = self._table
        settlements = [
            Settlement(f"{self.prefix}{ROUND}/{end}", bettor, spot, stake, *one.says)
            for (end, bettor, spot, stake), one in zip(self.bets.rows, paid, strict=True)
        ]
        return stencil(
            self.prefix + ROUND,
            source,
            RoundResolved(
                ROUND,
                base + NUMBER,
                base + NUMBER,
                HandResult((TEXT,) * len(done.player), NUMBER),
                HandResult((TEXT,) * len(done.banker), NUMBER),
                TEXT,
                natural,
                tuple(settlements),
                -sum([one.net for one in paid]),
            ),
        )


def _time_at(line: bytes) -> int:
    """Give where a line's time begins, but for the digits that go into the hole before it."""
    return line.index(_TIME_IS) + len(_TIME_IS) - len(_HOLE)


def take_foreseen(st: State, lines: Sequence[bytes], at: int) -> int:
    """Take the round whose opening this line should be; give the index after it, or 0."""
    number, first = st.round_number + 1, st.next
    spelling = _spelling(st) if swift.is_next(st, number) else None
    if spelling is None:
        return 0
    bets = spelling.bets
    done = Round(number, first, st.position, [])
    dealing = at + len(bets.rows) + 2
    dealt = _dealt(st, done, lines, dealing, spelling.card)
    if dealt is None:
        return 0
    cards, draws = dealt
    outcome = dealing + len(cards) + 1
    events = lines[at:outcome]
    times = spelling.times(events, first)
    done.ended = first + len(events) - 1
    if spelling.lines(number, first, times, done.start, cards, draws) != b"\n".join(events):
        return 0
    last = _last_time(st, times)
    if last is None:
        return 0
    result = st.tables.result(done.player, done.banker)
    known = result.known
    paid = [known.get(stake) or result.paid(stake) for stake in bets.stakes]
    if spelling.outcome(done, times[-1], result, paid) != lines[outcome]:
        return 0
    for seat, one in zip(bets.seats, paid, strict=True):
        seat.bankroll += one.net
    seqs = range(first + dealing - at, done.ended)
    st.seen += zip(range(done.start, done.stop), map(_CARD, cards), seqs, repeat(number))
    swift.accept(st, done, bets, last)
    spelling.held = True
    return outcome + 1


def _spelling(st: State) -> Spelling | None:
    """Give how the next round is spelled if all bet again what they bet last; None: they may not.

    Where a spelling never held, bettors bet otherwise each time: another one waits for bets that
    were made twice.
    """
    bets, last = st.betting.last_repeated, st.spelling
    if bets is None or len(bets.bettors) != len(st.betting.seats) or not bets.affordable():
        return None
    if last is not None and last.bets is bets and last.prefix == st.prefix:
        return last
    if last is not None and not (last.held or bets.again):
        return None
    st.spelling = Spelling(st, bets)
    return st.spelling


def _dealt(
    st: State, done: Round, lines: Sequence[bytes], dealing: int, at: int
) -> tuple[list[bytes], tuple[str, ...]] | None:
    """Read a round's cards where they must lie.

    Gives them, and who drew after the first four; None where it is not plain.
    """
    end, deal, tables = at + 2, st.deal, st.tables
    cards = [line[at:end] for line in lines[dealing : dealing + _FOUR + 2]]
    try:
        four = [_CARDS[card] for card in cards[:_FOUR]]
        player = done.player = [card for card, hand in zip(four, deal, strict=True) if hand == _ONE]
        banker = done.banker = [card for card, hand in zip(four, deal, strict=True) if hand != _ONE]
        draws = swift.draws(tables, player, banker)
        if draws == _PLAYERS:
            player.append(_CARDS[cards[_FOUR]])
            draws = swift.draws(tables, player, banker)
        if draws and draws != _PLAYERS:
            banker.append(_CARDS[cards[_FOUR + len(draws) - 1]])
        lines[dealing + _FOUR + len(draws) + 1]  # the outcome has to be there too
    except (IndexError, KeyError, ValueError):
        return None
    size = _FOUR + len(draws)
    done.stop = done.start + size
    if done.stop > st.mark or not swift.enough(st.left, (*player, *banker)):
        return None
    return cards[:size], draws


def _last_time(st: State, times: list[bytes]) -> str | None:
    """Check that times are well spelled and do not run back; give the last."""
    joined = b"".join(times)
    if joined.translate(_NOUGHTS) != _SHAPE * len(times) or joined[_TENS].strip(b"012345"):
        return None
    if times != sorted(times):
        return None
    if times[0].decode("ascii") < st.time:
        return None
    # Digits are where they must be, and the seconds below 60: it remains to look at each minute.
    # Where the first and the last of times in order have one, all have.
    first, last = times[0][:_MINUTE], times[-1][:_MINUTE]
    for minute in {first} if first == last else {time[:_MINUTE] for time in times}:
        text = minute.decode("ascii")
        if text not in MINUTES and not well_spelled(text + _ZERO):
            return None
    return times[-1].decode("ascii")
