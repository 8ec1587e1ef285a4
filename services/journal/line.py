"""Connections kept for what is said often: a call costs half of what one of the client does.

Each carries one call at a time. It may not know what is said on it, nor say anything again.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, cast

from hiredis import pack_command
from redis.asyncio import RedisCluster
from redis.exceptions import NoScriptError, ResponseError

from services.journal.talk import Talk
from services.journal.wire import PATIENCE, ask

if TYPE_CHECKING:
    from collections.abc import Coroutine, Sequence

    from redis.asyncio import ConnectionPool, Redis

    from services.journal.wire import Client, Value


class Held:
    """Commands that wait for the next one that may not wait, so that Redis is woken once for both.

    To wake it costs as much as all else about a call. They wait for what is ready to run, no more.
    """

    def __init__(self) -> None:
        """Hold nothing yet."""
        self._waiting: list[tuple[Talk, bytes]] = []

    def add(self, talk: Talk, packed: bytes) -> None:
        """Hold one until what is ready to run has run, at the latest."""
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self.send)
        self._waiting.append((talk, packed))

    def send(self) -> None:
        """Send all that is held."""
        if self._waiting:
            waiting, self._waiting = self._waiting, []
            for talk, packed in waiting:
                talk.send(packed)


class Line:
    """Runs scripts; a cluster's client is used as it is, since it knows which node to ask."""

    def __init__(self, client: Client) -> None:
        """Take connections from the client's pool when they are needed."""
        self.client = client
        #: Asked once: redis-py's clusters are told by a protocol, which is slow to look.
        self._cluster = client if isinstance(client, RedisCluster) else None
        self._free: list[Talk] = []
        #: What is sent right after the next command of this line; may be shared with others.
        self.held = Held()

    async def run(
        self, sha: str, script: str, keys: Sequence[str], words: Sequence[Value]
    ) -> object:
        """Run a Lua script by its hash, or whole where Redis does not know it (any more)."""
        try:
            return await self.ask("EVALSHA", sha, len(keys), *keys, *words)
        except NoScriptError:
            return await self.ask("EVAL", script, len(keys), *keys, *words)

    async def close(self) -> None:
        """Give the connections back."""
        free, self._free = self._free, []
        for talk in free:
            await self._end(talk)

    def ask(self, *words: Value) -> Coroutine[None, None, object]:
        """Send one command and give the answer as Redis gave it."""
        if self._cluster is not None:
            return ask(self._cluster, *words)
        return self.ask_packed(pack_command(words))  # type: ignore[arg-type] # int in a union

    async def ask_packed(self, packed: bytes, *, soon: bool = False) -> object:
        """Send one command and give the answer, but not by a cluster.

        ``soon``: it may wait until another is sent, or nothing else is to be done.
        """
        talk = self._free.pop() if self._free else await self._begin()
        try:
            if soon:
                coming = talk.expect()
                self.held.add(talk, packed)
            else:
                coming = talk.ask(packed)
                self.held.send()
            answer = await coming
        except ResponseError:
            self._free.append(talk)
            raise
        except BaseException:
            await self._end(talk)
            await self.close()  # the others met the same end, most likely
            raise
        self._free.append(talk)
        return answer

    async def _begin(self) -> Talk:
        async with asyncio.timeout(PATIENCE):  # a server may accept us, and then say nothing
            return Talk(await self._pool.get_connection())  # type: ignore[no-untyped-call]

    async def _end(self, talk: Talk) -> None:
        await talk.end()
        await self._pool.release(talk.connection)

    @property
    def _pool(self) -> ConnectionPool:
        return cast("Redis", self.client).connection_pool
