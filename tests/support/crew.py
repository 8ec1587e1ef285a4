"""A table's services as processes of their own, which may be killed and started again."""

from __future__ import annotations

import os
import signal
import time
from typing import TYPE_CHECKING, Self

import redis

from schemas.address import Sources, Streams
from schemas.envelope import encode
from services.runtime.redis_server import EmbeddedRedis
from tests.support import nursery

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
        self._process: nursery.Child | None = None
        self._read = 0
        self._last = b""
        self._at_work = self._stopped = False

    @property
    def pid(self) -> int:
        assert self._process is not None, f"{self.name} was never started"
        return self._process.pid

    def start(self) -> None:
        self.said.touch()
        self._read, self._last = self.said.stat().st_size, b""
        self._at_work = self._stopped = False
        self._process = nursery.start(["run", *self.words], self._env, self.said, self.said)

    @property
    def is_alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def is_at_work(self) -> bool:
        """Alive, and done with starting in this life."""
        self._listen()
        return self._at_work and self.is_alive

    @property
    def table_stopped(self) -> bool:
        self._listen()
        return self._stopped

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

    def _listen(self) -> None:
        """Read what was said since, for it is asked a hundred times a second."""
        with self.said.open("rb") as log:
            log.seek(self._read)
            more = log.read()
        self._read += len(more)
        said = self._last + more
        self._last = said[-100:]
        self._at_work = self._at_work or b'"event":"started"' in said
        self._stopped = self._stopped or b'"event":"table stopped' in said


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
        began = time.monotonic()
        while not true():
            waited = time.monotonic() - began
            for worker in self._workers:
                ended = not worker.is_alive and worker.wait() >= 0
                assert not ended, f"{worker.name} ended by itself:\n{self.last_words()}"
                assert self.may_stop or not worker.table_stopped, self.last_words()
            assert waited < seconds, f"waited in vain for {what}:\n{self.last_words()}"
            # The longer it takes the less often: looking takes from what is waited for.
            time.sleep(min(0.005 + waited / 50, 0.05))

    def until_at_work(self, *workers: Worker) -> None:
        for worker in workers:
            self.until(lambda worker=worker: worker.is_at_work, f"{worker.name} to be at work")  # type: ignore[misc]

    def last_words(self) -> str:
        return "\n".join(
            f"--- {worker.name}\n{worker.said.read_text('utf-8', 'replace')[-2000:]}"
            for worker in self._workers
        )
