"""What stands in Redis that is not ours, and what nobody honest asks: the board shows the rest."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import pytest

from schemas.address import TABLES, Streams
from tests.support.board import Board, board_in
from tests.support.looker import Looker
from tests.support.said import announce, said_at, say

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = [pytest.mark.integration]


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    with board_in(tmp_path_factory.mktemp("board")) as board:
        yield board


def test_a_table_that_cannot_be_read_keeps_nobody_from_the_others(board: Board) -> None:
    """A key of another type, or a shoe without its beginning, under a table's names."""
    client, said = board.client, said_at("KTANE", "GOOD")
    client.set(Streams("TYPE").verdicts, "no stream")
    client.xadd(Streams("HEADLESS").events, {"__data__": b"{}"}, id="3-7")
    client.xadd(TABLES, {"__data__": b"{}"})
    client.xadd(TABLES, {"other": b"x", "and": b"y"})
    announce(client, "TYPE", "HEADLESS", "../up", "<b>", "GOOD")
    board.crew.until(
        lambda: json.loads(board.get("/readyz")[1])["parts"].get("dashboard GOOD"),
        "GOOD to be read",
    )
    time.sleep(1)
    with Looker(f"{board.url}/api/stream") as lobby:
        say(client, "GOOD", said)
        lobby.until(lambda: lobby.heard)
        # Once it is mended it is shown, to whoever looks on already.
        client.delete(Streams("TYPE").verdicts)
        lobby.heard.clear()
        board.crew.until(
            lambda: board.get("/api/tables/TYPE")[0] == 200, "TYPE to be read", seconds=15
        )
        say(client, "TYPE", said_at("KTANE", "TYPE"))
        lobby.until(lambda: any(one.data["tile"]["table"] == "TYPE" for one in lobby.heard))
    logged = board.worker.said.read_bytes()
    assert logged.count(b"table begun afresh") == 2  # said once each, however often it is tried
    status, body, _ = board.get("/api/tables")
    assert (status, [one["table"] for one in json.loads(body)["tables"]]) == (200, ["GOOD", "TYPE"])
