"""A process that counts odds, so that the board's loop does not wait: a question and answer a line.

It ends with its questions. It opens nothing, and is given nothing of the board's surroundings.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Final

import msgspec

from services.dashboard.board.asked_shapes import OddsShape
from services.dashboard.board.next_odds import NextRound, odds_of

_ROOT: Final = Path(__file__).parents[3]
#: Whoever deals and shows comes first.
_NICE: Final = 10
_PATIENCE_S: Final = 20.0
_NOTHING: Final = b"null"


class OddsWorker:
    """The process, from outside. Blocks; one caller at a time."""

    def __init__(self, patience_s: float = _PATIENCE_S) -> None:
        """It is started by the first question; after ``patience_s`` it is taken for stuck."""
        self._patience_s = patience_s
        self._process: subprocess.Popen[bytes] | None = None

    def ask(self, asked: NextRound) -> OddsShape | None:
        """Have odds counted; None where that failed, and the next question gets another process."""
        line = msgspec.json.encode(asked) + b"\n"
        process = self._started()
        late = threading.Timer(self._patience_s, process.kill)
        late.start()
        try:
            assert process.stdin is not None  # noqa: S101 - both are pipes
            assert process.stdout is not None  # noqa: S101
            process.stdin.write(line)
            process.stdin.flush()
            told = process.stdout.readline()
            return msgspec.json.decode(told, type=OddsShape | None)
        except (OSError, msgspec.MsgspecError):
            self.stop()
            return None
        finally:
            late.cancel()

    def stop(self) -> None:
        """End the process, whatever it does."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self.stop()
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "services.dashboard.web.odds_worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={"PYTHONPATH": str(_ROOT), "PATH": os.environ.get("PATH", "")},
                start_new_session=True,  # Ctrl-C is for the board
            )
        return self._process


def answer(line: bytes) -> bytes:
    """Answer one question; ``null`` where it cannot be."""
    try:
        asked = msgspec.json.decode(line, type=NextRound)
        return msgspec.json.encode(odds_of(asked))
    except Exception:  # noqa: BLE001 - whatever a log's own rules bring about
        return _NOTHING


def main() -> None:
    """Answer until there are no more questions."""
    os.nice(_NICE)
    for line in sys.stdin.buffer:
        sys.stdout.buffer.write(answer(line) + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
