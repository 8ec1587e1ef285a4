"""Starts ``shoetrail run …`` processes as forks of one that has everything imported.

Importing is nearly all that a start costs, and what is killed fifty times starts fifty times. They
are processes like any other, to be killed, stopped and waited for; that the command starts from
nothing is shown by the tests of the command.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import signal
import subprocess
import sys
import threading
import time
from functools import cache
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

_ROOT: Final = Path(__file__).parents[2]


class Child:
    """One process; what ``subprocess.Popen`` would tell of it."""

    def __init__(self, nursery: Nursery, pid: int) -> None:
        self.pid = pid
        self._nursery = nursery
        self._code: int | None = None

    def poll(self) -> int | None:
        if self._code is None:
            self._code = self._nursery.ask({"look": self.pid})
        return self._code

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def wait(self, seconds: float) -> int:
        end = time.monotonic() + seconds
        while (code := self.poll()) is None:
            assert time.monotonic() < end, f"process {self.pid} does not end"
            time.sleep(0.002)
        return code


class Nursery:
    """The process that forks, and how it is asked: one line of JSON each way."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.nursery"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=_ROOT,
        )
        atexit.register(self.close)

    def start(self, words: list[str], env: Mapping[str, str], log: Path) -> Child:
        asked = {"run": words, "env": dict(env), "log": str(log.resolve()), "cwd": str(Path.cwd())}
        return Child(self, self.ask(asked))

    def ask(self, request: dict[str, Any]) -> Any:  # noqa: ANN401 - a pid, an exit code or None
        into, out = self._process.stdin, self._process.stdout
        assert into is not None
        assert out is not None
        with self._lock:
            into.write(json.dumps(request).encode() + b"\n")
            into.flush()
            return json.loads(out.readline())

    def close(self) -> None:
        """End it; it kills whatever is left."""
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            pipe.close()
        self._process.wait()


@cache
def nursery() -> Nursery:
    """One for all tests of a process, from the first start on."""
    return Nursery()


def _look(alive: set[int], pid: int) -> int | None:
    ended, status = os.waitpid(pid, os.WNOHANG)
    if ended == 0:
        return None
    alive.discard(pid)
    return os.waitstatus_to_exitcode(status)


def _become(request: dict[str, Any]) -> None:
    """Be a process as a shell would have started it."""
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["env"])
    nothing = os.open(os.devnull, os.O_RDONLY)
    log = os.open(request["log"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    for fd, place in ((nothing, 0), (log, 1), (log, 2)):
        os.dup2(fd, place)
    os.close(nothing)
    os.close(log)
    sys.argv = ["shoetrail", "run", *request["run"]]


def _serve(requests: IO[bytes]) -> bool:
    """Fork for each that is asked for; True in such a fork."""
    alive: set[int] = set()
    for line in iter(requests.readline, b""):
        request = json.loads(line)
        if "look" in request:
            answer = _look(alive, request["look"])
        else:
            pid = os.fork()
            if pid == 0:
                _become(request)
                return True
            alive.add(pid)
            answer = pid
        os.write(1, json.dumps(answer).encode() + b"\n")
    for pid in alive:
        os.kill(pid, signal.SIGKILL)
    return False


def _main() -> None:
    from services.cli import run, wiring  # noqa: F401, PLC0415 - what they need is what costs
    from services.cli.main import main  # noqa: PLC0415
    from services.dashboard import service  # noqa: F401, PLC0415

    gc.collect()
    gc.freeze()
    # Unbuffered: a fork must not find what was read ahead for its parent.
    with os.fdopen(os.dup(0), "rb", buffering=0) as requests:
        is_fork = _serve(requests)
    if is_fork:
        main()


if __name__ == "__main__":
    _main()
