"""Each round's outcome: its place, cards, totals and winner. Leaves money to others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from schemas.cards import Card
from schemas.envelope import Message
from schemas.outcomes import RoundHalted, RoundResolved
from services.auditor import module, rounds, settling
from services.auditor.state import COMPLETE, Round, State
from services.auditor.stream import DESIGN, LANGUAGE, entry_id

SETTLEMENT: Final = "docs/procedure.md#settlement"


def resolved(st: State, message: Message[Any], data: RoundResolved) -> None:
    """Judge a resolved round."""
    playing = st.round
    number = data.round
    if (
        playing is None
        or playing.number != number
        or playing.ended != st.seq
        or message.time != st.time
        or message.id != st.prefix + str(number)
        or message.source != st.outcome_source
        or st.hole
        or st.owing
    ):
        _displaced(st, message, data)
        return
    st.outcomes += 1
    _judge(st, playing, data, f"{st.shoe_id}#{number}")
    _accept(st, playing)


def _displaced(st: State, message: Message[Any], data: RoundResolved) -> None:
    """Judge an outcome that is not plainly that of the round in hand."""
    place = _place(st, message, data)
    playing = None if place is None else _whose(st, data.round, place)
    if place is None or playing is None:
        return
    if playing.phase == COMPLETE or st.hole:
        _judge(st, playing, data, place)
    else:
        st.find("outcome-range", "after round.dealt", "before it", SETTLEMENT, at=place)
        settling.move(st, data.settlements)
        if st.module_of is not None:
            module.settled(st, playing, data)
    _accept(st, playing)


def _judge(st: State, playing: Round, data: RoundResolved, place: str) -> None:
    if data.first != st.base + str(playing.opened) or data.through != st.base + str(playing.ended):
        _range(st, playing, data, place)
    player, banker = (*playing.player,), (*playing.banker,)
    if st.hole:  # its last cards may be what is missing
        end = playing.start + len(data.player.cards) + len(data.banker.cards)
        end += len(playing.errors) - playing.again
        st.position = playing.stop = max(st.position, end)
    if player != data.player.cards or banker != data.banker.cards:
        if st.hole:
            player, banker = data.player.cards, data.banker.cards
        else:
            _cards(st, playing, data, place)
    result = None
    if playing.void:
        right = (st.tables.total(player), st.tables.total(banker), "void", False)
    else:
        result = st.tables.result(player, banker)
        right = result.reading
    if (data.player.total, data.banker.total, data.winner, data.natural) != right:
        _reading(st, data, place, right)
    settling.settle(st, playing, data, result, place)
    if st.module_of is not None:
        module.settled(st, playing, data)


def halted(st: State, message: Message[Any], data: RoundHalted) -> None:
    """Judge a round that the resolver could not go on with."""
    place = _place(st, message, data)
    if place is None:
        return
    st.find("halted", "round.resolved", data.reason, DESIGN, at=place, number=data.round)
    st.halted = True
    settling.returned(st, data, place)
    st.betting.settled = max(st.betting.settled, data.round)
    st.verdict_for = data.round
    if st.round is not None:
        _accept(st, st.round)


def _yes(truth: bool) -> str:  # noqa: FBT001 - spelled as JSON spells it
    return "true" if truth else "false"


def _place(st: State, message: Message[Any], data: RoundResolved | RoundHalted) -> str | None:
    """Judge an outcome's envelope; give its address, or None where its content is not ours."""
    number = data.round
    place = f"{st.shoe_id}#{number}"
    st.outcomes += 1
    if message.id != f"{st.shoe}-{number}":
        said = entry_id(message.id)
        place = f"{st.shoe_id}#{number if said is None else said.minor}"
        if said is None:
            st.find("malformed", f"{st.shoe}-{number}", message.id, DESIGN, at=place)
        elif said.major != st.shoe:
            st.find("wrong-table", f"{st.shoe}-{number}", message.id, DESIGN, at=place)
            if number != (st.round.number if st.round is not None else 0):
                return None
        else:
            st.find("outcome-range", f"round {said.minor}", f"round {number}", DESIGN, at=place)
    if message.source != st.outcome_source:
        st.find("wrong-table", st.outcome_source, message.source, DESIGN, at=place)
        if st.round is None or number != st.round.number:
            return None
    if message.time != st.time and not st.hole:
        _time(st, message.time, place)
    return place


def _time(st: State, time: str, place: str) -> None:
    if len(time) != len(st.time) or not time.isascii():
        st.find("malformed", st.time, time, LANGUAGE, at=place)
    elif time < st.time:
        st.find("time-backwards", f"not before {st.time}", time, DESIGN, at=place)
    else:
        st.find("outcome-range", st.time, time, DESIGN, at=place)


def _whose(st: State, number: int, place: str) -> Round | None:
    """Find the round that this outcome settles."""
    playing = st.round
    if playing is not None and playing.number == number and not playing.settled:
        if playing.ended != st.seq and playing.phase == COMPLETE:
            after = st.event_at(playing.ended)
            st.doubt("out-of-place", f"right after {after}", "later", DESIGN, at=place)
        _missing_before(st, number)
        return playing
    for index, (late, seq) in enumerate(st.owing):
        if late.number == number:
            del st.owing[index]
            st.find("out-of-place", f"the outcome of round {number}", "another round",
                    DESIGN, at=st.event_at(seq), number=number)  # fmt: skip
            return late
    if st.hole and number > st.betting.settled and (playing is None or number > playing.number):
        return st.adopt(number, COMPLETE)
    if playing is not None and number > playing.number and playing.phase == COMPLETE:
        if not place.endswith(f"#{playing.number}"):
            wanted = f"round {playing.number}"
            st.find("outcome-range", wanted, f"round {number}", DESIGN, at=place)
        return playing
    if playing is None or number != playing.number or playing.settled:
        st.find("outcome-extra", "one outcome for each round opened", f"round {number}",
                DESIGN, at=place, number=number)  # fmt: skip
    return None


def _missing_before(st: State, number: int) -> None:
    """Say which earlier rounds never got an outcome."""
    for late, seq in st.owing:
        if late.number < number:
            missing(st, late, seq)
    st.owing = [(late, seq) for late, seq in st.owing if late.number >= number]


def missing(st: State, late: Round, seq: int) -> None:
    """Say that a round has no outcome."""
    st.find("outcome-missing", f"the outcome of round {late.number}", "none", DESIGN,
            at=st.event_at(seq), number=late.number)  # fmt: skip


def _range(st: State, playing: Round, data: RoundResolved, place: str) -> None:
    if data.first != st.base + str(playing.opened):
        st.doubt("outcome-range", st.event_at(playing.opened), data.first, SETTLEMENT, at=place)
    if data.through != st.base + str(playing.ended):
        st.doubt("outcome-range", st.event_at(playing.ended), data.through, SETTLEMENT, at=place)


def _spell(player: Sequence[Card], banker: Sequence[Card]) -> str:
    return f"player {' '.join(player)}; banker {' '.join(banker)}"


def _cards(st: State, playing: Round, data: RoundResolved, place: str) -> None:
    expected = _spell(playing.player, playing.banker)
    actual = _spell(data.player.cards, data.banker.cards)
    st.find("outcome-cards", expected, actual, SETTLEMENT, at=place)


def _reading(st: State, data: RoundResolved, place: str, right: tuple[int, int, str, bool]) -> None:
    """Judge what the resolver read off the cards."""
    player, banker, winner, natural = right
    name = st.tables.rules.name
    for side, hand, total in (("player", data.player, player), ("banker", data.banker, banker)):
        if hand.total != total:
            said = f"{side} {hand.total}"
            st.find("outcome-total", f"{side} {total}", said, f"{name}/values", at=place)
    if data.winner != winner:
        st.find("outcome-winner", winner, data.winner, SETTLEMENT, at=place)
    if data.natural is not natural:
        st.find("outcome-natural", _yes(natural), _yes(data.natural),
                f"{name}/drawing/naturals", at=place)  # fmt: skip


def _accept(st: State, playing: Round) -> None:
    playing.settled = True
    st.verdict_for = number = playing.number
    st.betting.settled = max(st.betting.settled, number)
    if playing.phase == COMPLETE:
        rounds.settle(st, playing)


def unjudged(st: State, data: RoundResolved) -> None:
    """Pass over an outcome that cannot be judged without readable rules."""
    st.outcomes += 1
    st.verdict_for = data.round
