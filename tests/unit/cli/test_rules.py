"""``shoetrail rules``: every published set can be read, as tables, JSON and its own text."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

import msgspec
import pytest
from typer.testing import CliRunner

from schemas.ruleset import RuleSet, parse, published
from services.cli import rules_text
from services.cli.main import app

if TYPE_CHECKING:
    from typer.testing import Result

NAMES = list(published())


def rules(*args: str) -> Result:
    return CliRunner().invoke(app, ["rules", *args], prog_name="shoetrail")


def test_the_list() -> None:
    plain = rules()
    assert plain.exit_code == 0
    assert [line.split()[0] for line in plain.stdout.splitlines()[2:]] == NAMES
    found = json.loads(rules("--json").stdout)
    assert [one["name"] for one in found] == NAMES
    assert found[0].keys() == {"name", "title", "decks", "currency", "sha256"}


@pytest.mark.parametrize("name", NAMES)
def test_the_text_is_the_published_bytes(name: str) -> None:
    result = rules(name, "--text")
    assert hashlib.sha256(result.stdout_bytes).hexdigest() == published()[name].sha256


@pytest.mark.parametrize("name", NAMES)
def test_json_is_the_whole_rule_set(name: str) -> None:
    found = json.loads(rules(name, "--json").stdout)
    assert found.pop("sha256") == published()[name].sha256
    assert msgspec.convert(found, RuleSet) == parse(published()[name].text)


@pytest.mark.parametrize("name", NAMES)
def test_tables_show_the_chart_the_spots_and_the_end(name: str) -> None:
    result = rules(name)
    assert (result.exit_code, result.stderr) == (0, "")
    parsed = parse(published()[name].text)
    lines = result.stdout.splitlines()
    assert lines[0] == parsed.title
    for row in rules_text.chart(parsed):
        assert row in [line.split() for line in lines]
    for spot in parsed.spots:
        assert [line for line in lines if line.split()[:1] == [spot]]


def test_the_chart_as_a_dealer_reads_it() -> None:
    chart = [" ".join(row) for row in rules_text.chart(parse(published()["punto-banco"].text))]
    assert chart == [
        "0 D D D D D D D D D D D",
        "1 D D D D D D D D D D D",
        "2 D D D D D D D D D D D",
        "3 D D D D D D D D D S D",
        "4 D S S D D D D D D S S",
        "5 D S S S S D D D D S S",
        "6 S S S S S S S D D S S",
        "7 S S S S S S S S S S S",
    ]


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("punto-banco", ["1/20 of the winnings on banker", "$5,000.00", "8 to 1", "cut card 14"]),
        ("buti-1990", ["1/20 of the stake on banker, at least $0.25", "at 16 to 30 cards left"]),
        (
            "ktane",
            ["1/10 of the hands'", "26 cards or fewer", "exactly one main bet", "$25,000.00"],
        ),
        ("yaba4", ["after 7 rounds", "one of player, banker, tie", "shoe-exhausted"]),
        ("fun-casino-as-printed", ["19 to 20", "£10.00"]),
        ("ez-baccarat", ["winner banker, banker total 7, banker cards 3", "push", "40 to 1"]),
        ("no-commission-six", ["winner banker, banker total 6", "1 to 2", "12 to 1", "$0.01"]),
        (
            "casino-france-1959",
            ["19 to 20", "cut card 10 from the end: the hand in play and 0 more", "annul-and-burn"],
        ),
        (
            "punto-banco-sides",
            ["winner tie, natural", "player suited, banker suited", "200 to 1", "27 to 50"],
        ),
    ],
)
def test_what_is_peculiar_to_a_set_is_said(name: str, parts: list[str]) -> None:
    text = rules(name).stdout
    for part in parts:
        assert part in text


@pytest.mark.parametrize(
    ("args", "line"),
    [
        (["poker"], "'poker' is no published rule set; use one of: buti-1990"),
        (["--text"], "--text: no rule set is named"),
        (["yaba4", "--text", "--json"], "--text and --json exclude each other"),
    ],
)
def test_what_cannot_be_used_gets_one_line_and_exit_2(args: list[str], line: str) -> None:
    result = rules(*args)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"shoetrail: {line}")
    assert result.stderr.count("\n") == 1
