"""``shoetrail export``: what is in the tables, read back by others, against the log's JSON."""

from __future__ import annotations

import ast
import csv
import io
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tracemalloc
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

from schemas import events as ev
from services.cli import export_files
from services.cli.main import app
from tests.unit.auditor.table import Table, good
from tests.unit.cli.logs import eventful, write

if TYPE_CHECKING:
    from typer.testing import Result

HERE = Path(__file__).parents[3]
ROOT = HERE / "replay_logs"
CLEAN = ROOT / "CLEAN" / "1.jsonl"
NAMES = ("rounds", "bets", "cards")
Rows = list[dict[str, Any]]


def run(*args: str) -> Result:
    return CliRunner().invoke(app, ["export", *args], prog_name="shoetrail")


def refused(*args: str) -> str:
    result = run(*args)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1, result.stderr
    return result.stderr


def read_csv(path: Path) -> Rows:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, strict=True))


def read_parquet(path: Path) -> Rows:
    parquet: Any = import_module("pyarrow.parquet")
    found: Rows = parquet.read_table(path).to_pylist()
    return found


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def tables(folder: Path, suffix: str) -> dict[str, Rows]:
    read = read_csv if suffix == ".csv" else read_parquet
    return {name: read(folder / f"night-{name}{suffix}") for name in NAMES}


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_the_tables_say_what_the_log_says(tmp_path: Path, suffix: str) -> None:
    log = write(tmp_path / "logs", eventful())
    result = run(str(log), "--to", str(tmp_path / f"night{suffix}"), "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    told = json.loads(result.stdout)
    found = tables(tmp_path, suffix)
    assert told == {
        "shoes": 1,
        "files": [
            {"table": name, "path": str(tmp_path / f"night-{name}{suffix}"),
             "rows": len(found[name])}
            for name in NAMES
        ],
    }  # fmt: skip
    lines = lines_of(log)
    outcomes = [line["data"] for line in lines if line["type"] == "round.resolved"]
    assert [str(row["round"]) for row in found["rounds"]] == [str(one["round"]) for one in outcomes]
    for row, one in zip(found["rounds"], outcomes, strict=True):
        assert row["at"] == f"T7/1#{one['round']}"
        assert str(row["house"]) == str(one["house"])
        assert (row["winner"] or "void") == one["winner"]
        assert row["banker_cards"] == " ".join(one["banker"]["cards"])
        assert str(row["player_total"]) == str(one["player"]["total"])
        for name, column in (("stake", "staked"), ("won", "won"), ("commission", "commission")):
            assert int(row[column]) == sum(paid[name] for paid in one["settlements"])
    assert [row["dealer"] for row in found["rounds"]] == ["dora"] * 7 + ["dan"] * 6
    void = found["rounds"][6]
    assert (void["outcome"], void["reason"]) == ("void", "misdeal")
    settled = [paid for one in outcomes for paid in one["settlements"]]
    for row, paid in zip(found["bets"], settled, strict=True):
        assert [str(row[name]) for name in ("bet", "bettor", "spot", "stake", "result")] == [
            str(paid[name]) for name in ("bet", "bettor", "spot", "stake", "result")
        ]
        assert (row["odds"] or None) == paid["odds"]
        net = paid["returned"] + paid["won"] - paid["commission"] - paid["stake"]
        assert int(row["net"]) == net
    cards = [line for line in lines if line["type"] in {"card.drawn", "card.burned"}]
    for row, line in zip(found["cards"], cards, strict=True):
        assert row["event"] == "T7/" + line["id"]
        assert (row["card"] or None) == line["data"]["card"]
        assert (row["rank"] or "") + (row["suit"] or "") == (line["data"]["card"] or "")
        assert row["hand"] == line["data"].get("hand", "burned")
        assert int(row["position"]) == line["data"]["position"]
        time = row["time"] if suffix == ".csv" else f"{row['time']:%Y-%m-%dT%H:%M:%S.%fZ}"
        assert time == line["time"]


def test_one_table_goes_into_the_very_file(tmp_path: Path) -> None:
    path = tmp_path / "bets.CSV"
    result = run(str(CLEAN), "--to", str(path), "--table", "bets")
    assert result.exit_code == 0
    assert [one.name for one in tmp_path.iterdir()] == ["bets.CSV"]
    assert len(read_csv(path)) == 243
    lines = [line.split() for line in result.stdout.splitlines()]
    assert ["bets", "243", str(path)] in lines


def test_parquet_has_types(tmp_path: Path) -> None:
    run(str(CLEAN), "--to", str(tmp_path / "night.parquet"))
    parquet: Any = import_module("pyarrow.parquet")
    kinds = {field.name: str(field.type) for field in
             parquet.read_schema(tmp_path / "night-rounds.parquet")}  # fmt: skip
    assert kinds["settled"] == "timestamp[us, tz=UTC]"
    assert (kinds["house"], kinds["natural"], kinds["winner"]) == ("int64", "bool", "string")


def test_a_halted_round_and_a_card_in_error(tmp_path: Path) -> None:
    path = tmp_path / "night.csv"
    run(str(ROOT / "MISDRAW-HAND"), "--to", str(path))
    cards = read_csv(tmp_path / "night-cards.csv")
    errors = [row["position"] for row in cards if row["hand"] == "error"]
    assert errors
    assert sum(row["position"] in errors for row in cards) == 2 * len(errors)
    assert "discarded" in {row["hand"] for row in cards}


def test_names_that_are_formulas_are_text(tmp_path: Path) -> None:
    names = ['=HYPERLINK("http://x","y")', "+1", "-1", "@SUM(A1)", "\tx", "\rx", "\nx", 'a,b\r\n"c']
    seats = [(name, number, 10**6) for number, name in enumerate(names, start=1)]
    made = Table(table="T7", shoe=1, seats=seats, dealer="=cmd|'/c calc'!A1").begin()
    made.round(*[(name, "player", 2500) for name in names])
    write(tmp_path, made)
    path = tmp_path / "bets.csv"
    assert run(str(tmp_path), "--to", str(path), "--table", "bets").exit_code == 0
    rows = read_csv(path)
    assert [row["bettor"] for row in rows] == [*("'" + name for name in names[:-1]), names[-1]]
    assert {row["dealer"] for row in rows} == {"'=cmd|'/c calc'!A1"}
    # A number below zero is a number.
    assert {row["net"] for row in rows} <= {"-2500", "0", "2500"}
    raw = path.read_bytes()
    assert raw.startswith(b"at,table,shoe,round,rules,")
    assert b'"a,b\r\n""c"' in raw
    assert raw.endswith(b"\r\n")
    # In Parquet nothing is worked out, and nothing is changed.
    to = tmp_path / "bets.parquet"
    assert run(str(tmp_path), "--to", str(to), "--table", "bets").exit_code == 0
    assert [row["bettor"] for row in read_parquet(to)] == names


def test_an_export_does_not_grow_with_the_folder(tmp_path: Path, monkeypatch: Any) -> None:  # noqa: ANN401
    monkeypatch.setattr(export_files, "ROWS", 100)
    run(str(CLEAN), "--to", str(tmp_path / "first.csv"))  # what is imported and kept by the first
    peaks, sizes = [], []
    for number in (6, 24):
        size = 0
        folder = tmp_path / str(number)
        for shoe in range(1, number + 1):
            log = write(folder, good(shoe=shoe, rounds=25))
            size += log.stat().st_size
        sizes.append(size)
        tracemalloc.start()
        assert run(str(folder), "--to", str(folder / "night.csv")).exit_code == 0
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    # Single lines are remembered, so many of them; the shoes are not.
    assert peaks[1] - peaks[0] < (sizes[1] - sizes[0]) / 4
    assert len(read_csv(tmp_path / "24" / "night-rounds.csv")) == 24 * 25
    to = tmp_path / "night.parquet"
    assert run(str(tmp_path / "24"), "--to", str(to), "--table", "bets").exit_code == 0
    parquet: Any = import_module("pyarrow.parquet")
    groups = parquet.ParquetFile(to).metadata.num_row_groups
    assert groups == -(-24 * 25 * 3 // 100)


def test_a_file_that_is_there_stays_unless_told(tmp_path: Path) -> None:
    path = tmp_path / "night.csv"
    (tmp_path / "night-bets.csv").write_text("mine")
    assert "night-bets.csv: this file is there already" in refused(str(CLEAN), "--to", str(path))
    assert [one.name for one in tmp_path.iterdir()] == ["night-bets.csv"]
    assert run(str(CLEAN), "--to", str(path), "--force").exit_code == 0
    assert len(read_csv(tmp_path / "night-bets.csv")) == 243


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_nothing_is_left_of_an_export_that_failed(tmp_path: Path, suffix: str) -> None:
    logs = tmp_path / "logs"
    write(logs, good(shoe=1))
    bad = write(logs, good(shoe=2))
    bad.write_bytes(bad.read_bytes() + b"nothing\n")
    (tmp_path / f"night-bets{suffix}").write_text("mine")
    says = refused(str(logs), "--to", str(tmp_path / f"night{suffix}"), "--force")
    assert "2.jsonl, line " in says
    assert "this is no line of a log; audit it" in says
    assert sorted(one.name for one in tmp_path.iterdir()) == ["logs", f"night-bets{suffix}"]
    assert (tmp_path / f"night-bets{suffix}").read_text() == "mine"


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_a_disk_that_is_full(tmp_path: Path, suffix: str) -> None:
    """No larger file than 4 KiB may be written, as if the disk held no more."""
    done = subprocess.run(
        [sys.executable, "-m", "services.cli.main", "export", str(CLEAN), "--to",
         str(tmp_path / f"night{suffix}")],
        capture_output=True,
        text=True,
        check=False,
        cwd=HERE,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)),
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(r"shoetrail: \S+night-\w+\.\w+: cannot be written \(.+\)\n", done.stderr)
    assert list(tmp_path.iterdir()) == []


def test_without_pyarrow(tmp_path: Path, monkeypatch: Any) -> None:  # noqa: ANN401
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    says = refused(str(CLEAN), "--to", str(tmp_path / "night.parquet"))
    assert "--to: Parquet needs pyarrow, which is not here; pip install 'shoetrail[export]'" in says
    assert run(str(CLEAN), "--to", str(tmp_path / "night.csv")).exit_code == 0


@pytest.mark.parametrize(
    ("to", "says"),
    [
        ("night.xlsx", "--to: '.xlsx' is no kind of file that is written; name a .csv or"),
        ("night", "--to: 'night' is no kind of file"),
        ("", "--to: "),
        ("nowhere/night.csv", "there is no such folder; make it, or name another"),
        ("folder.csv", "this is a folder; name a file in it"),
    ],
)
def test_a_place_that_is_none(tmp_path: Path, to: str, says: str) -> None:
    (tmp_path / "folder.csv").mkdir()
    path = str(tmp_path / to) if to else to
    assert says in refused(str(CLEAN), "--to", path)


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["nowhere", "--to", "x.csv"], "nowhere: there is no such file or folder"),
        ([str(CLEAN)], "Missing option '--to'"),
        ([str(CLEAN), "--to", "x.csv", "--table", "people"], "'people' is not one of"),
    ],
)
def test_bad_input_gets_one_line(args: list[str], says: str) -> None:
    assert says in refused(*args)


def test_an_unsettled_round_is_no_round_yet(tmp_path: Path) -> None:
    made = good(rounds=2)
    made.open_round()
    made.bet("ann", "banker", 10_000)
    write(tmp_path, made)
    assert run(str(tmp_path), "--to", str(tmp_path / "night.csv")).exit_code == 0
    found = tables(tmp_path, ".csv")
    assert (len(found["rounds"]), len(found["bets"])) == (2, 6)


def test_a_face_down_card_is_null(tmp_path: Path) -> None:
    made = Table(table="T7", shoe=1)
    made.say(ev.CardBurned(0, None, command=None))
    write(tmp_path, made)
    assert run(str(tmp_path), "--to", str(tmp_path / "night.parquet")).exit_code == 0
    (row,) = tables(tmp_path, ".parquet")["cards"]
    assert (row["card"], row["rank"], row["suit"], row["at"], row["hand"]) == (
        None, None, None, None, "burned",
    )  # fmt: skip


def test_rows_read_back_by_another_reader(tmp_path: Path) -> None:
    """RFC 4180 as a reader without Python's dialects would take it: CRLF, quotes doubled."""
    run(str(CLEAN), "--to", str(tmp_path / "night.csv"))
    text = (tmp_path / "night-rounds.csv").read_bytes().decode()
    assert text.count("\r\n") == text.count("\n") == 82
    head, *rows = [line.split(",") for line in text.split("\r\n")[:-1]]
    assert {len(row) for row in rows} == {len(head)}
    assert list(csv.reader(io.StringIO(text))) == [head, *rows]


def test_the_example_in_the_documentation_runs(tmp_path: Path) -> None:
    """All its lines but the one that asks another program, which is not ours to bring."""
    text = (HERE / "docs" / "office.md").read_text()
    (block,) = [one for one in re.findall(r"```\n(.*?)```", text, re.DOTALL) if "export" in one]
    shutil.copytree(ROOT / "CLEAN", tmp_path / "replay_logs" / "CLEAN")
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    said = ""
    for line in block.splitlines():
        if not line.startswith("duckdb "):
            said = subprocess.run(
                ["sh", "-c", line],
                capture_output=True,
                text=True,
                check=True,
                cwd=tmp_path,
                env={**os.environ, "PATH": path},
            ).stdout
    rows = {row["spot"]: row for row in ast.literal_eval(said)}
    assert set(rows) == {"player", "banker", "tie"}
    assert rows["tie"]["stake_sum"] == 81 * 500
    assert -sum(row["net_sum"] for row in rows.values()) == -5000
