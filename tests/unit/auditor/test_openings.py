"""What became of each table's commitments: opened, not opened, voided, or with no log at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from schemas.events import OrderReveal, RuleText, SeedReveal
from services.auditor.offline import audit_lines, audit_paths
from services.auditor.report import Openings
from services.auditor.tables import hash_of
from tests.unit.auditor.table import Table, good
from tests.unit.auditor.test_module import module


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


def unreadable(**more: Any) -> Table:  # noqa: ANN401
    """A table whose rules nobody can read, and whose shoe's cards are as committed."""
    table = good(rounds=1, **more)
    opened = table.entries[0]
    text = "no rules at all"
    opened.set(rules=RuleText("punto-mio", hash_of(text), text))
    return table


def fate(table: Table) -> tuple[str, set[str]]:
    """What became of the commitment, and what was found at the close."""
    result = audit_lines(table.lines())
    close = table.at(table.entries[-1])
    return result.commitment, {one.code for one in result.findings if one.at == close}


STACKED = "AC 2C 3C 4C 5C 6C"


@pytest.mark.parametrize("more", [{}, {"rules": "yaba4", "stacked": STACKED}])
def test_without_readable_rules_a_commitment_is_opened_by_its_own_reveal_alone(
    more: dict[str, Any],
) -> None:
    table = unreadable(**more).asked()
    assert fate(table) == ("opened", set())
    if table.kind == "seeded":
        table.entries[-1].set(reveal=SeedReveal("ff" * 32))
    else:
        table.entries[-1].set(reveal=OrderReveal(table.salt.hex(), STACKED + " 7C"))
    assert fate(table) == ("unopened", {"commitment-mismatch"})
    table.entries[-1].set(reveal=SeedReveal("no hex"))
    assert fate(table) == ("unopened", {"commitment-mismatch"})
    table.entries[-1].set(reveal=None)
    assert fate(table) == ("unopened", {"not-revealed"})


def test_without_readable_rules_a_public_order_needs_no_reveal() -> None:
    made = module()
    opened = made.entries[0]
    opened.set(rules=RuleText("punto-mio", hash_of("none"), "none"))
    assert fate(made.asked()) == ("public", set())
