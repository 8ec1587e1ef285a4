"""A service in a process of its own, started and ended with those in this one. Runs none here.

On two processors a table's auditor beside its other services costs them nothing.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from typing import TYPE_CHECKING, Final

from schemas.errors import Unavailable
from services.runtime.redis_launch import last_words, launch_words, private_dir, release

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Mapping, Sequence
    from pathlib import Path

_PATIENCE_S: Final = 10.0


class Apart:
    """Runs ``python -m MODULE WORDS…``; it dies with us, however we die."""

    def __init__(
        self, name: str, module: str, words: Sequence[str], env: Mapping[str, str]
    ) -> None:
        """``env`` is added to ours; nothing is started yet."""
        self.name = name
        self._words = [sys.executable, "-m", module, *words]
        self._env = {**os.environ, **env}
        self._home: Path | None = None
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def trouble(self) -> Unavailable | None:
        """What is wrong: it has ended though nobody ended it."""
        if self._process is None or self._process.poll() is None:
            return None
        return Unavailable(f"the {self.name} ended by itself: {self.said()}")

    def said(self) -> str:
        """Give the last line that it logged."""
        return "it was not started" if self._home is None else last_words(self._home)

    async def start(self) -> None:
        """Start it; it finds its work by itself."""
        self._home = private_dir()
        self._process = launch_words(self._home, self._words, self._env)

    async def stop(self) -> None:
        """End it in good order."""
        if self._process is not None:
            self._process.terminate()
            await asyncio.to_thread(release, self._process, _PATIENCE_S)
            self._process = None
        if self._home is not None:
            shutil.rmtree(self._home, ignore_errors=True)
            self._home = None
