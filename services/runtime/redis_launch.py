"""Starts and ends a process that dies with its parent; knows nothing about what it serves.

The process's stdin is a pipe that we hold. A watcher beside the server reads it: the word ``ours``
tells the watcher to go, since we ended the server ourselves; the pipe's end, however we died,
is the server's end too. This needs no more than a POSIX shell and no code between fork and exec.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from schemas.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_LONGEST_SOCKET = 100
_LOG = "said.log"
_BEYOND_A_SHELL = 10
# $1 is the directory to remove after the server, where it died with its parent. The shell becomes
# the server (exec), so that its pid is the server's; `$$` in the subshell is that pid too. It takes
# descriptor 3 for itself: what the server inherits has numbers that no POSIX script can name. A
# server that nobody has buried (a container without an init) answers kill -0, but has no exe.
_WATCHED = """
dir=$1; shift
exec 3<&0
( read -r word <&3
  [ "$word" = ours ] && exit
  kill -TERM $$ 2>/dev/null
  i=0; while kill -0 $$ 2>/dev/null && [ $i -lt 100 ] &&
    { [ ! -e /proc/self/exe ] || [ -e /proc/$$/exe ]; }; do sleep 0.1; i=$((i+1)); done
  rm -rf "$dir" ) >/dev/null 2>&1 &
exec "$@" </dev/null 3<&-
"""


def launch(
    binary: Path, home: Path, options: Mapping[str, str], *, keep: tuple[int, ...] = ()
) -> subprocess.Popen[bytes]:
    """Start a server with options; what it says goes to a file in ``home``.

    ``home`` is removed if we die; ``keep`` are file descriptors that it inherits (its locks).
    """
    words = [word for name, value in options.items() for word in (f"--{name}", value)]
    env = {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C"}
    return launch_words(home, [str(binary), *words], env, keep=keep)


def launch_words(
    home: Path, words: Sequence[str], env: Mapping[str, str], *, keep: tuple[int, ...] = ()
) -> subprocess.Popen[bytes]:
    """Start any program so; what it says goes to the same file."""
    # An own session, so that Ctrl-C in a terminal reaches us and not the server under us.
    with (home / _LOG).open("wb") as log, _beyond(keep) as kept:
        return subprocess.Popen(  # noqa: S603 (a fixed script; the words are its arguments)
            ["/bin/sh", "-c", _WATCHED, "sh", str(home), *words],
            stdin=subprocess.PIPE,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            pass_fds=kept,
            env=env,
        )


@contextlib.contextmanager
def _beyond(keep: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Give each descriptor a second number that is not one of the shell's; a lock is in both."""
    kept: list[int] = []
    try:
        for one in keep:
            kept.append(fcntl.fcntl(one, fcntl.F_DUPFD_CLOEXEC, _BEYOND_A_SHELL))  # noqa: PERF401 (each is closed, though the next fails)
        yield tuple(kept)
    finally:
        for one in kept:
            os.close(one)


def release(process: subprocess.Popen[bytes], patience: float) -> None:
    """Let the watcher of a dying server go, then wait for the server's end (killing it if slow)."""
    if process.stdin is not None:
        with contextlib.suppress(OSError):
            process.stdin.write(b"ours\n")
            process.stdin.flush()
        with contextlib.suppress(OSError):
            process.stdin.close()
    try:
        process.wait(patience)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def last_words(home: Path) -> str:
    """Say the last line that a server logged."""
    try:
        said = (home / _LOG).read_text("utf-8", "replace").split("\n")
    except OSError:
        said = []
    return next((line.strip() for line in reversed(said) if line.strip()), "it said nothing")


def answers(family: socket.AddressFamily, address: str | tuple[str, int]) -> bool:
    """Say whether a server answers PING there, with its data loaded."""
    try:
        with socket.socket(family, socket.SOCK_STREAM) as talk:
            talk.settimeout(1.0)
            talk.connect(address)
            talk.sendall(b"PING\r\n")
            return talk.recv(16).startswith(b"+PONG")
    except OSError:
        return False


def private_dir() -> Path:
    """Make a directory of our own (0700) whose path leaves room for a socket."""
    for base in (None, "/tmp"):  # noqa: S108 (mkdtemp makes a private one; TMPDIR may be too long)
        home = Path(tempfile.mkdtemp(prefix="shoetrail-", dir=base))
        if len(os.fsencode(home / "redis.sock")) < _LONGEST_SOCKET:
            return home
        home.rmdir()
    raise Unavailable("no temporary directory has a path short enough for a socket")


@contextlib.contextmanager
def only_server(data: Path) -> Iterator[int]:
    """Lock a data directory; the server inherits the lock, so it holds as long as that lives."""
    lock = os.open(data / "shoetrail.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        for patience in range(50, -1, -1):  # the last server may be dying still
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if not patience:
                    raise Unavailable(f"another Redis runs on {data}; stop it first") from None
                time.sleep(0.02)
        yield lock
    finally:
        os.close(lock)
