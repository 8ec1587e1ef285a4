"""``shoetrail proof``: a round's proof, or what a growing log kept. Checks and signs nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import msgspec
import typer

from schemas.address import Shoe
from schemas.errors import InputError
from services.auditor.files import logs, small_file
from services.cli import output
from services.cli.files import whole_lines
from services.cli.options import at_least, settings_for
from services.ledger.consistency import format_consistency, prove_consistency
from services.ledger.note import LONGEST
from services.ledger.round_proof import format_round_proof, prove_round
from services.ledger.seal import checkpoint_of
from services.ledger.writer import write_atomically

#: A larger file is no shoe's log; one is read whole here.
_LARGEST: Final = 1 << 28


class Written(msgspec.Struct, frozen=True):
    """A proof that was written to a file: of a shoe, and of a round of it, or of its growth."""

    out: str
    shoe: str
    round: int | None
    bytes: int


def proof(
    log: Annotated[Path, typer.Argument(help="A sealed log; its checkpoint lies beside it.")],
    round: Annotated[  # noqa: A002 - the option's name
        int | None, typer.Option("--round", help="The round to prove.")
    ] = None,
    since: Annotated[
        Path | None,
        typer.Option("--from", help="An older checkpoint: prove that the log goes on from it."),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="A new file; else it is printed.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Prove a round to somebody who has only the house's vkey.

    The proof is a JSON document with the round's lines, each with a c2sp tlog-proof; check it with
    `shoetrail verify`. With --from it proves that a growing log kept what was signed of it before.

    For example:

      shoetrail proof replay_logs/T7/12.jsonl --round 17 --out 12-17.proof

      shoetrail proof replay_logs/T7/12.jsonl --from older.checkpoint
    """
    settings_for(None)
    if (round is None) == (since is None):
        raise InputError("nothing to prove, or two things", mend="give --round N, or --from FILE")
    at_least(round, 1, "--round")
    shoe = _shoe(log)
    note = _note(checkpoint_of(log))
    lines = whole_lines(log)
    if since is None:
        made = format_round_proof(prove_round(shoe, round or 0, lines, note))
    else:
        made = format_consistency(prove_consistency(lines, _note(since), note))
    if out is None:
        typer.echo(made, nl=False)
        return
    if out.exists():
        raise InputError("there is a file already", str(out), "give --out another name")
    write_atomically(out, made)
    written = Written(str(out), str(shoe), round, len(made))
    if json:
        output.document(written)
    else:
        output.note(f"{written.out}: {written.bytes} bytes; check it with `shoetrail verify`")


def _shoe(log: Path) -> Shoe:
    if log.is_dir():
        raise InputError("a folder has many logs", str(log), "name one log")
    (file,) = logs([log])
    if file.size > _LARGEST:
        raise InputError(f"is larger than {_LARGEST} bytes", str(log), "no shoe's log is")
    return Shoe(file.table, file.shoe)


def _note(path: Path) -> bytes:
    found = small_file(path, LONGEST)
    if found is None:
        raise InputError("there is no checkpoint", str(path), "only what was signed can be proved")
    return found
