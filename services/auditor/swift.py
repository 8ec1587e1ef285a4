"""Plainly good rounds, judged whole and fast. It says no finding: what is not plain goes elsewhere.

A round is taken only if every check that the slow way makes, event by event, holds; else nothing
has changed, and the slow way judges it again and says what is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Final

from msgspec.structs import astuple

from schemas.address import is_name
from schemas.cards import Card
from schemas.envelope import Message
from schemas.events import (
    BetPassed,
    BetPlaced,
    BetsClosed,
    CardDrawn,
    RoundDealt,
    RoundOpened,
)
from schemas.instant import LENGTH
from schemas.outcomes import RoundResolved
from services.auditor.betting import Repeated
from services.auditor.money import Paid
from services.auditor.state import State
from services.auditor.stream import MINUTES, well_spelled
from services.auditor.tables import Tables
from services.auditor.taken import TakenRound, accept, take_out

_FOUR: Final = 4
#: As many events as a shoe is likely to have; later ones are judged the slow way.
_NUMBERS: Final = tuple(map(str, range(8192)))
_TAILS: Final = re.compile(r"(?:[0-9T:-]{17}[0-5][0-9]\.[0-9]{6}Z)+", re.ASCII)
#: A letter for each type that a plain round is made of, and what it looks like in these letters.
_LETTERS: Final[dict[type, str]] = {
    RoundOpened: "o",
    BetPlaced: "b",
    BetPassed: "p",
    BetsClosed: "c",
    CardDrawn: "d",
    RoundDealt: "x",
    RoundResolved: "r",
}
_PLAIN: Final = re.compile("o(b*)(p*)c(d{4,6})xr")
#: The draws after the first four.
_PLAYER: Final = ("player",)
_BANKER: Final = ("banker",)
_BOTH: Final = ("player", "banker")


class Block:
    """Decoded lines in a row, laid out for looking ahead."""

    __slots__ = ("bodies", "messages", "shape")

    def __init__(self, messages: Sequence[Message[Any]]) -> None:
        """Lay them out."""
        self.messages = messages
        self.bodies = [message.data for message in messages]
        self.shape = "".join([_LETTERS.get(type(body), "-") for body in self.bodies])

    def opens(self, at: int) -> bool:
        """Tell whether a round opens here."""
        return self.shape[at] == "o"

    def unfinished(self, at: int) -> bool:
        """Tell whether nothing from here on is an outcome."""
        return self.shape.find("r", at) < 0


def take_round(st: State, block: Block, at: int) -> int:
    """Take the round that opens here if it is plainly good; give the index after it, or 0."""
    found = _PLAIN.match(block.shape, at)
    if found is None:
        return 0
    bodies = block.bodies
    number: int = bodies[at].round
    passes, closed = found.span(2)
    outcome = found.end() - 1
    said: RoundResolved = bodies[outcome]
    if not (
        is_next(st, number)
        and bodies[closed].round == bodies[outcome - 1].round == said.round == number
        and (bodies[closed].reason == "all-spoke" or _window_over(st, bodies[closed]))
        and bodies[at].command is bodies[closed].command is bodies[outcome - 1].command is None
    ):
        return 0
    time = _time(st, block.messages[at:outcome], block.messages[outcome], number)
    bets = _bets(st, bodies[at + 1 : passes], number)
    dealt = _dealt(st, number, bodies[closed + 1 : outcome - 1])
    if time is None or bets is None or dealt is None:
        return 0
    everybody = passes == closed and len(bets.bettors) == len(st.betting.seats)
    if not everybody and not _spoken(st, bets, bodies[passes : closed + 1], number):
        return 0
    cards, player, banker = dealt
    ended = st.next + outcome - 1 - at
    done = TakenRound(number, st.next, ended, st.position, player, banker, bets.stakes)
    paid = _paid(st, done, bets, said)
    if paid is None or not take_out(st.left, cards):
        return 0
    for seat, one in zip(bets.seats, paid, strict=True):
        seat.bankroll += one.net
    if passes != closed:
        st.answered.update([one.command for one in bodies[passes:closed]])
    accept(st, done, cards, bets, time)
    for one in bodies[passes:closed]:
        st.betting.speak(number, one.bettor)
    return outcome + 1


def is_next(st: State, number: int) -> bool:
    """Tell whether nothing out of the ordinary is going on, and this round is the next."""
    return (
        number == st.round_number + 1 > 1
        and st.round is None
        and st.betting.plain_shoe
        and not (st.hole or st.ended or st.halted or st.owing or st.marked or st.misdrawn)
        and not st.carried  # that somebody was not restated is said at the next named command
    )


def _window_over(st: State, said: BetsClosed) -> bool:
    return said.reason == "window" and st.opened.window is not None


def _spoken(st: State, bets: Repeated, bodies: Sequence[Any], number: int) -> bool:
    """Check passes and the end of betting: all who sit have spoken, unless a window ended it."""
    seats = st.betting.seats
    spoken: AbstractSet[str] = bets.bettors
    passes = bodies[:-1]
    if passes:
        found = [(one.bettor, one.round, one.command) for one in passes]
        stem = f"{st.shoe}/bet.pass/"
        if found != [(who, number, f"{stem}{who}/{number}") for who, *_ in found]:
            return False
        names = {who for who, *_ in found}
        if len(names) < len(found) or any(one.command in st.answered for one in passes):
            return False
        spoken = spoken | names
        # One may sit under a name that is none, which the id of no command can have in it.
        if not spoken <= seats.keys() or not all(map(is_name, names)):
            return False
    return len(spoken) == len(seats) or bodies[-1].reason == "window"


def _time(
    st: State, events: Sequence[Message[Any]], outcome: Message[Any], number: int
) -> str | None:
    """Check ids, sources and times of a round's events and its outcome; give the last time."""
    prefix, source, size = st.prefix, st.source, len(events)
    seqs = _NUMBERS[st.next : st.next + size]
    times: list[str] = [event.time for event in events]
    last = times[-1]
    if (
        [event.id for event in events] != [prefix + seq for seq in seqs]
        or [event.source for event in events] != [source] * size
        or outcome.id != prefix + str(number)
        or outcome.source != st.outcome_source
        or outcome.time != last
        or times[0] < st.time
        or times != sorted(times)
    ):
        return None
    minute, joined = last[:17], "".join(times)
    if (
        minute == times[0][:17]
        and minute in MINUTES
        and len(joined) == LENGTH * size
        and _TAILS.fullmatch(joined)
    ):
        # What is sorted between two times of one minute is of that minute; and so many of this
        # length in all are no two times in one line.
        return last
    return last if all(map(well_spelled, times)) else None


def _bets(st: State, placed: Sequence[BetPlaced], number: int) -> Repeated | None:
    """Check a round's bets: most often they are those of the round before."""
    prefix = f"{st.prefix}{number}/"
    found = [astuple(one) for one in placed]
    bets = st.betting.repeated([one[2:5] for one in found])
    if bets is None:
        return None
    expected = [
        (number, name := prefix + suffix, bettor, spot, stake, None, name)
        for suffix, bettor, spot, stake in bets.rows
    ]
    return bets if found == expected and bets.affordable() else None


def _dealt(
    st: State, number: int, bodies: Sequence[CardDrawn]
) -> tuple[tuple[Card, ...], list[Card], list[Card]] | None:
    """Check a round's cards: positions, hands and draws; give them in order, and the hands."""
    numbers, hands, positions, cards, commands = zip(*map(astuple, bodies), strict=True)
    size = len(cards)
    after = st.position + size
    if (
        after > st.mark
        or positions != (*range(st.position, after),)
        or hands[:_FOUR] != st.deal
        or numbers.count(number) != size
        or commands.count(None) != size
    ):
        return None
    player: list[Card] = []
    banker: list[Card] = []
    for card, hand in zip(cards, hands, strict=True):
        (banker if hand == "banker" else player).append(card)
    return (cards, player, banker) if hands[_FOUR:] == draws(st.tables, player, banker) else None


def draws(tables: Tables, player: list[Card], banker: list[Card]) -> tuple[str, ...]:
    """Say who draws after the first four: the charts, looked up."""
    value = tables.values
    second = (value[banker[0]] + value[banker[1]]) % 10
    who = tables.after_four[10 * ((value[player[0]] + value[player[1]]) % 10) + second]
    if who != "player":
        return () if who is None else _BANKER
    if len(player) == 2:  # noqa: PLR2004 - the third card is missing
        return _PLAYER
    return _BOTH if tables.after_third[10 * second + value[player[2]]] else _PLAYER


def _paid(
    st: State, done: TakenRound, bets: Repeated, said: RoundResolved
) -> Sequence[Paid] | None:
    """Check what an outcome read off the cards, and its settlements; give these."""
    result = st.tables.result(done.player, done.banker)
    player, banker = said.player, said.banker
    if (
        said.first != st.base + str(done.opened)
        or said.through != st.base + str(done.ended)
        or player.cards != (*done.player,)
        or banker.cards != (*done.banker,)
        or (player.total, banker.total, said.winner, said.natural) != result.reading
    ):
        return None
    prefix = f"{st.prefix}{done.number}/"
    known = result.known
    paid = [known.get(stake) or result.paid(stake) for stake in bets.stakes]
    expected = [
        (prefix + suffix, bettor, spot, stake, *one.says)
        for (suffix, bettor, spot, stake), one in zip(bets.rows, paid, strict=True)
    ]
    house = -sum([one.net for one in paid])
    if [astuple(one) for one in said.settlements] != expected or said.house != house:
        return None
    return paid
