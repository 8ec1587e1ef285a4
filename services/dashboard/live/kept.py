"""A shoe's entries from its log and the verdicts beside it, where Redis holds them no longer.

Blocks, so it is called in a thread. It only reads; a shoe whose files are not all there is none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemas.address import EntryId
from schemas.envelope import decode_lines, decode_verdict
from schemas.errors import InputError
from schemas.events import Event
from services.journal import Entry

if TYPE_CHECKING:
    from services.dashboard.live.cursor import Stream
    from services.dashboard.web.log_folder import Kind, LogFolder


class KeptShoes:
    """The folder of logs, as streams."""

    def __init__(self, folder: LogFolder) -> None:
        """Nothing is read before ``shoe``."""
        self._folder = folder

    def shoe(self, table: str, shoe: int) -> dict[Stream, list[Entry]] | None:
        """Give a shoe's streams as they were said; None where that cannot be done."""
        log, beside = self._lines(table, shoe, "log"), self._lines(table, shoe, "verdicts")
        if log is None or beside is None:
            return None
        found: dict[Stream, list[Entry]] = {"events": [], "outcomes": [], "verdicts": []}
        try:
            for message, line in zip(decode_lines(log), log, strict=True):
                stream: Stream = "events" if isinstance(message.data, Event) else "outcomes"
                found[stream].append(Entry(EntryId.parse(message.id), line))
            for line in beside:
                entry = EntryId.parse(decode_verdict(line).id)
                found["verdicts"].append(Entry(entry, line))
        except InputError:  # lines that cannot be read among it
            return None
        return found

    def _lines(self, table: str, shoe: int, kind: Kind) -> list[bytes] | None:
        seen = self._folder.seen(table, shoe, kind)
        data = None if seen is None else self._folder.read(seen)
        return None if data is None else data.removesuffix(b"\n").split(b"\n")
