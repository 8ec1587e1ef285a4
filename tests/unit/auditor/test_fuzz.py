"""Whatever the bytes, an audit ends in findings, or in one error on its first line."""

from __future__ import annotations

import functools
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.errors import InputError
from services.auditor.fold import ShoeAudit
from services.auditor.offline import audit_lines
from tests.unit.auditor.table import Table, good

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
