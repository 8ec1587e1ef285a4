"""Writes logs for the office's commands to read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemas import events as ev
from tests.unit.auditor.table import Table

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

BETS = (("ann", "banker", 10_000), ("bob", "player", 2_500), ("cyd", "tie", 1_000))


def write(folder: Path, table: Table) -> Path:
    """Write a table's log where it belongs."""
    path = folder / table.table / f"{table.shoe}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(line + b"\n" for line in table.lines()))
    return path


def eventful(
    table: str = "T7", shoe: int = 1, edit: Callable[[str], str] = lambda text: text
) -> Table:
    """Two dealers, a void round, bets taken back, money adjusted, commission collected."""
    made = Table(table=table, shoe=shoe, edit=edit).begin()
    made.play(rounds=6)
    made.open_round()
    made.bet("ann", "banker", 10_000)
    made.close_bets()
    made.void()
    made.settle(void=True)
    made.say(ev.DealerChanged("dan", "sue", command=f"{shoe}/dealer.change/desk/1"))
    made.say(
        ev.MoneyAdjusted(f"{table}/{shoe}#3", None, "bob", 1_500, "goodwill", "sue", None,
                         command=f"{shoe}/money.adjust/desk/1")
    )  # fmt: skip
    made.play(rounds=6)
    made.say(ev.CommissionCollected("ann", 1_234, command=None))
    return made.asked()
