"""Which key a command's auditor signs with, if any, and what it could not sign. Signs nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog
import typer

from services.cli.output import clean
from services.ledger.keys import KEY_FILE, key_at, read_key
from services.ledger.seal import Sealer

if TYPE_CHECKING:
    from pathlib import Path

    from services.runtime.settings import Settings

log = structlog.get_logger(__name__)


def key_path(settings: Settings, file: Path | None = None) -> Path:
    """Say where the key is: as told, else SHOETRAIL_KEY, else in the state folder."""
    return file or settings.key_file or settings.state_dir / KEY_FILE


def sealer_for(settings: Settings, *, make: bool = False) -> Sealer | None:
    """Give what seals this auditor's logs; None, said once, where there is no key.

    ``make``: without a key in the state folder one is made there. A key that was named has to be
    there already.
    """
    path = key_path(settings)
    if settings.key_file is None and not path.exists() and not make:
        log.warning("logs stay unsealed", what="there is no key", mend="shoetrail key new")
        return None
    own = make and settings.key_file is None
    signer = key_at(path) if own else read_key(path)
    return Sealer.beside(signer, path)


def say_refused(sealer: Sealer) -> None:
    """Say in a line each what was not sealed."""
    for reason in sealer.refused:
        typer.echo(f"shoetrail: not sealed: {clean(reason)}", err=True)
