"""A command under a pseudo-terminal: what a person sees and types. Knows no command."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import threading
import time
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

SECONDS = 60.0
#: Makes the terminal the child's own, so that Ctrl-C reaches it, and becomes the command.
_BECOMES = """
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
"""
_CONTROLS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|[\r\b]")


class Terminal:
    """One command of ours, in a window of so many columns and rows."""

    def __init__(
        self, *words: str, env: Mapping[str, str], columns: int = 100, rows: int = 30
    ) -> None:
        self._ours, self.theirs = pty.openpty()
        fcntl.ioctl(self.theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.modes = termios.tcgetattr(self.theirs)
        self._said = b""
        clean = {k: v for k, v in os.environ.items() if not k.startswith(("SHOETRAIL_", "COL"))}
        self.process = subprocess.Popen(
            [sys.executable, "-c", _BECOMES, "-m", "services.cli.main", *words],
            stdin=self.theirs,
            stdout=self.theirs,
            stderr=self.theirs,
            start_new_session=True,
            env={**clean, "TERM": "xterm-256color", **env},
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.theirs)
        self._reader.join(SECONDS)
        os.close(self._ours)

    @property
    def said(self) -> str:
        """All that was written to the terminal, without colours and the like."""
        return _CONTROLS.sub("", self._said.decode("utf-8", "replace"))

    @property
    def frame(self) -> str:
        """What the last box of several shows, as far as it was drawn whole."""
        frames = self.said.rsplit("╭", 2)
        whole = [frame for frame in frames if "╰" in frame]
        return whole[-1] if whole else ""

    @property
    def is_as_it_was(self) -> bool:
        """Whether the terminal is as it was before: who is at it next sees what he types."""
        return termios.tcgetattr(self.theirs) == self.modes and os.get_blocking(self.theirs)

    def types(self, keys: str) -> None:
        os.write(self._ours, keys.encode())

    def until(self, true: Callable[[], Any] | str, seconds: float = SECONDS) -> Any:  # noqa: ANN401
        """Wait until it is true, or until this text was written; give what was true."""
        end = time.monotonic() + seconds
        wanted = true if callable(true) else lambda: true in self.said
        while not (found := wanted()):
            over = self.process.poll() is not None
            assert not over or wanted(), f"it ended:\n{self.said[-3000:]}"
            assert time.monotonic() < end, f"waited in vain:\n{self.said[-3000:]}"
            time.sleep(0.01)
        return found

    def ends(self) -> int:
        """Wait for its end; gives the exit code."""
        code = self.process.wait(SECONDS)
        time.sleep(0.05)  # what it wrote last is on its way still
        return code

    def _read(self) -> None:
        while True:
            try:
                data = os.read(self._ours, 65536)
            except OSError:  # all have closed it
                return
            if not data:
                return
            self._said += data
