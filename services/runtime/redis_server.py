"""A real Redis of our own on a private unix socket; opens no port and dies with its parent."""

from __future__ import annotations

import contextlib
import shutil
import socket
import time
from typing import TYPE_CHECKING, Literal, Self
from urllib.parse import quote

from schemas.errors import Unavailable
from services.runtime.redis_binary import find_binary, version_of
from services.runtime.redis_launch import (
    answers,
    last_words,
    launch,
    only_server,
    private_dir,
    release,
)

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator
    from pathlib import Path
    from types import TracebackType

    from services.runtime.settings import Settings

Fsync = Literal["always", "everysec", "no"]

_ANSWER_SECONDS = 20.0
_STOP_SECONDS = 20.0


class EmbeddedRedis:
    """One Redis server: started, stopped, killed and started again on the same data.

    ``data_dir`` keeps the append-only file from one life to the next, for one server at a time;
    without it the data lie in a private directory that goes with ``stop``.
    """

    def __init__(
        self,
        *,
        data_dir: Path | None = None,
        appendfsync: Fsync = "everysec",
        binary: Path | None = None,
    ) -> None:
        """Choose the binary (PATH's, else the bundled one); nothing is started yet."""
        self.binary = find_binary() if binary is None else binary
        self.version = version_of(self.binary)
        self._data_dir = data_dir
        self._appendfsync = appendfsync
        self._home: Path | None = None
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The address for redis-py, FastStream and ``SHOETRAIL_REDIS_URL``."""
        return f"unix://{quote(str(self.socket))}?db=0"

    @property
    def socket(self) -> Path:
        """The socket's path, the same over ``restart``."""
        if self._home is None:
            raise Unavailable("the embedded Redis was not started")
        return self._home / "redis.sock"

    @property
    def pid(self) -> int | None:
        """The server's process id while it runs."""
        return None if self._process is None else self._process.pid

    def start(self) -> Self:
        """Start the server and return when it answers; ``Unavailable`` says why it does not."""
        if self._process is not None:
            return self
        if self._home is None:
            self._home = private_dir()
        data = self._home if self._data_dir is None else self._data_dir
        try:
            data.mkdir(parents=True, exist_ok=True, mode=0o700)
            with only_server(data) as lock:
                self._process = self._spawn(self._home, data, lock)
            self._await_answer(self._home)
        except BaseException as reason:
            self.stop()
            if isinstance(reason, OSError):
                raise Unavailable(f"the embedded Redis could not start: {reason}") from reason
            raise
        return self

    def stop(self) -> None:
        """End the server in good order (SIGTERM) and remove its private directory."""
        if self._process is not None:
            self._process.terminate()
            self._reap()
        if self._home is not None:
            shutil.rmtree(self._home, ignore_errors=True)
            self._home = None

    def kill(self) -> None:
        """End the server as a power cut would (SIGKILL); its data stay for ``restart``."""
        if self._process is not None:
            self._process.kill()
            self._reap()

    def restart(self) -> Self:
        """Kill the server if it runs, and start it again on the same data and address."""
        self.kill()
        return self.start()

    def __enter__(self) -> Self:
        """Start."""
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop."""
        self.stop()

    def _spawn(self, home: Path, data: Path, lock: int) -> subprocess.Popen[bytes]:
        options = {
            "port": "0",
            "unixsocket": str(home / "redis.sock"),
            "unixsocketperm": "700",
            "dir": str(data.resolve()),
            "daemonize": "no",
            "appendonly": "yes",
            "appendfsync": self._appendfsync,
            "maxmemory-policy": "noeviction",
            "save": "",
        }
        (home / "redis.sock").unlink(missing_ok=True)
        return launch(self.binary, home, options, keep=(lock,))

    def _reap(self) -> None:
        if self._process is not None:
            release(self._process, _STOP_SECONDS)
            self._process = None

    def _await_answer(self, home: Path) -> None:
        if self._process is None:
            return
        end = time.monotonic() + _ANSWER_SECONDS
        while time.monotonic() < end:
            if answers(socket.AF_UNIX, str(self.socket)):
                return
            if self._process.poll() is not None:
                break
            time.sleep(0.005)
        raise Unavailable(f"{self.binary} did not answer: {last_words(home)}")


@contextlib.contextmanager
def redis_at(
    settings: Settings, *, data_dir: Path | None = None, appendfsync: Fsync = "everysec"
) -> Iterator[str]:
    """Give the URL of the Redis that the settings name, else of an embedded one for the block."""
    if settings.redis_url is not None:
        yield settings.redis_url
        return
    with EmbeddedRedis(data_dir=data_dir, appendfsync=appendfsync) as server:
        yield server.url
