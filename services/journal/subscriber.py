"""FastStream's part in following: one batch subscriber, started and ended for certain.

It hands stored bytes and ids on as they are. It may not check, order or remember them.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, Literal, Self

from faststream.middlewares import AckPolicy
from faststream.redis import StreamSub
from faststream.redis.message import FAKE_CONSUMER, RedisBatchStreamMessage

from services.journal import rows, wire

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from faststream.redis import RedisBroker
    from faststream.redis.message import BatchStreamMessage

    from services.journal.rows import Entry

#: Without a limit FastStream would read the whole backlog at once.
_BATCH: Final = 500
_BLOCK_MS: Final = 5_000
_NO_ID: Final = "-"


class Subscriber:
    """One subscriber of FastStream, reading one stream after one position."""

    def __init__(
        self,
        broker: RedisBroker,
        stream: str,
        after: str,
        receive: Callable[[Subscriber, list[Entry]], Awaitable[None]],
    ) -> None:
        """Register it; the broker forgets it with us."""
        self._sub = broker.subscriber(
            stream=_OneStream(
                stream,
                batch=True,
                max_records=_BATCH,
                last_id=after,
                polling_interval=_BLOCK_MS,
            ),
            parser=_as_it_is,
            decoder=_raw,
            ack_policy=AckPolicy.MANUAL,
            no_reply=True,
            persistent=False,
        )

        async def take(msg: BatchStreamMessage) -> None:
            await receive(self, _entries(msg["message_ids"], msg["data"]))

        self._sub(take)
        # A batch's way through middlewares, filters, scopes and publishers, of which we have none,
        # would cost a busy table a seventh of all that it does. Raises where FastStream has no
        # such name: we would go that way again, and be told by nobody.
        _ = self._sub.consume_one
        self._sub.consume_one = take  # type: ignore[method-assign]

    async def start(self) -> None:
        """Start to read; when this fails nothing is left running."""
        try:
            await self._sub.start()
        except BaseException:
            await self.end()
            raise

    def last(self) -> None:
        """Read no further after the batch in hand."""
        self._sub.running = False

    async def end(self) -> None:
        """Cancel its tasks and wait until they are gone (but for the one that calls)."""
        self._sub.running = False
        mine = asyncio.current_task()
        while self._sub.tasks:  # taken away first: the supervisor starts none of them again
            tasks = [task for task in self._sub.tasks if task is not mine]
            self._sub.tasks.clear()
            await wire.cancelled(tasks)


def _entries(
    names: list[bytes], data: list[dict[bytes, bytes]] | list[list[rows.Row]]
) -> list[rows.Entry]:
    """Read a batch, whole as ``StreamClient`` gives it or entry by entry as a cluster's does."""
    if isinstance(data[0], list):
        return rows.batch(data[0])
    return list(map(rows.entry, zip(names, data, strict=True)))


class _OneStream(StreamSub[Literal[True]]):
    """A stream under one name: FastStream asks for it with each batch, and would copy it whole."""

    def add_prefix(self, prefix: str) -> Self:
        return super().add_prefix(prefix) if prefix else self


async def _as_it_is(message: BatchStreamMessage) -> RedisBatchStreamMessage:
    # The ids are given, for FastStream would draw a random one for each batch.
    return RedisBatchStreamMessage(
        raw_message=message,
        body=b"",
        consumer=FAKE_CONSUMER,
        group=None,
        message_id=_NO_ID,
        correlation_id=_NO_ID,
    )


async def _raw(message: RedisBatchStreamMessage) -> BatchStreamMessage:
    return message.raw_message
