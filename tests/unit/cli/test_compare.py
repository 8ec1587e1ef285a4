"""``shoetrail compare`` and ``replay --rules`` as they are typed: documents, tables, bad input."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

from services.cli.main import app

if TYPE_CHECKING:
    from typer.testing import Result

ROOT = Path(__file__).parents[3] / "replay_logs"
CLEAN = str(ROOT / "CLEAN" / "1.jsonl")
PAGE = "fun-casino-as-printed"


def run(*args: str) -> Result:
    return CliRunner().invoke(app, list(args), prog_name="shoetrail")


def document(*args: str) -> Any:  # noqa: ANN401 - each test knows its shape
    result = run(*args, "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.count("\n") == 1
    return json.loads(result.stdout)


@pytest.fixture(scope="module")
def page() -> dict[str, Any]:
    found: dict[str, Any] = document("compare", CLEAN, "--rules", "punto-banco", "--rules", PAGE)
    return found


def test_the_rounds_that_the_misprint_changes(page: dict[str, Any]) -> None:
    """Counted again from the log's cards: the banker's 5 or 6 once the player drew, no other."""
    values = {"A": 1, "T": 0, "J": 0, "Q": 0, "K": 0} | {str(n): n for n in range(2, 10)}
    expected = []
    for said in map(json.loads, Path(CLEAN).read_bytes().splitlines()):
        if said["type"] != "round.resolved" or said["data"]["natural"]:
            continue
        player, banker = (
            [values[card[0]] for card in said["data"][side]["cards"]]
            for side in ("player", "banker")
        )
        total = sum(banker[:2]) % 10
        if len(player) == 3 and total in {5, 6}:
            expected.append(said["data"]["round"])
    changed = [one["round"] for one in page["same_coup"]["rounds"] if one["cards"]]
    assert changed == expected
    assert page["same_coup"]["cards"] == len(expected) > 10


def test_its_document(page: dict[str, Any]) -> None:
    assert (page["shoe"], page["a"], page["b"]) == ("CLEAN/1", "punto-banco", PAGE)
    assert page["currency"] == "USD"
    for reading in (page["same_coup"], page["dealt_again"]):
        house = reading["house"]
        assert house["difference"] == house["b"] - house["a"]
        assert house["a"] == -sum(one["a"] for one in reading["bettors"].values())
        assert house["b"] == -sum(one["b"] for one in reading["bettors"].values())
    assert page["why_not"] is None
    # The log's own rules on its own cards: the money of the outcomes.
    outcomes = [
        said["data"]["house"]
        for said in map(json.loads, Path(CLEAN).read_bytes().splitlines())
        if said["type"] == "round.resolved"
    ]
    assert page["same_coup"]["house"]["a"] == page["dealt_again"]["house"]["a"] == sum(outcomes)
    assert {one["spot"] for one in page["unplaceable"]} == {"tie"}
    assert len(page["unplaceable"]) == page["rounds"] == len(outcomes)


def test_a_changed_draw_shifts_the_cards_that_follow(page: dict[str, Any]) -> None:
    coups = [one["round"] for one in page["same_coup"]["rounds"] if one["cards"]]
    again = [one["round"] for one in page["dealt_again"]["rounds"] if one["cards"]]
    assert again[0] == coups[0]
    assert len(again) > len(coups)


def test_one_rule_set_is_set_against_the_logs_own(page: dict[str, Any]) -> None:
    assert document("compare", CLEAN, "--rules", PAGE) == page


def test_a_rule_set_against_itself() -> None:
    result = run("compare", CLEAN, "--rules", "ktane", "--rules", "ktane")
    assert result.exit_code == 0
    alike = "CLEAN/1, ktane and ktane deal and pay alike"
    assert f"Same coup, other rules: {alike}" in result.stdout
    assert f"The whole shoe dealt again: {alike}" in result.stdout


def test_for_people(page: dict[str, Any]) -> None:
    result = run("compare", CLEAN, "--rules", "punto-banco", "--rules", PAGE)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    counts = page["same_coup"]
    title = (
        f"Same coup, other rules: {counts['cards']} of {page['rounds']} rounds with other cards, "
        f"{counts['winners']} with another winner, {counts['money']} paid otherwise"
    )
    assert title in lines
    # Rounds in which only the tie bet differs have no row; a line says it of all of them.
    assert lines.index(title) == 2 + counts["cards"]
    said = f"carol on tie: 81 bets, $405.00 in all, unplaceable: {PAGE} does not offer this spot"
    assert said in lines
    assert "alice player -$25.00 -> $25.00, bob banker $23.75 -> -$25.00" in result.stdout


def test_an_open_shoe(tmp_path: Path) -> None:
    lines = Path(CLEAN).read_bytes().splitlines(keepends=True)
    (tmp_path / "1.jsonl").write_bytes(b"".join(lines[:80]))
    log = str(tmp_path / "1.jsonl")
    found = document("compare", log, "--rules", PAGE)
    assert found["dealt_again"] is None
    line = "The whole shoe cannot be dealt again: the shoe is still open"
    assert line in run("compare", log, "--rules", PAGE).stdout
    assert line in run("replay", log, "--rules", PAGE).stdout
    assert all(one["redealt"] is None for one in document("replay", log, "--rules", PAGE))


def test_replay_lists_what_would_differ_in_both_readings() -> None:
    out = run("replay", CLEAN, "--rules", PAGE).stdout
    assert f"Same coup, other rules: CLEAN/1 by a as dealt, by b {PAGE}" in out
    assert f"The whole shoe dealt again: CLEAN/1 by a as dealt, by b {PAGE}" in out


def test_replay_shows_a_round_in_both_readings() -> None:
    told = document("replay", CLEAN, "--round", "9", "--rules", PAGE)
    assert told["other"]["cards"][:5] == told["cards"][:5]
    assert len(told["other"]["cards"]) == 6
    assert told["redealt"]["cards"][0]["position"] != told["cards"][0]["position"]
    out = run("replay", CLEAN, "--round", "9", "--rules", PAGE).stdout
    assert f"The same coup by {PAGE}" in out
    assert f"The shoe dealt again by {PAGE}" in out
    assert out.count(f"1-9/carol/tie/1: unplaceable, {PAGE} does not offer this spot") == 2


def test_replay_of_a_round_that_other_rules_do_not_reach() -> None:
    out = run("replay", CLEAN, "--round", "9", "--rules", "yaba4").stdout
    assert "dealt again by yaba4 has no such round: yaba4 ends the shoe before it" in out
    assert document("replay", CLEAN, "--round", "9", "--rules", "yaba4")["redealt"] is None


def test_bets_outside_the_limits_are_said_and_priced() -> None:
    out = run("compare", CLEAN, "--rules", "yaba4").stdout
    assert "alice on player: 81 bets, below-minimum by yaba4: priced all the same" in out
    assert "by b yaba4" in out.splitlines()[0]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--rules", "poker"), "'poker' is no published rule set; use one of:"),
        (("--rules", "ktane", "--rules", ""), "'' is no published rule set"),
        (("--rules", "a", "--rules", "b", "--rules", "c"), "--rules: 3 rule sets cannot be"),
        ((), "Missing option '--rules'"),
    ],
)
@pytest.mark.parametrize("as_json", [[], ["--json"]])
def test_bad_input(words: tuple[str, ...], says: str, as_json: list[str]) -> None:
    result = run("compare", CLEAN, *words, *as_json)
    assert (result.exit_code, result.stdout) == (2, "")
    assert says in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (None, "there is no such file"),
        (b"", "the file is empty"),
        (b"{}\n", "line 1: this is no line of a log"),
        (b"\xff\n", "line 1"),
    ],
)
def test_what_is_no_log(tmp_path: Path, content: bytes | None, says: str) -> None:
    path = tmp_path / "x.jsonl"
    if content is not None:
        path.write_bytes(content)
    for command in ("compare", "replay"):
        result = run(command, str(path), "--rules", PAGE)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith(f"shoetrail: {path}")
        assert says in result.stderr
        assert result.stderr.count("\n") == 1


def test_help_has_examples() -> None:
    assert "shoetrail compare replay_logs/CLEAN/1.jsonl" in run("compare", "--help").stdout
