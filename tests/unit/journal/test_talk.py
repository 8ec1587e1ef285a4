"""A call at a time on a connection that redis-py opened: in the clear, by TLS, by password."""

from __future__ import annotations

import asyncio
import datetime as dt
import ssl
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest
import uvloop
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import InvalidResponse, ResponseError

from schemas.address import EntryId, Streams
from services.journal import Contiguity, Entry, ShoeStart, connect, talk
from services.journal.line import Line
from services.runtime.redis_server import EmbeddedRedis

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
    from pathlib import Path

    from schemas.errors import Lost
    from services.journal import Journal

pytestmark = pytest.mark.integration
EVENTS = Streams("TALK").events
BOTH = pytest.mark.parametrize("loop", [asyncio.new_event_loop, uvloop.new_event_loop])


@pytest.fixture(scope="module")
def server() -> Iterator[EmbeddedRedis]:
    with EmbeddedRedis() as started:
        yield started


def run(
    loop: Callable[[], asyncio.AbstractEventLoop], work: Callable[[], Coroutine[None, None, None]]
) -> None:
    with asyncio.Runner(loop_factory=loop) as runner:
        runner.run(work())


@asynccontextmanager
async def lined(server: EmbeddedRedis) -> AsyncIterator[tuple[Journal, Line]]:
    """A line to this Redis, and another way to it beside; both are closed where all went well."""
    journal = connect(server.url)
    line = Line(journal.client)
    yield journal, line
    await line.close()
    await journal.aclose()


async def is_heard(url: str) -> None:
    """Say an entry and hear it, by the same address."""
    journal = connect(url)
    heard: list[Entry] = []
    came = asyncio.Event()

    async def take(batch: list[Entry]) -> None:
        heard.extend(batch)
        came.set()

    async def lost(_lost: Lost) -> None:
        came.set()

    try:
        await journal.client.flushdb()
        said = [Entry(EntryId(1, 0), b"x" * 200_000)]
        await journal.append(EVENTS, ShoeStart(1), said)
        await journal.follow(EVENTS, ShoeStart(1), take, kind=Contiguity.EVENTS, on_lost=lost)
        await asyncio.wait_for(came.wait(), 10)
        assert heard == said
    finally:
        await journal.aclose()


@BOTH
def test_an_error_is_raised_and_the_next_call_is_answered(
    server: EmbeddedRedis, loop: Callable[[], asyncio.AbstractEventLoop]
) -> None:
    async def work() -> None:
        async with lined(server) as (journal, line):
            with pytest.raises(ResponseError, match="unknown command"):
                await line.ask("NONSENSE")
            assert await line.ask("ECHO", "a") == b"a"
            long = b"x" * 3_000_000
            assert await line.ask("ECHO", long) == long
            clients = await journal.client.info("clients")
            assert clients["connected_clients"] == 2  # one of the two

    run(loop, work)


@BOTH
def test_an_answer_that_nobody_waited_for_is_given_to_nobody_else(
    server: EmbeddedRedis, loop: Callable[[], asyncio.AbstractEventLoop]
) -> None:
    async def work() -> None:
        async with lined(server) as (journal, line):
            blocked = asyncio.ensure_future(
                line.ask("XREAD", "BLOCK", 5000, "STREAMS", "none", "$")
            )
            await asyncio.sleep(0.05)
            blocked.cancel()
            with pytest.raises(asyncio.CancelledError):
                await blocked
            await journal.client.xadd("none", {"a": "b"})
            assert await line.ask("ECHO", "mine") == b"mine"

    run(loop, work)


@BOTH
def test_a_lost_connection_ends_the_call_and_the_next_one_opens_another(
    server: EmbeddedRedis, loop: Callable[[], asyncio.AbstractEventLoop]
) -> None:
    async def work() -> None:
        async with lined(server) as (journal, line):
            mine = await line.ask("CLIENT", "ID")
            assert isinstance(mine, int)
            waiting = asyncio.ensure_future(
                line.ask("XREAD", "BLOCK", 9000, "STREAMS", "none", "$")
            )
            await asyncio.sleep(0.05)
            await journal.client.client_kill_filter(_id=str(mine))
            with pytest.raises(RedisConnectionError):
                await asyncio.wait_for(waiting, 5)
            assert await line.ask("CLIENT", "ID") != mine

    run(loop, work)


@BOTH
def test_a_connection_lost_between_calls_is_told_by_the_next_call(
    server: EmbeddedRedis, loop: Callable[[], asyncio.AbstractEventLoop]
) -> None:
    async def work() -> None:
        async with lined(server) as (journal, line):
            mine = await line.ask("CLIENT", "ID")
            await journal.client.client_kill_filter(_id=str(mine))
            await asyncio.sleep(0.05)
            with pytest.raises(RedisConnectionError):
                await line.ask("ECHO", "a")
            assert await line.ask("ECHO", "a") == b"a"

    run(loop, work)


@BOTH
def test_a_server_that_says_nothing_is_given_up(
    server: EmbeddedRedis,
    loop: Callable[[], asyncio.AbstractEventLoop],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(talk, "PATIENCE", 0.2)

    async def work() -> None:
        async with lined(server) as (_, line):
            assert await line.ask("ECHO", "a") == b"a"
            await asyncio.sleep(0.15)
            assert await line.ask("ECHO", "b") == b"b"
            await asyncio.sleep(0.15)  # the first call's time is over, and all are answered
            assert await line.ask("ECHO", "c") == b"c"
            began = asyncio.get_running_loop().time()
            with pytest.raises(TimeoutError):
                await line.ask("XREAD", "BLOCK", 5000, "STREAMS", "none", "$")
            assert 0.15 < asyncio.get_running_loop().time() - began < 3
            assert await line.ask("ECHO", "d") == b"d"

    run(loop, work)


@BOTH
def test_what_is_no_answer_of_redis_ends_the_connection(
    loop: Callable[[], asyncio.AbstractEventLoop], tmp_path: Path
) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while asked := await reader.read(1000):
            for _ in range(asked.count(b"*")):
                writer.write(b"garbage\r\n" if b"ECHO" in asked else b"+OK\r\n")
        writer.close()
        await writer.wait_closed()

    async def work() -> None:
        place = str(tmp_path / "sock")
        server = await asyncio.start_unix_server(answer, place)
        journal = connect(f"unix://{place}?protocol=2")
        line = Line(journal.client)
        try:
            assert await line.ask("PING") == b"OK"
            with pytest.raises(InvalidResponse):
                await line.ask("ECHO", "a")
            assert await line.ask("PING") == b"OK"
        finally:
            await line.close()
            await journal.aclose()
            server.close()
            await server.wait_closed()

    run(loop, work)


@BOTH
def test_a_password_is_said_by_redis_py(loop: Callable[[], asyncio.AbstractEventLoop]) -> None:
    with EmbeddedRedis() as locked:

        async def lock() -> None:
            journal = connect(locked.url)
            await journal.client.config_set("requirepass", "sesame")
            await journal.aclose()

        run(loop, lock)
        run(loop, lambda: is_heard(locked.url.replace("unix://", "unix://:sesame@")))


@BOTH
def test_tls_is_redis_pys(
    server: EmbeddedRedis, loop: Callable[[], asyncio.AbstractEventLoop], tmp_path: Path
) -> None:
    async def work() -> None:
        async with in_front(server, tmp_path) as port:
            await is_heard(f"rediss://127.0.0.1:{port}/0?ssl_cert_reqs=none")

    run(loop, work)


@asynccontextmanager
async def in_front(server: EmbeddedRedis, folder: Path) -> AsyncIterator[int]:
    """Stand before a Redis with TLS: not every one is built with it. Gives the port."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certified(folder / "both.pem"))

    async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(1 << 16):
                writer.write(data)
                await writer.drain()
        except OSError:
            pass
        writer.close()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        back, forth = await asyncio.open_unix_connection(str(server.socket))
        await asyncio.gather(pump(reader, forth), pump(back, writer))

    front = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context)
    try:
        yield front.sockets[0].getsockname()[1]
    finally:
        front.close()


def certified(path: Path) -> Path:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = dt.datetime.now(dt.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    plain = serialization.NoEncryption()
    secret = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain)
    path.write_bytes(secret + certificate.public_bytes(pem))
    return path
