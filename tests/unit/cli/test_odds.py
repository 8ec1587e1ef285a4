"""``shoetrail odds``: one JSON document, tables for people, one line for what cannot be used."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from services.cli.main import app

if TYPE_CHECKING:
    from typer.testing import Result


def odds(*args: str) -> Result:
    return CliRunner().invoke(app, ["odds", *args], prog_name="shoetrail")


def test_the_document() -> None:
    result = odds("--rules", "punto-banco", "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    found = json.loads(result.stdout)
    assert found["combinations"] == {
        "banker": 2_292_252_566_437_888,
        "player": 2_230_518_282_592_256,
        "tie": 475_627_426_473_216,
        "total": 4_998_398_275_503_360,
    }
    edges = {spot: round(100 * edge, 4) for spot, edge in found["edges"].items()}
    pairs = {"player-pair": 10.3614, "banker-pair": 10.3614}
    assert edges == {"player": 1.2351, "banker": 1.0579, "tie": 14.3596, **pairs}
    assert (found["rules"], found["decks"], found["rounded"]) == ("punto-banco", 8, {})
    assert found["cards"]["4"] == 1_893_735_611_458_560
    assert found["naturals"] == 1_714_696_016_515_584
    assert set(found["ways"]["tie"]) == {"win", "push", "lose"}
    for spot, exact in found["exact"].items():
        assert float(Fraction(exact)) == found["edges"][spot]


def test_decks_are_the_rule_sets_unless_told() -> None:
    own = json.loads(odds("--rules", "ktane", "--json").stdout)
    assert own["decks"] == 1
    assert own["combinations"]["total"] == 52 * 51 * 50 * 49 * 48 * 47
    told = json.loads(odds("--rules", "ktane", "--decks", "16", "--json").stdout)
    assert told["decks"] == 16
    assert told["combinations"]["total"] == 832 * 831 * 830 * 829 * 828 * 827


def test_for_people() -> None:
    result = odds("--rules", "no-commission-six")
    assert result.exit_code == 0
    lines = [line.split() for line in result.stdout.splitlines()]
    assert ["banker", "wins", "2,292,252,566,437,888", "45.8597"] in lines
    assert ["all", "4,998,398,275,503,360", "100.0000"] in lines
    assert ["banker", "1.4581", "45.8597", "9.5156", "44.6247"] in lines
    assert "banker: rounding or a minimum commission bears on $10.01: its edge is 1.4608%" in (
        result.stdout
    )


def test_what_the_bettor_has_is_below_zero() -> None:
    lines = [line.split() for line in odds("--rules", "fun-casino-as-printed").stdout.splitlines()]
    assert [line[:2] for line in lines if line[0] == "player" and line[1] != "wins"] == [
        ["player", "-1.5538"]
    ]
    assert odds("--rules", "ktane").stdout.startswith("The Baccarat module, 1 deck: ")


@pytest.mark.parametrize(
    ("args", "line"),
    [
        ([], "Missing option '--rules'"),
        (["--rules", "poker"], "'poker' is no published rule set; use one of: buti-1990"),
        (["--rules", ""], "'' is no published rule set"),
        (["--rules", "yaba4", "--decks", "0"], "--decks: a shoe cannot have 0 decks; give 1 to 16"),
        (["--rules", "yaba4", "--decks", "17"], "--decks: a shoe cannot have 17 decks"),
        (["--rules", "yaba4", "--decks", "-1"], "--decks: a shoe cannot have -1 decks"),
        (["--rules", "yaba4", "--decks", "eight"], "Invalid value for '--decks'"),
        (["--rules", "yaba4", "8"], "Got unexpected extra argument"),
    ],
)
@pytest.mark.parametrize("as_json", [[], ["--json"]])
def test_what_cannot_be_used_gets_one_line_and_exit_2(
    args: list[str], line: str, as_json: list[str]
) -> None:
    result = odds(*args, *as_json)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"shoetrail: {line}")
    assert result.stderr.count("\n") == 1


def test_help_has_an_example() -> None:
    assert "shoetrail odds --rules punto-banco" in odds("--help").stdout
