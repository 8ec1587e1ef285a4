"""Reads several streams of one table by one blocking call: each entry once, or it is lost.

One connection a table, and one call in ten seconds while nothing is said. It may not write, decide
what an entry means, or read on where a stream is not the one that was read.
"""

from __future__ import annotations

import asyncio
import time
from hashlib import sha1
from typing import TYPE_CHECKING, Final, NamedTuple

from schemas.address import START, EntryId
from schemas.errors import Lost
from services.journal.contiguity import break_in
from services.journal.identity import check_identity
from services.journal.line import Line
from services.journal.rows import Entry, answered, by_stream
from services.journal.wire import Waiting, at_key, is_trouble

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from services.journal.contiguity import Contiguity
    from services.journal.wire import Client, Value

#: So many entries of each stream at once.
_BATCH: Final = 500
#: Less than a call's patience: an answer that is late is no lost connection.
_BLOCK_MS: Final = 10_000
#: Streams that are read are looked at so often for having been begun anew.
_FRESH_S: Final = 1.0

_SAME: Final = """
for i = 1, #ARGV, 3 do
  local found = redis.call('XRANGE', KEYS[tonumber(ARGV[i])], ARGV[i + 1], ARGV[i + 1])[1]
  if not found or found[2][1] ~= '__data__' or redis.sha1hex(found[2][2]) ~= ARGV[i + 2] then
    return 0
  end
end
return 1
"""
_SAME_SHA: Final = sha1(_SAME.encode(), usedforsecurity=False).hexdigest()


class Source(NamedTuple):
    """A stream to read, the order that its ids keep, and the entry to read after."""

    stream: str
    kind: Contiguity
    after: EntryId = START


class _Read:
    """How far a stream was read."""

    __slots__ = ("anchor", "data", "kind", "position", "stream")

    def __init__(self, source: Source) -> None:
        self.stream, self.kind, self.position = source
        #: The bytes at ``position``, where they were seen.
        self.data: bytes | None = None
        #: The entry at ``position`` when the check before passed.
        self.anchor: Entry | None = None

    def passed(self) -> None:
        self.anchor = None if self.data is None else Entry(self.position, self.data)

    def known(self) -> Iterator[Entry]:
        if self.data is not None:
            yield Entry(self.position, self.data)
        if self.anchor is not None and self.anchor.id != self.position:
            yield self.anchor


class Gather:
    """One reading of a table's streams. The streams of a table lie in one Cluster slot."""

    def __init__(
        self,
        client: Client,
        sources: Sequence[Source],
        take: Callable[[list[list[Entry]]], None],
        caught_up: Callable[[], None],
        *,
        block_ms: int = _BLOCK_MS,
        fresh_s: float = _FRESH_S,
    ) -> None:
        """Hand what comes to ``take``, a list a source; ``caught_up``: there is no more for now.

        Nothing is read before ``run``.
        """
        #: Times that Redis did not answer.
        self.outages = 0
        #: Whether Redis answered last.
        self.is_reading = False
        self._client = client
        self._line = Line(client)
        self._reads = [_Read(source) for source in sources]
        self._place = {one.stream.encode(): at for at, one in enumerate(self._reads)}
        self._take, self._caught_up = take, caught_up
        self._block_ms, self._fresh_s = block_ms, fresh_s
        self._checked = 0.0

    @property
    def positions(self) -> list[EntryId]:
        """The last entry of each source that was handed over."""
        return [one.position for one in self._reads]

    async def run(self) -> None:
        """Read until cancelled; raises ``Lost`` when what comes next cannot be trusted."""
        waiting = Waiting(f"read of {self._reads[0].stream} and its like")
        behind = True
        try:
            while True:
                try:
                    if time.monotonic() - self._checked > self._fresh_s:
                        await self._check()
                    batches = await self._next(None if behind else self._block_ms)
                except Exception as error:  # noqa: BLE001 (raised again unless waiting mends it)
                    self._met(error, again=waiting.going_on)
                    behind = True
                    await waiting.after(error)
                    continue
                waiting.over()
                self.is_reading = True
                if any(batches):
                    self._hand_over(batches)
                    behind = behind or any(len(one) == _BATCH for one in batches)
                    if behind:
                        await asyncio.sleep(0)
                elif behind:
                    behind = False
                    self._caught_up()
        finally:
            await self._line.close()

    def _met(self, error: Exception, *, again: bool) -> None:
        if is_trouble(error):
            self.outages += not again
            self.is_reading = False
            self._checked = 0.0  # whoever answers next may be another

    async def _next(self, block_ms: int | None) -> list[list[Entry]]:
        """Read what comes after our positions, in the sources' order."""
        reads = self._reads
        words: list[Value] = ["XREAD", "COUNT", _BATCH]
        if block_ms is not None:
            words += ("BLOCK", block_ms)
        words.append("STREAMS")
        words += (one.stream for one in reads)
        words += (str(one.position) for one in reads)
        with at_key(reads[0].stream):
            answer = await self._line.ask(*words)
        found: list[list[Entry]] = [[] for _ in reads]
        for name, rows in by_stream(answer):
            found[self._place[name]] = answered(rows)
        return found

    def _hand_over(self, batches: list[list[Entry]]) -> None:
        for one, some in zip(self._reads, batches, strict=True):
            index = break_in(one.kind, one.position, some)
            if index is not None:
                before = some[index - 1].id if index else one.position
                what = f"nothing follows {before}: found {some[index].id}, entries are missing"
                raise Lost(f"{one.stream}: {what}")
        for one, some in zip(self._reads, batches, strict=True):
            if some:
                one.position, one.data = some[-1]
                one.anchor = one.anchor or some[-1]
        self._take(batches)

    async def _check(self) -> None:
        """Make sure that each stream is the one that we read; raises ``Lost`` when it is not."""
        words: list[Value] = []
        for at, one in enumerate(self._reads, 1):
            for entry in one.known():
                words += (at, str(entry.id), sha1(entry.data, usedforsecurity=False).hexdigest())
        streams = [one.stream for one in self._reads]
        if words and await self._line.run(_SAME_SHA, _SAME, streams, words) != 1:
            for one in self._reads:
                if one.data is not None:
                    await check_identity(
                        self._client, one.stream, one.kind, one.anchor, one.position, one.data
                    )
        for one in self._reads:
            one.passed()
        self._checked = time.monotonic()
