"""What is said on one connection, a call at a time. redis-py opens it, and opens the next one.

A plain protocol on hiredis' reader: redis-py's streams cost a call as much as its journey to Redis.
It may not know what is said, nor say anything again.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, cast

from hiredis import PushNotification, Reader
from redis._parsers.base import BaseParser
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import InvalidResponse, RedisError

from services.journal.wire import PATIENCE

if TYPE_CHECKING:
    from redis.asyncio.connection import AbstractConnection

_NOTHING: Final = object()
_CLOSED: Final = "the connection was closed by the server"
_ONE: Final = "one call at a time: the answer to the last one was not waited for"
_UNASKED: Final = "an answer that nobody asked for"


class Talk(asyncio.Protocol):
    """Takes over the transport of a connection that is open, and logged in where that is due."""

    def __init__(self, connection: AbstractConnection) -> None:
        """Listen; until it is ended nobody else may use the connection."""
        self.connection = connection
        heard = cast("asyncio.StreamReader", connection._reader)  # noqa: SLF001 - no public way
        writer = cast("asyncio.StreamWriter", connection._writer)  # noqa: SLF001 - no public way
        self._transport = cast("asyncio.Transport", writer.transport)
        self._reader = Reader(
            protocolError=InvalidResponse,
            replyError=BaseParser.parse_error,
            notEnoughData=_NOTHING,
        )
        self._loop = asyncio.get_running_loop()
        self._answer: asyncio.Future[object] | None = None
        self._asked = 0.0
        self._watch: asyncio.TimerHandle | None = None
        self._over: Exception | None = None
        #: redis-py's own protocol: whoever closes the connection waits for what it hears.
        self._before = cast("asyncio.Protocol", self._transport.get_protocol())
        self._transport.set_protocol(self)
        if heard.at_eof() or self._transport.is_closing():  # redis-py's protocol was told, not we
            self._close(RedisConnectionError(_CLOSED))

    def ask(self, packed: bytes) -> asyncio.Future[object]:
        """Send one command and give the answer to come; an error that Redis answers is its error.

        Whoever does not wait for the answer has to ``end`` the talk: nothing more can be asked.
        """
        answer = self.expect()
        self._transport.write(packed)
        return answer

    def expect(self) -> asyncio.Future[object]:
        """Give the answer to come to one command that is sent a little later, by ``send``."""
        if self._over is not None:
            raise self._over
        if self._answer is not None:
            raise RuntimeError(_ONE)
        loop = self._loop
        self._answer = answer = loop.create_future()
        self._asked = loop.time()
        if self._watch is None:
            self._watch = loop.call_at(self._asked + PATIENCE, self._look)
        return answer

    def send(self, packed: bytes) -> None:
        """Send the command that is expected to be answered, unless the talk was ended since."""
        if self._over is None:
            self._transport.write(packed)

    async def end(self) -> None:
        """Close the connection, without waiting for that; what is not sent yet never is."""
        self._close(RedisConnectionError(_CLOSED))
        self._transport.abort()
        await self.connection.disconnect(nowait=True)

    def data_received(self, data: bytes) -> None:
        """Hear part of an answer, or all of it."""
        reader = self._reader
        try:
            reader.feed(data)
            while (heard := reader.gets()) is not _NOTHING:
                if not isinstance(heard, PushNotification):  # nobody asked
                    self._answered(heard)
        except RedisError as error:
            self._give_up(error)
        except Exception as error:  # noqa: BLE001 - hiredis and redis-py raise what they like
            unread = InvalidResponse("an answer that cannot be read")
            unread.__cause__ = error
            self._give_up(unread)

    def _answered(self, heard: object) -> None:
        answer, self._answer = self._answer, None
        if answer is None:
            if self._over is None:
                raise RedisConnectionError(_UNASKED)
        elif answer.done():  # cancelled: no answer after this one can be told from it
            self._answer = answer
        elif isinstance(heard, RedisError):
            answer.set_exception(heard)
        else:
            answer.set_result(heard)

    def connection_lost(self, exc: Exception | None) -> None:
        """Hear that the connection is gone."""
        error = RedisConnectionError(_CLOSED)
        error.__cause__ = exc
        self._close(error)
        self._before.connection_lost(exc)

    def _look(self) -> None:
        """See whether an answer is overdue: one timer in so many seconds, not one a call."""
        self._watch = None
        if self._answer is None:
            return  # the next call sets it again
        due = self._asked + PATIENCE
        if self._loop.time() < due:
            self._watch = self._loop.call_at(due, self._look)
        else:
            self._give_up(TimeoutError(f"no answer in {PATIENCE:.0f} s"))

    def _give_up(self, error: Exception) -> None:
        self._close(error)
        self._transport.abort()

    def _close(self, error: Exception) -> None:
        self._over = self._over or error
        if self._watch is not None:
            self._watch.cancel()
            self._watch = None
        answer, self._answer = self._answer, None
        if answer is not None and not answer.done():
            answer.set_exception(error)
