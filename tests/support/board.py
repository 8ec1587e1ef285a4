"""A real ``shoetrail run dashboard`` beside a Redis that the test writes to."""

from __future__ import annotations

import json
import socket
import urllib.error
import urllib.request
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tests.support.crew import Crew
from tests.support.said import announce

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import redis

    from tests.support.crew import Worker


class Board:
    """The process, its address, and a client for the test to say entries with."""

    def __init__(self, crew: Crew, *options: str) -> None:
        self.crew = crew
        self.port = _free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.worker: Worker = crew.hire(
            "dashboard", "dashboard", "--port", str(self.port), *options
        )
        self.client: redis.Redis = crew.client()
        self.until_ready()

    def until_ready(self, *tables: str) -> None:
        self.crew.until(lambda: self._is_ready(tables), "the board to be ready")

    def show(self, *tables: str) -> None:
        """Announce tables, and wait until they are shown."""
        announce(self.client, *tables)
        self.until_ready(*tables)

    def kill_and_restart(self) -> None:
        self.worker.kill()
        self.worker.start()
        self.until_ready()

    def get(self, path: str, **headers: str) -> tuple[int, Any, dict[str, str]]:
        """Ask for JSON: the status, the body, the headers by lower-case name."""
        asked = urllib.request.Request(self.url + path, headers=headers)
        try:
            with urllib.request.urlopen(asked, timeout=20) as answer:
                status, body, told = answer.status, answer.read(), answer.headers
        except urllib.error.HTTPError as error:
            status, body, told = error.code, error.read(), error.headers
        return status, body, {name.lower(): value for name, value in told.items()}

    def _is_ready(self, tables: tuple[str, ...]) -> bool:
        try:
            status, body, _ = self.get("/readyz")
        except OSError:
            return False
        parts = json.loads(body)["parts"]
        return status == 200 and all(f"dashboard {table}" in parts for table in tables)


@contextmanager
def board_in(folder: Path, *options: str) -> Iterator[Board]:
    with Crew(folder) as crew:
        board = Board(crew, *options)
        yield board
        board.client.close()


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port
