"""``shoetrail scores``: the book read, empty and damaged."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from services.cli.figures import Figures
from services.cli.main import app
from services.cli.score_book import FILE, ScoreBook
from services.cli.score_rows import Session, session_id

if TYPE_CHECKING:
    from pathlib import Path

    from typer.testing import Result


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SHOETRAIL_STATE_DIR", str(tmp_path))
    return tmp_path / FILE


def scores(*args: str) -> Result:
    return CliRunner().invoke(app, ["scores", *args], prog_name="shoetrail")


def played(state: Path) -> None:
    with ScoreBook(state, lambda: 1_790_000_000_000_000) as book:
        for number, (name, net) in enumerate([("Ada", 1500), ("Bob", 99_000), (None, -2500)]):
            figures = Figures(shoes=1, hands=70, banker=33, player=30, ties=7, net=net)
            book.keep(
                Session(
                    id=session_id(str(number)),
                    system="dalembert",
                    rules="buti-1990",
                    currency="USD",
                    figures=figures,
                    name=name,
                )
            )


def test_before_anything_was_played(state: Path) -> None:
    result = scores()
    assert (result.exit_code, result.stdout) == (0, "Nothing was played in USD yet\n")
    assert json.loads(scores("--json").stdout) == {"high_scores": [], "statistics": []}
    assert not state.exists()


def test_the_tables_and_the_document(state: Path) -> None:
    played(state)
    result = scores()
    assert (result.exit_code, result.stderr) == (0, "")
    lines = [line.split() for line in result.stdout.splitlines()]
    assert lines[2][:6] == ["1", "Bob", "$990.00", "dalembert", "buti-1990", "70"]
    assert lines[3][:6] == ["2", "Ada", "$15.00", "dalembert", "buti-1990", "70"]
    assert lines[4] == ["Statistics:", "hands"]
    assert lines[6][:7] == ["dalembert", "buti-1990", "3", "210", "99", "90", "21"]
    assert lines[7] == ["Statistics:", "money"]
    assert "$980.00" in lines[9]
    found = json.loads(scores("--json").stdout)
    assert [(one["name"], one["score"]) for one in found["high_scores"]] == [
        ("Bob", 99_000),
        ("Ada", 1500),
    ]
    (total,) = found["statistics"]
    assert (total["sessions"], total["figures"]["net"]) == (3, 98_000)
    assert json.loads(scores("--currency", "GBP", "--json").stdout)["statistics"] == []


def test_a_damaged_book_is_one_line_and_exit_2(state: Path) -> None:
    state.write_text("no database " * 50)
    result = scores("--json")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"shoetrail: {state}: the scores are damaged")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "change",
    ["net = 'many'", "net = 1.5", "name = x'ff'", "hands = 'a'", "ended = x'00'", "rules = x'00'"],
)
@pytest.mark.parametrize("more", [(), ("--json",)])
def test_a_row_that_is_none_of_ours_is_damage(
    state: Path, change: str, more: tuple[str, ...]
) -> None:
    played(state)
    with contextlib.closing(sqlite3.connect(state)) as found:
        found.execute(f"UPDATE sessions SET {change}")  # noqa: S608 - the lines above
        found.commit()
    result = scores(*more)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "the scores are damaged" in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("currency", ["", "usd", "USDD", "US\x1b", "\uff35\uff33\uff24", "U D"])
def test_what_is_no_currency(state: Path, currency: str) -> None:
    played(state)
    result = scores("--currency", currency)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "is no currency; write its three letters, like USD" in result.stderr
