"""Two streams, one order: whichever arrives first, lines come out as the log has them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from schemas import events as ev
from services.bettors.log_order import LogOrder
from tests.unit.bettors.stage import Line, Stage


def table() -> list[Line]:
    """Two shoes: won, voided, halted rounds, and a word between rounds."""
    stage = Stage()
    stage.open()
    stage.cut()
    stage.play("player")
    stage.play("void")
    stage.seat(carol=5)
    stage.play("tie")
    stage.close()
    stage.open(restated={"carol": 5})
    stage.cut()
    stage.play("banker")
    stage.betting()
    stage.halt()
    stage.close("halted")
    return stage.lines


def ordered(lines: list[Line]) -> list[tuple[str, str]]:
    order = LogOrder()
    found: list[tuple[str, str]] = []
    for line in lines:
        take = order.event if line.stream == "event" else order.outcome
        found += [(str(out.id), out.message.source) for out in take(line.id, line.message)]  # type: ignore[arg-type]
    return found


def merged(lines: list[Line], coins: list[bool]) -> list[Line]:
    """Merge the two streams by coins, keeping each one's own order."""
    streams = {
        True: [line for line in lines if line.stream == "event"],
        False: [line for line in lines if line.stream == "outcome"],
    }
    found = [streams[coin].pop(0) for coin in coins if streams[coin]]
    return [*found, *streams[True], *streams[False]]


LINES = table()
IN_ORDER = [(str(line.id), line.message.source) for line in LINES]


def test_lines_in_order_pass_at_once() -> None:
    assert ordered(LINES) == IN_ORDER


@given(st.lists(st.booleans(), min_size=len(LINES), max_size=len(LINES)))
def test_any_interleaving_gives_the_logs_order(coins: list[bool]) -> None:
    assert ordered(merged(LINES, coins)) == IN_ORDER


def test_events_after_a_round_wait_for_its_outcome() -> None:
    events = [line for line in LINES if line.stream == "event"]
    dealt = next(n for n, line in enumerate(events) if isinstance(line.message.data, ev.RoundDealt))
    assert len(ordered(events)) == dealt + 1


def test_a_shoe_that_was_closed_for_a_halt_waits_for_it() -> None:
    stage = Stage()
    stage.open()
    stage.play("player")
    stage.betting()
    stage.halt()
    stage.close("halted")
    stage.open()
    in_order = [(str(line.id), line.message.source) for line in stage.lines]
    *before, halt, closed, opened = stage.lines
    assert ordered([*before, closed, opened]) == in_order[:-3]
    assert ordered([*before, closed, opened, halt]) == in_order


def test_a_halt_at_an_event_that_could_not_be_read_is_not_waited_for_in_vain() -> None:
    stage = Stage()
    stage.open()
    stage.betting()
    stage.halt()
    stage.close("halted")
    in_order = [(str(line.id), line.message.source) for line in stage.lines]
    *before, unread, halt, closed = stage.lines
    del in_order[stage.lines.index(unread)]
    assert ordered([*before, halt, closed]) == in_order
    assert ordered([*before, closed, halt]) == in_order


def test_a_round_that_halted_before_its_end_is_not_waited_for_again() -> None:
    stage = Stage()
    stage.open()
    stage.betting()
    stage.halt()
    stage.deal()
    stage.close("halted")
    assert ordered(stage.lines) == [(str(line.id), line.message.source) for line in stage.lines]
