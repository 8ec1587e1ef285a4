"""The folder of replay logs: a table's shoes there, and their files. Blocks; writes nothing.

Names are checked before they become paths, and a path that a link leads out of the folder is no
file of it.
"""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from schemas.address import LARGEST, is_name
from services.dashboard.board.reading import lamp_beside

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from services.dashboard.board.shapes import Lamp

#: A shoe's log, what lies beside it, and the disputes of its table.
Kind = Literal["log", "checkpoint", "audit", "verdicts", "disputes"]

_NAMES: Final[dict[Kind, str]] = {
    "log": "{}.jsonl",
    "checkpoint": "{}.checkpoint",
    "audit": "{}.audit.json",
    "verdicts": "{}.verdicts.jsonl",
    "disputes": "disputes.jsonl",
}
_LOG: Final = re.compile(r"([1-9][0-9]{0,15})\.jsonl", re.ASCII)
_BLOCK: Final = 1 << 16
#: What was found in a shoe is far smaller.
_LARGEST_AUDIT: Final = 1 << 24
# A named pipe would wait for its writer, and a link is followed before, once it is known whereto.
_FLAGS: Final = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC


class Seen(NamedTuple):
    """A file as it was found: what it is told apart by, if it changes."""

    path: Path
    size: int
    changed_ns: int

    @property
    def tag(self) -> str:
        """Make an ETag of it."""
        return f'"{self.size:x}-{self.changed_ns:x}"'


class LogFolder:
    """``<folder>/<table>/<shoe>.jsonl`` and what lies beside it."""

    def __init__(self, folder: Path) -> None:
        """Name the folder, which may come to be later."""
        self._folder = folder

    def tables(self, after: str, but: Collection[str] = ()) -> Iterator[tuple[str, list[int]]]:
        """Give the tables that have logs, by name, from behind ``after``, with their shoes."""
        try:
            home = self._folder.resolve(strict=True)
            with os.scandir(home) as entries:
                names = sorted(
                    one.name for one in entries if one.name > after and one.name not in but
                )
        except (OSError, RuntimeError):  # links in a ring
            return
        for name in names:
            if not (home / name).is_symlink() and (shoes := self.shoes(name)):
                yield name, shoes

    def shoes(self, table: str) -> list[int]:
        """Number the shoes of a table whose logs are there, newest first."""
        if not is_name(table):
            return []
        try:
            with os.scandir(self._folder / table) as entries:
                found = [_LOG.fullmatch(entry.name) for entry in entries]
        except OSError:
            return []
        numbers = (int(one[1]) for one in found if one is not None)
        return sorted((number for number in numbers if number <= LARGEST), reverse=True)

    def seen(self, table: str, shoe: int, kind: Kind) -> Seen | None:
        """Find a file of a shoe; None where there is none, or none that may be shown."""
        if not is_name(table) or not 0 < shoe <= LARGEST:
            return None
        try:
            home = self._folder.resolve(strict=True)
            path = (home / table / _NAMES[kind].format(shoe)).resolve(strict=True)
            found = path.stat()
        except (OSError, RuntimeError):  # links in a ring
            return None
        if not path.is_relative_to(home) or not stat.S_ISREG(found.st_mode):
            return None
        return Seen(path, found.st_size, found.st_mtime_ns)

    def read(self, seen: Seen) -> bytes | None:
        """Read a file whole, as far as it was seen; None where it is gone."""
        try:
            return b"".join(self.blocks(seen))
        except OSError:
            return None

    def blocks(self, seen: Seen) -> Iterator[bytes]:
        """Read a file in blocks, as far as it was seen. Raises ``OSError``."""
        with open(os.open(seen.path, _FLAGS), "rb", buffering=0) as file:  # noqa: PTH123 - flags
            left = seen.size
            while left > 0 and (block := file.read(min(_BLOCK, left))):
                left -= len(block)
                yield block

    def lamp(self, table: str, shoe: int) -> Lamp:
        """Say what the audit of a log came to, a worker's or the live one; else ``none``."""
        audit, verdicts = self._small(table, shoe, "audit"), self._small(table, shoe, "verdicts")
        return lamp_beside(shoe, audit, verdicts)

    def _small(self, table: str, shoe: int, kind: Kind) -> bytes | None:
        seen = self.seen(table, shoe, kind)
        return None if seen is None or seen.size > _LARGEST_AUDIT else self.read(seen)
