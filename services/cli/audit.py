"""``shoetrail audit``: checks logs on disk. Judges by the auditor alone."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Final

import typer

from schemas.address import NAME, Shoe
from schemas.errors import InputError
from services.auditor.offline import audit_paths
from services.auditor.receipts import Receipts
from services.auditor.record import Record
from services.auditor.report import Audit
from services.cli import output
from services.cli.files import log_paths
from services.cli.options import settings_for
from services.cli.progress import counter
from services.ledger.keys import parse_vkeys

_SHOES: Final = re.compile(rf"({NAME})/([1-9][0-9]{{0,8}})(?:\.\.([1-9][0-9]{{0,8}}))?", re.ASCII)
_MOST_EXPECTED: Final = 100_000
_TABLES: Final = 10


def audit(
    paths: Annotated[list[str], typer.Argument(help="Logs, or folders of logs.")],
    key: Annotated[
        list[str] | None,
        typer.Option(help="A vkey, or a file of some: check what was signed of the logs."),
    ] = None,
    expect: Annotated[
        list[str] | None, typer.Option(help="Shoes that have to be there, as T7/1..12.")
    ] = None,
    receipts: Annotated[
        list[Path] | None, typer.Option(help="A file of a bettor's own receipts.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Check logs: cards, totals, payouts; with a key, that nothing was changed.

    Rebuilds each shoe from its seed or fixed order. With --key every line is hashed again and held
    against the signed checkpoint beside its log.

    Exit code 0: no fault; 1: a fault was found; 2: a file cannot be used.

    For example:

      shoetrail audit replay_logs/CLEAN/1.jsonl

      shoetrail audit replay_logs --json

      shoetrail audit logs --key "$(shoetrail key show)" --expect T7/1..12

      shoetrail audit logs/T7/12.jsonl --key house.vkeys --receipts mine.receipts
    """
    settings_for(None)
    found_in = log_paths(paths)
    record = _record(key, expect or [], receipts or [])
    with counter("Auditing", hidden=json) as progress:
        found = audit_paths(found_in, progress, record=record)
    if json:
        output.document(found)
    else:
        _show(found)
    if found.verdict == "fail":
        raise typer.Exit(1)


def _record(key: list[str] | None, expect: list[str], receipts: list[Path]) -> Record | None:
    """Give what the record is held against, None where it is held against nothing."""
    if key is None and not expect and not receipts:
        return None
    keys = () if key is None else tuple(parse_vkeys(key, "--key"))
    brought = Receipts()
    for path in receipts:
        brought.read(path, keys)
    return Record(keys, expected(expect), brought)


def expected(texts: list[str]) -> tuple[Shoe, ...]:
    """Read ``T7/12`` and ``T7/1..12``."""
    found: dict[Shoe, None] = {}
    for text in texts:
        read = _SHOES.fullmatch(text)
        if read is None:
            raise InputError(f"{text[:60]!r} names no shoes", "--expect", "write T7/12 or T7/1..12")
        first, last = int(read[2]), int(read[3] or read[2])
        if last < first:
            raise InputError(f"{text} ends before it begins", "--expect", "write T7/1..12")
        if last - first >= _MOST_EXPECTED:
            what = f"{text} are more than {_MOST_EXPECTED} shoes"
            raise InputError(what, "--expect", "name fewer")
        found |= dict.fromkeys(Shoe(read[1], number) for number in range(first, last + 1))
    return tuple(found)


def _show(found: Audit) -> None:
    output.facts(
        "Audit",
        {
            "shoes": str(found.shoes),
            "rounds": str(found.rounds),
            "events": str(found.events),
            "seals": _seals(found),
            "commitments": _commitments(found),
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


def _commitments(found: Audit) -> str:
    """Say what became of all commitments; which table lacks what is said where one does."""
    kinds = ("opened", "unopened", "open", "public", "voided", "halted", "missing")
    sums = {kind: sum(getattr(one, kind) for one in found.commitments) for kind in kinds}
    text = ", ".join(f"{count} {kind}" for kind, count in sums.items() if count)
    lacking = [one.table for one in found.commitments if one.unopened or one.missing]
    return text + (f" (look at {', '.join(lacking[:_TABLES])})" if lacking else "")


def _seals(found: Audit) -> str:
    """Say how the seals are; that one was not checked is said too."""
    seals = found.seals
    parts = {
        "held": seals.held,
        "broken": seals.broken,
        "not checked (give --key)": seals.unchecked,
        "unsealed": seals.missing,
    }
    return ", ".join(f"{count} {what}" for what, count in parts.items() if count)
