"""What may come after what in a stream. Pure: no I/O, no waiting."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from schemas.address import START, EntryId
from services.journal.rows import Runs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from services.journal.rows import Entry


class Contiguity(Enum):
    """The order that a stream's ids keep."""

    EVENTS = 0
    """``(shoe, seq + 1)`` or ``(shoe + 1, 0)``."""
    OUTCOMES = 1
    """``(shoe, round + 1)`` or ``(a later shoe, 1)``."""
    NONE = -1
    """Only rising: ids that Redis gives itself (``*``), disputes."""


def follows(kind: Contiguity, before: EntryId, after: EntryId) -> bool:
    """Tell whether ``after`` may come right after ``before``.

    After 0-0 (nothing was read) any shoe's first entry may come: earlier ones were trimmed.
    """
    if kind is Contiguity.NONE:
        return after > before
    shoe, number = after
    if shoe == before[0]:
        return number == before[1] + 1 and before != START
    if shoe < before[0] or number != kind.value:
        return False
    return kind is Contiguity.OUTCOMES or shoe == before[0] + 1 or before == START


def break_in(kind: Contiguity, position: EntryId, batch: Sequence[Entry]) -> int | None:
    """Give the index of the first entry that does not follow the one before, or None."""
    if not batch:
        return None
    if isinstance(batch, Runs):
        if _follow(kind, position, batch):
            return None
    elif follows(kind, position, batch[0].id) and _runs(batch):
        return None
    before = position
    major, minor = position
    strict = kind is not Contiguity.NONE
    for index, (after, _) in enumerate(batch):
        if strict and major and after[0] == major and after[1] == minor + 1:
            minor += 1
        elif follows(kind, before, after):
            major, minor = after
        else:
            return index
        before = after
    return None


def _follow(kind: Contiguity, before: EntryId, batch: Runs) -> bool:
    """Tell whether each run follows the one before."""
    for first, datas in batch.runs:
        if first[0] < 1 or not follows(kind, before, first):
            return False
        before = EntryId(first[0], first[1] + len(datas) - 1)
    return True


def _runs(batch: Sequence[Entry]) -> bool:
    """Tell whether each entry is numbered one after the one before, in one shoe."""
    major, minor = batch[0].id
    count = len(batch)
    numbers = [one[0][1] for one in batch]
    return (
        major > 0
        and numbers == list(range(minor, minor + count))
        and [one[0][0] for one in batch].count(major) == count
    )
