"""``shoetrail replay`` of rounds with a card drawn in error: its reason, and what became of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from services.cli.main import app

ROOT = Path(__file__).parents[3] / "replay_logs"
STOOD = "banker 3 draws: player stood on 6"


def replayed(log: str, number: int, *more: str) -> Any:  # noqa: ANN401 - each test knows its shape
    args = ["replay", str(ROOT / log / "1.jsonl"), "--round", str(number), *more, "--json"]
    done = CliRunner().invoke(app, args, prog_name="shoetrail")
    assert (done.exit_code, done.stderr) == (0, "")
    return json.loads(done.stdout)


def cards(told: Any) -> list[tuple[str, str, int, str]]:  # noqa: ANN401 - see above
    return [(one["hand"], one["card"], one["position"], one["reason"]) for one in told["cards"]]


@pytest.mark.parametrize(
    ("log", "number", "card", "reason"),
    [
        ("MISDRAW-HAND", 2, "2C", f"one too many: {STOOD}; it goes to the banker"),
        ("MISDRAW-HAND", 3, "5H",
         "one too many: banker 7 stands: player stood on 6; it begins round 4"),
        ("MISDRAW-HAND", 5, "9S", "one too many: both hands are complete; it begins round 6"),
        ("MISDRAW-HAND", 8, "AH",
         "one too many: natural 8: both stand; it is put aside (no-next-hand)"),
        ("MISDRAW-ANNUL", 2, "2C", f"one too many: {STOOD}; it is put aside (misdraw)"),
        ("MISDRAW-DUMMY", 2, "2C", f"one too many: {STOOD}; it begins round 3"),
        ("DISPUTE-MISDRAW-HAND", 2, "2C", f"one too many: {STOOD}; it lies on the table"),
    ],
)  # fmt: skip
def test_a_card_in_error_is_shown_with_its_reason(
    log: str, number: int, card: str, reason: str
) -> None:
    (error,) = [one for one in cards(replayed(log, number)) if one[0] == "error"]
    assert (error[1], error[3]) == (card, reason)


def test_where_it_is_played_it_is_said_whence_it_came() -> None:
    assert cards(replayed("MISDRAW-HAND", 2))[-1] == (
        "banker", "2C", 10, f"{STOOD}; drawn in error in round 2",
    )  # fmt: skip
    assert cards(replayed("MISDRAW-HAND", 4))[0] == (
        "player", "5H", 15, "card 1 of the first 4: player; drawn in error in round 3",
    )  # fmt: skip
    # After the card in error the banker drew by the rules, and nothing is held against him.
    assert cards(replayed("MISDRAW-DUMMY", 2))[-1] == ("banker", "6D", 11, STOOD)


def test_an_annulled_round_gives_the_stakes_back() -> None:
    told = replayed("MISDRAW-ANNUL", 4)
    assert told["winner"] == "void"
    assert {one["result"] for one in told["settlements"]} == {"void"}


def test_a_dummy_hand_is_the_same_coup_by_other_rules() -> None:
    """It begins with the card in error, 10, and goes on behind the banker's card, 11."""
    told = replayed("MISDRAW-DUMMY", 3, "--rules", "punto-banco")
    assert [one[2] for one in cards(told)] == [10, 12, 13, 14, 15]
    assert [one["position"] for one in told["other"]["cards"]] == [10, 12, 13, 14, 15]
    assert told["other"]["winner"] == told["winner"] == "tie"
    assert told["settlements"] == []
