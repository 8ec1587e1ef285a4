"""Scenarios: the shipped one holds what the document says, and a bad one gets one line."""

from __future__ import annotations

import pytest

from schemas.errors import InputError
from services.bettors import load_scenario, shipped

GOOD = """
name = "mine"
title = "Mine"
source = "nobody"
rules = "yaba4"
bettor = "me"
bankroll = 1000
goal = { side = "banker", wins = 1 }
rungs = [{ after_win = { spot = "tie", stake = 5 } }]
"""


def test_the_documents_ladder() -> None:
    scenario = shipped("yaba4")
    ladder = [
        (
            f"{step.after_win.stake // 100_000} {step.after_win.spot[0].upper()}",
            step.after_loss
            and f"{step.after_loss.stake // 100_000} {step.after_loss.spot[0].upper()}",
        )
        for step in scenario.rungs
    ]
    assert ladder == [
        ("5 P", None), ("5 P", "5 B"), ("10 B", "10 P"), ("20 P", "20 B"), ("30 B", "30 P"),
        ("15 P", "15 B"), ("10 B", "10 P"),
    ]  # fmt: skip
    assert (scenario.rules, scenario.bankroll, scenario.hands) == ("yaba4", 7_600_000, 7)
    assert (scenario.goal.side, scenario.goal.wins) == ("player", 4)
    assert (scenario.seat().name, scenario.seat().bankroll) == ("bond", 7_600_000)


def test_one_of_your_own() -> None:
    scenario = load_scenario(GOOD)
    assert (scenario.name, scenario.goal.side, scenario.decks) == ("mine", "banker", ())


@pytest.mark.parametrize(
    ("old", "new", "part"),
    [
        ("1000", "", "Invalid value"),
        ('"yaba4"', '"poker"', "'poker' is no published rule set; use one of:"),
        ("1000", "0", "bankroll must be a positive whole number"),
        ("1000", "9007199254740992", "bankroll must be"),
        ("1000", "1000000000000001", "bankroll must be at most 1000000000000000: with more"),
        ("1000", "9" * 5000, "mine.toml: "),
        ("bankroll", "x" + ".x" * 40 + " = 1\nbankroll", "a line with more than 32 dots"),
        ("bankroll", "x = " + "[" * 5000 + "\nbankroll", "nested too deeply"),
        ("bankroll", "#" * 70_000 + "\nbankroll", "longer than 65536 characters"),
        ("1000", "10.5", "Expected `int`, got `float` - at `$.bankroll`"),
        ('"me"', '"m e"', "'m e' is no bettor's name"),
        ('"mine"', '""', "'' is no scenario's name"),
        ("wins = 1", "wins = 2", "goal: wins must be 1 to 1"),
        ("wins = 1", "wins = 0", "goal: wins must be 1 to 1"),
        ('side = "banker"', 'side = "tie"', "Invalid enum value 'tie' - at `$.goal.side`"),
        ('spot = "tie"', 'spot = "pair"', "rung 1: yaba4 has no spot 'pair'; use one of: player"),
        ("stake = 5", "stake = -5", "rung 1: stake must be"),
        ("stake = 5", "stake = 5, chips = 1", "unknown field `chips`"),
        ("title", "titel", "unknown field `titel`"),
        ('[{ after_win = { spot = "tie", stake = 5 } }]', "[]", "rungs: give one for each hand"),
        ("bankroll", 'decks = ["a b"]\nbankroll', "'a b' is no deck's name"),
        ("stake = 5 } }]", "stake = 5 } }]\n[[[", "mine.toml: "),
        (
            "rungs = [",
            "rungs = [" + '{ after_win = { spot = "tie", stake = 5 } },' * 7,
            "rungs: there are 8, and yaba4 ends after 7 rounds",
        ),
    ],
)  # fmt: skip
def test_a_bad_one_gets_one_line(old: str, new: str, part: str) -> None:
    assert old in GOOD
    with pytest.raises(InputError) as caught:
        load_scenario(GOOD.replace(old, new), "mine.toml")
    assert part in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_unknown_one_is_refused_with_those_there_are() -> None:
    with pytest.raises(InputError, match="'x' is no scenario of ours; use one of: yaba4"):
        shipped("x")
