"""Scripted games as TOML: rules, bankroll, ladder and goal. Reads those shipped; plays none."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Final

import msgspec

from schemas.address import is_name
from schemas.envelope import from_plain
from schemas.errors import InputError
from schemas.money import MOST_BANKROLL, is_amount
from schemas.ruleset import Rounds, RuleSet, Side, named, parse
from schemas.toml_text import read_toml
from services.bettors.decks import read_deck
from services.bettors.ladder import Ladder, Rung
from services.bettors.systems import Wish
from services.bettors.table import Seat

if TYPE_CHECKING:
    from collections.abc import Iterator

    from schemas.cards import Card

_FOLDER: Final = resources.files("services.bettors") / "scenarios"


class Bet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A stake (minor units) on a spot."""

    spot: str
    stake: int


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A hand's bet after a win and after a loss; the same after both where only one is given."""

    after_win: Bet
    after_loss: Bet | None = None


class Goal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """So many hands that this side has to win; a tie is no win.

    ``asks`` is what hangs on it, ``met`` and ``missed`` are the answers; for people to read.
    """

    side: Side
    wins: int
    asks: str = ""
    met: str = "yes"
    missed: str = "no"


class Scenario(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A scripted game. ``decks`` names the stacked decks shipped for it, the usual one first."""

    name: str
    title: str
    source: str
    rules: str
    bettor: str
    bankroll: int
    goal: Goal
    rungs: tuple[Step, ...]
    decks: tuple[str, ...] = ()

    @property
    def hands(self) -> int:
        """How many hands the game has."""
        return len(self.rungs)

    def seat(self) -> Seat:
        """Seat the bettor with his bankroll and ladder, at the first rung."""
        return Seat(self.bettor, self.bankroll, Ladder([_rung(step) for step in self.rungs]))


def load_scenario(text: str, where: str = "scenario") -> Scenario:
    """Read a scenario's TOML text, or say in one line what is wrong with it."""
    mend = "write it in TOML, like services/bettors/scenarios/yaba4.toml"
    plain = read_toml(text, where, mend)
    scenario = from_plain(Scenario, plain, where)
    for fault in _faults(scenario):
        raise InputError(fault, where)
    return scenario


@cache
def shipped(name: str) -> Scenario:
    """Give a scenario that comes with the bettors, or say which there are."""
    return load_scenario(_read(name, ".toml", "scenario"), f"scenario {name}")


@cache
def shipped_deck(name: str, decks: int) -> tuple[Card, ...]:
    """Give a stacked deck that comes with the bettors, or say which there are."""
    return read_deck(_read(name, ".deck", "stacked deck"), decks=decks, where=f"deck {name}")


def _read(name: str, ending: str, what: str) -> str:
    files = {file.name: file for file in _FOLDER.iterdir() if file.name.endswith(ending)}
    if name + ending not in files:
        mend = "use one of: " + ", ".join(file.removesuffix(ending) for file in sorted(files))
        raise InputError(f"{name[:40]!r} is no {what} of ours", mend=mend)
    return files[name + ending].read_text(encoding="utf-8")


def _rung(step: Step) -> Rung:
    after_win = Wish(step.after_win.spot, step.after_win.stake)
    after_loss = step.after_loss
    return Rung(after_win, Wish(after_loss.spot, after_loss.stake) if after_loss else after_win)


def _faults(scenario: Scenario) -> Iterator[str]:
    rules: RuleSet = parse(named(scenario.rules).text)
    names = [("scenario", scenario.name), ("bettor", scenario.bettor)]
    for what, name in (*names, *(("deck", deck) for deck in scenario.decks)):
        if not is_name(name):
            yield f"{name[:40]!r} is no {what}'s name; use 1 to 32 of A-Z a-z 0-9 _ -"
    if not is_amount(scenario.bankroll):
        yield "bankroll must be a positive whole number of minor units"
    elif scenario.bankroll > MOST_BANKROLL:
        yield f"bankroll must be at most {MOST_BANKROLL}: with more nobody is let sit"
    if not scenario.rungs:
        yield "rungs: give one for each hand"
    if not 1 <= scenario.goal.wins <= len(scenario.rungs):
        yield f"goal: wins must be 1 to {len(scenario.rungs)}, as there are rungs"
    yield from _faults_of_rungs(scenario, rules)


def _faults_of_rungs(scenario: Scenario, rules: RuleSet) -> Iterator[str]:
    ending, hands = rules.ending, len(scenario.rungs)
    if isinstance(ending, Rounds) and ending.rounds < hands:
        yield f"rungs: there are {hands}, and {rules.name} ends after {ending.rounds} rounds"
    for number, step in enumerate(scenario.rungs, start=1):
        for bet in (step.after_win, step.after_loss or step.after_win):
            if bet.spot not in rules.spots:
                there = ", ".join(rules.spots)
                yield f"rung {number}: {rules.name} has no spot {bet.spot!r}; use one of: {there}"
            if not is_amount(bet.stake):
                yield f"rung {number}: stake must be a positive whole number of minor units"
