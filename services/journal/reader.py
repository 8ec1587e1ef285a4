"""FastStream's broker with a client that reads streams on connections of their own.

A batch a round and reader is what a busy table costs; most of it would be redis-py's general call.
It may not know what is read, nor where reading goes on.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from faststream.redis import RedisBroker
from faststream.redis.configs.state import RedisConnectionState
from hiredis import pack_command
from redis.asyncio import Redis

from services.journal.line import Held, Line
from services.journal.rows import by_stream

if TYPE_CHECKING:
    from faststream.redis.configs.state import ConnectionState

    from services.journal.rows import Row

    Read = list[tuple[bytes, list[tuple[bytes, list[Row]]]]]


#: A last word of no bytes, packed.
_EMPTY: Final = b"$0\r\n\r\n"


class StreamClient(Redis):
    """A client whose ``xread`` takes the short way; all else is redis-py's."""

    _reading: Line | None = None
    #: Reads wait for the commands of the line that holds these.
    held: Held | None = None

    async def xread(  # type: ignore[override] # one way of calling it, FastStream's
        self,
        streams: Mapping[str, str],
        count: int | None = None,
        block: int | None = None,
    ) -> Read:
        """Read entries of one stream after the given id.

        All of them are given as one, under the last one's id and in the rows that Redis
        answered: FastStream hands it on as one batch, and copies nothing entry by entry.
        """
        if self._reading is None:
            self._reading = Line(self)
            self._reading.held = self.held or self._reading.held
        ((stream, after),) = streams.items()
        packed = b"%b$%d\r\n%b\r\n" % (_head(stream, count, block), len(after), after.encode())
        answer = await self._reading.ask_packed(packed, soon=True)
        return [(name, [(rows[-1][0], rows)]) for name, rows in by_stream(answer) if rows]

    async def aclose(self, close_connection_pool: bool | None = None) -> None:  # noqa: FBT001 - redis-py's
        """Give the connections back, and close as redis-py does."""
        if self._reading is not None:
            await self._reading.close()
        await super().aclose(close_connection_pool)


@lru_cache(maxsize=10_000)
def _head(stream: str, count: int | None, block: int | None) -> bytes:
    """Pack what is the same in each read of a stream, up to the id to read after."""
    limit = () if count is None else ("COUNT", count)
    wait = () if block is None else ("BLOCK", block)
    words = ("XREAD", *limit, *wait, "STREAMS", stream, "")
    packed: bytes = pack_command(words)
    return packed.removesuffix(_EMPTY)


class _StreamState(RedisConnectionState):
    async def connect(self) -> Redis:
        general = await super().connect()
        client = StreamClient.from_pool(general.connection_pool)
        general.auto_close_connection_pool = False
        self._client = client
        return client


class StreamBroker(RedisBroker):
    """FastStream's broker, whose subscribers read by ``StreamClient``."""

    def _make_connection_state(
        self,
        connection_options: dict[str, Any],
        kwargs: dict[str, Any],  # noqa: ARG002 - FastStream's signature
    ) -> ConnectionState[Any]:
        return _StreamState(connection_options)
