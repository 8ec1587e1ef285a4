"""What a read answered, read in a batch: the same as one by one."""

from __future__ import annotations

import pytest

from services.journal.rows import FIELD, Entry, batch, entry

Rows = list[tuple[bytes, list[bytes] | None]]


def ours(*names: bytes) -> Rows:
    return [(name, [FIELD, b"of " + name]) for name in names]


@pytest.mark.parametrize(
    "rows",
    [
        [],
        ours(b"1-0"),
        ours(b"1-7", b"1-8", b"1-9", b"1-10"),
        ours(b"1-7", b"1-9"),
        ours(b"1-7", b"2-0", b"2-1"),
        ours(b"1764485042123-0", b"1764485042123-1"),
        [*ours(b"1-7"), (b"1-8", [b"other", b"x"]), *ours(b"1-9")],
        [*ours(b"1-7"), (b"1-8", [b"other", b"x", FIELD, b"y"])],
        [*ours(b"1-7"), (b"1-8", [FIELD, b"y", b"other", b"x"])],
        [*ours(b"1-7"), (b"1-8", None)],
    ],
    ids=[
        "none",
        "one",
        "a run",
        "a gap",
        "two shoes",
        "times",
        "foreign",
        "ours second",
        "ours first",
        "deleted",
    ],
)
def test_it_is_read_as_one_by_one(rows: Rows) -> None:
    found = batch(rows)
    pairs = [
        (name, None if flat is None else dict(zip(flat[::2], flat[1::2], strict=True)))
        for name, flat in rows
    ]
    assert found == [entry(row) for row in pairs]
    assert all(type(one) is Entry and str(one.id) for one in found)
