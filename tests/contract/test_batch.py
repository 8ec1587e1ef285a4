"""What a read answered, read in a batch: the same as one by one."""

from __future__ import annotations

import pytest

from services.journal.wire import FIELD, Entry, batch, entry

Rows = list[tuple[bytes, dict[bytes, bytes] | None]]


def ours(*names: bytes) -> Rows:
    return [(name, {FIELD: b"of " + name}) for name in names]


@pytest.mark.parametrize(
    "rows",
    [
        [],
        ours(b"1-0"),
        ours(b"1-7", b"1-8", b"1-9", b"1-10"),
        ours(b"1-7", b"1-9"),
        ours(b"1-7", b"2-0", b"2-1"),
        ours(b"1764485042123-0", b"1764485042123-1"),
        [*ours(b"1-7"), (b"1-8", {b"other": b"x"}), *ours(b"1-9")],
        [*ours(b"1-7"), (b"1-8", None)],
    ],
    ids=["none", "one", "a run", "a gap", "two shoes", "times", "foreign", "deleted"],
)
def test_it_is_read_as_one_by_one(rows: Rows) -> None:
    found = batch([name for name, _ in rows], [fields for _, fields in rows])
    assert found == [entry(row) for row in rows]
    assert all(type(one) is Entry and str(one.id) for one in found)
