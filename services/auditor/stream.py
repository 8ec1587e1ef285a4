"""The line of events: ids, sources, times; no gap, repeat or step back. Reads no content."""

from __future__ import annotations

import re
from typing import Any, Final

from schemas import instant
from schemas.address import EntryId, is_name
from schemas.envelope import Message, load
from schemas.errors import InputError
from schemas.events import EVENTS
from schemas.outcomes import OUTCOMES
from services.auditor.state import State

DESIGN: Final = "DESIGN.md#2"
LANGUAGE: Final = "schemas/published"

_SOURCE: Final = "/tables/"
_ZERO: Final = "00.000000Z"
_TAIL: Final = re.compile(r"[0-5][0-9]\.[0-9]{6}Z", re.ASCII)
_REMEMBERED: Final = 4096
#: Halves of times that were found well spelled: up to the minute, and from there on.
MINUTES: Final[set[str]] = set()
TAILS: Final[set[str]] = set()


def entry_id(text: str) -> EntryId | None:
    """Read ``12-45``, or give None."""
    try:
        return EntryId.parse(text)
    except InputError:
        return None


def displaced(st: State, message: Message[Any]) -> bool:
    """Judge an event that is not plainly the next one; tell whether its content counts."""
    st.seq = st.next
    said = entry_id(message.id)
    if said is not None and not st.told_which and _renamed(st, message.source, said):
        return _forward(st, said.minor)
    foreign = message.source != st.source
    if foreign:
        st.once("wrong-table", st.source, message.source, DESIGN)
    if said is None:
        st.once("malformed", st.prefix + str(st.next), message.id, DESIGN)
        said = EntryId(st.shoe, st.next)
    elif said.major != st.shoe and not foreign:
        st.once("wrong-table", st.prefix + str(st.next), message.id, DESIGN)
    if foreign or said.major != st.shoe:
        if said.minor == st.next:
            return _forward(st, st.next)
        st.odd += 1
        return False
    if said.minor < st.next:
        st.seq = said.minor
        st.once("sequence-repeat", st.prefix + str(st.next), message.id, DESIGN)
        st.seq = st.next - 1
        st.odd += 1
        return False
    if said.minor > st.next:
        if said.minor - st.next > st.slack:
            expected, st.seq = str(st.next), said.minor
            st.find("sequence-gap", st.prefix + expected, message.id, DESIGN)
        st.slack = 0
        st.hole = st.lost = True
    return _forward(st, said.minor)


def _renamed(st: State, source: str, said: EntryId) -> bool:
    """Tell whether it is the opening alone that was of another shoe, as the two after it show."""
    table = source.removeprefix(_SOURCE)
    one = (source, said.major, said.minor)
    before, st.others = st.others, one
    if said.minor == st.next == 1:
        return False
    st.told_which = True
    if said.minor != st.next or before != (source, said.major, said.minor - 1) or before[2] != 1:
        return False
    if not is_name(table) or source == table or said.major < 1:
        return False
    st.rename(table, said.major)
    return True


def _forward(st: State, seq: int) -> bool:
    st.seq = seq
    st.next = seq + 1
    return True


def clock(st: State, time: str) -> None:
    """Judge an event's time: well spelled, and not before its forerunner's."""
    if not well_spelled(time):
        st.find("malformed", "a time like 2026-11-30T03:22:19.123456Z", time, LANGUAGE)
        return
    if time < st.time:
        st.find("time-backwards", f"not before {st.time}", time, DESIGN)
    st.time = time


def well_spelled(time: str) -> bool:
    """Tell whether a time is spelled as ours are, and remember its two halves if so."""
    minute, tail = time[:17], time[17:]
    if minute not in MINUTES:
        try:
            instant.parse(minute + _ZERO)
        except InputError:
            return False
        _remember(MINUTES, minute)
    if tail not in TAILS:
        if _TAIL.fullmatch(tail) is None:
            return False
        _remember(TAILS, tail)
    return True


def _remember(known: set[str], half: str) -> None:
    if len(known) >= _REMEMBERED:
        known.clear()
    known.add(half)


def unreadable(st: State, data: bytes) -> None:
    """Judge a line that is no event or outcome of ours: it may have been any."""
    kind, seq = _told(st, data)
    st.odd += 1
    st.seq = st.next
    if kind is None:
        st.once("malformed", "an event or outcome of ours", "unreadable", LANGUAGE)
    else:
        st.once("unknown-event", "a type of ours", kind, LANGUAGE)
    if seq == st.next:
        st.next += 1
    else:
        st.slack += 1
        st.seq = st.next - 1
    st.hole = st.lost = True


def _told(st: State, data: bytes) -> tuple[str | None, int | None]:
    """Give the type that is none of ours, and the place, as far as a bad line tells them."""
    try:
        found = load(data, "")
    except InputError:
        return None, None
    if not isinstance(found, dict) or found.get("source") != st.source:
        return None, None
    kind, name = found.get("type"), found.get("id")
    said = entry_id(name) if isinstance(name, str) else None
    seq = said.minor if said is not None and said.major == st.shoe else None
    known = not isinstance(kind, str) or kind in EVENTS or kind in OUTCOMES
    return (None if known else str(kind)), seq
