"""``shoetrail stats``: one document, tables for people, one line for what cannot be used."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

from services.cli.main import app
from tests.unit.auditor.table import Table, good
from tests.unit.cli.logs import eventful, write

if TYPE_CHECKING:
    from typer.testing import Result

ROOT = Path(__file__).parents[3] / "replay_logs"
CLEAN = ROOT / "CLEAN" / "1.jsonl"


def run(*args: str) -> Result:
    return CliRunner().invoke(app, ["stats", *args], prog_name="shoetrail")


def document(*args: str) -> Any:  # noqa: ANN401 - each test knows its shape
    result = run(*args, "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.count("\n") == 1
    return json.loads(result.stdout)


def test_the_counts_are_those_of_the_log() -> None:
    found = document(str(CLEAN))
    lines = [json.loads(line) for line in CLEAN.read_bytes().splitlines()]
    outcomes = [line["data"] for line in lines if line["type"] == "round.resolved"]
    (subject,) = found["subjects"]
    assert (subject["table"], subject["rules"], subject["decks"]) == ("CLEAN", "punto-banco", 8)
    assert subject["rounds"] == found["rounds"] == len(outcomes)
    told = {one["name"]: one for one in subject["figures"]}
    for one in told["winners"]["classes"]:
        assert one["seen"] == sum(outcome["winner"] == one["name"] for outcome in outcomes)
    cards = [
        line["data"]["card"] for line in lines if line["type"] in {"card.drawn", "card.burned"}
    ]
    for one in told["cards"]["classes"]:
        assert one["seen"] == cards.count(one["name"])
    assert told["cards"]["p"] is None
    assert "too few to tell" in told["cards"]["says"]
    holds = {one["name"]: one for one in found["holds"]}
    assert set(holds) == {"alice", "bob", "carol", "dora"}
    settled = [paid for outcome in outcomes for paid in outcome["settlements"]]
    for name, one in holds.items():
        own = [paid for paid in settled if name in {paid["bettor"], "dora"}]
        assert one["handle"] == sum(paid["stake"] for paid in own)
        net = sum(paid["returned"] + paid["won"] - paid["commission"] for paid in own)
        assert one["actual"] == one["handle"] - net
    assert holds["dora"]["actual"] == sum(outcome["house"] for outcome in outcomes)
    assert (found["alarms"], found["level"]) == (0, 0.001)


def test_all_sample_logs_at_once() -> None:
    found = document(str(ROOT))
    assert found["shoes"] > 20
    assert found["alarms"] == 0
    assert found["left_out"]["the order is public"] > 0
    assert len({(one["table"], one["rules"]) for one in found["subjects"]}) > 5


def test_periods(tmp_path: Path) -> None:
    write(tmp_path, good(shoe=1))
    paths = [str(tmp_path)]
    # The shoe is opened at 03:22 UTC on 30 November 2026, in week 49.
    for args, period in (
        (["--by", "day"], "2026-11-30"),
        (["--by", "day", "--day-starts", "06:00"], "2026-11-29"),
        (["--by", "day", "--zone", "America/New_York"], "2026-11-29"),
        (["--by", "week"], "2026-W49"),
        (["--by", "month"], "2026-11"),
        ([], "all"),
    ):
        (subject,) = document(*paths, *args)["subjects"]
        assert subject["period"] == period, args


def test_for_people() -> None:
    result = run(str(CLEAN))
    assert result.exit_code == 0
    assert "None of 9 figures is more than chance accounts for." in result.stdout
    assert "CLEAN, punto-banco, 8 decks, seeded, all: 1 shoe, 81 rounds" in result.stdout
    assert "as chance would have it." in result.stdout
    assert "Of what bettor alice staked in 81 rounds the house kept -7.41%" in result.stdout


def test_a_bettor_who_knows_the_order(tmp_path: Path) -> None:
    """Nothing else in the log is wrong: it passes the audit."""
    made = Table(shoe=1).begin()
    while not made.finished():
        made.open_round()
        ahead = Table(shoe=1)  # the same order: the seed has leaked
        ahead.position, ahead.cut_out = made.position, True
        ahead.open_round()
        ahead.deal()
        winner = ahead.winner()
        made.bet("ann", winner if winner != "tie" else "player", 2_500)
        made.bet("bob", "player", 2_500)
        made.pass_rest()
        made.close_bets()
        made.deal()
        made.settle()
    path = write(tmp_path, made.close())
    assert CliRunner().invoke(app, ["audit", str(path)], prog_name="shoetrail").exit_code == 0
    found = document(str(path))
    rare = {one["name"]: one["alarm"] for one in found["holds"]}
    assert (rare["ann"], rare["bob"]) == (True, False)
    assert found["alarms"] >= 1
    result = run(str(path))
    assert (result.exit_code, "ALARM" in result.stdout) == (0, True)
    assert "have it looked at who knew the cards" in result.stdout


def test_a_last_line_that_is_still_written_is_not_read(tmp_path: Path) -> None:
    path = write(tmp_path, good())
    whole = document(str(path))
    with path.open("ab") as file:
        file.write(b'{"specversion":"1.0","id"')
    assert document(str(path)) == whole


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["nowhere"], "nowhere: there is no such file or folder; give replay logs"),
        ([""], "an empty path; name logs"),
        ([str(CLEAN), "--zone", "Mars/Olympus"], "--zone: 'Mars/Olympus' is no time zone"),
        ([str(CLEAN), "--day-starts", "6"], "--day-starts: '6' is no time of the day"),
        ([str(CLEAN), "--by", "year"], "'year' is not one of"),
        ([], "Missing argument"),
        ([str(ROOT / "README.md")], "line 1: this is no readable shoe.opened"),
        ([str(Path(__file__).parent)], "there is no log in this folder"),
    ],
)
def test_bad_input_gets_one_line(args: list[str], says: str) -> None:
    result = run(*args)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1
    assert says in result.stderr


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b"", "line 3: this is no line of a log; audit it"),
        (b"[" * 5000, "line 3: this is no line of a log; audit it"),
        (b'{"a":NaN}', "line 3: this is no line of a log; audit it"),
        (b"\xff\xfe", "line 3: this is no line of a log; audit it"),
        (b"x" * 2_000_000, "line 3: this is no line of a log; audit it"),
    ],
)
def test_a_line_that_is_none(tmp_path: Path, line: bytes, says: str) -> None:
    lines = good().lines()
    path = tmp_path / "12.jsonl"
    path.write_bytes(b"\n".join([*lines[:2], line, *lines[2:]]) + b"\n")
    result = run(str(path))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1
    assert says in result.stderr


def test_rules_that_cannot_be_read(tmp_path: Path) -> None:
    wrong = good()
    wrong.entries[0].set(rules=type(wrong.entries[0].data.rules)("punto-banco", "00", "no = rules"))
    result = run(str(write(tmp_path, wrong)))
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert "line 1: rule set: " in result.stderr


def test_a_spot_that_its_own_rules_do_not_offer(tmp_path: Path) -> None:
    """A share of the table's maximum that is below the spot's minimum: no bet can lie there."""
    own = "maximum = 50000\n"

    def edit(text: str) -> str:
        assert text.count(own) == 3  # the tie and the pairs
        return text.replace(own, 'maximum_share = "1/100000000"\n')

    foreign = eventful(edit=edit)
    found = document(str(write(tmp_path, foreign)))
    (subject,) = found["subjects"]
    assert subject["rounds"] == 12
    assert {one["name"] for one in found["holds"]} == {"ann", "bob", "cyd", "dora", "dan"}


def test_decks_that_cannot_be(tmp_path: Path) -> None:
    for decks in (0, 17, 2**53 - 1):
        wrong = good()
        wrong.entries[0].set(decks=decks)
        result = run(str(write(tmp_path, wrong)))
        assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
        assert f"a shoe cannot have {decks} decks" in result.stderr
