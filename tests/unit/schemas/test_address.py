"""Addresses have one spelling each, and nothing else is read as one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.address import (
    LARGEST,
    START,
    DisputeAddress,
    EntryId,
    EventAddress,
    RoundAddress,
    Shoe,
    Sources,
    Streams,
    checked_name,
    is_name,
)
from schemas.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

NUMBERS = st.integers(0, LARGEST)
TABLES = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9_-]{0,31}", fullmatch=True)
NOT_NUMBERS = ["", " 1", "1 ", "+1", "-1", "01", "00", "1.0", "1e3", "٣", "²", "1_0", "0x1", "1\n"]
NOT_TABLES = ["", "-T", "_T", "T 7", "T/7", "T{7}", "T7\n", "Tü", "x" * 33, "T\0", "T:7", "T7#"]


def test_how_they_are_spelled() -> None:
    assert str(EntryId(12, 45)) == "12-45"
    assert str(EventAddress("T7", 12, 45)) == "T7/12-45" == Shoe("T7", 12).event(45)
    assert str(RoundAddress("T7", 12, 17)) == "T7/12#17" == Shoe("T7", 12).round(17)
    assert str(Shoe("T7", 12)) == "T7/12"
    assert str(DisputeAddress("T7", 3)) == "T7:3"
    assert EntryId.parse(b"12-45") == EntryId.parse("12-45") == EntryId(12, 45)
    assert EntryId(0, 0) == START < EntryId(1, 0) < EntryId(1, 1) < EntryId(2, 0)


@given(table=TABLES, shoe=NUMBERS, last=NUMBERS)
def test_what_is_spelled_is_read_back(table: str, shoe: int, last: int) -> None:
    assert EntryId.parse(str(EntryId(shoe, last))) == (shoe, last)
    assert Shoe.parse(str(Shoe(table, shoe))) == (table, shoe)
    assert EventAddress.parse(str(EventAddress(table, shoe, last))) == (table, shoe, last)
    assert RoundAddress.parse(str(RoundAddress(table, shoe, last))) == (table, shoe, last)
    assert DisputeAddress.parse(str(DisputeAddress(table, last))) == (table, last)


@pytest.mark.parametrize("number", NOT_NUMBERS)
@pytest.mark.parametrize(
    ("read", "form"),
    [
        (EntryId.parse, "{}-1"),
        (EntryId.parse, "1-{}"),
        (Shoe.parse, "T7/{}"),
        (EventAddress.parse, "T7/{}-1"),
        (EventAddress.parse, "T7/1-{}"),
        (RoundAddress.parse, "T7/{}#1"),
        (RoundAddress.parse, "T7/1#{}"),
        (DisputeAddress.parse, "T7:{}"),
    ],
)
def test_a_number_has_one_spelling(read: Callable[[str], object], form: str, number: str) -> None:
    with pytest.raises(InputError):
        read(form.format(number))


@pytest.mark.parametrize("table", NOT_TABLES)
def test_a_table_has_a_name(table: str) -> None:
    assert not is_name(table)
    for read, rest in (
        (Shoe.parse, "/1"),
        (EventAddress.parse, "/1-1"),
        (RoundAddress.parse, "/1#1"),
        (DisputeAddress.parse, ":1"),
    ):
        with pytest.raises(InputError):
            read(table + rest)
    with pytest.raises(InputError, match="is no table; use 1 to 32"):
        checked_name(table, "table")


@given(text=st.text(max_size=20) | st.binary(max_size=20))
def test_whatever_else_is_said_is_refused_in_one_line(text: str | bytes) -> None:
    for read in (
        EntryId.parse,
        Shoe.parse,
        EventAddress.parse,
        RoundAddress.parse,
        DisputeAddress.parse,
    ):
        if isinstance(text, bytes) and read is not EntryId.parse:
            continue
        try:
            found = read(text)  # type: ignore[arg-type]
        except InputError as wrong:
            assert "\n" not in str(wrong)  # noqa: PT017 - both ends are allowed
        else:
            assert str(found) == (text if isinstance(text, str) else text.decode())


def test_a_table_has_one_slot_in_a_cluster() -> None:
    streams = Streams("T7")
    keys = [getattr(streams, name) for name in streams.__slots__ if name != "table"]
    assert all(key.startswith("shoetrail:{T7}:") for key in keys)
    assert len(set(keys)) == len(keys)
    with pytest.raises(InputError):
        Streams("T{8}")


def test_sources() -> None:
    sources = Sources("T7")
    assert sources.events == "/tables/T7"
    assert sources.outcomes == "/tables/T7/outcomes"
    assert {sources.verdicts, sources.commands, sources.disputes} == {
        "/tables/T7/verdicts",
        "/tables/T7/commands",
        "/tables/T7/disputes",
    }
