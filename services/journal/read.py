"""Read a stream by range of addresses. It may not write, wait for what is to come, or judge."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

from redis.exceptions import ResponseError

from schemas.address import START, EntryId
from services.journal.rows import Entry, answered, entries
from services.journal.wire import ask, at_key

if TYPE_CHECKING:
    from services.journal.line import Line
    from services.journal.wire import Client, Value


class Extent(NamedTuple):
    """How far a stream reaches: ``last`` was given out, ``first`` and ``length`` are there."""

    exists: bool
    first: EntryId | None
    last: EntryId
    length: int


async def read(
    client: Client,
    stream: str,
    first: EntryId | None = None,
    last: EntryId | None = None,
    count: int | None = None,
) -> list[Entry]:
    """Read entries from ``first`` to ``last``, both included; None is the stream's own end."""
    words: list[Value] = ["XRANGE", stream, str(first or "-"), str(last or "+")]
    if count is not None:
        words += ("COUNT", count)
    with at_key(stream):
        return entries(await ask(client, *words))


async def last_entry(line: Line, stream: str) -> Entry | None:
    """Give the newest entry, or None where there is none."""
    return await _newest(line, stream, "+", "-")


async def last_of(line: Line, stream: str, shoe: int) -> Entry | None:
    """Give the newest entry of a shoe, or None where there is none."""
    return await _newest(line, stream, str(shoe), f"{shoe}-0")


async def _newest(line: Line, stream: str, last: str, first: str) -> Entry | None:
    with at_key(stream):
        rows = await line.ask("XREVRANGE", stream, last, first, "COUNT", 1)
    found = answered(cast("list[object]", rows or []))
    return found[0] if found else None


async def extent(client: Client, stream: str) -> Extent:
    """Tell how far a stream reaches."""
    try:
        with at_key(stream):
            info = cast("dict[str, object]", await ask(client, "XINFO STREAM", stream))
    except ResponseError as error:
        if "no such key" not in str(error):
            raise
        return Extent(exists=False, first=None, last=START, length=0)
    head = cast("tuple[bytes, object] | None", info["first-entry"])
    return Extent(
        exists=True,
        first=EntryId.parse(head[0]) if head else None,
        last=EntryId.parse(cast("bytes", info["last-generated-id"])),
        length=cast("int", info["length"]),
    )
