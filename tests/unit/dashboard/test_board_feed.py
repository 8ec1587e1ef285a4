"""What a feed keeps of its last messages for whoever comes again, in public too: without a gap."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest

from schemas.address import EntryId
from schemas.errors import Lost
from services.dashboard.live.feed import Feed
from services.dashboard.live.viewer import Viewer
from services.journal import Entry
from tests.support.said import said_at

TABLE = "DISPUTED"


class _Nobody:
    def took(self, *_: object) -> None: ...

    def begins(self, *_: object) -> None: ...

    def began(self, *_: object) -> None: ...

    def reset(self, *_: object) -> None: ...


@pytest.mark.asyncio
async def test_the_last_messages_are_kept_in_public_since_somebody_looked_on_there() -> None:
    feed = Feed(cast("Any", None), TABLE, _Nobody(), near=20)
    said = [one for one in said_at(TABLE) if one.stream == "events"]
    begun, told = feed.cursor, iter(said)

    def take(count: int) -> None:
        for _, one in zip(range(count), told, strict=False):
            feed._take([[Entry(one.id, one.data)], [], [], []])

    take(3)  # the last before its present end: made for whoever comes after a restart
    audience = feed.audience
    assert audience.said(begun, feed.cursor, public=True) is not None
    feed.is_live = True
    take(2)
    assert (
        audience.said(begun, feed.cursor, public=True) is None
    )  # nobody looked on: there would be a gap
    viewer, since = Viewer("", public=True), feed.cursor
    audience.attach(viewer)
    take(3)
    audience.detach(viewer)
    given = await viewer.next()
    assert audience.said(since, feed.cursor, public=True) == given
    then = feed.cursor
    take(4)
    again = audience.said(then, feed.cursor, public=True)
    assert again is not None
    assert again.count(b"\nevent: ") == 4
    assert audience.said(since, feed.cursor, public=True) == given + again
    assert audience.said(since, then, public=True) == given
    for name in (b"alice", b'"stake"', b'"bankroll"'):
        assert name not in given + again
    full = audience.said(begun, feed.cursor, public=False)
    assert full is not None
    assert b"alice" in full


@pytest.mark.asyncio
async def test_few_tables_are_folded_up_to_their_end_at_once() -> None:
    """Of thousands that begin, each would wait for all, and Redis for its answers to be read."""
    reading = most = 0

    class Journal:
        client = None

        async def last_id(self, _stream: str) -> EntryId:
            nonlocal reading, most
            reading += 1
            most = max(most, reading)
            await asyncio.sleep(0)
            reading -= 1
            raise Lost("there is nothing")

    gate = asyncio.Semaphore(2)
    feeds = [Feed(cast("Any", Journal()), f"T{n}", _Nobody(), gate) for n in range(20)]
    for feed in feeds:
        await feed.start()
    async with asyncio.timeout(5):
        while not all(feed.is_stuck for feed in feeds):  # noqa: ASYNC110 - seen from without
            await asyncio.sleep(0.01)
    for feed in feeds:
        await feed.stop()
    assert most == 2
    await asyncio.wait_for(gate.acquire(), 1)
    await asyncio.wait_for(gate.acquire(), 1)  # whoever ends or fails lets others in
