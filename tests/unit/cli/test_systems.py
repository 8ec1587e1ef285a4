"""``shoetrail systems``: every sequence worked by hand, the menu, and bad input."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from services.bettors.nine import KINDS
from services.cli.main import app
from tests.support.systems import Worked, worked

if TYPE_CHECKING:
    from typer.testing import Result

NINE = [
    "cancellation", "card-count", "dalembert", "follow-the-shoe", "martingale",
    "opposite-the-shoe", "progressive-win", "thirty-one", "triple-cancellation",
]  # fmt: skip


def systems(*args: str) -> Result:
    return CliRunner().invoke(app, ["systems", *args], prog_name="shoetrail")


@pytest.mark.parametrize("case", worked(), ids=lambda case: f"{case.name}: {case.why}")
def test_worked_by_hand(case: Worked) -> None:
    options = [word for name, value in case.settings.items() for word in (f"--{name}", value)]
    result = systems(case.name, "--results", case.results, *options, "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    assert json.loads(result.stdout) == {
        "stakes": case.stakes,
        "sides": case.sides,
        "profit": case.profit,
        "restarts": case.restarts,
    }


def test_each_system_was_worked_with_a_tie_a_limit_and_a_restart() -> None:
    cases = worked()
    assert {case.name for case in cases} == set(NINE) == set(KINDS)
    for name in NINE:
        own = [case for case in cases if case.name == name]
        assert any("T" in case.results for case in own)
        assert any({"min", "max", "unit"} & set(case.settings) for case in own)
        if KINDS[name].chooses == "side":
            assert any(case.restarts for case in own)
            assert any(case.settings.get("restart") == "no" for case in own)


@pytest.mark.parametrize("results", ["WLLLT", "W L L L T", "W,L,L,L,T", "W, L, L, L, T"])
def test_results_may_be_parted(results: str) -> None:
    found = json.loads(systems("martingale", "--results", results, "--json").stdout)
    assert found["stakes"] == [5, 5, 10, 20, 40, 40]


def test_the_table_for_people() -> None:
    result = systems("dalembert", "--results", "W,L,T,L")
    assert (result.exit_code, result.stderr) == (0, "")
    assert [line.split() for line in result.stdout.splitlines()[1:]] == [
        ["bet", "stake", "on", "result", "profit"],
        ["1", "5", "player", "W", "+5"],
        ["2", "5", "player", "L", "0"],
        ["3", "10", "player", "T", "0"],
        ["4", "10", "player", "L", "-10"],
        ["5", "15", "player", "next", "-"],
    ]
    assert "restarts: 0" in result.stdout.splitlines()[0]


def test_the_menu_is_the_documents() -> None:
    found = {one["name"]: one for one in json.loads(systems("--json").stdout)}
    assert list(found) == NINE
    level = {"card-count", "follow-the-shoe", "opposite-the-shoe"}
    for name, one in found.items():
        assert (one["unit"], one["minimum"], one["restart"]) == (5, 5, True)
        assert one["maximum"] == (5 if name in level else 500)
        assert one["side"] == (None if name in level else "player")
        assert one["series"] == ([1, 2, 3] if "cancellation" in name else None)
        assert one["start_count"] == (14 if name == "card-count" else None)
    lines = systems().stdout.splitlines()
    assert [line.split()[0] for line in lines[2:]] == NINE


def test_the_longest_line_that_a_shell_passes_on_is_played() -> None:
    most = str(10**12)
    args = ("martingale", "--unit", most, "--max", most, "--restart", "no", "--json")
    found = json.loads(systems(*args, "--results", "L" * 120_000).stdout)
    assert found["profit"][-1] == -120_000 * 10**12


@pytest.mark.parametrize(
    ("args", "line"),
    [
        ("nope|--results|W", "'nope' is no betting system; use one of: cancellation, card-count"),
        ("--results|W", "no system is named; name one of: cancellation"),
        ("--restart|no", "no system is named"),
        ("martingale", "--results: no results are given; write --results WLT"),
        ("follow-the-shoe", "--results: no results are given; write --results BPT"),
        ("martingale|--results|WXL", "results, number 2: 'X' is no result; write W, L, T"),
        ("martingale|--results|wl", "results, number 1: 'w' is no result"),
        ("martingale|--results|B", "results, number 1: 'B' is no result"),
        ("follow-the-shoe|--results|W", "results, number 1: 'W' is no result; write B, P, T"),
        ("martingale|--results|W\nL", "results, number 2: '\\n' is no result"),
        ("cancellation|--results|W|--series|1 x 3", "--series: 'x' is no number of a series"),
        ("cancellation|--results|W|--series|", "--series: there is no number in it"),
        ("cancellation|--results|W|--series|1 0 3", "--series: '0' is no number of a series"),
        ("cancellation|--results|W|--series|1 -2 3", "--series: '-2' is no number of a series"),
        ("cancellation|--results|W|--series|1 2.5", "--series: '2.5' is no number of a series"),
        ("cancellation|--results|W|--series|1 ٣", "is no number of a series"),
        ("cancellation|--results|W|--series|9999999999999", "a series with 9999999999999"),
        ("martingale|--results|W|--series|1 2", "martingale has no series"),
        ("martingale|--results|W|--counts|14 3", "counts: this system goes by no count"),
        ("martingale|--results|W|--start-count|14", "martingale counts no cards"),
        ("follow-the-shoe|--results|B|--side|player", "follow-the-shoe takes no side"),
        ("opposite-the-shoe|--results|B|--side|banker", "opposite-the-shoe takes no side"),
        ("card-count|--results|W", "counts: no counts"),
        ("card-count|--results|WL|--counts|14", "counts: 1 counts for 2 results; give 3"),
        ("card-count|--results|WL|--counts|1 2 3 4", "counts: 4 counts for 2 results; give 3"),
        ("card-count|--results|W|--counts|14 x", "--counts: 'x' is no whole number"),
        ("card-count|--results||--start-count|1.5", "--start-count: '1.5' is no whole number"),
        ("martingale|--results|W|--unit|0", "--unit: '0' is no amount"),
        ("martingale|--results|W|--unit|-5", "--unit: '-5' is no amount"),
        ("martingale|--results|W|--unit|2.5", "--unit: '2.5' is no amount"),
        ("martingale|--results|W|--min|0", "--min: '0' is no amount"),
        ("martingale|--results|W|--max|0", "--max: '0' is no amount"),
        ("martingale|--results|W|--max|9999999999999", "a maximum of 9999999999999 cannot be"),
        ("martingale|--results|W|--min|10|--max|9", "the maximum, 9, is below the minimum, 10"),
        ("card-count|--results||--min|10", "the maximum, 5, is below the minimum, 10"),
        ("martingale|--results|W|--restart|maybe", "--restart: 'maybe' is neither; say yes or no"),
        ("martingale|--results|W|--side|tie", "--side: 'tie' is neither; say player or banker"),
    ],
)
def test_what_cannot_be_used_gets_one_line_and_exit_2(args: str, line: str) -> None:
    result = systems(*args.split("|"), "--json")
    assert (result.exit_code, result.stdout) == (2, "")
    assert line in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("command", [["run", "bettors", "--tables", "T1"], ["serve"]])
@pytest.mark.parametrize(
    ("seats", "line"),
    [
        ("alice=poker", "seats, alice: 'poker' is no system; write alice=martingale"),
        ("alice=cancellation:series=1-x-3", "seats, alice, series: 'x' is no number of a series"),
        ("alice=martingale:min=600:max=500", "the maximum, 500, is below the minimum, 600"),
    ],
)
def test_seats_that_cannot_be_get_one_line_and_exit_2(
    command: list[str], seats: str, line: str
) -> None:
    words = [*command, "--systems", seats]
    result = CliRunner().invoke(app, words, prog_name="shoetrail", env={"HOME": "/nowhere"})
    assert (result.exit_code, result.stdout) == (2, "")
    assert line in result.stderr
    assert result.stderr.count("\n") == 1
