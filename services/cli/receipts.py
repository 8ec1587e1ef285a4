"""``shoetrail receipts``: a bettor's own bets as he was told of them, to keep. Checks nothing.

From a table's streams, which a bettor can read himself, or from a log.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from schemas.address import Shoe, Streams, checked_name, is_name
from schemas.envelope import dump
from schemas.errors import InputError, Unproven
from services.auditor.files import logs, small_file
from services.auditor.receipts import Noted, Receipt, receipts_of
from services.cli import output
from services.cli.files import whole_lines
from services.cli.options import at_least, settings_for
from services.cli.shoe_streams import streamed
from services.journal import connect
from services.ledger.checkpoint import read_checkpoint
from services.ledger.note import LONGEST
from services.ledger.seal import checkpoint_of
from services.runtime.process import run_async, wait_for_redis

if TYPE_CHECKING:
    from services.runtime.settings import Settings

_PATIENCE_S = 5.0


def receipts(
    source: Annotated[str, typer.Argument(help="A table's name, or a replay log.")],
    bettor: Annotated[str, typer.Option(help="Whose bets.")],
    shoe: Annotated[
        int | None, typer.Option(help="Which shoe of the table; else the newest.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Print a bettor's receipts, to keep.

    One JSON object a line: his bets, what came back, and the checkpoint of that moment if there is
    one. Later `shoetrail audit --receipts FILE` looks for each of them in the log. A table's are
    read from its streams (SHOETRAIL_REDIS_URL), so that they do not depend on who writes the log.

    For example:

      shoetrail receipts T7 --bettor alice > mine.receipts

      shoetrail receipts replay_logs/CLEAN/1.jsonl --bettor alice
    """
    settings = settings_for(None)
    checked_name(bettor, "bettor")
    at_least(shoe, 1, "--shoe")
    if is_name(source) and not Path(source).is_file():
        of, lines = run_async(lambda: _streams(settings, source, shoe))
        checkpoint = checkpoint_of(settings.log_dir / source / f"{of.number}.jsonl")
    else:
        (file,) = logs([Path(source)])
        of = Shoe(file.table, file.shoe)
        lines = whole_lines(file.path)
        checkpoint = checkpoint_of(file.path)
    found: list[Receipt | Noted] = list(receipts_of(of, lines, bettor))
    if not found:
        raise InputError(f"{bettor} has no bet in {of}", source, "name a bettor who has")
    note = _note(checkpoint)
    if note is not None:
        found.append(note)
    if json:
        output.document([_short(one) for one in found])
        return
    for one in found:
        typer.echo(dump(_short(one)))


def _short(one: Receipt | Noted) -> dict[str, object]:
    """Leave out what is not known."""
    fields = {name: getattr(one, name) for name in one.__struct_fields__}
    return {name: value for name, value in fields.items() if value is not None}


def _note(path: Path) -> Noted | None:
    data = small_file(path, LONGEST)
    try:
        return None if data is None or not read_checkpoint(data) else Noted(data.decode())
    except Unproven:
        return None


async def _streams(settings: Settings, table: str, shoe: int | None) -> tuple[Shoe, list[bytes]]:
    if settings.redis_url is None:
        what = "SHOETRAIL_REDIS_URL is not set, and there is no such log"
        raise InputError(what, table, "set it to the table's Redis, or name a log")
    journal = connect(settings.redis_url)
    try:
        await asyncio.wait_for(wait_for_redis(journal.broker), _PATIENCE_S)
        number = shoe or (await journal.last_id(Streams(table).events)).major
        found = await streamed(journal, Shoe(table, number))
    except TimeoutError:
        raise InputError("Redis does not answer", "SHOETRAIL_REDIS_URL", "start it") from None
    finally:
        await journal.aclose()
    if not found.events:
        raise InputError(f"{table} has no shoe {number}", "its streams", "name one that it has")
    return Shoe(table, number), found.events + found.outcomes
