"""What bettors leave unread: they say the same as if they had read it all."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas import events as ev
from schemas.address import EntryId
from schemas.envelope import decode_event, encode, event_or_none
from schemas.errors import Unreadable
from schemas.ruleset import named
from services.bettors import BettorsFold, Seat, System, View, Wish, simulated_client_seed
from services.bettors.flat import Flat
from services.journal import Entry
from tests.unit.bettors.stage import Stage, feed, ids, settled
from tests.unit.bettors.test_log_order import merged

if TYPE_CHECKING:
    from collections.abc import Iterable

    from schemas.cards import Card
    from tests.unit.bettors.stage import Line

#: Somebody may be called so, and say what he likes.
SLY = '","type":"card.drawn","time":"","type":"bet.placed","time":"'


class Counter(System):
    """Stakes by the number of cards that were shown."""

    def __init__(self) -> None:
        self.seen = 0

    def card(self, card: Card) -> None:
        self.seen += bool(card)

    def bet(self, _view: View) -> tuple[Wish, ...]:
        return (Wish("player", 100 * (1 + self.seen)),)


def placed(number: int) -> list[ev.Event]:
    bet = f"1-{number}/flat/player/1"
    return [
        ev.BetPlaced(number, bet, "flat", "player", 100, None, command=bet),
        ev.BetRefused(number, bet, "flat", "tie", 100, None, "spot", command=bet),
    ]


def stage(end: str = "rules") -> list[Line]:
    table = Stage()
    table.rules = named("punto-banco-dummy")
    table.open(seats=["flat"])
    table.seat(flat=10_000)
    table.cut()
    for number in range(1, 5):
        table.betting(*placed(number)[: 1 if number == 3 else 2])
        if number != 3:
            table.say(ev.MoneyAdjusted("T7/1#1", None, "flat", 100, SLY, SLY, None, command=SLY))
        if number == 2:
            table.say(ev.CardDrawn(number, "error", 9, "5D", command=None))
        if number == 4 and end == "halted":
            table.say(ev.CardDrawn(number, "banker", 99, "5D", command=None))
            table.halt()
            break
        table.deal("9H", "KD", "2C")
        table.settle("player", settled("flat", "player", 100, "win"))
    table.close("halted" if end == "halted" else "rules")
    table.open(restated={"flat": 10_200})
    table.cut()
    table.betting(*placed(1))
    table.deal("9H", "KD")
    table.settle("banker", settled("flat", "player", 100, "lose"))
    return table.lines


def fold(kind: str) -> BettorsFold:
    system = Counter() if kind == "counter" else Flat([Wish("player", 100)])
    found = BettorsFold("T7", [Seat("flat", 10_000, system)], simulated_client_seed)
    found.resume()
    return found


def entry(line: Line) -> Entry:
    message = line.message
    return Entry(line.id, encode(message.id, message.source, message.time, message.data))


def in_batches(table: BettorsFold, lines: Iterable[Line]) -> tuple[list[bytes], list[ev.Event]]:
    """Give events as they come to a desk; what is said, and what was read."""
    said: list[bytes] = []
    read: list[ev.Event] = []
    for stream, group in groupby(lines, key=lambda line: line.stream):
        if stream == "outcome":
            said += feed(table, group)
            continue
        entries = [entry(line) for line in group]
        for name, data in table.heeded(entries):
            message = decode_event(data)
            read.append(message.data)
            said += table.event(name, message)
        said += table.passed(entries[-1].id)
    return said, read


@pytest.mark.parametrize("end", ["rules", "halted"])
@pytest.mark.parametrize("kind", ["flat", "counter"])
def test_the_same_is_said(kind: str, end: str) -> None:
    lines = stage(end)
    said, read = in_batches(fold(kind), lines)
    assert said == feed(fold(kind), lines)
    if kind == "flat":
        drawn = [event for event in read if isinstance(event, ev.CardDrawn)]
        assert [card.hand for card in drawn] == ["error"]
        kinds = [type(event) for event in read]
        # The first of a shoe is opened in the same batch as those who sit down sit.
        assert kinds.count(ev.RoundOpened) == 2
        assert kinds.count(ev.BetsClosed) == (end == "halted")
        # The end of a round in which nothing else was to be read (the third) is not read either.
        assert kinds.count(ev.RoundDealt) == (3 if end == "halted" else 4)
        assert ev.BetPlaced not in kinds
    else:
        assert read == [line.message.data for line in lines if line.stream == "event"]


@given(
    st.sampled_from(["flat", "counter"]),
    st.sampled_from(["rules", "halted"]),
    st.lists(st.booleans(), min_size=60, max_size=60),
)
def test_the_same_is_said_whichever_stream_is_quicker(
    kind: str, end: str, coins: list[bool]
) -> None:
    lines = merged(stage(end), coins)
    assert in_batches(fold(kind), lines)[0] == feed(fold(kind), lines)


@pytest.mark.parametrize("again", [False, True])
def test_what_looks_like_the_end_of_a_round_after_a_halt_is_not_waited_for(*, again: bool) -> None:
    """No outcome comes of it: whoever waited for one would not hear of the next shoe.

    ``again``: somebody said the shoe's opening twice.
    """
    lines = [line for line in stage("halted") if not isinstance(line.message.data, ev.ShoeClosed)]
    first = next(n for n, line in enumerate(lines) if line.id == (2, 0))
    if again:
        lines.insert(first, lines[0]._replace(id=EntryId(1, 98)))
        first += 1
    table = fold("flat")
    said = in_batches(table, lines[:first])[0]
    number = 1 if again else 5
    end = b'","type":"round.dealt","time":"","data":{"round":%d,"command":null}}' % number
    for name, data in table.heeded([Entry(EntryId(1, 99), end)]):
        with pytest.raises(Unreadable):
            table.event(name, decode_event(data))
    said += table.passed(EntryId(1, 99))
    said += in_batches(table, lines[first:])[0]
    assert said == feed(fold("flat"), lines)
    assert ids(said)[-2:] == ["2-1/flat/player/1", "2-2/flat/player/1"]


def test_the_end_of_betting_is_heard_of_where_the_end_of_the_round_cannot_be_read() -> None:
    """Who takes the bettors' place meanwhile bets on that round no more."""
    lines = stage()
    end = next(n for n, line in enumerate(lines) if isinstance(line.message.data, ev.RoundDealt))
    entries = [entry(line) for line in lines[: end + 1]]
    said = entries[-1].data
    for place in range(0, len(said), 2):
        broken = bytearray(said)
        broken[place] ^= 1
        table = fold("flat")
        known = [*entries[:-1], Entry(entries[-1].id, bytes(broken))]
        for begin, last in ((0, 3), (3, len(known))):
            for name, data in table.heeded(known[begin:last]):
                if (message := event_or_none(data)) is not None:
                    table.event(name, message)
            table.passed(known[last - 1].id)
        assert table.resume() == [], broken
