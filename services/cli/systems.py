"""``shoetrail systems``: a betting system played from written results. Deals nothing."""

from __future__ import annotations

from typing import Annotated, Final

import msgspec
import typer

from schemas.errors import InputError
from services.bettors.nine import KINDS, Run, Terms, letters, make, play, settle, spelling
from services.cli import output
from services.cli.terms import read_terms

_HEAD: Final = ["system", "unit", "min", "max", "restart", "side", "series", "start count"]


class Listed(msgspec.Struct, frozen=True):
    """A system with what it is played by unless told; null where it has no such setting."""

    name: str
    title: str
    unit: int
    minimum: int
    maximum: int
    restart: bool
    side: str | None
    series: tuple[int, ...] | None
    start_count: int | None


def systems(
    name: Annotated[
        str | None, typer.Argument(help="A system; all nine are listed where none is named.")
    ] = None,
    results: Annotated[
        str | None,
        typer.Option(
            help="W, L, T of each bet; follow and opposite the shoe: B, P, T of each hand."
        ),
    ] = None,
    unit: Annotated[
        str | None, typer.Option(help="One unit of money; the minimum unless told.")
    ] = None,
    least: Annotated[str | None, typer.Option("--min", help="The smallest bet, 5.")] = None,
    most: Annotated[
        str | None,
        typer.Option("--max", help="The largest bet, 500; card count, follow, opposite: 5."),
    ] = None,
    restart: Annotated[
        str,
        typer.Option(help="yes: start over when the next bet is above the maximum; no: bet it."),
    ] = "yes",
    side: Annotated[
        str | None,
        typer.Option(help="player or banker: player; card count goes by the count all the same."),
    ] = None,
    series: Annotated[
        str | None, typer.Option(help='A cancellation\'s numbers, times the unit: "1 2 3".')
    ] = None,
    counts: Annotated[
        str | None, typer.Option(help="Card count: the count before each bet, and the next.")
    ] = None,
    start_count: Annotated[
        str | None, typer.Option(help="Card count: the count of a new shoe, 14.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Play a betting system from results, to check it by hand.

    At even money, without commission. Stakes and sides end with the next bet; 0 and null: none.

    For example:

      shoetrail systems

      shoetrail systems dalembert --results W,L,L,L,W,W,L,L,W,W,W,W

      shoetrail systems cancellation --series "2 5 8" --unit 10 --max 200 --results LWW --json

      shoetrail systems card-count --results WLT --counts "14 3 0 -2"
    """
    if name is None:
        given = (results, unit, least, most, side, series, counts, start_count)
        if restart != "yes" or any(option is not None for option in given):
            raise InputError("no system is named", mend=f"name one of: {', '.join(KINDS)}")
        _list(json=json)
        return
    terms = read_terms(unit, least, most, restart, side, series, start_count)
    system = make(name, terms)
    if results is None:
        mend = f"write --results {letters(system)}, one letter each"
        raise InputError("no results are given", "--results", mend)
    told = spelling.results(results)
    run = play(system, told, None if counts is None else spelling.counts(counts, "--counts"))
    if json:
        output.document(run)
    else:
        _show(name, told, run)


def _list(*, json: bool) -> None:
    listed = []
    for name, kind in KINDS.items():
        unit, limits, side, series, start_count = settle(name, Terms())
        listed.append(Listed(name, kind.title, unit, *limits, side, series, start_count))
    if json:
        output.document(listed)
        return
    rows = [
        [
            one.name,
            str(one.unit),
            str(one.minimum),
            str(one.maximum),
            "yes" if one.restart else "no",
            one.side or "-",
            " ".join(map(str, one.series or ())) or "-",
            "-" if one.start_count is None else str(one.start_count),
        ]
        for one in listed
    ]
    output.table("Betting systems, and what they are played by unless told", _HEAD, rows)


def _show(name: str, results: list[str], run: Run) -> None:
    rows = [
        [str(number), str(stake), side or "-", result, f"{profit:+}" if profit else "0"]
        for number, stake, side, result, profit in zip(
            range(1, len(results) + 1), run.stakes, run.sides, results, run.profit, strict=False
        )
    ]
    rows.append([str(len(rows) + 1), str(run.stakes[-1]), run.sides[-1] or "-", "next", "-"])
    title = f"{KINDS[name].title}, at even money; restarts: {run.restarts}"
    output.table(title, ["bet", "stake", "on", "result", "profit"], rows)
