"""Whatever the bytes, an audit ends in findings, or in one error on its first line."""

from __future__ import annotations

import functools
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas import events as ev
from schemas.errors import InputError
from services.auditor.fold import ShoeAudit
from services.auditor.offline import audit_lines
from tests.unit.auditor.table import BETS, SEATS, Entry, Table, good

SAMPLES = Path(__file__).parents[3] / "replay_logs"
POLICIES = ("HAND", "ANNUL", "DUMMY")


@functools.cache
def logs() -> list[list[bytes]]:
    marked = good(edit=lambda text: text.replace('"each-hand"', '"shoe-end"'), rounds=2)
    return [
        good(rounds=6).asked().lines(),
        Table("yaba4", stacked="KS QS 9H 2C 7D 3S AH 5C 4C 4D").begin().play((), 2).close().lines(),
        marked.asked().lines(),
        *((SAMPLES / f"MISDRAW-{one}" / "1.jsonl").read_bytes().splitlines() for one in POLICIES),
    ]


def survives(lines: list[bytes]) -> None:
    try:
        result = audit_lines(lines)
    except InputError as error:
        if error.where != "line 1":
            raise
        return
    slowly = ShoeAudit()
    for line in lines:
        slowly.line(line)
    assert slowly.result() == result


@given(st.lists(st.binary(max_size=60), max_size=6))
def test_any_bytes(lines: list[bytes]) -> None:
    with pytest.raises(InputError):
        audit_lines(lines)
    survives([logs()[0][0], *lines])


@given(st.data())
def test_one_byte_changed(data: st.DataObject) -> None:
    lines = list(data.draw(st.sampled_from(logs())))
    number = data.draw(st.integers(0, len(lines) - 1))
    line = bytearray(lines[number])
    line[data.draw(st.integers(0, len(line) - 1))] = data.draw(st.integers(0, 255))
    lines[number] = bytes(line)
    survives(lines)


@given(st.data())
def test_lines_shuffled_doubled_and_dropped(data: st.DataObject) -> None:
    lines = data.draw(st.sampled_from(logs()))
    picks = data.draw(st.lists(st.sampled_from(lines), max_size=40))
    survives([lines[0], *picks])
    start = data.draw(st.integers(0, len(lines)))
    survives([*lines[:start], *picks, *lines[start:]])


@given(st.data())
def test_a_field_is_another(data: st.DataObject) -> None:
    """Numbers, names and nulls put where others stood."""
    lines = list(data.draw(st.sampled_from(logs())))
    number = data.draw(st.integers(0, len(lines) - 1))
    parts = lines[number].split(b":")
    place = data.draw(st.integers(0, len(parts) - 1))
    other = data.draw(
        st.sampled_from([b"0", b"-1", b"9007199254740991", b"null", b'""', b"[]", b"{}", b"true"])
    )
    head, mark, tail = parts[place].partition(b",")
    parts[place] = other + (mark + tail if mark else b"")
    del head
    lines[number] = b":".join(parts)
    survives(lines)


def played() -> Table:
    """Bets that repeat and that do not, passes, a bet taken back, somebody who leaves."""
    table = Table().begin()
    for bets in (BETS[:2], BETS[:2], BETS, BETS, BETS, BETS[:1], BETS[:2]):
        table.round(*bets)
    table.open_round()
    for bet in BETS:
        table.bet(*bet)
    back = table.bets.pop().data
    table.say(ev.BetWithdrawn(table.number, back.bet, command=f"{back.bet}/withdraw"))
    table.spoken.add(back.bettor)
    table.close_bets()
    table.deal()
    table.settle()
    table.say(ev.BettorLeft("cyd", command="12/bettor.leave/cyd/1"))
    table.seats = SEATS[:2]
    return table.play(BETS[:2], 3).asked()


@given(st.data())
def test_steps_left_out_said_again_and_in_another_place(data: st.DataObject) -> None:
    """Each line is numbered as it comes, so that what is in it counts; in batches of any size."""
    table = played()
    entries = table.entries
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(1, len(entries) - 1))
        other = data.draw(st.integers(1, len(entries)))
        step = data.draw(st.sampled_from(("left out", "again", "moved", "taken back")))
        told = entries[place].data
        if step == "taken back" and isinstance(told, ev.BetPlaced):
            back = ev.BetWithdrawn(told.round, told.bet, command=f"{told.bet}/withdraw")
            entries.insert(other, Entry(back))
        elif step == "again":
            said = Entry(told)
            said.first, said.through = entries[place].first, entries[place].through
            entries.insert(other, said)
        elif step == "moved":
            entries.insert(min(other, len(entries) - 1), entries.pop(place))
        else:
            del entries[place]
    for entry in entries:  # an outcome of what is left out says so
        entry.first = entry.first if entry.first in entries else None
        entry.through = entry.through if entry.through in entries else None
    lines = table.lines()
    survives(lines)
    cut = data.draw(st.integers(1, len(lines)))
    batches = ShoeAudit()
    batches.lines(lines[:cut])
    batches.lines(lines[cut:])
    assert batches.result() == audit_lines(lines)
