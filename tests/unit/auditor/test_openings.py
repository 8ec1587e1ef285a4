"""What became of each table's commitments: opened, not opened, voided, or with no log at all."""

from __future__ import annotations

from pathlib import Path

from services.auditor.offline import audit_paths
from services.auditor.report import Openings
from tests.unit.auditor.table import Table, good


def write(folder: Path, table: Table) -> None:
    path = folder / table.table / f"{table.shoe}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(line + b"\n" for line in table.lines()))


def shoe(table: str, number: int) -> Table:
    return Table(table=table, shoe=number, previous_root="00" * 32 if number > 1 else None)


def test_each_table_by_itself(tmp_path: Path) -> None:
    write(tmp_path, shoe("T1", 1).begin().play(rounds=2).asked())
    write(tmp_path, shoe("T1", 2).begin().play(rounds=1).close(reveal=None))
    write(tmp_path, shoe("T1", 5).begin().play(rounds=1))
    write(tmp_path, shoe("T2", 3).begin().play(rounds=1).asked())
    found = audit_paths([tmp_path]).commitments
    assert found == (
        Openings("T1", shoes=3, opened=1, unopened=1, open=1, missing=2),
        Openings("T2", shoes=1, opened=1),
    )


def test_a_voided_shoe_opens_its_commitment_too(tmp_path: Path) -> None:
    voided = shoe("T1", 1)
    voided.seat_all()
    write(tmp_path, voided.close("voided", by="sue"))
    found = audit_paths([tmp_path])
    assert found.commitments == (Openings("T1", shoes=1, opened=1, voided=1),)


def test_another_seed_does_not_open_it(tmp_path: Path) -> None:
    table = good(rounds=1)
    table.seed = bytes(32)
    write(tmp_path, table.asked())
    (found,) = audit_paths([tmp_path]).commitments
    assert (found.opened, found.unopened) == (0, 1)
