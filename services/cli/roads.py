"""``shoetrail roads``: the five roads of a sequence of results, or of a log. Checks no log."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
import typer

from schemas.errors import InputError
from schemas.outcomes import RoundResolved
from services.baccarat.roads import LETTERS, WINNERS, Letter, Roads
from services.cli import output, roads_drawn
from services.cli.log_view import read_log
from services.cli.options import settings_for


class Told(msgspec.Struct, frozen=True):
    """The roads: ``big`` has a column, row, side and number of ties a cell, from 0 at top left."""

    bead: str
    big: tuple[tuple[int, int, str, int], ...]
    big_eye: str
    small: str
    cockroach: str


def roads_command(
    sequence: Annotated[
        str | None,
        typer.Argument(metavar="[SEQUENCE]", help="Who won each round: B, P, or T for a tie."),
    ] = None,
    log: Annotated[
        Path | None, typer.Option(help="Take the results of this replay log instead.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Show the five roads.

    Bead plate, big road, big eye boy, small road, cockroach pig; and what the next banker or
    player win would mark on the last three.

    For example:

      shoetrail roads BBPPPBPBB

      shoetrail roads --log replay_logs/CLEAN/1.jsonl
    """
    if (sequence is None) == (log is None):
        mend = "write: shoetrail roads BBPT, or --log LOG"
        raise InputError("give a sequence, or a log", mend=mend)
    if log is not None:
        settings_for(None)
        winners = _logged(log)
    else:
        winners = read_sequence(sequence or "")
    roads = Roads(winners)
    if json:
        output.document(_told(roads))
    else:
        roads_drawn.show(roads)


def read_sequence(text: str) -> list[Letter]:
    """Read results: letters B, P and T, in capitals or not; anything else is refused."""
    if not text:
        raise InputError("it is empty", "SEQUENCE", "use B, P and T, a letter a round")
    winners: list[Letter] = []
    for place, sign in enumerate(text, start=1):
        letter = sign.upper()
        if letter not in WINNERS:
            what = f"{sign!r} at place {place} is no result"
            raise InputError(what, "SEQUENCE", "use B, P and T, a letter a round")
        winners.append(letter)  # type: ignore[arg-type] # a letter of WINNERS is a Letter
    return winners


def _logged(path: Path) -> list[Letter]:
    """Give the results of a log; a round that was voided or halted has none."""
    outcomes = (one.outcome for one in read_log(path).rounds.values())
    return [
        LETTERS[told.winner]
        for told in outcomes
        if isinstance(told, RoundResolved) and told.winner in LETTERS
    ]


def _told(roads: Roads) -> Told:
    return Told(
        bead="".join(roads.bead),
        big=tuple((cell.column, cell.row, cell.side, cell.ties) for cell in roads.big),
        big_eye="".join(roads.big_eye.marks),
        small="".join(roads.small.marks),
        cockroach="".join(roads.cockroach.marks),
    )
