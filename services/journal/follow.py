"""Follow one stream from a position: each entry once, in order, or said to be lost.

It may not decide what an entry means, nor write.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Final

import structlog
from faststream.middlewares import AckPolicy
from faststream.redis import StreamSub
from faststream.redis.message import FAKE_CONSUMER, RedisBatchStreamMessage

from schemas.address import LARGEST, START, EntryId
from schemas.errors import Lost
from services.journal.append import ShoeStart
from services.journal.contiguity import break_in
from services.journal.identity import check_identity
from services.journal.wire import Entry, ask, cancelled, entries, entry, until_answered

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from faststream.redis import RedisBroker
    from faststream.redis.message import BatchStreamMessage
    from faststream.redis.subscriber.usecases import StreamBatchSubscriber

    from services.journal.contiguity import Contiguity
    from services.journal.wire import Client

    Handler = Callable[[list[Entry]], Awaitable[None]]
    OnLost = Callable[[Lost], Awaitable[None]]
    OnError = Callable[[Exception], Awaitable[None]]

_BATCH: Final = 500
_BLOCK_MS: Final = 5_000
#: A batch is checked against a stream begun anew when the last check is older than this.
_FRESH_S: Final = 0.05
#: Redis's largest id part: nothing of the shoe before comes after it.
_TOP: Final = 2**64 - 1

log = structlog.get_logger(__name__)


async def _as_it_is(message: BatchStreamMessage) -> RedisBatchStreamMessage:
    return RedisBatchStreamMessage(
        raw_message=message, body=b"", consumer=FAKE_CONSUMER, group=None
    )


async def _raw(message: RedisBatchStreamMessage) -> BatchStreamMessage:
    return message.raw_message


class Subscription:
    """One followed stream. Made by ``Journal.follow``."""

    def __init__(
        self,
        client: Client,
        broker: RedisBroker,
        stream: str,
        after: EntryId | ShoeStart,
        handler: Handler,
        kind: Contiguity,
        on_lost: OnLost,
        on_error: OnError | None,
    ) -> None:
        """Keep what to do; nothing is read before ``up``."""
        self.stream = stream
        self.kind = kind
        self.position = (
            EntryId(after.shoe - 1, _TOP) if isinstance(after, ShoeStart) else EntryId(*after)
        )
        #: The bytes at ``position``, when it is an entry that was seen.
        self.data: bytes | None = None
        #: The entry up to which the stream was last found to be the one we read.
        self.anchor: Entry | None = None
        self.ended = False
        self.turn = asyncio.Lock()
        self._client, self._broker = client, broker
        self._handler, self._on_lost, self._on_error = handler, on_lost, on_error
        self._live: StreamBatchSubscriber | None = None
        self._checked = 0.0
        self._known = self.position != START and self.position.minor <= LARGEST
        self._saying: set[asyncio.Task[None]] = set()

    @property
    def is_up(self) -> bool:
        """Tell whether a subscriber of FastStream is reading for us."""
        return self._live is not None

    def suspect(self) -> None:
        """Have the next batch checked first: something happened to Redis."""
        self._checked = 0.0

    async def up(self) -> None:
        """Start to read at our own position, with exactly one subscriber of FastStream."""
        async with self.turn:
            await self._down()
            if self.ended:
                return
            try:
                await self.check()
            except Lost as lost:
                self._end(lost)
                return
            live = self._broker.subscriber(
                stream=StreamSub(
                    self.stream,
                    batch=True,
                    max_records=_BATCH,
                    last_id=str(self.position),
                    polling_interval=_BLOCK_MS,
                ),
                parser=_as_it_is,
                decoder=_raw,
                ack_policy=AckPolicy.MANUAL,
                no_reply=True,
                persistent=False,
            )

            async def receive(raw: BatchStreamMessage) -> None:
                async with self.turn:
                    if self._live is live and not self.ended:
                        await self._deliver(raw)

            live(receive)
            self._live = live
            try:
                await live.start()
            except BaseException:
                await self._down()
                raise

    async def stop(self) -> None:
        """Deliver nothing more. May be called from within the handler."""
        self.ended = True
        await self._down()

    async def said(self) -> None:
        """Wait until ``on_lost`` and ``on_error`` have returned."""
        await asyncio.gather(*self._saying, return_exceptions=True)

    async def check(self) -> None:
        """Make sure that the stream is the one we read; raises ``Lost`` when it is not."""
        position, data = self.position, self.data
        if self._known:
            data = await check_identity(
                self._client, self.stream, self.kind, self.anchor, position, data
            )
        if self.position == position:
            self.data = data
        self.passed(None if data is None else Entry(position, data))

    def passed(self, anchor: Entry | None) -> None:
        """Take a check as passed, up to this entry."""
        self.anchor = anchor
        self._checked = time.monotonic()

    def lost(self, lost: Lost) -> None:
        """End here: what comes next cannot be trusted."""
        if not self.ended:
            self._end(lost)

    async def _deliver(self, raw: BatchStreamMessage) -> None:
        """Deliver what is new; nothing may escape, for FastStream would lose the batch."""
        try:
            batch = await self._checked_batch(raw)
            if batch:
                await self._handler(batch)
                self.position, self.data = batch[-1]
                if self.anchor is None:
                    self.anchor = batch[-1]
                self._known = True
        except Lost as lost:
            self._end(lost)
        except Exception as error:
            log.exception("following failed", stream=self.stream, after=str(self.position))
            self._end(error)

    async def _checked_batch(self, raw: BatchStreamMessage) -> list[Entry]:
        batch = [entry(row) for row in zip(raw["message_ids"], raw["data"], strict=True)]
        if batch[0].id <= self.position:
            batch = [one for one in batch if one.id > self.position]
        if time.monotonic() - self._checked > _FRESH_S:
            await until_answered(f"check of {self.stream}", self.check)
        if break_in(self.kind, self.position, batch) is not None:
            batch = await self._again(batch[-1].id)
        return batch

    async def _again(self, last: EntryId) -> list[Entry]:
        """Read a batch with a gap again from Redis; raises ``Lost`` when it is really missing."""
        words = ("XRANGE", self.stream, f"({self.position}", str(last))
        answer = await until_answered(f"read of {self.stream}", lambda: ask(self._client, *words))
        batch = entries(answer)
        index = break_in(self.kind, self.position, batch)
        if batch and index is None:
            return batch
        before = batch[index - 1].id if index else self.position
        found = batch[index or 0].id if batch else "nothing"
        what = f"{self.stream}: nothing follows {before}: found {found} next, entries are missing"
        raise Lost(what)

    def _end(self, why: Exception) -> None:
        self.ended = True
        if self._live is not None:
            self._live.running = False
        said = self._on_lost(why) if isinstance(why, Lost) else None
        if said is None:
            if self._on_error is None:
                return
            said = self._on_error(why)
        task = asyncio.ensure_future(_say(said, self.stream))
        self._saying.add(task)
        task.add_done_callback(self._saying.discard)

    async def _down(self) -> None:
        """End FastStream's subscriber for certain: its tasks cancelled, and gone."""
        live, self._live = self._live, None
        if live is None:
            return
        live.running = False
        mine = asyncio.current_task()
        while live.tasks:  # taken away first: the supervisor starts none of them again
            tasks = [task for task in live.tasks if task is not mine]
            live.tasks.clear()
            await cancelled(tasks)


async def _say(said: Awaitable[None], stream: str) -> None:
    try:
        await said
    except Exception:
        log.exception("could not say that following ended", stream=stream)
