"""``shoetrail stats``: is all as chance would have it? Judges by the office alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from services.auditor.files import logs
from services.cli import office_logs, output
from services.cli.files import log_paths
from services.cli.options import settings_for
from services.cli.progress import counter
from services.office.gaming_day import By, GamingDays, parse_start, parse_zone, period_of
from services.office.hold import Hold
from services.office.statistics import Counting, Statistics


def stats(
    paths: Annotated[list[str], typer.Argument(help="Logs, or folders of logs.")],
    by: Annotated[By, typer.Option(help="Part a table's shoes by when they were opened.")] = "all",
    day_starts: Annotated[str, typer.Option(help="When a gaming day starts.")] = "00:00",
    zone: Annotated[str, typer.Option(help="In which time zone it does.")] = "UTC",
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Hold winners, cards and money against exact expectation.

    Per table, rule set and period: winners, cards dealt, ranks, cards, and where in the shoe they
    lay. Per bettor and dealer: what the house took, against what it takes in the long run: whoever
    knows the order of the cards leaves no other trace. An alarm is what chance alone would do in
    one run of 1,000, all figures together; it is a reason to look, and no fault (exit code 0).
    Logs are taken at their word: audit them first.

    For example:

      shoetrail stats replay_logs/CLEAN

      shoetrail stats replay_logs --by month --day-starts 06:00 --zone Europe/Paris --json
    """
    settings_for(None)
    days = GamingDays(parse_start(day_starts, "--day-starts"), parse_zone(zone, "--zone"))
    counting = Counting(period_of(by, days))
    files = logs(log_paths(paths))
    with counter("Counting", hidden=json) as progress:
        for shoe, lines in office_logs.shoes(files, progress):
            for _, done in lines:
                if done is not None:
                    counting.round(done)
            counting.shoe(shoe)
    found = counting.result()
    if json:
        output.document(found)
    else:
        _show(found)


def _show(found: Statistics) -> None:
    left_out = [f"{count} ({why})" for why, count in found.left_out.items()]
    output.facts(
        "Statistics",
        {
            "shoes": str(found.shoes),
            "rounds": str(found.rounds),
            "left out": ", ".join(left_out) or "none",
            "figures looked at": str(found.looked_at),
            "alarms": str(found.alarms),
        },
    )
    output.note(found.says)
    for subject in found.subjects:
        if not subject.rounds:
            continue
        output.table(
            f"{subject.table}, {subject.rules}, {_count(subject.decks, 'deck')}, {subject.origin}, "
            f"{subject.period}: {_count(subject.shoes, 'shoe')}, {_count(subject.rounds, 'round')}",
            ["figure", "chi-square", "df", "p", "alarm"],
            [
                [one.name, f"{one.statistic:.1f}", str(one.freedom), _rare(one.p),
                 _mark(alarm=one.alarm)]
                for one in subject.figures
            ],
        )  # fmt: skip
        for one in subject.figures:
            output.note(f"  {one.name}: {one.says}")
    _holds(found.holds)


def _holds(holds: Sequence[Hold]) -> None:
    rows = [
        [
            one.who,
            one.name,
            str(one.rounds),
            output.money(one.handle, one.currency),
            output.money(one.actual, one.currency),
            output.money(one.expected, one.currency),
            "-" if one.z is None else f"{one.z:.2f}",
            _rare(one.p),
            _mark(alarm=one.alarm),
        ]
        for one in holds
    ]
    if rows:
        head = ["who", "name", "rounds", "handle", "hold", "expected", "z", "p at most", "alarm"]
        output.table("Hold", head, rows)
    for one in holds:
        output.note(f"  {one.says}")


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s'[: number != 1]}"


def _rare(p: float | None) -> str:
    return "-" if p is None else f"{p:.2g}"


def _mark(*, alarm: bool) -> str:
    return "ALARM" if alarm else ""
