"""Signs a growing log, and never two checkpoints of one that do not agree. It judges no line.

The last checkpoint that was signed of each log is kept beside the key, and on the disk before the
new one leaves. A crash at any point leaves the one or the other, and the next life goes on.
"""

from __future__ import annotations

import fcntl
import os
import re
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from schemas.address import checked_name
from schemas.errors import Conflict, InputError, Unproven
from services.ledger import merkle
from services.ledger.checkpoint import (
    Checkpoint,
    disputes_origin,
    read_checkpoint,
    shoe_origin,
    verdicts_origin,
)
from services.ledger.disk import make_folder
from services.ledger.note import LONGEST
from services.ledger.writer import write_atomically

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from services.ledger.note import Signer

CHECKPOINT: Final = ".checkpoint"
_RELATIVE: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*(?:/[A-Za-z0-9][A-Za-z0-9_-]*)*", re.ASCII)
_MEND: Final = "keep both logs, and find out which of them was changed or dealt again"


class Disagrees(InputError, Conflict):
    """A log does not go on from what was signed of it before: nothing of it is signed."""


class Seal:
    """Seals one log as it grows, in ``checkpoint``. Lines that are added have to be on the disk.

    It may be called by several threads.
    """

    def __init__(self, signer: Signer, origin: str, kept: Path, checkpoint: Path) -> None:
        """Begin with no line; ``kept`` is what was signed last, beside the key."""
        self.origin = origin
        self.checkpoint = checkpoint
        self._signer = signer
        self._kept = kept
        self._tree = merkle.TreeBuilder()
        self._leaves: list[bytes] = []
        #: What was signed last and is known to agree with these lines.
        self._agrees: bytes | None = None
        self._turn = threading.Lock()

    @property
    def size(self) -> int:
        """How many lines were added."""
        return len(self._leaves)

    def add(self, lines: Iterable[bytes]) -> None:
        """Take lines, each without its newline."""
        leaves = [merkle.leaf_hash(line) for line in lines]
        for leaf in leaves:
            self._tree.add(leaf)
        self._leaves += leaves

    def sign(self, *, last: bool = False) -> Checkpoint | None:
        """Sign what was added; give None where more was signed before, and we are not there yet.

        ``last``: no more lines will come. Raises ``Disagrees``; ``Unproven`` where what is kept
        beside the key cannot be read.
        """
        with self._turn, _locked(self._kept.parent):
            size = self._tree.size
            kept = _read(self._kept)
            before = 0 if kept is None else self._checked(kept, size)
            if before > size:
                if last:
                    what = f"the log ends after {size} lines, and {before} were signed"
                    raise Disagrees(what, self.origin, _MEND)
                return None
            checkpoint = Checkpoint(self.origin, size, self._tree.root())
            note = checkpoint.signed(self._signer)
            if note != kept:
                write_atomically(self._kept, note)
            self._agrees = note
            if note != _read(self.checkpoint):
                write_atomically(self.checkpoint, note)
            return checkpoint

    def _checked(self, kept: bytes, size: int) -> int:
        """Give the size that was signed last, unless it does not agree with these lines."""
        try:
            signed = read_checkpoint(kept)
        except Unproven as wrong:
            mend = "restore it: without it we may sign what does not agree"
            raise Unproven(wrong.what, str(self._kept), mend) from None
        if signed.origin != self.origin:
            raise Disagrees(f"this is the checkpoint of {signed.origin}", str(self._kept), _MEND)
        if (
            kept != self._agrees
            and signed.size <= size
            and merkle.root(self._leaves[: signed.size]) != signed.root
        ):
            what = f"the first {signed.size} lines are others than those that were signed"
            raise Disagrees(what, self.origin, _MEND)
        return signed.size


class Sealer:
    """Seals all logs of a site with its key. ``refused`` tells what was not signed, and why."""

    def __init__(self, signer: Signer, memory: Path) -> None:
        """Keep what was signed last under ``memory``, for this key and those after it."""
        self.signer = signer
        self.refused: list[str] = []
        self._memory = memory / quote(signer.name, safe="")

    @classmethod
    def beside(cls, signer: Signer, key: Path) -> Sealer:
        """Keep it beside the key's file."""
        return cls(signer, key.with_name(key.name + ".signed"))

    def shoe(self, table: str, shoe: int, log: Path) -> Seal:
        """Seal a shoe's log, in ``<shoe>.checkpoint`` beside it."""
        return self._seal(shoe_origin(self.signer.name, checked_name(table), shoe), log)

    def verdicts(self, table: str, shoe: int, log: Path) -> Seal:
        """Seal the verdicts on a shoe, in ``<shoe>.verdicts.checkpoint``."""
        return self._seal(verdicts_origin(self.signer.name, checked_name(table), shoe), log)

    def disputes(self, table: str, log: Path) -> Seal:
        """Seal a table's disputes, in ``disputes.checkpoint``."""
        return self._seal(disputes_origin(self.signer.name, checked_name(table)), log)

    def _seal(self, origin: str, log: Path) -> Seal:
        relative = origin.removeprefix(self.signer.name + "/")
        assert _RELATIVE.fullmatch(relative), relative  # noqa: S101 - names are checked above
        table, _, rest = relative.partition("/")
        kept = self._memory / table / (rest.replace("/", ".") + CHECKPOINT)
        return Seal(self.signer, origin, kept, checkpoint_of(log))


def checkpoint_of(log: Path) -> Path:
    """Say where a log's checkpoint lies: ``12.jsonl`` has ``12.checkpoint``."""
    return log.with_suffix(CHECKPOINT)


def _read(path: Path) -> bytes | None:
    try:
        with path.open("rb") as file:
            return file.read(LONGEST + 1)
    except FileNotFoundError:
        return None


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Keep other processes that sign with this key from the same logs meanwhile."""
    make_folder(folder)
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
