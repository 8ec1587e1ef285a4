"""Seals a finished log that no live auditor sealed, and the verdicts on it. Changes no line.

The verdicts are those that a live auditor would have said of these lines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemas.address import EntryId
from schemas.envelope import decode_line
from schemas.errors import InputError, Lost
from schemas.events import Event
from schemas.ruleset import published
from services.auditor.files import lines_of, logs
from services.auditor.offline import previous_of
from services.auditor.recorder import Recorder
from services.auditor.sealing import ShoeSeals

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from schemas.events import RuleText
    from services.auditor.files import LogFile
    from services.auditor.recorder import Step
    from services.ledger.seal import Sealer


def seal_finished(
    path: Path,
    sealer: Sealer,
    *,
    rules: Mapping[str, RuleText] | None = None,
) -> None:
    """Seal a closed shoe's log and the verdicts on it, in files beside it.

    The shoe before is looked for beside it too. The same logs and key leave the same bytes. Raises
    ``InputError`` where the log is not closed, not in the order of a log, or not what was signed of
    this shoe before.
    """
    (file,) = logs([path])
    previous = previous_of(path.parent.parent, file.table, file.shoe - 1)
    seals = ShoeSeals(sealer, file.table, file.shoe, path)
    lines = _lines(file)
    at = 0
    closed = False
    try:
        for step in _steps(file, lines, Recorder(file.table, rules or published(), previous)):
            if step.lines != lines[at : at + len(step.lines)]:
                break
            at += len(step.lines)
            seals.add(step.lines, None if step.verdict is None else step.verdict[1])
            closed = step.due is not None
        if at != len(lines) or not closed:
            mend = "seal a closed shoe's log as the auditor wrote it"
            what = f"the log is not whole and in order from line {at + 1} on"
            raise InputError(what, str(path), mend)
        seals.sign(last=True)
    finally:
        seals.close()


def _lines(file: LogFile) -> list[bytes]:
    lines: list[bytes] = []
    for whole, torn in lines_of(file.path):
        lines += whole
        if torn is not None:
            raise InputError("the last line is torn", str(file.path), "let the auditor mend it")
    return lines


def _steps(file: LogFile, lines: list[bytes], recorder: Recorder) -> Iterator[Step]:
    for number, line in enumerate(lines, 1):
        try:
            message = decode_line(line)
            entry = EntryId.parse(message.id)
            if isinstance(message.data, Event):
                recorder.event(entry, line)
            else:
                recorder.outcome(entry, line)
            yield from recorder.steps()
        except (InputError, Lost) as wrong:
            raise InputError(str(wrong), f"{file.path}, line {number}") from None
