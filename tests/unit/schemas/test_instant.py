"""Times have one spelling, to the microsecond."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.errors import InputError
from schemas.instant import END, moment, parse, spell

GOOD = "2026-11-30T03:22:19.123456Z"


def test_known_times() -> None:
    assert spell(0) == "1970-01-01T00:00:00.000000Z"
    assert spell(END - 1) == "9999-12-31T23:59:59.999999Z"
    assert spell(1_796_008_939_123_456) == GOOD
    assert parse(GOOD) == 1_796_008_939_123_456
    assert parse("2028-02-29T00:00:00.000001Z") == parse("2028-02-28T23:59:59.999999Z") + 2


@given(instant=st.integers(0, END - 1))
def test_what_is_spelled_is_read_back(instant: int) -> None:
    text = spell(instant)
    assert len(text) == len(GOOD)
    assert parse(text) == instant
    assert moment(instant).isoformat(timespec="microseconds") == text[:-1] + "+00:00"


def test_where_calendars_end() -> None:
    assert moment(END - 1).year == 9999
    with pytest.raises(OverflowError):
        moment(END)


@given(one=st.integers(0, END - 1), other=st.integers(0, END - 1))
def test_times_sort_as_text(one: int, other: int) -> None:
    assert (one < other) == (spell(one) < spell(other))


@pytest.mark.parametrize("instant", [-1, END, 2**63, -(2**63)])
def test_times_that_have_no_spelling(instant: int) -> None:
    with pytest.raises(InputError, match="outside the years 1970 to 9999"):
        spell(instant)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "now",
        GOOD[:-1],
        GOOD + " ",
        GOOD.lower(),
        GOOD.replace("T", " "),
        GOOD.replace(".", ","),
        GOOD.replace("Z", "+"),
        "2026-11-30T03:22:19.1234567",
        "2026-11-30T03:22:19.123+00:00Z"[:27],
        "2026-11-30T03:22:19+00:0000",
        "20261130T032219.123456+0000",
        "2026-W49-1T03:22:19.123456Z"[:27],
        "2026-13-30T03:22:19.123456Z",
        "2026-02-29T03:22:19.123456Z",
        "2026-11-30T24:00:00.000000Z",
        "2026-11-30T03:22:60.000000Z",
        "1969-12-31T23:59:59.999999Z",
        "0000-01-01T00:00:00.000000Z",
        "0001-01-01T00:00:00.000000Z",
        "\uff12026-11-30T03:22:19.123456Z",
        "2026-11-30T03:22:19.12345٣Z",
        " 2026-11-30T03:22:19.12345Z",
        "2026-11-30T03:22:19.-12345Z",
    ],
)
def test_another_spelling_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="is not a time; write it as 2026-11-30"):
        parse(text)


@given(text=st.text(max_size=30))
def test_no_text_breaks_the_reader(text: str) -> None:
    with suppress(InputError):
        assert spell(parse(text)) == text
