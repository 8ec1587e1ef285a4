"""What we lean on in FastStream: it hands each batch to ``consume_one``, and knows that name."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from faststream.middlewares import BaseMiddleware
from faststream.redis.subscriber.usecases.basic import LogicSubscriber

from schemas.address import EntryId, Streams
from services.journal import Contiguity, Entry, ShoeStart, connect
from services.journal.reader import StreamClient
from services.journal.subscriber import Subscriber
from services.runtime.redis_server import EmbeddedRedis

if TYPE_CHECKING:
    from schemas.errors import Lost
    from services.journal.reader import StreamBroker

EVENTS = Streams("SUB").events


async def _nothing(_subscriber: Subscriber, _batch: list[Entry]) -> None:
    """Take it."""


def test_a_faststream_that_renames_it_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    broker = connect("redis://127.0.0.1:1").broker
    Subscriber(broker, EVENTS, "0-0", _nothing)
    monkeypatch.delattr(LogicSubscriber, "consume_one")
    with pytest.raises(AttributeError, match="consume_one"):
        Subscriber(broker, EVENTS, "0-0", _nothing)


@pytest.mark.integration
def test_a_batch_comes_to_us_and_passes_no_middleware() -> None:
    passed: list[object] = []

    class Middleware(BaseMiddleware):
        async def on_receive(self) -> None:
            passed.append(self.msg)

    async def work(url: str) -> None:
        journal = connect(url)
        broker: StreamBroker = journal.broker  # type: ignore[assignment]
        broker.add_middleware(Middleware)
        assert isinstance(await broker.connect(), StreamClient)  # by FastStream's hook
        came = asyncio.Event()

        async def take(_batch: list[Entry]) -> None:
            came.set()

        async def lost(_lost: Lost) -> None:
            raise AssertionError

        await journal.append(EVENTS, ShoeStart(1), [Entry(EntryId(1, 0), b"x")])
        await journal.follow(EVENTS, ShoeStart(1), take, kind=Contiguity.EVENTS, on_lost=lost)
        await asyncio.wait_for(came.wait(), 10)
        await journal.aclose()

    with EmbeddedRedis() as server:
        asyncio.run(work(server.url))
    assert not passed
