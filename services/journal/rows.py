"""Entries as Redis answers them, read into ours at little cost. It may not know what they mean."""

from __future__ import annotations

from itertools import repeat
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias, cast

from schemas.address import EntryId

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    #: An entry as XREAD answers it: its id, its fields and their values in turns.
    Row: TypeAlias = tuple[bytes, list[bytes] | None]

FIELD: Final = b"__data__"
#: Commands have a millisecond each where an event has a shoe: then it is read one by one.
_SHOES: Final = 8
#: From so many on a batch is read by longer ways that take less for each.
_MANY: Final = 40

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

    #: The first one's id, and the bytes of all, for each run.
    runs: Sequence[tuple[EntryId, Sequence[bytes]]]


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
    if not rows:
        return []
    found = _one_run(rows) if len(rows) < _MANY else None
    if found is None:
        found = _in_runs(rows)
    return [entry((name, _fields(flat))) for name, flat in rows] if found is None else found


def _one_run(rows: Sequence[Row]) -> Runs | None:
    """Read a few that are numbered one after the other, as a table at play says them; or None.

    All that a batch needs is cold by then, so that the least code is fastest.
    """
    shoe, _, number = rows[0][0].partition(b"-")
    major, minor = int(shoe), int(number)
    try:
        datas = [data for _, (field, data) in rows if field == FIELD]  # type: ignore[misc]
    except (TypeError, ValueError):
        return None
    found = Runs(
        [_new(Entry, (_new(EntryId, (major, at)), data)) for at, data in enumerate(datas, minor)]
    )
    # Ids rise: where as many numbers lie between the ends as ids, no number is left out.
    if len(found) != len(rows) or rows[-1][0] != b"%d-%d" % found[-1].id:
        return None
    found.runs = ((found[0].id, datas),)
    return found


def _in_runs(rows: Sequence[Row]) -> Runs | None:
    """Read them run by run, one a shoe; None where they are not so, or too many for it to pay."""
    found = Runs()
    runs: list[tuple[EntryId, Sequence[bytes]]] = []
    start, total = 0, len(rows)
    while start < total:
        if len(runs) == _SHOES:
            return None
        shoe, _, number = rows[start][0].partition(b"-")
        major, minor, end = int(shoe), int(number), total
        # Ids rise: where as many numbers lie between the ends as ids, no number is left out.
        if rows[-1][0] != b"%d-%d" % (major, minor + end - start - 1):
            shoe += b"-"
            if rows[-1][0].startswith(shoe):
                return None
            end = next(at for at in range(start, total) if not rows[at][0].startswith(shoe))
            if rows[end - 1][0] != b"%d-%d" % (major, minor + end - start - 1):
                return None
        try:
            datas = [data for _, (field, data) in rows[start:end] if field == FIELD]  # type: ignore[misc]
            numbers = zip(repeat(major), range(minor, minor + end - start), strict=False)
            ids = map(_new, repeat(EntryId), numbers)
            found += map(_new, repeat(Entry), zip(ids, datas, strict=True))
        except (TypeError, ValueError):  # a foreign entry is among them
            return None
        runs.append((EntryId(major, minor), datas))
        start = end
    found.runs = runs
    return found


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
