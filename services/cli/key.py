"""``shoetrail key``: the key that logs are signed with: made, replaced, shown. Signs nothing.

stdout has vkeys only, which may be given to anybody; a private key leaves its file for no output.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
import typer

from schemas.plain_text import clean
from services.cli import output
from services.cli.options import settings_for
from services.cli.sealing import key_path
from services.ledger.keys import SITE, make_key, rotate_key, vkeys
from services.ledger.note import Verifier

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    add_completion=False,
    help=(
        "Make, replace or show the signing key.\n\n"
        "The auditor signs checkpoints with it; whoever checks them needs its vkey only."
    ),
)

File = Annotated[
    Path | None,
    typer.Option(help="The key's file; else SHOETRAIL_KEY, else signing.key in the state folder."),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


class Shown(msgspec.Struct, frozen=True):
    """A site's public keys: the one in use, and those that it replaced."""

    file: str
    name: str
    vkey: str
    replaced: list[str]


@app.command("new")
def new(
    name: Annotated[
        str, typer.Option(help="What stands for your house alone, as casino.example.")
    ] = SITE,
    file: File = None,
    json: Json = False,
) -> None:
    """Make a key; print its vkey.

    The private part is kept in a file of mode 0600. A key that is there is never overwritten.

    For example:

      shoetrail key new --name casino.example
    """
    path = key_path(settings_for(None), file)
    made = make_key(path, name)
    _show([made.verifier], path, f"made {path}", json=json)


@app.command("rotate")
def rotate(file: File = None, json: Json = False) -> None:
    """Put a new key in the old one's place.

    Prints the new vkey, then those that it replaced: what they have signed is checked by theirs.
    A running auditor goes on with the old one until it is started again.

    For example:

      shoetrail key rotate
    """
    path = key_path(settings_for(None), file)
    rotate_key(path)
    mend = "give all these vkeys to whoever checks, and start the auditor again"
    _show(vkeys(path), path, f"replaced {path}; {mend}", json=json)


@app.command("show")
def show(file: File = None, json: Json = False) -> None:
    """Print the vkeys: the one in use, then those that it replaced.

    For example:

      shoetrail audit replay_logs --key "$(shoetrail key show)"
    """
    path = key_path(settings_for(None), file)
    _show(vkeys(path), path, "", json=json)


def _show(found: list[Verifier], path: Path, said: str, *, json: bool) -> None:
    texts = [one.vkey for one in found]
    if json:
        output.document(Shown(str(path), found[0].name, texts[0], texts[1:]))
        return
    if said:
        typer.echo(f"shoetrail: {clean(said)}", err=True)
    for text in texts:
        output.note(text)
