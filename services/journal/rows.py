"""Entries as Redis answers them, read into ours at little cost. It may not know what they mean."""

from __future__ import annotations

from itertools import repeat
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias, cast

from schemas.address import EntryId

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    #: An entry as XREAD answers it: its id, its fields and their values in turns.
    Row: TypeAlias = tuple[bytes, list[bytes] | None]

FIELD: Final = b"__data__"
#: Commands have a millisecond each where an event has a shoe: then it is read one by one.
_SHOES: Final = 8

_new: Final = tuple.__new__


class Entry(NamedTuple):
    """One entry of a stream: its id and the stored bytes."""

    id: EntryId
    data: bytes


class Runs(list[Entry]):
    """Entries as they were read, in runs in which each is numbered one after the one before.

    It is not changed: whoever takes some out, or adds some, has a plain list.
    """

    __slots__ = ("runs",)

    def __init__(
        self, entries: Iterable[Entry], runs: Sequence[tuple[EntryId, Sequence[bytes]]]
    ) -> None:
        """Keep them, and once more as ``runs``: the first one's id, and the bytes of all."""
        super().__init__(entries)
        self.runs = runs


def entry(raw: tuple[bytes, dict[bytes, bytes] | None]) -> Entry:
    """Read one answered entry; foreign fields leave empty data, which no reader accepts."""
    major, _, minor = raw[0].partition(b"-")
    # As EntryId(…) and Entry(…) make them, without a call of Python's for each.
    name = _new(EntryId, (int(major), int(minor)))
    return _new(Entry, (name, (raw[1] or {}).get(FIELD, b"")))


def by_stream(answer: object) -> Collection[tuple[bytes, list[Row]]]:
    """Read what XREAD answered: a map (RESP3), a list of pairs (RESP2), or nothing."""
    if isinstance(answer, dict):
        return cast("dict[bytes, list[Row]]", answer).items()
    return cast("list[tuple[bytes, list[Row]]]", answer or [])


def batch(rows: Sequence[Row]) -> list[Entry]:
    """Read the rows that XREAD answered, at less cost than one by one."""
    if len(rows) > 1:
        found = _in_runs(rows)
        if found is not None:
            return found
    return [entry((name, _fields(flat))) for name, flat in rows]


def _in_runs(rows: Sequence[Row]) -> Runs | None:
    """Read them run by run, one a shoe; None where they are not so, or too many for it to pay."""
    entries: list[Entry] = []
    runs: list[tuple[EntryId, Sequence[bytes]]] = []
    start, total = 0, len(rows)
    while start < total:
        if len(runs) == _SHOES:
            return None
        major, _, first = rows[start][0].partition(b"-")
        end = total
        if rows[-1][0].partition(b"-")[0] != major:  # a shoe ends in them
            shoe = major + b"-"
            end = next(at for at in range(start, total) if not rows[at][0].startswith(shoe))
        shoe_number, minor, last = int(major), int(first), rows[end - 1][0].partition(b"-")[2]
        # Ids rise: where as many numbers lie between the ends as ids, no number is left out.
        if int(last) - minor != end - start - 1:
            return None
        try:
            datas = [data for _, (field, data) in rows[start:end] if field == FIELD]  # type: ignore[misc]
            numbers = zip(repeat(shoe_number), range(minor, minor + end - start), strict=False)
            ids = map(_new, repeat(EntryId), numbers)
            entries += map(_new, repeat(Entry), zip(ids, datas, strict=True))
        except (TypeError, ValueError):  # a foreign entry is among them
            return None
        runs.append((EntryId(shoe_number, minor), datas))
        start = end
    return Runs(entries, runs)


def _fields(flat: list[bytes] | None) -> dict[bytes, bytes] | None:
    return None if flat is None else dict(zip(flat[::2], flat[1::2], strict=True))


def entries(answer: object) -> list[Entry]:
    """Read the answer to XRANGE or XREVRANGE."""
    rows = cast("list[tuple[bytes, dict[bytes, bytes] | None]] | None", answer)
    return [entry(row) for row in rows or ()]


def answered(rows: Sequence[object]) -> list[Entry]:
    """Read rows that Redis answered, of which a cluster's client has made mappings already."""
    mapped = rows and isinstance(cast("Row", rows[0])[1], dict)
    return entries(rows) if mapped else batch(cast("Sequence[Row]", rows))
