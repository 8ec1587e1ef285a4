"""What several commands read alike: settings, hex, names. Runs nothing."""

from __future__ import annotations

import os
from dataclasses import replace
from importlib import metadata
from typing import TYPE_CHECKING

from schemas.address import checked_name
from schemas.errors import InputError
from services.runtime.logging import configure
from services.runtime.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path


def software() -> str:
    """Name this software and its version, as ``shoe.opened`` states it."""
    return f"shoetrail {metadata.version('shoetrail')}"


def settings_for(log_dir: Path | None, *, quiet: bool = True) -> Settings:
    """Read the settings and send logs to stderr.

    A quiet command says itself what went wrong, in one line; SHOETRAIL_LOG_LEVEL has the last word.
    """
    settings = Settings.read()
    if log_dir is not None:
        settings = replace(settings, log_dir=log_dir)
    if quiet and "SHOETRAIL_LOG_LEVEL" not in os.environ:
        settings = replace(settings, log_level="critical")
    configure(settings)
    return settings


def hex_bytes(text: str, where: str, *, exactly: int | None = None, most: int = 64) -> bytes:
    """Read hex of a given length in bytes."""
    try:
        data = bytes.fromhex(text)
    except ValueError:
        raise InputError("this is no hex", where, "use the digits 0-9 a-f") from None
    if exactly is not None and len(data) != exactly:
        mend = f"give {2 * exactly} hex digits"
        raise InputError(f"{exactly} bytes are wanted, not {len(data)}", where, mend)
    if len(data) > most:
        raise InputError(f"at most {most} bytes are taken, not {len(data)}", where)
    return data


def at_least(value: float | None, least: int, where: str, *, most: float = 1e15) -> None:
    """Refuse a number below ``least``, above ``most``, or that is none."""
    if value is not None and not least <= value <= most:
        mend = f"give {least} or more" if value < least else f"give at most {most:.0f}"
        raise InputError(f"{value} cannot be", where, mend)


def names(text: str, where: str, what: str) -> list[str]:
    """Read names parted by commas; none is an empty list."""
    found = [name.strip() for name in text.split(",") if name.strip()]
    for name in found:
        try:
            checked_name(name, what)
        except InputError as error:
            raise InputError(error.what, where, error.mend) from None
    if len(set(found)) != len(found):
        raise InputError(f"a {what} is named twice", where, "name each once")
    return found
