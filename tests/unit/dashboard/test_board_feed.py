"""What a feed keeps of its last messages for whoever comes again, in public too: without a gap."""

from __future__ import annotations

from typing import Any, cast

import pytest

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
    feed = Feed(cast("Any", None), TABLE, _Nobody())
    said = [one for one in said_at(TABLE) if one.stream == "events"]
    begun, told = feed.cursor, iter(said)

    def take(count: int) -> None:
        for _, one in zip(range(count), told, strict=False):
            feed._take([[Entry(one.id, one.data)], [], [], []])

    take(3)  # the last before its present end: made for whoever comes after a restart
    assert feed.public_ring.after(begun) is not None
    feed.is_live = True
    take(2)
    assert feed.public_ring.after(begun) is None  # nobody looked on: there would be a gap
    viewer, since = Viewer("", public=True), feed.cursor
    feed.attach(viewer)
    take(3)
    feed.detach(viewer)
    given = await viewer.next()
    assert feed.public_ring.after(since) == given
    then = feed.cursor
    take(4)
    again = feed.public_ring.after(then)
    assert again is not None
    assert again.count(b"\nevent: ") == 4
    assert feed.public_ring.after(since) == given + again
    for name in (b"alice", b'"stake"', b'"bankroll"'):
        assert name not in given + again
    full = feed.ring.after(begun)
    assert full is not None
    assert b"alice" in full
