"""Tell whether a stream is still the one that was read. It may not write or follow."""

from __future__ import annotations

from hashlib import sha1
from typing import TYPE_CHECKING, Final

from schemas.errors import Lost
from services.journal.contiguity import Contiguity, follows
from services.journal.read import extent
from services.journal.rows import entries
from services.journal.trim import kept_from
from services.journal.wire import ask_all, at_key

if TYPE_CHECKING:
    from schemas.address import EntryId
    from services.journal.line import Line
    from services.journal.rows import Entry
    from services.journal.wire import Client


_SAME: Final = """
for i = 1, #ARGV, 2 do
  local found = redis.call('XRANGE', KEYS[1], ARGV[i], ARGV[i])[1]
  if not found or found[2][1] ~= '__data__' or found[2][2] ~= ARGV[i + 1] then return 0 end
end
return 1
"""
_SAME_SHA: Final = sha1(_SAME.encode(), usedforsecurity=False).hexdigest()


async def is_same(line: Line, stream: str, *known: Entry) -> bool:
    """Tell, at least cost, whether these entries are there as they were read."""
    words = [word for entry in known for word in (str(entry.id), entry.data)]
    with at_key(stream):
        return await line.run(_SAME_SHA, _SAME, (stream,), words) == 1


async def check_identity(
    client: Client,
    stream: str,
    kind: Contiguity,
    anchor: Entry | None,
    position: EntryId,
    data: bytes | None,
) -> bytes | None:
    """Check what was read, and give the bytes at our position; None where rightly trimmed.

    ``data`` are the bytes that were read there, None where they are not known; ``anchor`` is
    an entry read earlier, when the check before passed: so a stream that was begun anew in
    between, and has come up to our position again, is told too. Raises ``Lost`` when the stream
    was deleted, trimmed past us or to nothing, or begun anew.
    """
    wanted = [position] if anchor is None or anchor.id == position else [position, anchor.id]
    answers = await ask_all(client, [("XRANGE", stream, str(one), str(one)) for one in wanted])
    with at_key(stream):
        for answer in answers:
            if isinstance(answer, Exception):
                raise answer
    if anchor is not None and anchor.id != position:
        earlier = entries(answers[1])
        if earlier and earlier[0] != anchor:
            raise _anew(stream, anchor.id)
        if not earlier and await kept_from(client, stream) <= anchor.id:
            raise Lost(f"{stream}: {anchor.id} was read, and is gone: the stream was begun anew")
    found = entries(answers[0])
    if not found:
        await _check_trimmed(client, stream, kind, position)
        return None
    if data is not None and found[0].data != data:
        raise _anew(stream, position)
    return found[0].data


async def _check_trimmed(client: Client, stream: str, kind: Contiguity, position: EntryId) -> None:
    """Raise ``Lost`` unless trimming below a shoe took the entry, and the next is still there."""
    reach = await extent(client, stream)
    if not reach.exists:
        raise Lost(f"{stream}: read up to {position}, and now the stream is gone")
    if reach.last < position:
        raise Lost(f"{stream}: read up to {position}, and now it ends at {reach.last}")
    first = reach.first
    if first is not None and first < position:
        raise Lost(f"{stream}: {position} was read, and deleted since")
    kept = await kept_from(client, stream)
    if first is None:
        if position < kept and position == reach.last:
            return
        raise Lost(f"{stream}: read up to {position}, and now it was trimmed to nothing")
    if not position < kept <= first or not _passes_over(kind, position, first):
        raise Lost(f"{stream}: {position} was read, and now the stream begins at {first}")


def _passes_over(kind: Contiguity, position: EntryId, first: EntryId) -> bool:
    """Tell whether shoes that end after our position may be all that was trimmed."""
    if kind is Contiguity.NONE:
        return True
    return follows(kind, position, first) and position.major < first.major


def _anew(stream: str, at: EntryId) -> Lost:
    return Lost(f"{stream}: another entry stands at {at} now: the stream was begun anew")
