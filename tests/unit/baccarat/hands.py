"""Cards for values, and games by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from schemas.ruleset import named, parse
from services.baccarat import Game, compile_rules

if TYPE_CHECKING:
    from schemas.cards import Card


def cards(text: str) -> list[Card]:
    return cast("list[Card]", text.split())


def by_value(values: list[int], suit: str = "C") -> list[Card]:
    return cast("list[Card]", ["TA23456789"[value] + suit for value in values])


def game(name: str = "punto-banco") -> Game:
    return compile_rules(parse(named(name).text))


def changed(name: str, *changes: tuple[str, str]) -> Game:
    """The game of a rule set whose text was changed."""
    text = named(name).text
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    return compile_rules(parse(text))
