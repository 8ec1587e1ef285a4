"""Past shoes without a log: from Redis as long as it holds them whole."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
import redis

from schemas.address import Streams
from services.dashboard.board.reading import fold_log
from services.dashboard.board.shoe_board import ShoeBoard
from services.dashboard.live.past import RedisPast
from services.dashboard.live.weave import told
from services.dashboard.web.api_routes import api_routes
from services.dashboard.web.archive import Archive
from services.dashboard.web.odds_desk import OddsDesk
from services.dashboard.web.pages import Shelf
from services.dashboard.web.safe_app import SafeApp
from services.journal import Entry, connect
from tests.support.asked_board import answer_of
from tests.support.boards import FREE, LOGS, Tables
from tests.support.said import said_at, say

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from services.dashboard.web.ports import Board
    from tests.support.asked_board import Answer

pytestmark = pytest.mark.integration

TABLE = "KTANE"


def _folded(through: int) -> ShoeBoard:
    """Fold the table through one of its shoes."""
    board = ShoeBoard(TABLE)
    for one in said_at(TABLE):
        if one.id.major <= through or one.stream == "disputes":
            (entry,) = told(one.stream, [Entry(one.id, one.data)])
            board.take(one.stream, one.id, entry.message)
    return board


class _Two(Tables):
    """The second shoe is on the table."""

    def tables(self) -> list[str]:
        return [TABLE]

    def board(self, table: str, /) -> Board | None:
        return _folded(2) if table == TABLE else None


@pytest.fixture
def client(fresh_redis: str) -> Iterator[redis.Redis]:
    with redis.Redis.from_url(fresh_redis) as client:
        say(client, TABLE, said_at(TABLE))
        yield client


def _asked(url: str, logs: Path, *targets: str) -> list[Answer]:
    async def ask_all() -> list[Answer]:
        journal = connect(url)
        archive = Archive(logs, fold_log)
        api = api_routes(_Two(), archive, OddsDesk(), RedisPast(journal))
        app = SafeApp(api, Shelf(), bounds=FREE)
        try:
            return [await answer_of(app, target) for target in targets]
        finally:
            await journal.aclose()

    return asyncio.run(ask_all())


def test_a_past_shoe_is_folded_from_redis(
    client: redis.Redis, fresh_redis: str, tmp_path: Path
) -> None:
    del client
    targets = (
        f"/api/tables/{TABLE}/shoes",
        f"/api/tables/{TABLE}/shoes/1",
        "/api/tables/X/shoes/1",
    )
    shoes, shoe, unknown = _asked(fresh_redis, tmp_path, *targets)
    before = _folded(1)
    rows = shoes.json()["shoes"]
    assert [(row["shoe"], row["live"], row["log"]) for row in rows] == [
        (2, True, False),
        (1, False, False),
    ]
    assert rows[1]["lamp"] == before.tile().lamp
    told_view = shoe.json()["view"]
    assert told_view["shoe"]["shoe"] == 1
    assert len(told_view["results"]) == len(before.view().results)
    assert told_view["shoe"]["lamp"] == before.tile().lamp
    assert shoe.headers["cache-control"] == "no-store"
    assert unknown.status == 404


def test_what_is_trimmed_is_not_shown_in_part(
    client: redis.Redis, fresh_redis: str, tmp_path: Path
) -> None:
    client.xtrim(Streams(TABLE).events, minid="1-5", approximate=False)
    targets = (f"/api/tables/{TABLE}/shoes", f"/api/tables/{TABLE}/shoes/1")
    shoes, shoe = _asked(fresh_redis, tmp_path, *targets)
    assert [row["shoe"] for row in shoes.json()["shoes"]] == [2]
    assert shoe.status == 404


def test_a_log_goes_before_redis(client: redis.Redis, fresh_redis: str) -> None:
    del client
    (shoe,) = _asked(fresh_redis, LOGS, f"/api/tables/{TABLE}/shoes/1")
    assert "etag" in shoe.headers
