from __future__ import annotations

import base64
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.address import LARGEST, EntryId
from services.dashboard.live.cursor import (
    LONGEST,
    Garbage,
    LobbyAt,
    LobbyCursor,
    Positions,
    TableCursor,
    mark_of,
    mark_of_all,
)

numbers = st.integers(0, LARGEST)
ids = st.builds(EntryId, numbers, numbers)
names = st.from_regex(r"\A[A-Za-z0-9][A-Za-z0-9_-]{0,31}\Z")
marks = st.from_regex(r"\A[0-9a-f]{8}\Z")
tables = st.builds(TableCursor, names, st.builds(Positions, ids, ids, ids, ids), marks)
lobbies = st.builds(
    LobbyCursor,
    st.dictionaries(names, st.builds(LobbyAt, numbers, ids, ids, ids), max_size=8),
    marks,
)


def test_a_table_s_cursor_is_spelled_so_that_a_person_can_read_it() -> None:
    at = Positions(EntryId(12, 45), EntryId(12, 3), EntryId(12, 2), EntryId(1, 0))
    cursor = TableCursor("T7", at, "0badcafe")
    assert str(cursor) == "T7.12-45.12-3.12-2.1-0.0badcafe"


@settings(max_examples=25)
@given(tables)
def test_a_table_s_cursor_comes_back(cursor: TableCursor) -> None:
    assert TableCursor.parse(str(cursor)) == cursor


@settings(max_examples=25)
@given(lobbies)
def test_the_lobby_s_cursor_comes_back(cursor: LobbyCursor) -> None:
    text = str(cursor)
    assert LobbyCursor.parse(text) == cursor
    assert text.isascii()
    assert not set(text) & set("\r\n \x00")


@settings(max_examples=25)
@given(st.text(max_size=60) | st.binary(max_size=60).map(lambda data: data.decode("latin-1")))
def test_garbage_is_refused_and_nothing_else_happens(text: str) -> None:
    for kind in (TableCursor, LobbyCursor):
        with pytest.raises(Garbage):
            kind.parse(text)


@pytest.mark.parametrize(
    "plain",
    [
        b"T7",
        b"T7 1 0 1 0",
        b"T7 1 0 1 0 1 0 0 0",
        b"T7 1 2 0 0 0",  # an outcome in shoe -1
        b"T7 1 0 1 0 2",  # a verdict -1
        b"T7 9007199254740992 0 0 0 0",
        b"T7 x 0 0 0 0",
        b"../T7 1 0 1 0 1",
        b"T7 1 0 1 0 1\n",
        b"\xff",
        b"T7 1 0 1 0 1\n" * 100_000,  # small when packed
    ],
)
def test_what_is_packed_well_and_says_nothing_is_garbage(plain: bytes) -> None:
    text = base64.urlsafe_b64encode(zlib.compress(plain)).decode().rstrip("=")
    with pytest.raises(Garbage):
        LobbyCursor.parse(f"L0badcafe.{text}")


def test_what_follows_a_packed_cursor_is_garbage() -> None:
    packed = zlib.compress(b"T7 1 0 1 0 1") + b"more"
    with pytest.raises(Garbage):
        LobbyCursor.parse("L0badcafe." + base64.urlsafe_b64encode(packed).decode().rstrip("="))


def test_a_thousand_tables_fit_into_a_header() -> None:
    at = {
        f"T{n}": LobbyAt(n % 40 + 1, EntryId(n % 40 + 1, n % 77), EntryId(n % 40 + 1, n % 76))
        for n in range(1000)
    }
    text = str(LobbyCursor(at, "0badcafe"))
    assert len(text) < LONGEST
    assert LobbyCursor.parse(text).at == at


def test_a_mark_tells_one_shoe_from_another_of_the_same_number() -> None:
    assert mark_of(b"one") != mark_of(b"other")
    assert mark_of(None) == "00000000"
    assert mark_of_all({"A": "1", "B": "2"}) == mark_of_all({"B": "2", "A": "1"})
    assert mark_of_all({"A": "1", "B": "2"}) != mark_of_all({"A": "2", "B": "1"})
