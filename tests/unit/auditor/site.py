"""A site that seals what a naive table leaves, and lets a test tamper with any file of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from services.auditor.offline import audit_lines, audit_paths
from services.auditor.receipts import Receipts
from services.auditor.record import Record
from services.ledger.checkpoint import Checkpoint
from services.ledger.lines import log_root
from services.ledger.note import Signer
from services.ledger.seal import Sealer
from tests.support.finished import seal_finished
from tests.unit.auditor.table import Table, good

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from schemas.address import Shoe
    from schemas.verdicts import Finding
    from services.auditor.report import Audit

SIGNER = Signer("casino.example", bytes(range(32)))
OTHER = Signer("casino.example", bytes(32))
#: What is said of a shoe that somebody asked to close; it is no part of the record.
ASKED = "closed-early"


class Site:
    """A folder of logs with their checkpoints."""

    def __init__(self, folder: Path) -> None:
        self.logs = folder / "logs"
        self.memory = folder / "memory"
        self.receipts = folder / "mine.receipts"

    def path(self, table: str = "T7", shoe: int = 12) -> Path:
        return self.logs / table / f"{shoe}.jsonl"

    def write(self, table: Table) -> Path:
        path = self.path(table.table, table.shoe)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"".join(line + b"\n" for line in table.lines()))
        return path

    def sealed(self, table: Table, signer: Signer = SIGNER) -> Path:
        """Write a closed shoe and seal it, and the verdicts on it."""
        path = self.write(table)
        seal_finished(path, Sealer(signer, self.memory))
        return path

    def chain(self, *shoes: int, table: str = "T7") -> list[Path]:
        """Write and seal shoes in a row, each naming the root of the one before."""
        paths = []
        root, still = None, None
        for shoe in shoes:
            seed = bytes([shoe]) * 32
            made = good(
                table=table, shoe=shoe, rounds=1, seed=seed, previous_root=root, restated=still
            ).asked()
            root, still = audit_lines(made.lines()).root, made.left()
            paths.append(self.sealed(made))
        return paths

    def sign(self, path: Path, size: int, *, signer: Signer = SIGNER, **other: object) -> bytes:
        """Sign the first lines of a log anew, whatever was signed of it before."""
        lines = path.read_bytes().splitlines()[:size]
        origin = other.get("origin", f"{signer.name}/{path.parent.name}/{path.stem}")
        note = Checkpoint(str(origin), size, log_root(lines)).signed(signer)
        path.with_suffix(".checkpoint").write_bytes(note)
        return note

    def audit(
        self,
        *paths: Path,
        keys: Sequence[Signer] = (SIGNER,),
        expect: Sequence[Shoe] = (),
    ) -> Audit:
        known = tuple(one.verifier for one in keys)
        receipts = None
        if self.receipts.exists():
            receipts = Receipts()
            receipts.read(self.receipts, known)
        record = Record(known, tuple(expect), receipts)
        return audit_paths(paths or [self.logs], record=record)

    def found(self, *paths: Path, **options: object) -> list[tuple[str, str]]:
        """Code and address of all findings but that somebody asked to close."""
        return said(self.audit(*paths, **options).findings)  # type: ignore[arg-type]


def said(findings: Sequence[Finding]) -> list[tuple[str, str]]:
    return [(one.code, one.at) for one in findings if one.code != ASKED]


def edit(path: Path, old: bytes, new: bytes) -> None:
    data = path.read_bytes()
    assert data.count(old) >= 1, old
    path.write_bytes(data.replace(old, new, 1))
