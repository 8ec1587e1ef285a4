"""``shoetrail export``: logs as tables for DuckDB, pandas or a spreadsheet. Audits nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
import typer

from services.auditor.files import logs
from services.cli import office_logs, output
from services.cli.export_files import check_place, written
from services.cli.files import log_paths
from services.cli.options import settings_for
from services.cli.progress import counter
from services.office.tables import COLUMNS, NAMES, Name, bet_rows, card_row, round_row


class Written(msgspec.Struct, frozen=True):
    """A file, the table in it, and how many rows it has."""

    table: Name
    path: str
    rows: int


class Exported(msgspec.Struct, frozen=True):
    """What was written, and of how many shoes."""

    shoes: int
    files: tuple[Written, ...]


def export(
    paths: Annotated[list[str], typer.Argument(help="Logs, or folders of logs.")],
    to: Annotated[Path, typer.Option(help="A .csv or .parquet file.")],
    table: Annotated[
        Name | None,
        typer.Option(help="This table alone, into the very file; else a file for each of them."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace files that are there.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Write rounds, bets and cards as tables.

    Without --table there are three files, the table's name before the suffix: --to night.csv writes
    night-rounds.csv, night-bets.csv and night-cards.csv. Money is minor units, times are UTC, and
    "at" names the round in all of them. In CSV, text that a spreadsheet would take for a formula
    begins with a '. Parquet needs pyarrow. Logs are taken at their word: audit them first.

    For example:

      shoetrail export replay_logs --to night.parquet

      shoetrail export replay_logs/CLEAN --to bets.csv --table bets --json
    """
    settings_for(None)
    check_place(to, force=True)
    names = NAMES if table is None else (table,)
    places = [
        to if table is not None else to.with_name(f"{to.stem}-{name}{to.suffix}") for name in names
    ]
    for place in places:
        check_place(place, force=force)
    files = logs(log_paths(paths))
    columns = [COLUMNS[name] for name in names]
    with (
        written(list(zip(places, columns, strict=True))) as tables,
        counter("Exporting", hidden=json) as progress,
    ):
        into = dict(zip(names, tables, strict=True))
        rounds, bets, cards = map(into.get, NAMES)
        for shoe, lines in office_logs.shoes(files, progress):
            for message, done in lines:
                if done is None:
                    row = None if cards is None else card_row(shoe, message)
                    if cards is not None and row is not None:
                        cards.add(row)
                    continue
                if rounds is not None:
                    rounds.add(round_row(done))
                if bets is not None:
                    for row in bet_rows(done):
                        bets.add(row)
    found = Exported(
        len(files),
        tuple(
            Written(name, str(place), made.count)
            for name, place, made in zip(names, places, tables, strict=True)
        ),
    )
    if json:
        output.document(found)
        return
    rows = [[one.table, str(one.rows), one.path] for one in found.files]
    output.table(f"Tables of {found.shoes} shoes", ["table", "rows", "file"], rows)
