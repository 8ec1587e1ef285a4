"""Finding and reading log files: what can be used, in order, whole lines apart from torn ones.

Writes nothing and judges nothing but whether a file can be read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from schemas.address import EntryId
from schemas.envelope import decode_line
from schemas.errors import InputError, Unreadable, cannot_read
from schemas.events import ShoeOpened
from services.ledger import dispute_file, seal

if TYPE_CHECKING:
    from io import BytesIO, FileIO

#: A longer line is no line of ours; no more of it than this is looked at.
LONGEST: Final = 1 << 20
#: Lines of so many bytes are given at once: a shoe's, most often.
_BLOCK: Final = 1 << 20
#: So much is read at once: of more, the system would have to find the memory each time.
_PART: Final = 1 << 16
_SMALL: Final = 1 << 13
_SUFFIX: Final = ".jsonl"
#: What lies beside a log: what was signed of it, the live auditor's verdicts, what only a witness
#: could see, a worker's audit.
CHECKPOINT: Final = seal.CHECKPOINT
VERDICTS: Final = ".verdicts.jsonl"
LIVE: Final = ".live.jsonl"
AUDIT: Final = ".audit.json"
_OTHERS: Final = (LIVE, VERDICTS)
_OTHER_SEALS: Final = (VERDICTS.removesuffix(_SUFFIX) + CHECKPOINT, dispute_file.CHECKPOINT)
_SOURCE: Final = "/tables/"
_MEND: Final = "give replay logs (<shoe>.jsonl) or folders that hold them"


class LogFile(NamedTuple):
    """A log by what its first line says; ``size`` in bytes. Sorts by table and shoe."""

    table: str
    shoe: int
    path: Path
    size: int


def logs(paths: Iterable[Path]) -> list[LogFile]:
    """Find every log that these files and folders hold, by table and shoe number.

    A file that is named twice is one log; two files of one shoe are refused.
    """
    found = every_log(paths)
    for one, other in pairwise(found):
        if one[:2] == other[:2]:
            raise two_logs(one, other)
    return found


def every_log(paths: Iterable[Path]) -> list[LogFile]:
    """Find every log, two of one shoe as well; a file that is named twice is one."""
    known: dict[tuple[int, int], Path] = {}
    for path in paths:
        for file in _inside(path):
            known.setdefault(_identity(file), file)
    return sorted(map(_opened, known.values()))


def two_logs(one: LogFile, other: LogFile) -> InputError:
    """Say that there are two logs of one shoe."""
    what = f"two logs of {one.table}/{one.shoe}"
    return InputError(what, f"{one.path} and {other.path}", "give one log a shoe")


def lone_checkpoints(paths: Iterable[Path]) -> list[Path]:
    """Find the checkpoints of shoes in these folders whose logs are not beside them."""
    return sorted(
        file
        for path in paths
        if path.is_dir()
        for file in path.rglob("*" + CHECKPOINT)
        if not file.name.endswith(_OTHER_SEALS) and not file.with_suffix(_SUFFIX).exists()
    )


def small_file(path: Path, largest: int) -> bytes | None:
    """Read a file, of one that is too large a byte too much; None where there is none."""
    try:
        with path.open("rb", buffering=0) as file:
            parts: list[bytes] = []
            left = largest + 1
            while left > 0 and (part := file.read(min(_SMALL if not parts else _PART, left))):
                parts.append(part)
                left -= len(part)
            return b"".join(parts)
    except FileNotFoundError:
        return None
    except OSError as trouble:
        raise cannot_read(path, trouble) from None


def _identity(path: Path) -> tuple[int, int]:
    """Tell one file from another, by whatever name it is given."""
    try:
        seen = path.stat()
    except OSError as trouble:
        raise cannot_read(path, trouble) from None
    return seen.st_dev, seen.st_ino


def _inside(path: Path) -> Sequence[Path]:
    try:
        if path.is_dir():
            files = [file for file in path.rglob("*" + _SUFFIX) if _is_log(file)]
            if not files:
                raise InputError("there is no log in this folder", str(path), _MEND)
            return files
        if not path.exists():
            raise InputError("there is no such file or folder", str(path), _MEND)
        if not path.is_file():
            raise InputError("this is no file", str(path), _MEND)
    except OSError as trouble:
        raise cannot_read(path, trouble) from None
    return [path]


def _is_log(file: Path) -> bool:
    return not file.name.endswith(_OTHERS) and file.name != dispute_file.NAME and file.is_file()


def _opened(path: Path) -> LogFile:
    """Read the first line, which has to be a ``shoe.opened``."""
    where = f"{path}, line 1"
    try:
        with path.open("rb") as file:
            line = file.readline(LONGEST + 1)
            size = file.seek(0, 2)
    except OSError as trouble:
        raise cannot_read(path, trouble) from None
    if not size:
        raise InputError("the file is empty", str(path), _MEND)
    try:
        message = decode_line(line.removesuffix(b"\n"))
        shoe = EntryId.parse(message.id).major
    except (Unreadable, InputError):
        shoe = 0
        message = None
    if message is None or not line.endswith(b"\n") or not isinstance(message.data, ShoeOpened):
        raise InputError("this is no readable shoe.opened", where, _MEND)
    return LogFile(message.source.removeprefix(_SOURCE), shoe, path, size)


def lines_of(path: Path) -> Iterator[tuple[list[bytes], bytes | None]]:
    """Read a log in blocks: whole lines without their newlines, and at the end what is torn."""
    try:
        with path.open("rb", buffering=0) as file:
            yield from _blocks(file)
    except OSError as trouble:
        raise cannot_read(path, trouble) from None


def _blocks(file: FileIO | BytesIO) -> Iterator[tuple[list[bytes], bytes | None]]:
    rest = b""
    lines: list[bytes] = []
    size = 0
    while part := file.read(_PART):
        some = part.split(b"\n")
        if len(rest) <= LONGEST:
            some[0] = rest + some[0]
        elif len(some) > 1:
            some[0] = rest
        else:
            continue  # more of a line that is too long already
        rest = some.pop()
        lines += some
        size += len(part)
        if size >= _BLOCK:
            yield lines, None
            lines, size = [], 0
    yield lines, rest or None
