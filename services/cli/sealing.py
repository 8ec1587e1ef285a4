"""Which key a command's auditor signs with, if any, and what it could not sign. Signs nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog
import typer

from schemas.plain_text import clean
from services.ledger.keys import KEY_FILE, key_at, parse_vkeys, read_key, vkeys
from services.ledger.seal import Sealer

if TYPE_CHECKING:
    from pathlib import Path

    from services.ledger.note import Verifier
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


def known_keys(settings: Settings, texts: list[str] | None) -> list[Verifier]:
    """Give the public keys that were told, else the house's own, if it has a key here."""
    if texts:
        return parse_vkeys(texts, "--key")
    path = key_path(settings)
    return vkeys(path) if path.exists() else []


def say_refused(sealer: Sealer | None) -> None:
    """Say in a line each what was not sealed."""
    for reason in sealer.refused if sealer is not None else ():
        typer.echo(f"shoetrail: not sealed: {clean(reason)}", err=True)
