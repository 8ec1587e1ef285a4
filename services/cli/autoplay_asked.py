"""What a self-playing table is asked for and what comes of it, and whether it can be had here."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from schemas.address import START, Streams
from schemas.errors import InputError
from services.ledger.writer import LogWriter

if TYPE_CHECKING:
    from schemas.commands import ShoeOpen
    from services.bettors.nine import BettingSystem
    from services.cli.figures import Figures
    from services.cli.wiring import Simulation
    from services.journal import Journal
    from services.runtime.settings import Settings


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be played; money in minor units, ``pace`` in seconds."""

    table: str
    opens: ShoeOpen
    system: BettingSystem
    bankroll: int
    hands: int
    pace: float
    simulation: Simulation
    time: str
    start_count: int | None
    title: str
    currency: str


class Done(msgspec.Struct, frozen=True, kw_only=True):
    """What came of it. ``commitment``: the first shoe's, which makes this run that run.

    ``verdict`` is open where the last shoe was not audited; ``trouble`` is what stopped a table.
    """

    figures: Figures
    verdict: str
    faults: list[str]
    interrupted: bool
    trouble: Exception | None
    seconds: float
    commitment: str


def check_logs(settings: Settings, asked: Asked) -> None:
    """Refuse a table whose logs are there already, or are being written."""
    mend = "move it away, or give another --seed or --log-dir"
    writer = LogWriter(settings.log_dir, asked.table)
    if any(writer.folder.glob("*.jsonl")):
        raise InputError("logs of this table are there already", str(writer.folder), mend)
    free = writer.try_acquire()
    writer.close()
    if not free:
        raise InputError("another program is writing this table's logs", str(writer.folder), mend)


async def check_streams(journal: Journal, table: str) -> None:
    """Refuse a table that was played in this Redis before: its shoes would be taken for ours."""
    streams = Streams(table)
    for stream in (streams.events, streams.commands):
        if await journal.last_id(stream) != START:
            what = "this table was played in that Redis already"
            raise InputError(what, stream, "give another --seed")
