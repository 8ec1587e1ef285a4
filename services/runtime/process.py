"""Runs given services in one process until told to stop; knows none of them and no other room."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import re
import signal
import sys
import time
from typing import TYPE_CHECKING, NoReturn, Protocol, TypeVar

import uvloop
from faststream import FastStream
from faststream.redis import RedisBroker
from redis.exceptions import RedisError

from schemas.errors import ShoetrailError, Unavailable
from services.runtime.logging import adopt_libraries, get_logger
from services.runtime.settings import mask_url

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator, Sequence
    from typing import Any

T = TypeVar("T")

_log = get_logger("process")
_PING_SECONDS = 2.0
_AGAIN_SECONDS = 30.0
_AWAY = "start it, or name another one in SHOETRAIL_REDIS_URL"
_FIRST_PAUSE, _LONGEST_PAUSE = 0.05, 1.0
_UNUSABLE, _INTERRUPTED = 2, 130
#: New objects before a young collection, young ones before a middle one, those before a whole one.
_COLLECT = 10_000, 20, 20
# redis-py raises a plain ConnectionError for these, as it does for a server that is away.
_REFUSAL = re.compile(r"username-password|authenticat|NOAUTH|NOPERM|WRONGPASS", re.IGNORECASE)


class Service(Protocol):
    """Something that is started once Redis answers, and stopped before the broker closes."""

    name: str

    async def start(self) -> None:
        """Begin, and return when under way."""
        ...

    async def stop(self) -> None:
        """End what was begun; called once, also after a failure elsewhere."""
        ...


def make_broker(url: str) -> RedisBroker:
    """Make a broker that logs through us (FastStream's own logger would write to stdout)."""
    return RedisBroker(
        url,
        apply_types=False,
        logger=logging.getLogger("faststream.broker"),
        log_level=logging.DEBUG,
    )


async def wait_for_redis(broker: RedisBroker, url: str | None = None) -> None:
    """Return when Redis answers; its absence is waited out and said, a refusal raised.

    It is said at once, and again every half a minute, with the ``url``, masked, where that is told.
    """
    client = await broker.connect()
    pause, said_at = _FIRST_PAUSE, 0.0
    where = {} if url is None else {"redis": mask_url(url)}
    while True:
        try:
            await asyncio.wait_for(_ping(client), _PING_SECONDS)
        except (RedisError, OSError, TimeoutError) as reason:
            said = str(reason) or type(reason).__name__
            if _REFUSAL.search(said):
                raise Unavailable(f"Redis refuses us: {said}") from None
            if time.monotonic() >= said_at + (_AGAIN_SECONDS if said_at else 0.0):
                _log.warning("waiting for Redis", **where, reason=mask_url(said), mend=_AWAY)
                said_at = time.monotonic()
            await asyncio.sleep(pause)
            pause = min(pause * 2, _LONGEST_PAUSE)
        else:
            if said_at:
                _log.info("Redis answers")
            return


async def run_services(
    broker: RedisBroker,
    services: Sequence[Service],
    *,
    done: asyncio.Event | None = None,
    on_ready: Callable[[], None] | None = None,
    url: str | None = None,
) -> None:
    """Run services, in order, until SIGTERM, SIGINT or ``done``; then stop them in reverse.

    ``url`` is told, masked, where Redis does not answer. A second signal ends the process at once.
    """
    end = asyncio.Event() if done is None else done
    with _signals(end):
        try:
            if not await _unless(end, wait_for_redis(broker, url)):
                return
            async with FastStream(broker, logger=None):
                adopt_libraries()
                async with contextlib.AsyncExitStack() as started:
                    for service in services:
                        started.push_async_callback(_stop, service)
                        await service.start()
                        _log.debug("started", name=service.name)
                    spare_collector()
                    if on_ready is not None:
                        on_ready()
                    await end.wait()
        finally:
            await broker.stop()


def spare_collector() -> None:
    """Have the garbage collector pass over what is there by now, and look at the rest less often.

    Modules and rule sets stay for good, and messages go when the last one lets go of them; looking
    for cycles among them, at each few hundred of them, would be a tenth of a service's work.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_COLLECT)


def run_async(main: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run a coroutine function on uvloop; a foreseen error becomes one line and an exit code.

    2: what was given cannot be used, a server or a log that is there already among it.
    """
    try:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            return runner.run(main())
    except ShoetrailError as error:
        _leave(error)
    except BaseExceptionGroup as group:
        ours, others = group.split(ShoetrailError)
        if ours is None or others is not None:
            raise
        _leave(_first(ours))
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)


def _leave(error: ShoetrailError) -> NoReturn:
    sys.stderr.write(f"shoetrail: {mask_url(' '.join(str(error).split()))}\n")
    sys.exit(_UNUSABLE)


def _first(group: BaseExceptionGroup[ShoetrailError]) -> ShoetrailError:
    inner = group.exceptions[0]
    return _first(inner) if isinstance(inner, BaseExceptionGroup) else inner


async def _ping(client: Any) -> None:  # noqa: ANN401 (redis-py types the answer as sync or async)
    await client.ping()


async def _stop(service: Service) -> None:
    await service.stop()
    _log.debug("stopped", name=service.name)


async def _unless(end: asyncio.Event, work: Coroutine[Any, Any, None]) -> bool:
    """Do some work unless ``end`` comes first; say whether the work was done."""
    task, ended = asyncio.ensure_future(work), asyncio.ensure_future(end.wait())
    try:
        await asyncio.wait({task, ended}, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            await task
        return task.done()
    finally:
        for each in (task, ended):
            each.cancel()
        await asyncio.gather(task, ended, return_exceptions=True)


@contextlib.contextmanager
def _signals(end: asyncio.Event) -> Iterator[None]:
    loop = asyncio.get_running_loop()
    both = (signal.SIGTERM, signal.SIGINT)

    def restore() -> None:
        with contextlib.suppress(ValueError):
            for each in both:
                loop.remove_signal_handler(each)

    def told() -> None:
        end.set()
        restore()

    # Only the main thread may listen to signals; elsewhere `done` is the way to end.
    with contextlib.suppress(RuntimeError, ValueError):
        for each in both:
            loop.add_signal_handler(each, told)
    try:
        yield
    finally:
        restore()
