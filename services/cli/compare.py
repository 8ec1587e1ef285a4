"""``shoetrail compare``: what other rules would have changed in a logged shoe. Audits nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from schemas.errors import InputError
from services.cli import compared_shown, output
from services.cli.log_view import read_log
from services.cli.options import settings_for
from services.cli.readings import compared, side_of

_BOTH = 2


def compare_command(
    log: Annotated[Path, typer.Argument(help="A replay log.")],
    rules: Annotated[
        list[str],
        typer.Option(help="A published rule set; give two. One is set against the log's own."),
    ],
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Compare a logged shoe by two rule sets.

    Lists the rounds whose cards or money would differ, and by how much, in two readings. Same
    coup: each round begins with the card it began with. Dealt again: the whole shoe from its first
    card, so that a changed draw shifts the cards that follow. The bets stay as they were.

    For example:

      shoetrail compare replay_logs/CLEAN/1.jsonl --rules punto-banco --rules fun-casino-as-printed

      shoetrail compare replay_logs/CLEAN/1.jsonl --rules fun-casino-simple --json
    """
    settings_for(None)
    if len(rules) > _BOTH:
        mend = "give two, or one to set against the log's own"
        raise InputError(f"{len(rules)} rule sets cannot be compared", "--rules", mend)
    view = read_log(log)
    sides = [side_of(view, name) for name in rules]
    if len(sides) < _BOTH:
        sides.insert(0, side_of(view, None))
    found = compared(view, *sides)
    if json:
        output.document(found)
    else:
        compared_shown.show(found)
