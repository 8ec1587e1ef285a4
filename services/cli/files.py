"""Files that commands are given or have to write: read whole, or refused in a line. Judges none."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from schemas.errors import InputError, why_not
from services.auditor.files import lines_of

if TYPE_CHECKING:
    from collections.abc import Sequence


def log_paths(texts: Sequence[str]) -> list[Path]:
    """Read where logs are; an empty text would be taken for the folder we stand in."""
    if "" in texts:
        raise InputError("an empty path", mend="name logs, or folders of logs")
    return list(map(Path, texts))


def whole_lines(log: Path) -> list[bytes]:
    """Give a log's lines without their newlines; a torn last one is still being written."""
    return [line for whole, _ in lines_of(log) for line in whole]


def text_of(path: Path, what: str = "a text file") -> str:
    """Read a text; ``what`` it should be is for the line that says it is not there."""
    if not path.is_file():
        wrong = "this is no file" if path.exists() else "there is no such file"
        raise InputError(wrong, str(path), f"name {what}")
    return path.read_text("utf-8", "replace")


def check_free(path: Path, *, force: bool) -> None:
    """Refuse a place where no file can be written, or where one is, unless by ``force``."""
    if path.is_dir():
        raise InputError("this is a folder", str(path), "name a file in it")
    if not path.parent.is_dir():
        raise InputError("there is no such folder", str(path.parent), "make it, or name another")
    if path.exists() and not force:
        raise InputError("this file is there already", str(path), "name another, or say --force")


def cannot_write(where: Path | str, trouble: OSError, mend: str = "") -> InputError:
    """Say why a file is not written."""
    return InputError(f"cannot be written ({why_not(trouble)})", str(where), mend)
