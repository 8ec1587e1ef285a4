"""What stands in Redis that is not ours, and what nobody honest asks: the board shows the rest."""

from __future__ import annotations

import json
import socket
import time
from typing import TYPE_CHECKING

import pytest

from schemas.address import TABLES, EntryId, Streams
from services.dashboard.live.cursor import NO_SHOE
from tests.support.board import Board, board_in
from tests.support.looker import Looker
from tests.support.said import Said, announce, said_at, say

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
    client.delete(Streams("HEADLESS").events)
    board.until_ready("HEADLESS")
    logged = board.worker.said.read_bytes()
    assert logged.count(b"table begun afresh") == 2  # said once each, however often it is tried
    status, body, _ = board.get("/api/tables")
    assert (status, [one["table"] for one in json.loads(body)["tables"]]) == (
        200,
        ["GOOD", "HEADLESS", "TYPE"],
    )


def test_forged_cursors_cost_little_and_break_nothing(board: Board) -> None:
    """Of a shoe of which nothing is left; of all that was ever said at a table."""
    client = board.client
    for table in ("BARE", "LONG"):
        said = said_at("DISPUTED", table)
        say(client, table, [Said("outcomes", EntryId(1, n), b"{}") for n in range(1, 20_101)])
        say(client, table, [one for one in said if one.id.major == 2])
    client.xtrim(Streams("BARE").outcomes, minid="2-0", approximate=False)
    board.show("BARE", "LONG")
    mark = json.loads(board.get("/api/tables/LONG")[1])["cursor"].rpartition(".")[2]
    for forged, why in (
        (f"BARE.1-20.1-3.1-3.0-0.{NO_SHOE}", "is kept no longer"),
        (f"LONG.2-20.0-0.0-0.0-0.{mark}", "too much"),
    ):
        table = forged.partition(".")[0]
        with Looker(f"{board.url}/api/tables/{table}/stream", forged) as one:
            one.until(lambda one=one: one.heard)  # type: ignore[misc]
        assert one.heard[0].event == "reset"
        assert why in one.heard[0].data["why"]
    assert b"Traceback" not in board.worker.said.read_bytes()


def test_what_is_no_http_fills_no_log(board: Board) -> None:
    before = len(board.worker.said.read_bytes())
    for nonsense in (b"\x16\x03\x01\x02\r\n\r\n", b"GET / HTTP/1.1\r\nA b: c\r\n\r\n"):
        with socket.create_connection(("127.0.0.1", board.port)) as wire:
            wire.sendall(nonsense)
            assert wire.recv(12) == b"HTTP/1.1 400"
    said = board.worker.said.read_bytes()[before:].splitlines()
    # A table of another test's may be begun afresh meanwhile, which is said of that table.
    assert [line for line in said if b'"table":' not in line] == []


def test_who_is_cut_off_is_no_error_of_ours(board: Board) -> None:
    before = len(board.worker.said.read_bytes())
    board.show("CLEAN")
    with socket.socket() as wire:
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        wire.connect(("127.0.0.1", board.port))
        wire.sendall(b"GET /api/tables/CLEAN/stream HTTP/1.1\r\nHost: board\r\n\r\n")
        assert wire.recv(12) == b"HTTP/1.1 200"
        say(board.client, "CLEAN", said_at("CLEAN"))
        cut = b"shoetrail_board_cut_off_total 1.0"
        board.crew.until(lambda: cut in board.get("/metrics")[1], "him to be cut off")
    assert b'"level":"error"' not in board.worker.said.read_bytes()[before:]
