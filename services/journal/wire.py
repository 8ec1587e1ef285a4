"""What every module of the journal shares about Redis: clients, troubles to wait out, raw calls.

It may not know what an entry means.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, TypeAlias, cast

import structlog
from redis.exceptions import (
    AskError,
    BusyLoadingError,
    ClusterDownError,
    MasterDownError,
    OutOfMemoryError,
    ReadOnlyError,
    ResponseError,
    TryAgainError,
)
from redis.exceptions import (
    ConnectionError as RedisConnectionError,
)
from redis.exceptions import (
    TimeoutError as RedisTimeoutError,
)

from schemas.errors import Lost

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
    from typing import ParamSpec, TypeVar

    from redis.asyncio import Redis, RedisCluster

    Client: TypeAlias = Redis | RedisCluster
    Value: TypeAlias = str | bytes | int
    Given = TypeVar("Given")
    Words = ParamSpec("Words")

#: Redis does not answer for now, or not for writing: what we said is safe to say again.
TROUBLES: Final = (
    RedisConnectionError,
    RedisTimeoutError,
    BusyLoadingError,
    ReadOnlyError,
    MasterDownError,
    ClusterDownError,
    TryAgainError,
    AskError,
    OutOfMemoryError,
    OSError,
)
_WORDS: Final = ("MISCONF", "BUSY ", "LOADING", "READONLY", "MASTERDOWN", "NOREPLICAS")
_SHORTEST, _LONGEST = 0.05, 1.0
#: A server that does not answer for so long is taken for lost. The clients have no timeouts of
#: their own, which cost a task a command in Python 3.11.
PATIENCE: Final = 15.0
_AGAIN: Final = 0.1

log = structlog.get_logger(__name__)


def is_trouble(error: BaseException) -> bool:
    """Tell whether waiting may mend this."""
    if isinstance(error, TROUBLES):
        return True
    return isinstance(error, ResponseError) and str(error).startswith(_WORDS)


class at_key:  # noqa: N801 - it is used as a function
    """Work with a key of ours; one that another type of value replaced is lost."""

    __slots__ = ("_key",)

    def __init__(self, key: str) -> None:
        self._key = key

    def __enter__(self) -> None:
        """Begin."""

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        """Say what another type of value did; a script's error has it in the middle."""
        if isinstance(error, ResponseError) and "WRONGTYPE" in str(error):
            what = f"{self._key}: WRONGTYPE, another type of value stands there now"
            raise Lost(what) from error


async def ask(client: Client, *words: Value) -> object:
    """Send one command and give the answer."""
    async with asyncio.timeout(PATIENCE):
        return cast("object", await client.execute_command(*words))


async def ask_all(client: Client, commands: Iterable[Sequence[Value]]) -> list[object]:
    """Send commands in one round trip and give the answers; errors are answers too."""
    pipe = client.pipeline(transaction=False)
    for words in commands:
        pipe.execute_command(*words)
    async with asyncio.timeout(PATIENCE):
        return cast("list[object]", await pipe.execute(raise_on_error=False))


async def cancelled(tasks: Collection[asyncio.Task[None]]) -> None:
    """Cancel tasks and wait until they are gone; Python 3.11's wait_for may swallow a cancel."""
    left = set(tasks)
    while left:
        for task in left:
            task.cancel()
        _, left = await asyncio.wait(left, timeout=_AGAIN)


class Waiting:
    """Waits between attempts, longer each time, and logs an outage once."""

    __slots__ = ("_pause", "_what")

    def __init__(self, what: str) -> None:
        """Say what is being waited for, for the log."""
        self._what = what
        self._pause = 0.0

    @property
    def going_on(self) -> bool:
        """Tell whether an outage was met and has not ended."""
        return self._pause > 0

    async def after(self, error: BaseException) -> None:
        """Wait out this error, or raise it when waiting does not mend it."""
        if not is_trouble(error):
            raise error
        if not self._pause:
            log.warning("redis does not answer, waiting", what=self._what, error=str(error))
        self._pause = min(max(self._pause * 2, _SHORTEST), _LONGEST)
        await asyncio.sleep(self._pause)

    def over(self) -> None:
        """Log the end of an outage, if there was one."""
        if self._pause:
            log.info("redis answers again", what=self._what)
            self._pause = 0.0


async def until_answered(
    what: str, call: Callable[Words, Awaitable[Given]], *words: Words.args, **named: Words.kwargs
) -> Given:
    """Call until Redis answers; for calls that are safe to say again."""
    try:
        return await call(*words, **named)
    except Exception as error:  # noqa: BLE001 (raised again unless waiting mends it)
        waiting = Waiting(what)
        await waiting.after(error)
    while True:
        try:
            given = await call(*words, **named)
        except Exception as error:  # noqa: BLE001
            await waiting.after(error)
        else:
            waiting.over()
            return given
