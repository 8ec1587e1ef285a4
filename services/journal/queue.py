"""A work queue in a Redis stream: at least once, competing workers, dead letters.

For work whose order is of no matter. It may not be used for the tables' own streams.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, cast

from redis.exceptions import ResponseError

from schemas.address import CLOSED
from services.journal.rows import FIELD
from services.journal.wire import ask

if TYPE_CHECKING:
    from services.journal.wire import Client

    Row = tuple[bytes, dict[bytes, bytes] | None]

_BLOCK_MS: Final = 1_000


class Job(NamedTuple):
    """A piece of work: its id in the queue, what was said, how often it was handed out."""

    id: str
    data: bytes
    deliveries: int


class WorkQueue:
    """One worker's hold on a consumer group."""

    def __init__(
        self,
        client: Client,
        *,
        consumer: str,
        stream: str = CLOSED,
        group: str = "auditors",
        claim_after_ms: int = 60_000,
        max_deliveries: int = 5,
    ) -> None:
        """Name the queue, and this worker; another worker's job is taken over when so long idle."""
        self._client = client
        self._stream, self._group, self._consumer = stream, group, consumer
        self._claim_after_ms = claim_after_ms
        self._max_deliveries = max_deliveries
        self.dead = f"{stream}:dead"

    async def take(self, block_ms: int = _BLOCK_MS) -> Job | None:
        """Take one job: an abandoned one, else a new one, waiting for it ``block_ms``; or None.

        A job that was handed out too often goes to ``dead`` instead.
        """
        try:
            return await self._take(block_ms)
        except ResponseError as error:
            if not str(error).startswith("NOGROUP"):
                raise
        await self._make_group()
        return await self._take(block_ms)

    async def done(self, job: Job) -> None:
        """Say that a job is done, whoever holds it."""
        await ask(self._client, "XACK", self._stream, self._group, job.id)

    async def bury(self, job: Job, reason: str) -> None:
        """Put a job aside for a person to look at; a crash in between doubles it at worst."""
        await ask(
            self._client,
            "XADD",
            self.dead,
            "*",
            FIELD,
            job.data,
            "job",
            job.id,
            "reason",
            f"{self._stream} {job.id}: {reason}",
        )
        await self.done(job)

    async def _make_group(self) -> None:
        try:
            await ask(self._client, "XGROUP CREATE", self._stream, self._group, "0", "MKSTREAM")
        except ResponseError as error:
            if not str(error).startswith("BUSYGROUP"):
                raise

    async def _take(self, block_ms: int) -> Job | None:
        while (job := await self._claim()) is not None:
            if job.deliveries <= self._max_deliveries:
                return job
            await self.bury(job, f"handed out {job.deliveries - 1} times and never done")
        answer = cast(
            "list[tuple[bytes, list[Row]]] | None",
            await ask(
                self._client,
                "XREADGROUP",
                "GROUP",
                self._group,
                self._consumer,
                "COUNT",
                1,
                *(("BLOCK", block_ms) if block_ms else ()),
                "STREAMS",
                self._stream,
                ">",
            ),
        )
        if not answer or not answer[0][1]:
            return None
        name, fields = answer[0][1][0]
        return Job(name.decode(), (fields or {}).get(FIELD, b""), 1)

    async def _claim(self) -> Job | None:
        """Take over the oldest job that a worker has held too long, this one included."""
        start = b"0-0"
        while True:
            answer = cast(
                "tuple[bytes, list[Row]]",
                await ask(
                    self._client,
                    "XAUTOCLAIM",
                    self._stream,
                    self._group,
                    self._consumer,
                    self._claim_after_ms,
                    start,
                    "COUNT",
                    1,
                ),
            )
            start, rows = answer[0], answer[1]
            for name, fields in rows:
                if fields is None:  # deleted from the stream since (Redis 6.2)
                    continue
                return Job(name.decode(), fields.get(FIELD, b""), await self._deliveries(name))
            if start == b"0-0":
                return None

    async def _deliveries(self, name: bytes) -> int:
        rows = await self._client.xpending_range(self._stream, self._group, name, name, 1)
        return int(rows[0]["times_delivered"]) if rows else 1
