"""A server, or a caller, that does not keep to a call and its answer: nobody hears another's."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

import pytest
import uvloop
from hiredis import pack_command
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError, ResponseError

from services.journal import connect, line
from services.journal.line import Line
from services.journal.talk import Talk

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine, Sequence

pytestmark = pytest.mark.integration
ECHO = pack_command(("ECHO", "a"))  # type: ignore[arg-type] # a union
OK = b"+OK\r\n"


@pytest.fixture(params=[asyncio.new_event_loop, uvloop.new_event_loop])
def loop(request: pytest.FixtureRequest) -> Callable[[], asyncio.AbstractEventLoop]:
    made: Callable[[], asyncio.AbstractEventLoop] = request.param
    return made


def run(
    loop: Callable[[], asyncio.AbstractEventLoop], work: Callable[[], Coroutine[None, None, None]]
) -> None:
    with asyncio.Runner(loop_factory=loop) as runner:
        runner.run(asyncio.wait_for(work(), 10))


class Fake:
    """Answers each ECHO with the next parts of ``says``; an empty part closes the connection."""

    def __init__(self, says: Sequence[Sequence[bytes]]) -> None:
        self.says = list(says)
        self.silent = False
        self.writers: list[asyncio.StreamWriter] = []
        self.line: Line

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.writers.append(writer)
        with suppress(OSError):
            await self._answer(reader, writer)
        writer.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while asked := await reader.read(10_000):
            if self.silent:
                continue
            for _ in range(asked.count(b"*") - asked.count(b"ECHO")):
                writer.write(OK)
            for _ in range(asked.count(b"ECHO")):
                for part in self.says.pop(0) if self.says else ():
                    if not part:
                        return
                    writer.write(part)
                    await asyncio.sleep(0.002)

    async def talk(self) -> Talk:
        return await self.line._begin()


@asynccontextmanager
async def fake(*says: Sequence[bytes]) -> AsyncIterator[Fake]:
    """Stand in for a Redis that speaks RESP2."""
    server = Fake(says)
    listening = await asyncio.start_server(server.serve, "127.0.0.1", 0)
    port = listening.sockets[0].getsockname()[1]
    journal = connect(f"redis://127.0.0.1:{port}?protocol=2")
    server.line = Line(journal.client)
    try:
        yield server
    finally:
        await server.line.close()
        await journal.aclose()
        listening.close()
        for writer in server.writers:
            writer.close()
        await listening.wait_closed()
        await asyncio.sleep(0.02)


def test_one_call_at_a_time_and_none_after_one_that_was_not_waited_for(
    loop: Callable[[], asyncio.AbstractEventLoop],
) -> None:
    async def work() -> None:
        async with fake([b"$3\r\n", b"old\r\n"], [b"+new\r\n"]) as server:
            one = await server.talk()
            first = asyncio.ensure_future(one.ask(ECHO))
            await asyncio.sleep(0)
            with pytest.raises(RuntimeError, match="one call at a time"):
                await one.ask(ECHO)
            assert await first == b"old"
            gone = asyncio.ensure_future(one.ask(ECHO))
            await asyncio.sleep(0)
            gone.cancel()
            for _ in range(2):  # before its answer comes, and after
                with pytest.raises(RuntimeError, match="not waited for"):
                    await one.ask(ECHO)
                await asyncio.sleep(0.02)
            await one.end()

    run(loop, work)


def test_an_answer_that_nobody_asked_for_ends_the_connection(
    loop: Callable[[], asyncio.AbstractEventLoop],
) -> None:
    async def work() -> None:
        twice = [b"+mine\r\n+whose\r\n"]
        later = [b"+mine\r\n", b"+whose\r\n"]
        async with fake(twice, later, [b"+mine\r\n"]) as server:
            for _ in range(2):
                assert await server.line.ask("ECHO", "a") == b"mine"
                await asyncio.sleep(0.02)
                with pytest.raises(RedisConnectionError, match="nobody asked for"):
                    await server.line.ask("ECHO", "a")
            assert await server.line.ask("ECHO", "a") == b"mine"

    run(loop, work)


def test_what_is_pushed_is_no_answer_wherever_it_stands(
    loop: Callable[[], asyncio.AbstractEventLoop],
) -> None:
    push = b">2\r\n+invalidate\r\n*1\r\n$1\r\nx\r\n"
    said = push + b"+1\r\n" + push + push

    async def work() -> None:
        cut = [[said[:at], said[at:]] for at in range(1, len(said), 5)]
        async with fake([said], *cut, [b"+2\r\n"]) as server:
            for _ in range(1 + len(cut)):
                assert await server.line.ask("ECHO", "a") == b"1"
                await asyncio.sleep(0.005)
            assert await server.line.ask("ECHO", "a") == b"2"
            assert len(server.writers) == 1

    run(loop, work)


def test_a_connection_closed_at_each_byte_of_an_answer(
    loop: Callable[[], asyncio.AbstractEventLoop],
) -> None:
    said = b"*2\r\n$3\r\na\r\n\r\n:-12\r\n"

    async def work() -> None:
        cuts = [[said[:at], b""] if at else [b""] for at in range(len(said))]
        async with fake(*cuts, [said]) as server:
            for _ in cuts:
                with pytest.raises(RedisConnectionError):
                    await server.line.ask("ECHO", "a")
            assert await server.line.ask("ECHO", "a") == [b"a\r\n", -12]
            assert len(server.writers) == len(cuts) + 1

    run(loop, work)


@pytest.mark.parametrize("said", [b"-MOVED nowhere\r\n", b"%1\r\n*0\r\n+a\r\n"])
def test_an_answer_that_cannot_be_read_is_an_error_and_the_next_call_is_answered(
    loop: Callable[[], asyncio.AbstractEventLoop], said: bytes
) -> None:
    async def work() -> None:
        trouble: list[object] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, what: trouble.append(what))
        async with fake([said], [OK]) as server:
            with pytest.raises(RedisError):
                await server.line.ask("ECHO", "a")
            assert await server.line.ask("ECHO", "a") == b"OK"
        assert not trouble

    run(loop, work)


@pytest.mark.parametrize("said", [b"-NOPERM this user may not\r\n", b"-\r\n", b"-ERR \xff\xfe\r\n"])
def test_an_error_answer_leaves_the_connection_in_use(
    loop: Callable[[], asyncio.AbstractEventLoop], said: bytes
) -> None:
    async def work() -> None:
        async with fake([said], [OK]) as server:
            with pytest.raises(ResponseError):
                await server.line.ask("ECHO", "a")
            assert await server.line.ask("ECHO", "a") == b"OK"
            assert len(server.writers) == 1

    run(loop, work)


def test_a_connection_that_was_closed_before_we_took_it_over_is_told_at_once(
    loop: Callable[[], asyncio.AbstractEventLoop],
) -> None:
    async def work() -> None:
        async with fake([OK]) as server:
            pool = server.line._pool
            connection = await pool.get_connection()  # type: ignore[no-untyped-call]
            await asyncio.sleep(0.02)
            server.writers[0].close()
            await asyncio.sleep(0.02)
            one = Talk(connection)
            with pytest.raises(RedisConnectionError):
                await asyncio.wait_for(one.ask(ECHO), 1)
            await server.line._end(one)

    run(loop, work)


def test_a_server_that_takes_us_and_says_nothing_is_given_up(
    loop: Callable[[], asyncio.AbstractEventLoop], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line, "PATIENCE", 0.1)

    async def work() -> None:
        async with fake([OK]) as server:
            server.silent = True
            server.line._pool.connection_kwargs["password"] = "x"  # noqa: S105
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(server.line.ask("ECHO", "a"), 5)
            server.silent = False
            assert await server.line.ask("ECHO", "a") == b"OK"
            await server.line.close()
            assert not server.line._pool._in_use_connections

    run(loop, work)


def test_what_was_not_sent_yet_is_not_sent_after_the_end(
    loop: Callable[[], asyncio.AbstractEventLoop],
) -> None:
    size = 30_000_000

    async def work() -> None:
        heard = 0
        begun, over = asyncio.Event(), asyncio.Event()

        async def slow(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            nonlocal heard
            heard = len(await reader.readexactly(1))
            begun.set()
            await asyncio.sleep(0.1)
            with suppress(OSError):
                while some := await reader.read(1 << 20):
                    heard += len(some)
            writer.close()
            over.set()

        server = await asyncio.start_server(slow, "127.0.0.1", 0, limit=1 << 10)
        port = server.sockets[0].getsockname()[1]
        journal = connect(f"redis://127.0.0.1:{port}?protocol=2")
        long = Line(journal.client)
        asked = asyncio.ensure_future(long.ask("ECHO", b"x" * size))
        await begun.wait()
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked
        await asyncio.wait_for(over.wait(), 8)
        assert heard < size
        await journal.aclose()
        server.close()
        await server.wait_closed()
        await asyncio.sleep(0.02)

    run(loop, work)


def test_nothing_is_left_behind(loop: Callable[[], asyncio.AbstractEventLoop]) -> None:
    async def work() -> None:
        async with fake(*([OK], [b""]) * 30, [OK]) as server:
            before = len(asyncio.all_tasks())
            for _ in range(30):
                assert await server.line.ask("ECHO", "a") == b"OK"
                with pytest.raises(RedisConnectionError):
                    await server.line.ask("ECHO", "a")
            one = await server.talk()
            assert await one.ask(ECHO) == b"OK"
            watch = one._watch
            assert watch is not None
            await server.line._end(one)
            assert watch.cancelled()
            assert not server.line._pool._in_use_connections
            assert len(server.line._pool._available_connections) == 1
            await asyncio.sleep(0.02)
            assert len(asyncio.all_tasks()) == before

    run(loop, work)
