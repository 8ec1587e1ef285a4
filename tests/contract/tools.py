"""What the journal's tests share: entries, and a reader that remembers what it was given."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from schemas.address import EntryId
from services.journal import Contiguity, Entry

if TYPE_CHECKING:
    from collections.abc import Callable

    from schemas.address import Streams
    from schemas.errors import Lost
    from services.journal import Follower, Journal, ShoeStart


def shoe(number: int, *seqs: int, mark: bytes = b"") -> list[Entry]:
    return [Entry(EntryId(number, seq), b"%d-%d %s" % (number, seq, mark)) for seq in seqs]


async def until(true: Callable[[], object], seconds: float = 15) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "waited in vain"
        await asyncio.sleep(0.005)


class Reader:
    """Keeps what is delivered, and what is said instead."""

    def __init__(self) -> None:
        self.got: list[Entry] = []
        self.lost: list[Lost] = []
        self.errors: list[Exception] = []

    @property
    def ids(self) -> list[tuple[int, int]]:
        return [tuple(entry.id) for entry in self.got]  # type: ignore[misc]

    async def take(self, batch: list[Entry]) -> None:
        self.got += batch

    async def on_lost(self, lost: Lost) -> None:
        self.lost.append(lost)

    async def on_error(self, error: Exception) -> None:
        self.errors.append(error)

    async def follow(
        self,
        journal: Journal,
        stream: str,
        after: EntryId | ShoeStart = EntryId(0, 0),  # noqa: B008
        kind: Contiguity = Contiguity.EVENTS,
        linger: float = 0.0,
    ) -> Follower:
        return await journal.follow(
            stream,
            after,
            self.take,
            kind=kind,
            on_lost=self.on_lost,
            on_error=self.on_error,
            linger=linger,
        )


def all_streams(streams: Streams) -> list[str]:
    return [streams.events, streams.outcomes, streams.verdicts, streams.commands]
