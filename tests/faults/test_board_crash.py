"""The board and its Redis are killed while a table is shown: viewers hear each entry once."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import pytest
import redis

from schemas.address import Streams
from tests.support.board import Board, board_in
from tests.support.looker import Looker, addresses, applied, heard_by_stream
from tests.support.said import Said, said_at

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

pytestmark = [pytest.mark.faults, pytest.mark.integration]
TABLES = ("DISPUTED", "MISDRAW-DUMMY")


def say_slowly(board: Board, said: Sequence[Said], table: str) -> None:
    """One after another, as a dealer does, each until it is on disk."""
    streams = Streams(table)
    for stream, entry, data in said:
        while True:
            try:
                board.client.xadd(getattr(streams, stream), {"__data__": data}, id=str(entry))
            except (redis.ConnectionError, redis.BusyLoadingError):
                time.sleep(0.02)
            except redis.ResponseError as error:  # it was said, and not answered
                assert "equal or smaller" in str(error)  # noqa: PT017
                break
            else:
                break


def test_the_board_and_its_redis_are_killed_in_mid_shoe(tmp_path: Path) -> None:
    with board_in(tmp_path) as board:
        board.show(*TABLES)
        lookers = {table: Looker(f"{board.url}/api/tables/{table}/stream") for table in TABLES}
        lobby = Looker(f"{board.url}/api/stream")
        with lookers[TABLES[0]], lookers[TABLES[1]], lobby:
            for part in range(3):
                for table in TABLES:
                    said = said_at(table)
                    size = len(said) // 3 + 1
                    say_slowly(board, said[part * size : (part + 1) * size], table)
                if part == 0:
                    board.kill_and_restart()
                elif part == 1:
                    board.crew.redis.restart()
            for table, looker in lookers.items():
                said = said_at(table)
                looker.until(lambda looker=looker, said=said: len(looker.heard) >= len(said))  # type: ignore[misc]
            wanted = sorted(at for table in TABLES for at in _of_lobby(table))
            lobby.until(lambda: len(lobby.heard) >= len(wanted))
        for table, looker in lookers.items():
            assert heard_by_stream(looker.heard) == addresses(table, said_at(table))
            view = json.loads(board.get(f"/api/tables/{table}")[1])["view"]
            assert applied(looker.heard, {"table": table}) == view
        assert sorted(heard.data["at"] for heard in lobby.heard) == wanted
        assert b'"level":"error"' not in board.worker.said.read_bytes()


def _of_lobby(table: str) -> list[str]:
    kept = [one for one in said_at(table) if one.stream != "events" or one.id.minor == 0]
    return [at for ats in addresses(table, kept).values() for at in ats]
