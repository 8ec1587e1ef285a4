"""A shoe as its streams have it, for commands that look and follow nothing. Writes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from schemas.address import LARGEST, EntryId, Streams

if TYPE_CHECKING:
    from schemas.address import Shoe
    from services.journal import Journal


class Streamed(NamedTuple):
    """What was said of a shoe, as far as it is still there."""

    events: list[bytes]
    outcomes: list[bytes]


async def streamed(journal: Journal, shoe: Shoe) -> Streamed:
    """Read a shoe's events and outcomes.

    Events last: what is said or trimmed between the two must leave no outcome without its events.
    """
    streams = Streams(shoe.table)
    first, last = EntryId(shoe.number, 0), EntryId(shoe.number, LARGEST)
    outcomes = await journal.read(streams.outcomes, first, last)
    events = await journal.read(streams.events, first, last)
    return Streamed([entry.data for entry in events], [entry.data for entry in outcomes])
