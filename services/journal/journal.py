"""The journal: append, read and follow table streams. It knows ids and bytes, not what they say."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from faststream.redis import RedisBroker, RedisClusterBroker
from redis.asyncio import Redis, RedisCluster
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from schemas.address import EntryId
from services.journal import append, read, trim
from services.journal.append import ShoeStart
from services.journal.contiguity import Contiguity
from services.journal.follower import Follower
from services.journal.line import Line
from services.journal.reader import StreamBroker, StreamClient
from services.journal.rows import Entry
from services.journal.share import Shared
from services.journal.watch import Watcher
from services.journal.wire import until_answered

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from schemas.address import Streams
    from services.journal.append import Marks
    from services.journal.follower import Handler, OnError, OnLost
    from services.journal.read import Extent
    from services.journal.wire import Client

#: Every blocked read holds a connection: tables times streams, and some.
_CONNECTIONS = 10_000
_CLUSTER = "redis+cluster://"
#: Redis's largest id part: nothing of the shoe before comes after it.
_TOP = 2**64 - 1


class Journal:
    """The streams in one Redis (or Redis Cluster)."""

    def __init__(self, client: Client, broker: RedisBroker) -> None:
        """Use a client that does not retry, and a broker that is not started yet."""
        self.client = client
        self.broker = broker
        self._line = Line(client)
        self._watcher = Watcher(client)
        self._shared: dict[str, Shared] = {}

    async def append(
        self, stream: str, after: EntryId | ShoeStart, entries: Sequence[Entry]
    ) -> int:
        """Write what is not there yet; give how many were written. ``Conflict`` or ``Lost``."""
        return await append.append(self._line, stream, after, entries)

    async def append_until_said(
        self, stream: str, after: EntryId | ShoeStart, entries: Sequence[Entry]
    ) -> int:
        """Append, waiting out a lost connection."""
        what = f"append to {stream}"
        return await until_answered(what, append.append, self._line, stream, after, entries)

    async def append_and_mark(
        self, stream: str, after: EntryId | ShoeStart, entries: Sequence[Entry], marks: Marks
    ) -> int:
        """Append, waiting out a lost connection, and set what follows from it in the same step."""
        what = f"append to {stream}"
        return await until_answered(what, append.append, self._line, stream, after, entries, marks)

    async def send(self, stream: str, datas: Sequence[bytes]) -> None:
        """Add entries with ids of Redis's own, waiting out a lost connection; may repeat."""
        await append.send(self._line, stream, datas)

    async def read(
        self,
        stream: str,
        first: EntryId | None = None,
        last: EntryId | None = None,
        count: int | None = None,
    ) -> list[Entry]:
        """Read entries from ``first`` to ``last``, both included, waiting out an outage."""
        what = f"read {stream}"
        return await until_answered(what, read.read, self.client, stream, first, last, count)

    async def scan(
        self, stream: str, first: EntryId | None = None, batch: int = 500
    ) -> AsyncIterator[list[Entry]]:
        """Read from ``first`` (included) to the present end, in batches."""
        while found := await self.read(stream, first, None, batch):
            yield found
            major, minor = found[-1].id
            first = EntryId(major, minor + 1)

    async def last_id(self, stream: str) -> EntryId:
        """Give the last id that a stream gave out, trimmed or not; 0-0 for none."""
        return (await self._extent(stream)).last

    async def first_id(self, stream: str) -> EntryId | None:
        """Give the first id that is still there."""
        return (await self._extent(stream)).first

    async def last_entry(self, stream: str) -> Entry | None:
        """Give the newest entry that is there."""
        return await until_answered(f"read {stream}", read.last_entry, self._line, stream)

    async def last_of(self, stream: str, shoe: int) -> Entry | None:
        """Give the newest entry of a shoe that is there."""
        return await until_answered(f"read {stream}", read.last_of, self._line, stream, shoe)

    async def trim(
        self, streams: Streams, keep_from: int, commands_from: EntryId | None = None
    ) -> int:
        """Trim a table below shoe ``keep_from``; see ``services.journal.trim``."""
        what = f"trim {streams.events}"
        return await until_answered(what, trim.trim, self._line, streams, keep_from, commands_from)

    async def follow(
        self,
        stream: str,
        after: EntryId | ShoeStart,
        handler: Handler,
        *,
        kind: Contiguity,
        on_lost: OnLost,
        on_error: OnError | None = None,
        linger: float = 0.0,
    ) -> Follower:
        """Deliver each entry after ``after`` once and in order; waits until Redis answers.

        A stream is read once for all in this process that follow it. The handler must handle its
        own failures: one that escapes is logged, given to ``on_error``, and ends the following.
        When the stream turns out to be shorter than what was read, begun anew, or to lack
        entries, ``on_lost`` is called and nothing more is delivered. Who stops is delivered
        nothing more; the entry at his ``position`` was the last. Who may wait for more entries
        says how long by ``linger`` (seconds): a busy stream that only such follow is read so often.
        """
        client = await self.broker.connect()
        if isinstance(client, StreamClient):
            client.held = self._line.held
        begin = EntryId(after.shoe - 1, _TOP) if isinstance(after, ShoeStart) else EntryId(*after)
        follower = Follower(stream, begin, handler, on_lost, on_error, self._left, linger)
        shared = self._shared.get(stream)
        if shared is not None and not shared.subscription.ended:
            await shared.join(follower, first=False)
            return follower
        shared = self._shared[stream] = Shared(self._line, self.broker, stream, begin, kind)
        await shared.join(follower, first=True)
        await shared.begin()
        if not shared.subscription.ended:
            self._watcher.add(shared.subscription)
        return follower

    async def _left(self, follower: Follower) -> None:
        """Read a stream no longer that nobody follows."""
        shared = self._shared.get(follower.stream)
        if shared is None:
            return
        shared.leave(follower)
        if not shared.is_wanted:
            del self._shared[follower.stream]
            await shared.subscription.stop()

    async def _extent(self, stream: str) -> Extent:
        return await until_answered(f"read {stream}", read.extent, self.client, stream)

    async def aclose(self) -> None:
        """Stop following, and close all connections."""
        await self._watcher.stop()
        for shared in list(self._shared.values()):
            await shared.stop()
        with suppress(Exception):
            await self.broker.stop()
        await self._line.close()
        await self.client.aclose()


def connect(url: str) -> Journal:
    """Make a journal for ``redis://``, ``rediss://``, ``unix://`` or ``redis+cluster://``.

    Nothing is sent yet. The client does not retry by itself: ``XADD *`` would be said twice.
    """
    if url.startswith(_CLUSTER):
        url = url.replace(_CLUSTER, "redis://", 1)
        cluster = RedisCluster.from_url(url, socket_timeout=None, max_connections=_CONNECTIONS)
        return Journal(
            cluster,
            RedisClusterBroker(
                url,
                apply_types=False,
                logger=None,  # type: ignore[arg-type] # none: we log outages ourselves, once
                max_connections=_CONNECTIONS,
                socket_timeout=None,
            ),
        )
    client = Redis.from_url(
        url,
        retry=Retry(NoBackoff(), 0),
        driver_info=None,  # read anew from the package's files for each connection: 2 ms
        max_connections=_CONNECTIONS,
        socket_timeout=None,
    )
    broker = StreamBroker(
        url,
        apply_types=False,
        logger=None,  # type: ignore[arg-type] # none: we log outages ourselves, once
        max_connections=_CONNECTIONS,
        socket_timeout=None,
    )
    return Journal(client, broker)
