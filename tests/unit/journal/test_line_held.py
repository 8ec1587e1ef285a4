"""Commands that may wait: sent right after the next that may not, or when nothing else is ready."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeAlias

import pytest
import uvloop
from hiredis import pack_command
from redis.exceptions import ConnectionError as RedisConnectionError

from schemas.address import EntryId, Streams
from services.journal import Contiguity, Entry, ShoeStart, connect
from services.journal.line import Line
from services.journal.talk import Talk
from services.runtime.redis_server import EmbeddedRedis

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator

    from schemas.errors import Lost

    Work: TypeAlias = Callable[[Line, Line], Coroutine[None, None, None]]
    Run: TypeAlias = Callable[[Work], None]

pytestmark = pytest.mark.integration
EVENTS = Streams("HELD").events


@pytest.fixture(scope="module")
def server() -> Iterator[EmbeddedRedis]:
    with EmbeddedRedis() as started:
        yield started


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was sent, in order: at once, or after it was held."""
    sent: list[str] = []
    ask, send = Talk.ask, Talk.send

    def asked(talk: Talk, packed: bytes) -> asyncio.Future[object]:
        sent.append(f"at once: {last_word(packed)}")
        return ask(talk, packed)

    def was_held(talk: Talk, packed: bytes) -> None:
        if talk._over is None:
            sent.append(f"held: {last_word(packed)}")
        send(talk, packed)

    monkeypatch.setattr(Talk, "ask", asked)
    monkeypatch.setattr(Talk, "send", was_held)
    return sent


@pytest.fixture(params=[asyncio.new_event_loop, uvloop.new_event_loop])
def run(request: pytest.FixtureRequest, server: EmbeddedRedis, sent: list[str]) -> Run:
    """Work with a line, and with one whose commands may wait, with connections to spare."""

    async def prepared(work: Work) -> None:
        journal = connect(server.url)
        line, reading = Line(journal.client), Line(journal.client)
        reading.held = line.held
        for one in (line, reading):
            await asyncio.gather(one.ask("PING"), one.ask("PING"))
        sent.clear()
        try:
            await asyncio.wait_for(work(line, reading), 10)
        finally:
            await line.close()
            await reading.close()
            await journal.aclose()

    def run(work: Work) -> None:
        with asyncio.Runner(loop_factory=request.param) as runner:
            runner.run(prepared(work))

    return run


async def soon(line: Line, text: str) -> object:
    return await line.ask_packed(pack_command(("ECHO", text)), soon=True)  # type: ignore[arg-type]


def last_word(packed: bytes) -> str:
    return packed.split()[-1].decode("utf-8", "replace")


def test_it_is_sent_right_after_the_next_command(run: Run, sent: list[str]) -> None:
    async def work(line: Line, reading: Line) -> None:
        said = (
            soon(reading, "first"),
            soon(reading, "second"),
            line.ask("ECHO", "now"),
        )
        assert list(await asyncio.gather(*said)) == [b"first", b"second", b"now"]
        assert sent == ["at once: now", "held: first", "held: second"]

    run(work)


def test_it_is_sent_by_itself_where_nothing_else_is_said(run: Run, sent: list[str]) -> None:
    async def work(_line: Line, reading: Line) -> None:
        for text in ("a", "b"):
            assert await soon(reading, text) == text.encode()
        assert sent == ["held: a", "held: b"]

    run(work)


def test_what_is_held_by_a_connection_that_ended_is_never_sent(run: Run, sent: list[str]) -> None:
    async def work(line: Line, reading: Line) -> None:
        ended = reading._free[-1]
        gone = asyncio.ensure_future(soon(reading, "gone"))
        kept = asyncio.ensure_future(soon(reading, "kept"))
        await asyncio.sleep(0)  # both are held
        await ended.end()
        assert await line.ask("ECHO", "now") == b"now"
        assert await kept == b"kept"
        with pytest.raises(RedisConnectionError):
            await gone
        assert await soon(reading, "next") == b"next"
        assert sent == ["at once: now", "held: kept", "held: next"]

    run(work)


def test_a_journals_reads_wait_for_what_it_says(server: EmbeddedRedis, sent: list[str]) -> None:
    """A handler's answer wakes Redis, and the next read goes with it."""

    async def work() -> None:
        journal = connect(server.url)
        done = asyncio.Event()

        async def take(batch: list[Entry]) -> None:
            at = batch[-1].id
            if at.minor == 5:
                done.set()
            else:
                await journal.append(EVENTS, at, [Entry(EntryId(1, at.minor + 1), b"x")])

        async def lost(_lost: Lost) -> None:
            raise AssertionError

        await journal.follow(EVENTS, ShoeStart(1), take, kind=Contiguity.EVENTS, on_lost=lost)
        sent.clear()
        await journal.append(EVENTS, ShoeStart(1), [Entry(EntryId(1, 0), b"x")])
        await asyncio.wait_for(done.wait(), 10)
        await journal.aclose()

    asyncio.run(work())
    assert sent[sent.index("held: 1-3") - 1] == "at once: x"
