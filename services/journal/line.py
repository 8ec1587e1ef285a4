"""Connections kept for what is said often: a call costs half of what one of the client does.

Each carries one call at a time. It may not know what is said on it, nor say anything again.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, cast

from hiredis import pack_command
from redis.asyncio import RedisCluster
from redis.exceptions import NoScriptError, ResponseError

from services.journal.wire import PATIENCE, ask

if TYPE_CHECKING:
    from collections.abc import Sequence

    from redis.asyncio.connection import AbstractConnection

    from services.journal.wire import Client, Value


class Line:
    """Runs scripts; a cluster's client is used as it is, since it knows which node to ask."""

    def __init__(self, client: Client) -> None:
        """Take connections from the client's pool when they are needed."""
        self.client = client
        self._free: list[AbstractConnection] = []

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
        for connection in free:
            await connection.disconnect()
            if not isinstance(self.client, RedisCluster):
                await self.client.connection_pool.release(connection)

    async def ask(self, *words: Value) -> object:
        """Send one command and give the answer as Redis gave it."""
        client = self.client
        if isinstance(client, RedisCluster):
            return await ask(client, *words)
        pool = client.connection_pool
        connection = self._free.pop() if self._free else await pool.get_connection()  # type: ignore[no-untyped-call]
        try:
            async with asyncio.timeout(PATIENCE):
                # redis-py's own packing for asyncio is plain Python, and shows in every round.
                await connection.send_packed_command(pack_command(words))  # type: ignore[arg-type] # int in a union
                answer = cast("object", await connection.read_response())
        except ResponseError:
            self._free.append(connection)
            raise
        except BaseException:
            await connection.disconnect(nowait=True)
            await pool.release(connection)
            await self.close()  # the others met the same end, most likely
            raise
        self._free.append(connection)
        return answer
