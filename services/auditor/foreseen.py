"""Rounds that say nothing new, compared as bytes. It says no finding and takes nothing on trust.

Once all bet as in the round before, everything in a round's lines follows from its cards and its
times: they are spelled as they must be and compared with what is there. Where a byte differs, or
anything is out of the ordinary, nothing has changed, and the round is read and judged elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import repeat
from typing import Final

from schemas.cards import DECK, Card
from schemas.events import BetPlaced, BetsClosed, CardDrawn, Event, RoundDealt, RoundOpened
from schemas.outcomes import HandResult, RoundResolved, Settlement
from schemas.stencil import MEMBERS, NUMBER, TEXT, member, members, stencil
from services.auditor import swift
from services.auditor.betting import Repeated, Row
from services.auditor.money import Paid
from services.auditor.state import Round, State
from services.auditor.stream import MINUTES, well_spelled
from services.auditor.tables import Result

_FOUR: Final = 4
_TIME: Final = len("2026-11-30T03:22:19.123456Z")
_MINUTE: Final = len("2026-11-30T03:22:")
_TAILS: Final = re.compile(rb"(?:[0-9T:-]{17}[0-5][0-9]\.[0-9]{6}Z)+", re.ASCII)
_CARDS: Final[dict[bytes, Card]] = {card.encode(): card for card in DECK}
_CARD: Final = _CARDS.__getitem__
_BYTES: Final = {card: data for data, card in _CARDS.items()}.__getitem__
_ONE: Final = "player"
_PLAYERS: Final = (_ONE,)
_ZERO: Final = "00.000000Z"
_HOLE: Final = b"%b"


class Spelling:
    """How the rounds of one shoe are spelled while these bets are repeated."""

    __slots__ = (
        "_closing", "_drawing", "_frames", "_opening", "_parts", "_table", "_whole", "bets",
        "card", "held", "prefix", "source",
    )  # fmt: skip

    def __init__(self, st: State, bets: Repeated) -> None:
        """Spell each kind of line once."""
        self.bets, self.prefix, self.source = bets, st.prefix, st.source
        #: A round was spelled so.
        self.held = False
        stem = f"{st.prefix}{NUMBER}/"
        before = [self._spelled(RoundOpened(NUMBER, command=None))]
        for end, bettor, spot, stake in bets.rows:
            bet = stem + end
            event = BetPlaced(NUMBER, bet, bettor, spot, stake, None, command=bet)
            before.append(self._spelled(event))
        before.append(self._spelled(BetsClosed(NUMBER, "all-spoke", command=None)))
        draw = {
            hand: self._spelled(CardDrawn(NUMBER, hand, NUMBER, TEXT, command=None))
            for hand in swift.BOTH
        }
        last = self._spelled(RoundDealt(NUMBER, command=None))
        # All lines of a round, by who drew after the first four.
        self._whole: dict[tuple[str, ...], bytes] = {
            draws: b"\n".join([*before, *(draw[hand] for hand in (*st.deal, *draws)), last])
            for draws in swift.DRAWS
        }
        # Where the times begin, but for the digits of the event's number; and the card, from the
        # end of its line.
        self._opening = [line.index(_HOLE) - len(_HOLE) for line in before]
        self._drawing = draw["player"].index(_HOLE) - len(_HOLE)
        self._closing = last.index(_HOLE) - len(_HOLE)
        self.card = draw["player"].rindex(_HOLE) - len(draw["player"])
        # Outcomes by how many cards lie in the hands and whether a natural ended the round, and
        # settlements by what they come to: spelled when first met.
        self._frames: dict[tuple[int, int, bool], bytes] = {}
        self._parts: dict[tuple[Row, str, str | None, int, int, int], bytes] = {}
        self._table = st.base, st.outcome_source

    def _spelled(self, event: Event) -> bytes:
        return stencil(self.prefix + NUMBER, self.source, event)

    def times(self, lines: Sequence[bytes], first: int) -> list[bytes]:
        """Cut the times out of a round's events, the number of the first being this."""
        draws = len(lines) - len(self._opening) - 1
        starts = [*self._opening, *repeat(self._drawing, draws), self._closing]
        digits, last = len(str(first)), first + len(lines)
        if last >= 10**digits:
            starts = [start + (first + at >= 10**digits) for at, start in enumerate(starts)]
        return [
            line[start + digits : start + digits + _TIME]
            for line, start in zip(lines, starts, strict=True)
        ]

    def lines(
        self,
        number: int,
        first: int,
        times: Sequence[bytes],
        position: int,
        cards: Sequence[bytes],
        draws: tuple[str, ...],
    ) -> bytes:
        """Spell a round's events, joined by newlines."""
        bets = len(self.bets.rows)
        holes: list[object] = [first, times[0], number]
        for seq in range(1, bets + 1):
            holes += (first + seq, times[seq], number, number, number)
        holes += (first + bets + 1, times[bets + 1], number)
        for at, card in enumerate(cards):
            seq = bets + 2 + at
            holes += (first + seq, times[seq], number, position + at, card)
        holes += (first + len(times) - 1, times[-1], number)
        return self._whole[draws] % tuple(holes)

    def outcome(self, done: Round, time: bytes, result: Result, paid: Sequence[Paid]) -> bytes:
        """Spell a round's outcome."""
        number, bets, parts = done.number, self.bets.rows, self._parts
        settlements = []
        for row, one in zip(bets, paid, strict=True):
            key = (row, *one.says)
            part = parts.get(key)
            if part is None:
                part = parts[key] = self._settlement(row, one)
            settlements.append(part % number)
        player_total, banker_total, winner, natural = result.reading
        frame = self._frame(len(done.player), len(done.banker), natural=natural)
        return frame % (
            number,
            time,
            number,
            done.opened,
            done.ended,
            *map(_BYTES, done.player),
            player_total,
            *map(_BYTES, done.banker),
            banker_total,
            winner.encode("ascii"),
            members(settlements),
            -sum([one.net for one in paid]),
        )

    def _settlement(self, row: Row, paid: Paid) -> bytes:
        end, bettor, spot, stake = row
        name = f"{self.prefix}{NUMBER}/{end}"
        result, odds, won, commission, returned = paid.says
        return member(
            Settlement(name, bettor, spot, stake, result, odds, won, commission, returned)
        )

    def _frame(self, player: int, banker: int, *, natural: bool) -> bytes:
        frame = self._frames.get((player, banker, natural))
        if frame is None:
            base, source = self._table
            frame = self._frames[player, banker, natural] = stencil(
                self.prefix + NUMBER,
                source,
                RoundResolved(
                    NUMBER,
                    base + NUMBER,
                    base + NUMBER,
                    HandResult((TEXT,) * player, NUMBER),
                    HandResult((TEXT,) * banker, NUMBER),
                    TEXT,
                    natural,
                    (MEMBERS,),
                    NUMBER,
                ),
            )
        return frame


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
    if times != sorted(times) or _TAILS.fullmatch(b"".join(times)) is None:
        return None
    if times[0].decode("ascii") < st.time:
        return None
    # The seconds and what follows are well spelled; it remains to look at each minute.
    for minute in {time[:_MINUTE] for time in times}:
        text = minute.decode("ascii")
        if text not in MINUTES and not well_spelled(text + _ZERO):
            return None
    return times[-1].decode("ascii")
