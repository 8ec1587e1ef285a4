"""Audits of log files, one after the other in one process. Trusts no live verdict."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from schemas.errors import InputError
from schemas.events import RuleText
from schemas.ruleset import published
from schemas.verdicts import Finding, ShoeVerdict
from services.auditor.disputed import DisputeRecord
from services.auditor.files import LogFile, lines_of, logs
from services.auditor.fold import ShoeAudit
from services.auditor.report import Audit, Previous, ShoeResult
from services.ledger.disputes import DisputeBook

_RANK: Final[tuple[ShoeVerdict, ...]] = ("pass", "open", "fail")


def audit_paths(
    paths: Sequence[Path],
    on_progress: Callable[[int, int], None] | None = None,
    *,
    known: Mapping[str, RuleText] | None = None,
) -> Audit:
    """Audit files and folders; ``on_progress`` hears how many shoes of how many are done."""
    files = logs(paths)
    rules = published() if known is None else known
    findings: list[Finding] = []
    rounds = events = worst = 0
    previous: Previous | None = None
    table = ""
    records: dict[tuple[Path, str], DisputeRecord] = {}
    for done, file in enumerate(files):
        if on_progress is not None:
            on_progress(done, len(files))
        place = (file.path.parent, file.table)
        record = records.get(place) or records.setdefault(place, DisputeRecord(*place))
        before = previous if file.table == table else None
        result, previous = audit_file(file, rules, before, record.book)
        record.take(result)
        table = file.table
        findings += result.findings
        rounds += result.counts.rounds
        events += result.counts.events
        worst = max(worst, _RANK.index(result.verdict))
    for record in records.values():
        found = record.findings()
        findings += found
        worst = max(worst, _RANK.index("fail") if found else 0)
    if on_progress is not None:
        on_progress(len(files), len(files))
    return Audit(len(files), rounds, events, tuple(findings), _RANK[worst])


def audit_file(
    file: LogFile,
    known: Mapping[str, RuleText],
    previous: Previous | None = None,
    disputes: DisputeBook | None = None,
) -> tuple[ShoeResult, Previous]:
    """Audit one log; give also what the next shoe's audit needs of it."""
    audit = ShoeAudit(known=known, previous=previous, disputes=disputes)
    try:
        for lines, torn in lines_of(file.path):
            if lines:
                audit.lines(lines)
            if torn is not None:
                audit.torn()
    except InputError as wrong:
        raise InputError(wrong.what, f"{file.path}, {wrong.where}", wrong.mend) from None
    return audit.result(), audit.as_previous()


def audit_lines(
    lines: Sequence[bytes],
    *,
    known: Mapping[str, RuleText] | None = None,
    previous: Previous | None = None,
) -> ShoeResult:
    """Audit a log that is in memory, its lines without newlines."""
    audit = ShoeAudit(known=known, previous=previous)
    audit.lines(lines)
    return audit.result()


def previous_of(log_dir: Path, table: str, shoe: int) -> Previous | None:
    """Read what the next shoe's audit needs of an earlier one; None where there is no log."""
    path = log_dir / table / f"{shoe}.jsonl"
    if shoe < 1 or not path.is_file():
        return None
    return audit_file(logs([path])[0], published())[1]
