"""Tell whether a stream is still the one that was read. It may not write or follow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemas.errors import Lost
from services.journal.contiguity import Contiguity, follows
from services.journal.read import extent
from services.journal.trim import kept_from
from services.journal.wire import ask, entries

if TYPE_CHECKING:
    from schemas.address import EntryId
    from services.journal.wire import Client


async def check_identity(
    client: Client, stream: str, kind: Contiguity, position: EntryId, data: bytes | None
) -> bytes | None:
    """Check the entry at our position, and give its bytes; None where it was rightly trimmed.

    ``data`` are the bytes that were read there, None where they are not known. Raises ``Lost``
    when the stream was deleted, trimmed past us or to nothing, or begun anew.
    """
    at = str(position)
    found = entries(await ask(client, "XRANGE", stream, at, at))
    if found:
        if data is None or found[0].data == data:
            return found[0].data
        what = f"{stream}: another entry stands at {at} now: the stream was begun anew"
        raise Lost(what)
    reach = await extent(client, stream)
    if not reach.exists:
        what = f"{stream}: read up to {at}, and now the stream is gone"
    elif reach.last < position:
        what = f"{stream}: read up to {at}, and now it ends at {reach.last}"
    elif reach.first is None:
        what = f"{stream}: read up to {at}, and now it was trimmed to nothing"
    elif reach.first < position:
        what = f"{stream}: {at} was read, and deleted since"
    elif (
        kind is not Contiguity.NONE
        and follows(kind, position, reach.first)
        and position.major < reach.first.major
        and await kept_from(client, stream) == reach.first.major
    ):
        return None
    else:
        what = f"{stream}: {at} was read, and now the stream begins at {reach.first}"
    raise Lost(what)
