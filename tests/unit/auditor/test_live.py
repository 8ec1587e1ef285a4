"""The live record: what only a witness saw, on disk beside the log, once."""

from __future__ import annotations

import json
from pathlib import Path

from schemas import commands as co
from schemas.address import EntryId, Sources
from schemas.envelope import decode_line, encode
from services.auditor.live import LiveRecord
from tests.unit.auditor.table import START, Table, good

TIME = "2026-11-30T03:22:19.000000Z"
MS = START // 1000


def played() -> Table:
    return good(rounds=2).asked()


def commands(table: Table) -> list[tuple[EntryId, bytes]]:
    """The commands that the table's events answer, all in good time."""
    found: list[tuple[EntryId, bytes]] = []
    for bet in [entry for entry in table.entries if hasattr(entry.data, "bet")]:
        data = bet.data
        asks = co.BetPlace(data.round, data.bettor, data.spot, data.stake, None, last=True)
        found.append(
            (EntryId(MS, len(found)), encode(data.bet, Sources("T7").commands, TIME, asks))
        )
    return found


def record(folder: Path, table: Table, *, skew_s: int = 0, **more: object) -> list[str]:
    now = [START]
    live = LiveRecord(folder, "T7", lambda: now[0] + skew_s * 1_000_000, simulated=False)
    for entry, data in more.get("commands", commands(table)):  # type: ignore[attr-defined]
        live.command(entry, data)
    seqs = table.seqs()
    for entry, line in zip(table.entries, table.lines(), strict=True):
        if not entry.is_outcome:
            now[0] = START + 1_000_000 * seqs[entry]
            live.arrived(EntryId(table.shoe, seqs[entry]))
        live.line(decode_line(line))
    live.close()
    path = folder / f"{table.shoe}.live.jsonl"
    return (
        [json.loads(line)["code"] for line in path.read_bytes().splitlines()]
        if path.exists()
        else []
    )


def test_a_table_that_keeps_time_leaves_no_live_record(tmp_path: Path) -> None:
    assert record(tmp_path, played()) == []
    assert not list(tmp_path.iterdir())


def test_a_clock_that_is_off_is_noted_once(tmp_path: Path) -> None:
    assert record(tmp_path, played(), skew_s=90) == ["clock-skew"]


def test_a_second_life_adds_nothing_that_stands_there(tmp_path: Path) -> None:
    record(tmp_path, played(), skew_s=90)
    assert record(tmp_path, played(), skew_s=90) == ["clock-skew"]


def test_a_bet_whose_command_came_after_the_close_was_backdated(tmp_path: Path) -> None:
    table = played()
    said = commands(table)
    last = said[-1]
    late = [*said[:-1], (EntryId(MS + 3_600_000, 0), last[1])]
    assert record(tmp_path, table, commands=late) == ["bet-backdated"]


def test_commands_for_the_next_shoe_wait_for_it(tmp_path: Path) -> None:
    live = LiveRecord(tmp_path, "T7", lambda: START, simulated=False)
    asks = co.BettorSit("ann", 1000)
    name = co.command_id(13, "bettor.sit", "ann", 1)
    assert live.command(EntryId(MS, 0), encode(name, Sources("T7").commands, TIME, asks)) == 13
    assert live.command(EntryId(MS, 1), b"nonsense") is None
