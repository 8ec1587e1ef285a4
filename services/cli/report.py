"""``shoetrail report``: what tables took, by dealer and gaming day. Reads logs, and audits none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Annotated

import typer

from services.auditor.files import LogFile, logs
from services.cli import office_logs, output
from services.cli.files import log_paths
from services.cli.options import settings_for
from services.cli.progress import counter
from services.ledger.dispute_file import read_book
from services.office.gaming_day import GamingDays, parse_start, parse_zone
from services.office.report import Disputed, Report, Row, Takes, Total

_Rounds = dict[tuple[int, int], Disputed]


def report(
    paths: Annotated[list[str], typer.Argument(help="Logs, or folders of logs.")],
    day_starts: Annotated[str, typer.Option(help="When a gaming day starts.")] = "00:00",
    zone: Annotated[str, typer.Option(help="In which time zone it does.")] = "UTC",
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Report what tables took, by dealer and gaming day.

    Rounds, handle, hold, commission owed and collected, voids and disputes. A gaming day has the
    date on which it starts, by the clock on the wall of its zone. Currencies are never added up.
    Logs are taken at their word: audit them first.

    For example:

      shoetrail report replay_logs --day-starts 06:00 --zone Europe/Paris

      shoetrail report replay_logs/CLEAN --json
    """
    settings_for(None)
    days = GamingDays(parse_start(day_starts, "--day-starts"), parse_zone(zone, "--zone"))
    takes = Takes(days)
    files = logs(log_paths(paths))
    disputes = _Disputes(files)
    with counter("Adding up", hidden=json) as progress:
        for shoe, lines in office_logs.shoes(files, progress):
            takes.shoe(shoe)
            rounds = disputes.of(shoe.table)
            for message, done in lines:
                if done is not None:
                    takes.round(done, rounds.pop((shoe.number, done.number), None))
                else:
                    takes.line(shoe, message)
    takes.elsewhere(disputes.left())
    found = takes.report(day_starts, zone)
    if json:
        output.document(found)
    else:
        _show(found)


class _Disputes:
    """The disputes on record beside the logs, by the round that they are about."""

    def __init__(self, files: Sequence[LogFile]) -> None:
        self._tables: dict[str, _Rounds] = {}
        for folder, table in sorted({(file.path.parent, file.table) for file in files}):
            found = self._tables.setdefault(table, {})
            # Logs of several tables may lie in one folder, and only one has its record there.
            if folder.name != table and folder.resolve().name != table:
                continue
            every: Counter[tuple[int, int]] = Counter()
            still: Counter[tuple[int, int]] = Counter()
            for one in read_book(folder, table).disputes.values():
                every[one.at.shoe, one.at.round] += 1
                still[one.at.shoe, one.at.round] += one.is_open
            found |= {at: Disputed(count, still[at]) for at, count in every.items()}

    def of(self, table: str) -> _Rounds:
        return self._tables[table]

    def left(self) -> int:
        return sum(one.all for rounds in self._tables.values() for one in rounds.values())


def _show(found: Report) -> None:
    """Counts and money stand apart, or no terminal would be wide enough."""
    rows = [([row.day, row.table, row.dealer], row) for row in found.rows]
    totals = [([total.currency], total) for total in found.totals]
    keys = ["day", "table", "dealer"]
    title = f"by gaming day, from {found.day_starts} in {found.zone}"
    output.table(f"Rounds {title}", [*keys, *_COUNTS], [[*key, *_counts(row)] for key, row in rows])
    output.table(f"Money {title}", [*keys, *_MONEY], [[*key, *_money(row)] for key, row in rows])
    output.table(
        "All rounds", ["currency", *_COUNTS], [[*key, *_counts(row)] for key, row in totals]
    )
    output.table("All money", ["currency", *_MONEY], [[*key, *_money(row)] for key, row in totals])
    elsewhere = found.disputes_elsewhere
    if elsewhere:
        which = "dispute is of a round" if elsewhere == 1 else "disputes are of rounds"
        verb = "is" if elsewhere == 1 else "are"
        output.note(f"{elsewhere} {which} that {verb} in none of these logs")


_COUNTS = ("shoes", "rounds", "voided", "halted", "bets", "disputes", "open")
_MONEY = ("handle", "hold", "hold %", "commission owed", "collected", "adjusted")


def _counts(row: Row | Total) -> list[str]:
    counts = (row.shoes, row.rounds, row.voided, row.halted, row.bets)
    return [str(count) for count in (*counts, row.disputes, row.disputes_open)]


def _money(row: Row | Total) -> list[str]:
    rest = (row.commission_owed, row.commission_collected, row.adjusted)
    return [
        output.money(row.handle, row.currency),
        output.money(row.hold, row.currency),
        "-" if row.hold_percent is None else f"{row.hold_percent:.2f}",
        *(output.money(amount, row.currency) for amount in rest),
    ]
