"""Rounds that say nothing new, compared as bytes. It says no finding and takes nothing on trust.

Once all bet as in the round before, everything in a round's lines follows from its cards and its
times: they are spelled as they must be and compared with what is there. Where a byte differs, or
anything is out of the ordinary, nothing has changed, and the round is read and judged elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from schemas.instant import LENGTH
from services.auditor import swift
from services.auditor.play import IN_PLAYER, NAME, SIZES
from services.auditor.spelling import Spelling, is_plain
from services.auditor.state import State
from services.auditor.stream import MINUTES, well_spelled
from services.auditor.taken import TakenRound, accept, take_out

_MOST: Final = 6
_MINUTE: Final = len("2026-11-30T03:22:")
#: A time with each digit a nought, and where the tens of its seconds stand.
_SHAPE: Final = b"0000-00-00T00:00:00.000000Z"
_NOUGHTS: Final = bytes.maketrans(b"123456789", b"000000000")
_TENS: Final = slice(_MINUTE, None, LENGTH)
_ZERO: Final = "00.000000Z"


def take_foreseen(st: State, lines: Sequence[bytes], at: int) -> int:
    """Take the round whose opening this line should be; give the index after it, or 0."""
    number, first, start = st.round_number + 1, st.next, st.position
    spelling = _spelling(st) if swift.is_next(st, number) else None
    if spelling is None:
        return 0
    bets, course, play = spelling.bets, spelling.course, st.tables.play
    dealing = at + len(bets.rows) + 2
    card = course.card
    cards = [line[card] for line in lines[dealing : dealing + _MOST]]
    try:
        draws, result = play(cards)
        outcome = dealing + SIZES[draws] + 1
        said = lines[outcome]
    except (IndexError, KeyError):
        return 0
    fits = start + SIZES[draws] <= st.mark
    times = course.times(lines[at:outcome], draws, number, first, start) if fits else None
    last = None if times is None else _last_time(st, times)
    if times is None or last is None:
        return 0
    ended = first + outcome - at - 1
    came = spelling.came(result, draws)
    if came is None:
        return 0
    hands = play.hands[draws](cards)
    named = (*map(NAME, cards[: SIZES[draws]]),)
    if spelling.outcome(
        came, number, times[-1], (first, ended), hands, IN_PLAYER[draws]
    ) != said or not take_out(st.left, named):
        return 0
    for seat, net in zip(bets.seats, came.nets, strict=True):
        seat.bankroll += net
    player, banker = play.parted(named, draws)
    done = TakenRound(number, first, ended, start, player, banker, bets.stakes)
    accept(st, done, named, bets, last)
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
    if last is not None and last.bets is bets and last.base == st.base:
        return last
    if last is not None and not (last.held or bets.again):
        return None
    if not is_plain(st, bets):
        return None
    st.spelling = Spelling(st, bets)
    return st.spelling


def _last_time(st: State, times: tuple[bytes, ...]) -> str | None:
    """Check that times are well spelled and do not run back; give the last."""
    joined = b"".join(times)
    if joined.translate(_NOUGHTS) != _SHAPE * len(times) or joined[_TENS].strip(b"012345"):
        return None
    if [*times] != sorted(times):
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
