"""The log's order: each outcome right after the line that it settles, however they were heard."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas import events as ev
from schemas.envelope import encode
from schemas.errors import Unreadable
from schemas.outcomes import HandResult, RoundHalted, RoundResolved
from services.ledger.lines import LogOrder, interleave, log_root
from services.ledger.merkle import leaf_hash, root

if TYPE_CHECKING:
    from collections.abc import Sequence

TIME = "2026-11-30T03:22:19.000000Z"


def event(seq: int) -> bytes:
    return encode(f"12-{seq}", "/tables/T7", TIME, ev.RoundOpened(round=1, command=None))


def resolved(number: int, through: int) -> bytes:
    hand = HandResult((), 0)
    said = RoundResolved(
        number,
        "T7/12-1",
        f"T7/12-{through}",
        hand,
        hand,
        "void",
        natural=False,
        settlements=(),
        house=0,
    )
    return encode(f"12-{number}", "/tables/T7/outcomes", TIME, said)


def halted(number: int, at: int) -> bytes:
    said = RoundHalted(number, f"T7/12-{at}", "bet", (), 0)
    return encode(f"12-{number}", "/tables/T7/outcomes", TIME, said)


def lines_of(size: int, outcomes: Sequence[tuple[int, bytes]]) -> list[bytes]:
    """Work out the log the plain way: ``outcomes`` by the event that each stands after."""
    lines = []
    for seq in range(size):
        lines.append(event(seq))
        lines += [data for pivot, data in outcomes if pivot == seq]
    return lines


def test_an_event_is_given_only_once_it_is_settled() -> None:
    order: LogOrder[bytes] = LogOrder()
    for seq in range(5):
        assert order.event(seq, event(seq), closes=False) == []
    assert order.outcome(3, b"outcome") == [*map(event, range(4)), b"outcome"]
    assert order.event(5, event(5), closes=True) == [event(4), event(5)]


def test_a_halted_outcome_may_point_at_an_earlier_line() -> None:
    order: LogOrder[bytes] = LogOrder()
    for seq in range(9):
        order.event(seq, event(seq), closes=False)
    assert order.outcome(4, b"halted") == [*map(event, range(5)), b"halted"]
    assert order.event(9, event(9), closes=True) == [event(seq) for seq in range(5, 10)]


def test_an_outcome_for_a_line_that_was_given_is_given_at_once() -> None:
    order: LogOrder[bytes] = LogOrder()
    order.event(0, event(0), closes=False)
    order.outcome(0, b"one")
    assert order.outcome(0, b"late") == [b"late"]
    order.event(1, event(1), closes=True)
    assert order.outcome(1, b"later") == [b"later"]


def test_an_outcome_for_an_event_that_is_not_there_comes_after_those_before_it() -> None:
    order: LogOrder[bytes] = LogOrder()
    order.event(0, event(0), closes=False)
    order.event(5, event(5), closes=False)
    assert order.outcome(3, b"outcome") == [event(0), b"outcome"]
    assert order.rest() == [event(5)]
    assert order.rest() == []


def test_a_whole_shoe() -> None:
    outcomes = [(3, resolved(1, 3)), (7, resolved(2, 7)), (8, halted(3, 8))]
    found = interleave(map(event, range(11)), [data for _, data in outcomes])
    assert list(found) == lines_of(11, outcomes)


def test_a_shoe_without_rounds() -> None:
    assert list(interleave(map(event, range(3)), [])) == [event(0), event(1), event(2)]
    assert list(interleave([], [])) == []


def test_events_that_cannot_be_read_keep_their_place() -> None:
    events = [event(0), b"{", event(2), b"", event(4)]
    found = list(interleave(events, [halted(1, 1), halted(2, 3)]))
    assert found == [event(0), b"{", halted(1, 1), event(2), b"", halted(2, 3), event(4)]


def test_a_gap_in_the_events_moves_no_outcome() -> None:
    events = [event(0), event(1), event(4), event(5)]
    assert list(interleave(events, [resolved(1, 4)])) == [*events[:3], resolved(1, 4), event(5)]


def test_an_outcome_that_is_none_has_no_place() -> None:
    with pytest.raises(Unreadable):
        list(interleave([event(0)], [b"{}"]))


def test_the_root_is_that_of_the_lines() -> None:
    lines = lines_of(9, [(3, resolved(1, 3)), (7, resolved(2, 7))])
    assert log_root(iter(lines)) == root([leaf_hash(line) for line in lines])
    assert log_root([]).hex().startswith("e3b0c442")


@given(
    sizes=st.lists(st.integers(1, 6), min_size=1, max_size=6),
    halts_at=st.integers(0, 5),
    delays=st.lists(st.integers(0, 9), min_size=8, max_size=8),
)
def test_the_log_is_the_same_however_far_the_outcomes_lag(
    sizes: list[int], halts_at: int, delays: list[int]
) -> None:
    outcomes: list[tuple[int, bytes]] = []
    seq = 0
    for number, size in enumerate(sizes, start=1):
        last = number == len(sizes)
        pivot = seq + (min(halts_at, size) if last else size)
        outcomes.append((pivot, halted(number, pivot) if last else resolved(number, pivot)))
        seq += size + 1
    expected = lines_of(seq + 1, outcomes)
    order: LogOrder[bytes] = LogOrder()
    lines: list[bytes] = []
    waiting = list(outcomes)
    for place in range(seq):
        lines += order.event(place, event(place), closes=False)
        while waiting and waiting[0][0] + delays[len(waiting)] <= place:
            lines += order.outcome(*waiting.pop(0))
    for late in waiting:
        lines += order.outcome(*late)
    lines += order.event(seq, event(seq), closes=True)
    assert lines == expected
    assert list(interleave(map(event, range(seq + 1)), [data for _, data in outcomes])) == expected
