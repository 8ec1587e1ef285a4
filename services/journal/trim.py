"""Trim a table's streams below a shoe: one script checks and trims. It may not choose the shoe."""

from __future__ import annotations

from hashlib import sha1
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from schemas.address import START, EntryId
from schemas.errors import Conflict
from services.journal.wire import ask, at_key

if TYPE_CHECKING:
    from schemas.address import Streams
    from services.journal.line import Line
    from services.journal.wire import Client

_SCRIPT: Final = Path(__file__).with_name("trim.lua").read_text(encoding="utf-8")
_SHA: Final = sha1(_SCRIPT.encode(), usedforsecurity=False).hexdigest()


async def trim(
    line: Line, streams: Streams, keep_from: int, commands_from: EntryId | None = None
) -> int:
    """Trim everything below shoe ``keep_from`` and give the number of entries trimmed.

    Commands go below ``commands_from``, the one that opened that shoe; None keeps them all.
    Raises ``Conflict``, having trimmed nothing, when that would take the newest shoe, one
    without verdicts, or one in the set ``streams.held``: the desk adds the number of a shoe under
    dispute there, and nothing from the lowest of them on is trimmed. That the kept ones alone
    lack ``shoe.audited``, and that the trimmed ones' logs are on disk, is the caller's to know.
    """
    keys = (
        streams.events,
        streams.outcomes,
        streams.verdicts,
        streams.commands,
        streams.held,
        _kept(streams.events),
    )
    words = (str(keep_from), "-" if commands_from is None else str(commands_from))
    with at_key(f"one of {' '.join(keys)}"):
        answer = await line.run(_SHA, _SCRIPT, keys, words)
    if isinstance(answer, int):
        return answer
    why, found = (part.decode() for part in cast("list[bytes]", answer))
    reason = {
        "newest": f"the newest shoe is {found}, and stays",
        "unaudited": f"verdicts reach shoe {found} only",
        "held": f"shoe {found} is under dispute; see `shoetrail dispute list`",
    }[why]
    what = f"{streams.events}: cannot trim below shoe {keep_from}: {reason}"
    raise Conflict(what)


async def kept_from(client: Client, stream: str) -> EntryId:
    """Give the lowest id that trimming has left in a table's stream; 0-0 where none was."""
    name = stream.rpartition(":")[2]
    with at_key(_kept(stream)):
        kept = cast("bytes | None", await ask(client, "HGET", _kept(stream), name))
    return START if kept is None else EntryId.parse(kept)


def _kept(stream: str) -> str:
    return f"{stream.rpartition(':')[0]}:kept"
