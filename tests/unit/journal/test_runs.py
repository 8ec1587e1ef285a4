"""Rows that Redis answered, read as runs: the same entries, and the same breaks among them."""

from __future__ import annotations

from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.address import EntryId
from services.journal import Contiguity, Entry, Runs, rows
from services.journal.contiguity import break_in
from services.journal.rows import batch, entry

IDS = st.sets(
    st.builds(EntryId, st.integers(0, 3), st.integers(0, 12)), min_size=1, max_size=20
).map(sorted)


def rows_of(ids: list[EntryId], foreign: int | None = None) -> list[tuple[bytes, list[bytes]]]:
    return [
        (f"{one}".encode(), [b"other" if at == foreign else b"__data__", b"%d-%d" % one])
        for at, one in enumerate(ids)
    ]


@given(
    IDS,
    st.sampled_from(Contiguity),
    st.builds(EntryId, st.integers(0, 3), st.integers(0, 12)),
    st.sampled_from([0, rows._MANY]),
)
def test_a_batch_breaks_where_a_plain_list_of_it_does(
    ids: list[EntryId], kind: Contiguity, position: EntryId, many: int
) -> None:
    with patch.object(rows, "_MANY", many):
        read = batch(rows_of(ids))
    assert read == [Entry(one, b"%d-%d" % one) for one in ids]
    assert break_in(kind, position, read) == break_in(kind, position, list(read))


@given(IDS, st.sampled_from([0, rows._MANY]))
def test_runs_are_the_entries_once_more(ids: list[EntryId], many: int) -> None:
    with patch.object(rows, "_MANY", many):
        read = batch(rows_of(ids))
    if isinstance(read, Runs):
        said = [
            Entry(EntryId(first.major, first.minor + at), data)
            for first, datas in read.runs
            for at, data in enumerate(datas)
        ]
        assert said == read


def test_two_shoes_are_two_runs() -> None:
    read = batch(rows_of([EntryId(1, 7), EntryId(1, 8), EntryId(2, 0), EntryId(2, 1)]))
    assert isinstance(read, Runs)
    assert [(first, len(datas)) for first, datas in read.runs] == [((1, 7), 2), ((2, 0), 2)]
    assert break_in(Contiguity.EVENTS, EntryId(1, 6), read) is None
    assert break_in(Contiguity.EVENTS, EntryId(1, 5), read) == 0


@pytest.mark.parametrize("many", [0, rows._MANY])
def test_a_gap_or_a_foreign_entry_makes_no_run(monkeypatch: pytest.MonkeyPatch, many: int) -> None:
    monkeypatch.setattr(rows, "_MANY", many)
    assert not isinstance(batch(rows_of([EntryId(1, 7), EntryId(1, 9)])), Runs)
    mixed = rows_of([EntryId(1, 7), EntryId(1, 8)], foreign=1)
    assert batch(mixed) == [entry((mixed[0][0], {b"__data__": b"1-7"})), Entry(EntryId(1, 8), b"")]
    assert batch([(b"1-7", None)]) == [Entry(EntryId(1, 7), b"")]
    two = [b"__data__", b"x", b"more", b"y"]
    assert batch([(b"1-7", two), (b"1-8", two)]) == [
        Entry(EntryId(1, 7), b"x"),
        Entry(EntryId(1, 8), b"x"),
    ]


def test_many_shoes_in_a_batch_are_read_in_time_and_without_depth() -> None:
    """Commands have an id of Redis's own each, so that each is a shoe as it were."""
    ids = [EntryId(shoe, 0) for shoe in range(1, 5001)]
    assert batch(rows_of(ids)) == [Entry(one, b"%d-%d" % one) for one in ids]
