"""``shoetrail audit``: checks logs on disk. Judges by the auditor alone."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from schemas.errors import InputError
from services.auditor.offline import audit_paths
from services.auditor.report import Audit
from services.cli import output
from services.cli.options import settings_for
from services.cli.progress import counter


def audit(
    paths: Annotated[list[str], typer.Argument(help="Logs, or folders of logs.")],
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Check logs: cards, totals, payouts.

    Rebuilds each shoe from its seed or fixed order.

    Exit code 0: no fault; 1: a fault was found; 2: a file cannot be used.

    For example:

      shoetrail audit replay_logs/CLEAN/1.jsonl

      shoetrail audit replay_logs --json
    """
    settings_for(None)
    if "" in paths:  # which a path would take for the folder we stand in
        raise InputError("an empty path", mend="name logs, or folders of logs")
    with counter("Auditing", hidden=json) as progress:
        found = audit_paths([Path(path) for path in paths], progress)
    if json:
        output.document(found)
    else:
        _show(found)
    if found.verdict == "fail":
        raise typer.Exit(1)


def _show(found: Audit) -> None:
    output.facts(
        "Audit",
        {
            "shoes": str(found.shoes),
            "rounds": str(found.rounds),
            "events": str(found.events),
            "verdict": found.verdict,
        },
    )
    if found.findings:
        output.table(
            "Findings",
            ["code", "at", "grade", "expected", "actual", "amount", "rule"],
            [
                [one.code, one.at, one.grade, one.expected, one.actual, str(one.amount), one.rule]
                for one in found.findings
            ],
        )
