"""What is sealed beside a log: its verdicts, the table's disputes. Judges their seals alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from schemas.address import DisputeAddress
from schemas.errors import Unproven
from services.auditor.codes import finding
from services.auditor.files import CHECKPOINT, VERDICTS, lines_of, small_file
from services.auditor.sealed import Hashes, SealCheck
from services.ledger.checkpoint import (
    disputes_origin,
    open_checkpoint,
    read_checkpoint,
    verdicts_origin,
)
from services.ledger.note import LONGEST

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from schemas.verdicts import Finding
    from services.auditor.disputed import Kept
    from services.auditor.files import LogFile
    from services.ledger.note import Verifier

_VERDICTS: Final = "docs/record.md#verdicts"
_DISPUTES: Final = "docs/disputes.md"


def verdicts(file: LogFile, known: Sequence[Verifier]) -> list[Finding]:
    """Judge the seal of a shoe's verdicts, where there are some."""
    path = file.path.with_suffix(VERDICTS)
    data = small_file(path.with_suffix(CHECKPOINT), LONGEST)
    there = path.exists()
    if data is None and not there:
        return []
    shoe = f"{file.table}/{file.shoe}"
    check = SealCheck(
        shoe,
        lambda site: verdicts_origin(site, file.table, file.shoe),
        data,
        known,
        rule=_VERDICTS,
    )
    if not there:
        check.end(Hashes(), shoe)
    elif hash_log(path, check):
        torn = "a whole line", "a torn one"
        check.findings.append(finding("malformed", shoe, *torn, _VERDICTS))
    return check.findings


def disputes(kept: Kept, tables: Sequence[str], known: Sequence[Verifier]) -> list[Finding]:
    """Judge who signed a record of disputes; what was signed of it is looked at elsewhere.

    A folder may hold the logs of several ``tables``, and the record of one: whose, its lines say,
    else its checkpoint. One of a table whose logs are not audited is not judged.
    """
    data = kept.note
    if data is None and not kept.there:
        return []
    try:
        origin = "" if data is None else read_checkpoint(data).origin
    except Unproven:
        return []  # which the audit of disputes says
    sites = {disputes_origin(key.name, one): one for key in known for one in tables}
    table = kept.table or sites.get(origin, tables[0])
    right = origin in {disputes_origin(key.name, table) for key in known}
    if table not in tables and (data is None or right):
        return []
    at = str(DisputeAddress(table if table in tables else tables[0], len(kept.lines)))
    if data is None:
        return [finding("unsealed", at, "a checkpoint", "none", _DISPUTES)]
    told = f"the checkpoint of {table}'s disputes", f"that of {origin}"
    if right:
        try:
            open_checkpoint(data, known)
        except Unproven as wrong:
            told = "signed by a key that was given", wrong.what
        else:
            return []
    return [finding("signature", at, *told, _DISPUTES)]


def hash_log(path: Path, check: SealCheck) -> bool:
    """Check a log that is only hashed; tell whether its last line is torn."""
    hashes = Hashes()
    torn = False
    for lines, rest in lines_of(path):
        check.feed(hashes, lines)
        torn = rest is not None
    check.end(hashes, check.shoe)
    return torn
