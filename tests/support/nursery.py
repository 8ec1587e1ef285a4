"""Starts ``shoetrail`` processes as forks of one that has everything imported.

Importing is nearly all that a start costs, and what is killed fifty times starts fifty times. They
are processes like any other, to be killed, stopped and waited for; that the command starts from
nothing is shown by tests of the command that start it so.
"""

from __future__ import annotations

import atexit
import gc
import itertools
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_ROOT: Final = Path(__file__).parents[2]
#: One process hashes strings as all its forks do; of two, no two in a row do it alike. What hangs
#: on the order of a set would else be the same each time.
_NURSERIES: Final = 2
_turns = itertools.count()
_making = threading.Lock()


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


class Command(Child):
    """One whose output is kept apart, until it is asked for."""

    def __init__(self, words: Sequence[str], env: Mapping[str, str]) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self._said = [Path(self._folder.name, name) for name in ("out", "err")]
        child = start(words, env, *self._said)
        super().__init__(child._nursery, child.pid)

    def ends(self, seconds: float = 60.0) -> tuple[int, str, str]:
        """Wait for its end: exit code, stdout, stderr."""
        code = self.wait(seconds)
        out, err = (path.read_text("utf-8") for path in self._said)
        self._folder.cleanup()
        return code, out, err


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
def _nursery(_number: int) -> Nursery:
    return Nursery()


def start(words: Sequence[str], env: Mapping[str, str], out: Path, err: Path) -> Child:
    """Start ``shoetrail`` with these words; what it says is appended to the files."""
    with _making:
        nursery = _nursery(next(_turns) % _NURSERIES)
    said = [os.fspath(path.resolve()) for path in (out, err)]
    asked = {"words": list(words), "env": dict(env), "said": said, "cwd": os.fspath(Path.cwd())}
    return Child(nursery, nursery.ask(asked))


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
    paths = [os.devnull, *request["said"]]
    flags = [os.O_RDONLY, *[os.O_WRONLY | os.O_APPEND | os.O_CREAT] * 2]
    for place, (path, flag) in enumerate(zip(paths, flags, strict=True)):
        opened = os.open(path, flag, 0o644)
        os.dup2(opened, place)
        os.close(opened)
    sys.argv = ["shoetrail", *request["words"]]


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
    from services.cli.main import COMMANDS, main  # noqa: PLC0415

    for module, _ in COMMANDS.values():
        import_module(f"services.cli.{module}")
    import_module("services.dashboard.service")
    gc.collect()
    gc.freeze()
    # Unbuffered: a fork must not find what was read ahead for its parent.
    with os.fdopen(os.dup(0), "rb", buffering=0) as requests:
        is_fork = _serve(requests)
    if is_fork:
        main()


if __name__ == "__main__":
    _main()
