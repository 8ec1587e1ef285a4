"""The live record beside a table's logs: what a witness saw, one finding a line. Says no verdict.

Kept in ``<shoe>.live.jsonl``. Nothing is in it that a reader of the log could work out again, and
nothing of it goes into verdicts, which have to be the same whoever folds them, and whenever.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemas import events as ev
from schemas.address import EntryId
from schemas.commands import parse_shoe
from schemas.envelope import decode_command, dump
from schemas.errors import InputError, Unreadable
from services.auditor.files import LIVE
from services.auditor.witness import LiveWitness

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from schemas.commands import Command
    from schemas.envelope import Message, Said
    from schemas.verdicts import Finding


class LiveRecord:
    """Feeds a witness a shoe, and keeps what it finds. A second life adds only what is new."""

    def __init__(
        self, folder: Path, table: str, now: Callable[[], int], *, simulated: bool
    ) -> None:
        """``now`` is the clock that arrivals are measured by (microseconds)."""
        self._folder = folder
        self._table = table
        self._now = now
        self._simulated = simulated
        self._shoe = 0
        #: The last event's number.
        self._seq = -1
        self._witness = LiveWitness(table, 0, simulated=simulated)
        self._arrived: dict[EntryId, int] = {}
        #: Commands for shoes that are not opened yet, by shoe.
        self._early: dict[int, list[tuple[int, Message[Command]]]] = {}

    def arrived(self, *entries: EntryId) -> None:
        """Note that events arrive now, just after they were said."""
        self._arrived.update(dict.fromkeys(entries, self._now()))

    def command(self, entry: EntryId, data: bytes) -> int | None:
        """Hear a command; give the shoe it is for, or None where it is unreadable."""
        try:
            message = decode_command(data)
        except Unreadable:
            return None
        shoe = parse_shoe(message.id)
        if shoe == self._shoe:
            self._keep(self._witness.command(entry.major, message))
        elif shoe is not None and shoe > self._shoe:
            self._early.setdefault(shoe, []).append((entry.major, message))
        return shoe

    def line(self, message: Message[Said] | None) -> None:
        """Take what the next line of the log says, None where that cannot be read."""
        if message is None:
            return
        if not isinstance(message.data, ev.Event):
            self._witness.outcome(message)
            return
        entry = EntryId(self._shoe, self._seq + 1)
        if message.id != f"{entry.major}-{entry.minor}":  # a call of Python's less for most
            try:
                entry = EntryId.parse(message.id)
            except InputError:
                return
        self._seq = entry.minor
        if isinstance(message.data, ev.ShoeOpened) and entry.major != self._shoe:
            self._begin(entry.major)
        self._keep(self._witness.event(message, self._arrived.pop(entry, None)))

    def close(self) -> None:
        """Say what had no answer, now that the shoe is closed and its commands are heard."""
        self._keep(self._witness.finish())

    def _begin(self, shoe: int) -> None:
        self._shoe = shoe
        self._witness = LiveWitness(self._table, shoe, simulated=self._simulated)
        self._arrived = {entry: at for entry, at in self._arrived.items() if entry.major >= shoe}
        for old in [number for number in self._early if number < shoe]:
            del self._early[old]
        for at_ms, message in self._early.pop(shoe, []):
            self._keep(self._witness.command(at_ms, message))

    def _keep(self, findings: tuple[Finding, ...]) -> None:
        if not findings:
            return
        path = self._folder / f"{self._shoe}{LIVE}"
        kept = set(path.read_bytes().splitlines()) if path.exists() else set()
        with path.open("ab") as record:
            for line in map(dump, findings):
                if line not in kept:
                    record.write(line + b"\n")
