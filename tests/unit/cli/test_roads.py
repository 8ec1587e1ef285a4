"""``shoetrail roads``: its document, its drawing in a pipe and on a terminal, and bad input."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

from services.baccarat.roads import Roads
from services.cli.main import app

if TYPE_CHECKING:
    from typer.testing import Result

ROOT = Path(__file__).parents[3]
VECTORS: list[dict[str, Any]] = json.loads(
    (ROOT / "tests" / "vectors" / "roads" / "roads.json").read_text()
)
CLEAN = ROOT / "replay_logs" / "CLEAN" / "1.jsonl"


def roads(*args: str) -> Result:
    return CliRunner().invoke(app, ["roads", *args], prog_name="shoetrail")


def document(*args: str) -> dict[str, Any]:
    result = roads(*args, "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.count("\n") == 1
    found: dict[str, Any] = json.loads(result.stdout)
    assert list(found) == ["bead", "big", "big_eye", "small", "cockroach"]
    return found


@pytest.mark.parametrize("vector", VECTORS, ids=[one["sequence"] for one in VECTORS])
def test_the_vectors(vector: dict[str, Any]) -> None:
    found = document(vector["sequence"])
    told = {name: vector[name] for name in vector if name != "sequence"}
    assert {name: found[name] for name in told} == told
    assert found["bead"] == vector["sequence"]


def test_small_letters_are_read_as_capitals() -> None:
    assert document("bbTp") == document("BBTP")


def test_a_log() -> None:
    """Its winners are counted out of its bytes, not by our own reader."""
    winners = [
        said["data"]["winner"]
        for said in map(json.loads, CLEAN.read_bytes().splitlines())
        if said["type"] == "round.resolved"
    ]
    sequence = "".join({"banker": "B", "player": "P", "tie": "T"}[one] for one in winners)
    assert len(sequence) > 70
    assert document("--log", str(CLEAN)) == document(sequence)


def test_a_round_that_does_not_count_leaves_no_mark(tmp_path: Path) -> None:
    lines = CLEAN.read_bytes().splitlines(keepends=True)
    voided = tmp_path / "1.jsonl"
    place = next(n for n, line in enumerate(lines) if b'"type":"round.resolved"' in line)
    told = json.loads(lines[place])
    lines[place] = lines[place].replace(
        b'"winner":"' + told["data"]["winner"].encode(), b'"winner":"void'
    )
    voided.write_bytes(b"".join(lines))
    assert document("--log", str(voided))["bead"] == document("--log", str(CLEAN))["bead"][1:]


def test_in_a_pipe_letters_and_no_colour() -> None:
    result = roads("BBTPPPBPBB")
    assert result.exit_code == 0
    assert result.stdout.isascii()
    assert "\x1b" not in result.stdout
    lines = [line.rstrip() for line in result.stdout.splitlines()]
    big = lines.index("Big road: a number counts ties")
    assert lines[big + 1 : big + 4] == ["  B  P  B  P  B", "  B1 P  .  .  B", "  .  P  .  .  ."]
    eye = lines.index("Big eye boy: R red, B blue")
    assert lines[eye + 1 : eye + 4] == ["  R B R B", "  . B . .", "  . B . ."]


def test_the_next_mark_is_that_which_comes() -> None:
    sequence = "BBPPPBPBB"
    table = roads(sequence).stdout.split("The next mark\n")[1].splitlines()[1:]
    shown = [line.split()[-2:] for line in table]
    ways = [[road.marks[-1] for road in Roads(sequence + side).derived] for side in "BP"]  # type: ignore[arg-type]
    assert shown == [list(pair) for pair in zip(*ways, strict=True)]


def test_only_ties() -> None:
    result = roads("TTT")
    assert result.exit_code == 0
    assert "3 ties wait for the first decision" in result.stdout
    assert document("TTT")["big"] == []


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "40")
    return monkeypatch


def test_on_a_terminal_shapes_and_colours(terminal: pytest.MonkeyPatch) -> None:
    out = roads("BBTPPPBPBBPPPBBBPBP").stdout
    assert "\x1b[1;31m" in out
    assert all(sign in out for sign in "○□●■/\\¹")
    terminal.setenv("NO_COLOR", "1")
    plain = roads("BBTPPPBPBBPPPBBBPBP").stdout
    assert "\x1b[1;31m" not in plain
    assert all(sign in plain for sign in "○□●■/\\¹"), "to be told without colour"


def test_a_road_wider_than_the_terminal_goes_on_below(terminal: pytest.MonkeyPatch) -> None:
    terminal.setenv("NO_COLOR", "1")
    out = roads("BP" * 30).stdout
    assert "from column 19" in out
    assert "from column 38" in out
    drawn = re.sub(r"\x1b\[[0-9;]*m", "", out).split("The next mark")[0]
    assert max(len(line.rstrip()) for line in drawn.splitlines()) <= 40


@pytest.mark.parametrize(
    ("args", "line"),
    [
        (["BBX"], "SEQUENCE: 'X' at place 3 is no result; use B, P and T, a letter a round"),
        (["B B"], "SEQUENCE: ' ' at place 2 is no result"),
        (["B1"], "SEQUENCE: '1' at place 2 is no result"),
        (["B\x1b[31m"], "SEQUENCE: '\\x1b' at place 2 is no result"),
        (["ß"], "SEQUENCE: 'ß' at place 1 is no result"),
        ([""], "SEQUENCE: it is empty; use B, P and T, a letter a round"),
        ([], "give a sequence, or a log; write: shoetrail roads BBPT, or --log LOG"),
        (["B", "--log", str(CLEAN)], "give a sequence, or a log"),
        (["--log", "none.jsonl"], "none.jsonl: there is no such file"),
        (["--log", str(CLEAN.parent)], f"{CLEAN.parent}: this is no file"),
        (["B", "P"], "Got unexpected extra argument"),
    ],
)
@pytest.mark.parametrize("as_json", [[], ["--json"]])
def test_bad_input_gets_one_line_and_exit_2(args: list[str], line: str, as_json: list[str]) -> None:
    result = roads(*args, *as_json)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"shoetrail: {line}")
    assert result.stderr.count("\n") == 1


def test_help_has_an_example() -> None:
    assert "shoetrail roads BBPPPBPBB" in roads("--help").stdout
