"""``shoetrail report``: each figure added up again from the log's JSON, in another way."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

from schemas.disputes import DisputeOpened, DisputeResolved
from schemas.envelope import encode
from services.cli.main import app
from tests.unit.auditor.table import good
from tests.unit.cli.logs import eventful, write

if TYPE_CHECKING:
    from typer.testing import Result

ROOT = Path(__file__).parents[3] / "replay_logs"
CLEAN = ROOT / "CLEAN" / "1.jsonl"
MOVES = {"commission.collected": "commission_collected", "money.adjusted": "adjusted"}
TIME = "2026-12-01T00:00:00.000000Z"


def run(*args: str) -> Result:
    return CliRunner().invoke(app, ["report", *args], prog_name="shoetrail")


def document(*args: str) -> Any:  # noqa: ANN401 - each test knows its shape
    result = run(*args, "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.count("\n") == 1
    return json.loads(result.stdout)


def shoe_end(text: str) -> str:
    return text.replace('"each-hand"', '"shoe-end"')


def again(path: Path, starts: str) -> dict[tuple[str, str], dict[str, int]]:
    """Add up a log by (day, dealer); a day starts at this time, UTC."""
    found: dict[tuple[str, str], dict[str, int]] = {}
    dealer, at_once = "", True
    for said in map(json.loads, path.read_bytes().splitlines()):
        data = said["data"]
        if said["type"] == "shoe.opened":
            dealer, at_once = data["dealer"], 'collected = "each-hand"' in data["rules"]["text"]
        elif said["type"] == "dealer.changed":
            dealer = data["dealer"]
        day = said["time"][:10]
        if said["time"][11:16] < starts:
            day = f"2026-11-{int(day[-2:]) - 1:02}"
        names = ("rounds", "voided", "bets", "handle", "hold", "commission_owed",
                 "commission_collected", "adjusted", "shoes")  # fmt: skip
        row = found.setdefault((day, dealer), dict.fromkeys(names, 0))
        row["shoes"] += said["type"] == "shoe.opened"
        if said["type"] in MOVES:
            row[MOVES[said["type"]]] += data["amount"]
        elif said["type"] == "round.resolved" and data["winner"] == "void":
            row["voided"] += 1
        elif said["type"] == "round.resolved":
            row["rounds"] += 1
            row["hold"] += data["house"]
            row["bets"] += len(data["settlements"])
            for paid in data["settlements"]:
                row["handle"] += paid["stake"]
                row["commission_owed"] += paid["commission"]
                row["commission_collected"] += paid["commission"] * at_once
    return {key: row for key, row in found.items() if any(row.values())}


@pytest.mark.parametrize("collected", ["each-hand", "shoe-end"])
@pytest.mark.parametrize("starts", ["00:00", "03:24", "06:00"])
def test_rows_by_dealer_and_day(tmp_path: Path, collected: str, starts: str) -> None:
    edit = shoe_end if collected == "shoe-end" else str
    path = write(tmp_path, eventful(edit=edit))
    found = document(str(path), "--day-starts", starts)
    expected = again(path, starts)
    assert len(expected) == (3 if starts == "03:24" else 2)  # a day ends while dora deals
    rows = {(row["day"], row["dealer"]): row for row in found["rows"]}
    assert list(rows) == sorted(expected)
    for key, row in expected.items():
        assert {name: rows[key][name] for name in row} == row
    (total,) = found["totals"]
    for name in ("handle", "hold", "rounds", "commission_owed", "commission_collected"):
        assert total[name] == sum(row[name] for row in expected.values())
    assert total["hold_percent"] == pytest.approx(100 * total["hold"] / total["handle"])
    assert total["voided"] == 1
    assert total["adjusted"] == 1_500


def test_the_night_in_which_the_clock_is_put_back(tmp_path: Path) -> None:
    """At 02:30 in Paris a second time on 25 October, the day goes on."""
    made = good(rounds=3)
    times = ["2026-10-25T00:29:59.000000Z", "2026-10-25T00:30:00.000000Z",
             "2026-10-25T01:29:00.000000Z"]  # fmt: skip
    outcomes = [entry for entry in made.entries if entry.is_outcome]
    for entry in made.entries[: made.entries.index(outcomes[0])]:
        entry.time = times[0]
    for entry, time in zip(outcomes, times, strict=True):
        entry.time = time
    for entry in made.entries:
        entry.time = entry.time or times[1]
    path = write(tmp_path, made)
    rows = document(str(path), "--zone", "Europe/Paris", "--day-starts", "02:30")["rows"]
    assert [(row["day"], row["rounds"]) for row in rows] == [("2026-10-24", 1), ("2026-10-25", 2)]


def test_currencies_are_never_added_up(tmp_path: Path) -> None:
    dollars, euros = good(table="A", rounds=4), good(table="B", rounds=4, currency="EUR")
    for made in (dollars, euros):
        write(tmp_path, made)
    found = document(str(tmp_path))
    assert [total["currency"] for total in found["totals"]] == ["EUR", "USD"]
    assert [row["currency"] for row in found["rows"]] == ["USD", "EUR"]
    for row, total in zip(found["rows"], reversed(found["totals"]), strict=True):
        assert row["handle"] == total["handle"] > 0


def test_disputes_stand_with_their_rounds(tmp_path: Path) -> None:
    path = write(tmp_path, eventful())
    said = [
        DisputeOpened("T7/1#2", "ann", "a nine", None, None, None, None, ()),
        DisputeOpened("T7/1#2", "bob", "a nine", None, None, None, None, ()),
        DisputeOpened("T7/1#9", "bob", "an ace", None, None, None, None, ()),
        DisputeOpened("T7/4#1", "bob", "a ten", None, None, None, None, ()),
        DisputeResolved(1, "sue", "it was an eight", None, ()),
    ]
    lines = [
        encode(f"{number}-0", "/tables/T7/disputes", TIME, each)
        for number, each in enumerate(said, start=1)
    ]
    record = path.parent / "disputes.jsonl"
    record.write_bytes(b"".join(line + b"\n" for line in lines))
    for args in ([str(path)], [str(tmp_path)]):
        found = document(*args)
        rows = {row["dealer"]: (row["disputes"], row["disputes_open"]) for row in found["rows"]}
        assert rows == {"dora": (2, 1), "dan": (1, 1)}
        assert found["disputes_elsewhere"] == 1
    assert "1 dispute is of a round that is in none of these logs" in run(str(path)).stdout
    record.write_bytes(b"no dispute\n")
    result = run(str(path))
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert "disputes.jsonl, line 1: malformed" in result.stderr


def test_all_samples() -> None:
    found = document(str(ROOT), "--day-starts", "06:00", "--zone", "Europe/Paris")
    assert {total["currency"] for total in found["totals"]} == {"EUR", "GBP", "USD"}
    clean = next(row for row in found["rows"] if row["table"] == "CLEAN")
    # 20:00 UTC on New Year's Day.
    assert clean["day"] == "2026-01-01"
    assert again(CLEAN, "00:00")["2026-01-01", "dora"].items() <= clean.items()


def test_for_people() -> None:
    lines = [line.split() for line in run(str(CLEAN)).stdout.splitlines()]
    assert lines[0] == ["Rounds", "by", "gaming", "day,", "from", "00:00", "in", "UTC"]
    key, money = ["2026-01-01", "CLEAN", "dora"], ["$4,455.00", "-$50.00", "-1.12"]
    assert [*key, "1", "81", "0", "0", "243", "0", "0"] in lines
    assert [*key, *money, "$40.00", "$40.00", "$0.00"] in lines
    assert ["USD", *money, "$40.00", "$40.00", "$0.00"] in lines


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["nowhere"], "nowhere: there is no such file or folder; give replay logs"),
        ([""], "an empty path; name logs"),
        ([str(CLEAN), "--zone", "../../etc/passwd"], "--zone: '../../etc/passwd' is no time zone"),
        ([str(CLEAN), "--day-starts", "25:00"], "--day-starts: '25:00' is no time of the day"),
        ([], "Missing argument"),
        ([str(ROOT / "README.md")], "line 1: this is no readable shoe.opened"),
    ],
)
def test_bad_input_gets_one_line(args: list[str], says: str) -> None:
    result = run(*args)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1
    assert says in result.stderr


@pytest.mark.parametrize(
    "time", ["yesterday", "2026-13-01T00:00:00.000000Z", "9999-12-31T23:59:59.999999Z"]
)
def test_a_time_that_no_calendar_has(tmp_path: Path, time: str) -> None:
    made = good()
    for entry in made.entries[-4:]:
        entry.time = time
    result = run(str(write(tmp_path, made)))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1
    assert time in result.stderr


def test_two_logs_of_one_shoe(tmp_path: Path) -> None:
    path = write(tmp_path, good())
    (tmp_path / "copy.jsonl").write_bytes(path.read_bytes())
    result = run(str(tmp_path))
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert "two logs of T7/12" in result.stderr
