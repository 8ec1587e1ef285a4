"""What of a shoe goes into a bundle, and the zip file: the same files give the same bytes."""

from __future__ import annotations

import hashlib
import os
import zipfile
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from schemas.errors import InputError, cannot_read
from services.cli.files import cannot_write
from services.office.inspection import Packed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from schemas.address import Shoe

_BLOCK: Final = 1 << 18
#: The first time that a zip file can say: of a bundle's files only what is in them counts.
_TIME: Final = (1980, 1, 1, 0, 0, 0)
_UNIX: Final = 3
_MODE: Final = 0o100644 << 16
CHECKER: Final = "checker.html"
_REPLACED: Final = (".checkpoint", ".audit.json")


class Source(NamedTuple):
    """A file to be packed: its name in the bundle, what it is, and where it is or what it says."""

    name: str
    what: str
    path: Path | None = None
    data: bytes = b""
    #: So many bytes of the file: it may grow while it is packed.
    size: int = 0

    def blocks(self) -> Iterator[bytes]:
        """Read it."""
        if self.path is None:
            yield self.data
            return
        left = self.size
        try:
            with self.path.open("rb") as file:
                while left and (block := file.read(min(_BLOCK, left))):
                    left -= len(block)
                    yield block
        except OSError as trouble:
            raise cannot_read(self.path, trouble) from None
        if left:
            raise InputError("became shorter while it was read", str(self.path))


def file(name: str, what: str, path: Path, *, now: bool = False) -> Source | None:
    """Take a file as it is now; None where there is none.

    One that only grows is read when it is packed, as far as it goes now; one that others replace is
    read at once (``now``).
    """
    try:
        with path.open("rb") as opened:
            size = os.fstat(opened.fileno()).st_size
            if now:
                return Source(name, what, data=opened.read(), size=size)
    except FileNotFoundError:
        return None
    except OSError as trouble:
        raise cannot_read(path, trouble) from None
    return Source(name, what, path, size=size)


def raw_lines(source: Source) -> Iterator[tuple[bytes, bool]]:
    """Give a file's lines as they are, without their ends; at last, with False, what has none."""
    parts: list[bytes] = []
    for block in source.blocks():
        first, *others = block.split(b"\n")
        parts.append(first)
        for other in others:
            yield b"".join(parts), True
            parts = [other]
    if last := b"".join(parts):
        yield last, False


def beside(folder: Path, shoe: Shoe) -> tuple[list[Source], list[str]]:
    """Find what lies beside a shoe's log; give also what is not there.

    A signed root is taken before what it is of, which may grow meanwhile, and then goes beyond it.
    """
    stem = f"{shoe.number}"
    wanted = [
        (f"{stem}.checkpoint", "the signed root of the log"),
        (f"{stem}.verdicts.jsonl", "the live auditor's verdicts"),
        (f"{stem}.verdicts.checkpoint", "the signed root of the verdicts"),
        (f"{stem}.audit.json", "a worker's audit of the whole log"),
        (f"{stem}.live.jsonl", "what only a witness could see: when commands arrived"),
        ("disputes.jsonl", "the table's disputes"),
        ("disputes.checkpoint", "the signed root of the disputes"),
    ]
    found: dict[str, Source | None] = {}
    for name, what in sorted(wanted, key=lambda one: not one[0].endswith(_REPLACED)):
        now = name.endswith(_REPLACED)
        found[name] = file(f"logs/{shoe.table}/{name}", what, folder / name, now=now)
    there = [source for name, _ in wanted if (source := found[name]) is not None]
    return there, [f"{what} ({name})" for name, what in wanted if found[name] is None]


def checker() -> Source | None:
    """Find the page that checks a log in a browser."""
    page = resources.files("services") / "dashboard" / "static" / CHECKER
    if not page.is_file():
        return None
    return Source(CHECKER, "checks the log in a browser", data=page.read_bytes())


def measured(source: Source) -> Packed:
    """Hash a file as it will be packed."""
    digest = hashlib.sha256()
    size = 0
    for block in source.blocks():
        digest.update(block)
        size += len(block)
    return Packed(source.name, source.what, size, digest.hexdigest())


def pack(path: Path, folder: str, sources: Sequence[Source]) -> None:
    """Write the zip beside its place and rename it when it is whole.

    Nothing is compressed, since compressors differ, and the bundle has one hash on every machine.
    """
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as opened:
            with zipfile.ZipFile(opened, "w", zipfile.ZIP_STORED) as made:
                for source in sources:
                    info = zipfile.ZipInfo(f"{folder}/{source.name}", _TIME)
                    info.create_system, info.external_attr = _UNIX, _MODE
                    with made.open(info, "w", force_zip64=source.size > zipfile.ZIP64_LIMIT) as to:
                        for block in source.blocks():
                            to.write(block)
            opened.flush()
            os.fsync(opened.fileno())
        part.replace(path)
    except OSError as trouble:
        raise cannot_write(path, trouble) from None
    finally:
        part.unlink(missing_ok=True)
