"""Entries of a table's streams in the order in which they belong together. Pure.

Each stream keeps its own order; an outcome comes right after the event that it folds through, a
verdict after its outcome, a shoe's last word before the next shoe, disputes at the end.
"""

from __future__ import annotations

from contextlib import suppress
from heapq import merge
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from schemas.address import LARGEST, EntryId, EventAddress
from schemas.envelope import (
    Message,
    decode_dispute,
    decode_events,
    decode_outcome,
    decode_verdict,
)
from schemas.errors import InputError, Unreadable
from schemas.outcomes import pivot
from schemas.verdicts import ShoeAudited
from services.journal import Contiguity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from services.dashboard.live.cursor import Stream
    from services.journal import Entry

    Key = tuple[int, int]

#: The order that the ids of each stream keep.
KINDS: Final[dict[Stream, Contiguity]] = {
    "events": Contiguity.EVENTS,
    "outcomes": Contiguity.OUTCOMES,
    "verdicts": Contiguity.OUTCOMES,
    "disputes": Contiguity.NONE,
}
#: After all events of a shoe.
_LAST: Final = LARGEST + 1
_KEY: Final = itemgetter(0)


class Told(NamedTuple):
    """An entry as it is handed on; ``message`` None: it cannot be read."""

    stream: Stream
    id: EntryId
    message: Message[Any] | None
    data: bytes


def told_events(entries: Sequence[Entry]) -> list[Told]:
    """Read events."""
    messages = decode_events([entry.data for entry in entries])
    return [
        Told("events", entry.id, message, entry.data)
        for entry, message in zip(entries, messages, strict=True)
    ]


def told(stream: Stream, entries: Iterable[Entry]) -> list[Told]:
    """Read entries of any stream."""
    if stream == "events":
        return told_events(list(entries))
    decode = _DECODE[stream]
    return [Told(stream, entry.id, _or_none(decode, entry.data), entry.data) for entry in entries]


def weave(
    events: Sequence[Told],
    outcomes: Sequence[Told],
    verdicts: Sequence[Told],
    disputes: Sequence[Told] = (),
) -> list[Told]:
    """Put them in one order."""
    if not outcomes and not verdicts:
        return [*events, *disputes]
    settled: dict[EntryId, Key] = {}
    woven = merge(
        (((one.id.major, one.id.minor), one) for one in events),
        _after(outcomes, settled, _of_outcome),
        _after(verdicts, settled, _of_verdict),
        key=_KEY,  # stable: where keys are equal, events come first and verdicts last
    )
    return [*(one for _, one in woven), *disputes]


def _after(
    entries: Iterable[Told],
    settled: dict[EntryId, Key],
    key_of: Callable[[Told, dict[EntryId, Key]], Key],
) -> Iterator[tuple[Key, Told]]:
    """Give each its place; one stream's entries never change places among themselves."""
    reached = (0, 0)
    for one in entries:
        reached = max(reached, key_of(one, settled))
        yield reached, one


def _of_outcome(one: Told, settled: dict[EntryId, Key]) -> Key:
    key = (one.id.major, _LAST)
    if one.message is not None:
        with suppress(InputError):
            key = (one.id.major, EventAddress.parse(pivot(one.message.data)).seq)
    settled[one.id] = key
    return key


def _of_verdict(one: Told, settled: dict[EntryId, Key]) -> Key:
    if one.message is None or isinstance(one.message.data, ShoeAudited):
        return (one.id.major, _LAST)
    return settled.get(one.id, (one.id.major, 0))


def _or_none(decode: Callable[[bytes], Message[Any]], data: bytes) -> Message[Any] | None:
    try:
        return decode(data)
    except Unreadable:
        return None


_DECODE: Final[dict[Stream, Callable[[bytes], Message[Any]]]] = {
    "outcomes": decode_outcome,
    "verdicts": decode_verdict,
    "disputes": decode_dispute,
}
