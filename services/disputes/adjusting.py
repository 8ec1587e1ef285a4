"""Money that a resolution moves: asked of the dealer once, and found again. Moves none itself.

The dealer says ``money.adjusted`` in the open shoe, else right after the next ``shoe.opened``. The
command's id is derived from the shoe and the dispute, so that asking again is asking once; the next
shoe is asked only when the one before is closed, and then can answer no more.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, Literal

import msgspec

from schemas.address import EntryId, Sources, Streams
from schemas.commands import MoneyAdjust, command_id
from schemas.disputes import DESK
from schemas.envelope import decode_event, encode
from schemas.errors import Unreadable
from schemas.events import CommandRefused, MoneyAdjusted, ShoeClosed
from schemas.instant import spell

if TYPE_CHECKING:
    from pathlib import Path

    from schemas.events import CommandRefusal
    from services.journal import Entry, Journal
    from services.ledger.disputes import Dispute
    from services.runtime.clocks import Clock

_POLL_S: Final = 0.02
_BATCH: Final = 2000
_ADJUSTED, _REFUSED, _CLOSED = (
    f'"type":"{name}"'.encode() for name in ("money.adjusted", "command.refused", "shoe.closed")
)


class Adjusted(msgspec.Struct, frozen=True):
    """What became of an adjustment: said ``at`` an address, refused, or waiting for the dealer."""

    state: Literal["said", "refused", "waiting"]
    command: str | None = None
    at: str | None = None
    reason: CommandRefusal | None = None


class _Table:
    """What a table's events say of one dispute's money, as far as they were read."""

    def __init__(self, dispute: Dispute) -> None:
        self._dispute = dispute
        self.next = EntryId(dispute.at.shoe, 0)
        self.shoe = 0
        self.closed = True
        self.said: Adjusted | None = None
        self.refused: dict[int, CommandRefusal] = {}

    def read(self, entry: Entry) -> None:
        """Take the next event."""
        self.next = EntryId(entry.id.major, entry.id.minor + 1)
        if entry.id.major != self.shoe:
            self.shoe, self.closed = entry.id.major, False
        if not (_ADJUSTED in entry.data or _REFUSED in entry.data or _CLOSED in entry.data):
            return
        try:
            event = decode_event(entry.data).data
        except Unreadable:
            return
        if isinstance(event, ShoeClosed):
            self.closed = True
        elif isinstance(event, MoneyAdjusted) and event.dispute == self._dispute.address:
            at = f"{self._dispute.table}/{entry.id}"
            self.said = self.said or Adjusted("said", event.command, at)
        elif isinstance(event, CommandRefused) and event.command == _name(
            self._dispute, entry.id.major
        ):
            self.refused[entry.id.major] = event.reason


async def adjust(
    journal: Journal, log_dir: Path, dispute: Dispute, clock: Clock, *, wait: float
) -> Adjusted:
    """Ask the dealer for the money of a resolved dispute, unless it was moved already.

    Gives his answer, or, after ``wait`` seconds without one, that it waits with him.
    """
    before = adjusted_in(log_dir, dispute)
    if before is not None:
        return before
    streams = Streams(dispute.table)
    table = _Table(dispute)
    asked: set[int] = set()
    loop = asyncio.get_running_loop()
    end = loop.time() + wait
    # Where the disputed shoe and all after it are trimmed or were never here, the last one tells.
    newest = await journal.last_id(streams.events)
    table.next = min(table.next, EntryId(max(newest.major, 1), 0))
    while True:
        while entries := await journal.read(streams.events, table.next, None, _BATCH):
            for entry in entries:
                table.read(entry)
        if table.said is not None:
            return table.said
        shoe = table.shoe + 1 if table.closed else table.shoe
        name = _name(dispute, shoe)
        reason = table.refused.get(shoe)
        if reason is not None and reason != "shoe-ended":
            return Adjusted("refused", name, None, reason)
        if reason is None and shoe not in asked:
            asked.add(shoe)
            await journal.send(streams.commands, [_command(dispute, name, clock)])
        if loop.time() > end:
            return Adjusted("waiting", name)
        await asyncio.sleep(_POLL_S)


def adjusted_in(log_dir: Path, dispute: Dispute) -> Adjusted | None:
    """Find a dispute's ``money.adjusted`` in the table's logs; None where it is not there (yet)."""
    folder = log_dir / dispute.table
    logs = [path for path in folder.glob("*.jsonl") if path.stem.isdecimal()]
    for path in sorted(logs, key=lambda path: int(path.stem)):
        if int(path.stem) < dispute.at.shoe:
            continue
        with path.open("rb") as log:
            for line in log:
                if _ADJUSTED in line and (found := _moves(line.rstrip(b"\n"), dispute)):
                    return found
    return None


def _moves(line: bytes, dispute: Dispute) -> Adjusted | None:
    try:
        message = decode_event(line)
    except Unreadable:
        return None
    said = message.data
    if not isinstance(said, MoneyAdjusted) or said.dispute != dispute.address:
        return None
    return Adjusted("said", said.command, f"{dispute.table}/{message.id}")


def _name(dispute: Dispute, shoe: int) -> str:
    return command_id(shoe, "money.adjust", DESK, dispute.number)


def _command(dispute: Dispute, name: str, clock: Clock) -> bytes:
    """Spell the command; the dispute is resolved with an adjustment."""
    resolved = dispute.resolved
    if resolved is None or resolved.adjustment is None:
        raise AssertionError("only a resolution moves money")
    money = resolved.adjustment
    asks = MoneyAdjust(
        at=str(dispute.at),
        bettor=money.bettor,
        amount=money.amount,
        reason=resolved.finding,
        by=resolved.by,
        bet=money.bet,
        dispute=dispute.address,
    )
    return encode(name, Sources(dispute.table).commands, spell(clock.next(None)), asks)
