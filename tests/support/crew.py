"""A table's services as processes of their own, which may be killed and started again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Self

import redis

from schemas.address import Sources, Streams
from schemas.envelope import encode
from services.runtime.redis_server import EmbeddedRedis

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from schemas.commands import Command

SECONDS = 60.0
TIME = "2026-01-01T00:00:00.000000Z"


class Worker:
    """One ``shoetrail run …``. What it says on stderr is kept over all its lives."""

    def __init__(self, name: str, words: list[str], env: Mapping[str, str], folder: Path) -> None:
        self.name = name
        self.words = words
        self.said = folder / f"{name}.log"
        self._env = env
        self._process: subprocess.Popen[bytes] | None = None
        self._began = 0

    @property
    def pid(self) -> int:
        assert self._process is not None, f"{self.name} was never started"
        return self._process.pid

    def start(self) -> None:
        with self.said.open("ab") as log:
            self._began = log.tell()
            self._process = subprocess.Popen(
                [sys.executable, "-m", "services.cli.main", "run", *self.words],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=dict(self._env),
            )

    @property
    def is_alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def is_at_work(self) -> bool:
        """Alive, and done with starting in this life."""
        return self.is_alive and b'"event":"started"' in self._said_in_this_life()

    @property
    def table_stopped(self) -> bool:
        return b'"event":"table stopped' in self._said_in_this_life()

    def kill(self) -> None:
        """As a power cut would."""
        self.send(signal.SIGKILL)
        self.wait()

    def end(self) -> int:
        """In good order; gives the exit code."""
        self.send(signal.SIGTERM)
        return self.wait()

    def pause(self) -> None:
        self.send(signal.SIGSTOP)

    def go_on(self) -> None:
        self.send(signal.SIGCONT)

    def send(self, signal_number: int) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal_number)

    def wait(self) -> int:
        return 0 if self._process is None else self._process.wait(SECONDS)

    def _said_in_this_life(self) -> bytes:
        return self.said.read_bytes()[self._began :]


class Crew:
    """A Redis whose answers are on disk, and the processes that work with it."""

    def __init__(self, folder: Path) -> None:
        self.log_dir = folder / "logs"
        self.state_dir = folder / "state"
        self.redis = EmbeddedRedis(appendfsync="always", data_dir=folder / "redis")
        #: Whether a table may stop in some process without failing the test.
        self.may_stop = False
        self._folder = folder
        self._workers: list[Worker] = []

    def __enter__(self) -> Self:
        self._folder.mkdir(parents=True, exist_ok=True)
        self.redis.start()
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.send(signal.SIGKILL)
        for worker in self._workers:
            worker.wait()
        self.redis.stop()

    def hire(self, name: str, *words: str) -> Worker:
        """Start a service; ``name`` tells it from others of its kind."""
        env = {
            **os.environ,
            "SHOETRAIL_REDIS_URL": self.redis.url,
            "SHOETRAIL_LOG_DIR": str(self.log_dir),
            "SHOETRAIL_STATE_DIR": str(self.state_dir),
            "SHOETRAIL_LOG_LEVEL": "debug",
            "SHOETRAIL_LOG_FORMAT": "json",
        }
        worker = Worker(name, list(words), env, self._folder)
        self._workers.append(worker)
        worker.start()
        return worker

    def tell(self, table: str, name: str, asks: Command) -> None:
        """Send one command."""
        command = encode(name, Sources(table).commands, TIME, asks)
        with self.client() as client:
            client.xadd(Streams(table).commands, {"__data__": command})

    def client(self) -> redis.Redis:
        """A raw client, that the test closes; it does not wait for a server that is away."""
        return redis.Redis.from_url(self.redis.url)

    def until(self, true: Callable[[], object], what: str, seconds: float = SECONDS) -> None:
        """Wait until it is true; a process that ends or a table that stops fails the test."""
        end = time.monotonic() + seconds
        while not true():
            for worker in self._workers:
                ended = not worker.is_alive and worker.wait() >= 0
                assert not ended, f"{worker.name} ended by itself:\n{self.last_words()}"
                assert self.may_stop or not worker.table_stopped, self.last_words()
            assert time.monotonic() < end, f"waited in vain for {what}:\n{self.last_words()}"
            time.sleep(0.01)

    def until_at_work(self, *workers: Worker) -> None:
        for worker in workers:
            self.until(lambda worker=worker: worker.is_at_work, f"{worker.name} to be at work")  # type: ignore[misc]

    def last_words(self) -> str:
        return "\n".join(
            f"--- {worker.name}\n{worker.said.read_text('utf-8', 'replace')[-2000:]}"
            for worker in self._workers
        )
