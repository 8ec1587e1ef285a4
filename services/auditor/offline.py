"""Audits of log files, one after the other in one process. Trusts no live verdict."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from schemas.errors import InputError
from schemas.events import RuleText
from schemas.ruleset import published
from schemas.verdicts import Finding
from services.auditor.codes import verdict_of
from services.auditor.disputed import DisputeRecord, Kept, kept_in
from services.auditor.files import LogFile, every_log, lines_of, logs
from services.auditor.fold import ShoeAudit
from services.auditor.record import Record, RecordAudit
from services.auditor.report import Audit, Openings, Previous, ShoeResult
from services.auditor.sealed import SealCheck
from services.ledger.disputes import DisputeBook


def audit_paths(
    paths: Sequence[Path],
    on_progress: Callable[[int, int], None] | None = None,
    *,
    known: Mapping[str, RuleText] | None = None,
    record: Record | None = None,
) -> Audit:
    """Audit files and folders; ``on_progress`` hears how many shoes of how many are done.

    With a ``record`` their seals are checked too, and whatever else it is held against.
    """
    about = RecordAudit(record, paths)
    files = logs(paths) if record is None else about.one_each(every_log(paths))
    rules = published() if known is None else known
    findings: list[Finding] = []
    rounds = events = 0
    closed = True
    previous: Previous | None = None
    table = ""
    last: int | None = None
    openings: list[Openings] = []
    kept: dict[Path, Kept] = {}
    records: dict[tuple[Path, str], DisputeRecord] = {}
    for done, file in enumerate(files):
        if on_progress is not None:
            on_progress(done, len(files))
        folder = file.path.parent
        if folder not in kept:
            kept[folder] = kept_in(folder)
        if (folder, file.table) not in records:
            records[folder, file.table] = DisputeRecord(kept[folder], file.table)
        disputed = records[folder, file.table]
        before = previous if file.table == table else None
        seal = about.begin(file)
        audit = _fold(file, rules, before, disputed.book, seal)
        result = audit.result()
        previous = about.chained(seal, audit.as_previous())
        disputed.take(result)
        if file.table != table:
            openings.append(Openings(file.table))
            last = None
        openings[-1].add(result, last)
        table, last = file.table, file.shoe
        findings += result.findings
        findings += about.end(file, seal, audit)
        closed = closed and audit.state == "closed"
        rounds += result.counts.rounds
        events += result.counts.events
    for found in (about.rest(kept), *(one.findings() for one in records.values())):
        findings += found
    if on_progress is not None:
        on_progress(len(files), len(files))
    verdict = verdict_of(findings, closed=closed)
    return Audit(len(files), rounds, events, tuple(findings), verdict, about.seals, tuple(openings))


def audit_file(
    file: LogFile,
    known: Mapping[str, RuleText],
    previous: Previous | None = None,
    disputes: DisputeBook | None = None,
) -> tuple[ShoeResult, Previous]:
    """Audit one log; give also what the next shoe's audit needs of it."""
    audit = _fold(file, known, previous, disputes)
    return audit.result(), audit.as_previous()


def _fold(
    file: LogFile,
    known: Mapping[str, RuleText],
    previous: Previous | None,
    disputes: DisputeBook | None,
    seal: SealCheck | None = None,
) -> ShoeAudit:
    """Fold a log, its lines by way of its seal where that is checked."""
    audit = ShoeAudit(known=known, previous=previous, disputes=disputes)
    try:
        for lines, torn in lines_of(file.path):
            if seal is not None:
                seal.feed(audit, lines)
            elif lines:
                audit.lines(lines)
            if torn is not None:
                audit.torn()
    except InputError as wrong:
        raise InputError(wrong.what, f"{file.path}, {wrong.where}", wrong.mend) from None
    return audit


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
