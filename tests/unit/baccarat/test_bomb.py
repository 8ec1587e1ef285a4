"""A bomb's deck: every rule of the document against what was worked out by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from schemas.cards import DECK
from schemas.errors import InputError
from schemas.events import Ktane
from services.baccarat.bomb import (
    MULTIPLIERS,
    PORTS,
    bomb_deck,
    check_placard,
    column,
    digit,
    first_position,
    letter,
    new_deck,
)

VECTORS = json.loads(
    (Path(__file__).parents[2] / "vectors/bombs/bombs.json").read_text(encoding="utf-8")
)
BOMB = Ktane("AB3CD7", 1000, 100_000, ("DVI-D", "Serial", "Serial"), (), 3, "red")


def bomb(serial: str, minimum: int = 10, maximum: int = 1000, **fields: Any) -> Ktane:  # noqa: ANN401
    return replace(BOMB, serial=serial, min=100 * minimum, max=100 * maximum, **fields)


@pytest.mark.parametrize(("serial", "minimum", "expected"), VECTORS["letters"])
def test_the_letter_by_the_minimum(serial: str, minimum: int, expected: str) -> None:
    assert letter(bomb(serial, minimum)) == expected


@pytest.mark.parametrize(("serial", "minimum", "maximum", "expected"), VECTORS["digits"])
def test_the_digit_by_maximum_over_minimum(
    serial: str, minimum: int, maximum: int, expected: str
) -> None:
    assert digit(bomb(serial, minimum, maximum)) == expected


@pytest.mark.parametrize(("serial", "minimum", "maximum", "solved", "expected"), VECTORS["first"])
def test_the_first_position(
    serial: str, minimum: int, maximum: int, solved: int, expected: int
) -> None:
    asked = bomb(serial, minimum, maximum, solved=solved)
    assert first_position(asked) == expected
    assert bomb_deck(asked)[0] == new_deck(expected)


@pytest.mark.parametrize(("ports", "expected"), VECTORS["columns"])
def test_the_column_by_the_most_common_port(ports: list[str], expected: int) -> None:
    assert column(tuple(ports)) + 1 == expected


@pytest.mark.parametrize("vector", VECTORS["decks"])
def test_a_whole_bomb(vector: dict[str, Any]) -> None:
    found = bomb_deck(
        bomb(
            vector["serial"],
            vector["min"],
            vector["max"],
            ports=tuple(vector["ports"]),
            lit=tuple(vector["lit"]),
            solved=vector["solved"],
            colour=vector["colour"],
        )
    )
    assert " ".join(found[:10]) == vector["cards"]
    assert [new_deck(position) for position in vector["positions"]] == list(found[:10])


def test_a_new_deck_goes_up_twice_and_down_twice() -> None:
    named = [new_deck(position) for position in (1, 13, 14, 20, 26, 27, 39, 40, 52)]
    assert " ".join(named) == "AH KH AC 7C KC KD AD KS AS"
    assert sorted(map(new_deck, range(1, 53))) == sorted(DECK)


@pytest.mark.parametrize("colour", MULTIPLIERS)
@pytest.mark.parametrize("port", PORTS)
def test_every_one_of_the_24_decks_is_whole_from_every_first_card(colour: str, port: str) -> None:
    for solved in range(52):
        deck = bomb_deck(bomb("A0", solved=solved, colour=colour, ports=(port,)))
        assert sorted(deck) == sorted(DECK)
        assert deck[0] == new_deck(solved + 1)


def test_the_24_multipliers_are_the_primitive_roots_of_53() -> None:
    told = {number for row in MULTIPLIERS.values() for number in row}
    roots = {
        number for number in range(1, 53) if len({pow(number, n, 53) for n in range(52)}) == 52
    }
    assert told == roots
    assert len(roots) == 24


@pytest.mark.parametrize(("ports", "unshuffled"), [(7, False), (8, True), (9, True), (10, False)])
def test_bob_lit_with_eight_or_nine_ports_exactly(ports: int, unshuffled: bool) -> None:
    many = bomb("AB3CD7", ports=("Serial",) * ports, lit=("BOB",))
    new = tuple(map(new_deck, range(1, 53)))
    assert (bomb_deck(many) == new) is unshuffled
    assert bomb_deck(replace(many, lit=("FRK", "BOB"))) == bomb_deck(many)
    assert bomb_deck(replace(many, lit=())) != new
    assert bomb_deck(replace(many, lit=("BOBS",))) != new


@pytest.mark.parametrize(("field", "value", "says"), VECTORS["refused"])
def test_what_is_on_no_bomb(field: str, value: Any, says: str) -> None:  # noqa: ANN401
    if isinstance(value, list):
        value = tuple(value)
    elif isinstance(value, int):
        value *= 100
    with pytest.raises(InputError, match=says) as wrong:
        bomb_deck(replace(BOMB, **{field: value}))
    assert wrong.value.where == {"colour": "colours"}.get(field, field)


def test_more_than_a_command_could_carry() -> None:
    assert len(bomb_deck(replace(BOMB, ports=("Serial",) * 100))) == 52
    with pytest.raises(InputError, match="101 are too many"):
        bomb_deck(replace(BOMB, ports=("Serial",) * 101))
    with pytest.raises(InputError, match="101 are too many"):
        bomb_deck(replace(BOMB, lit=("BOB",) * 101))


@pytest.mark.parametrize("minimum", [499, 501, 999, 1001, 2499, 2501, 4999, 5001, 9999, 10_001])
def test_one_cent_beside_a_minimum(minimum: int) -> None:
    with pytest.raises(InputError, match="five minimums"):
        check_placard(minimum, 100_000)


@pytest.mark.parametrize("minimum", [500, 1000, 2500, 5000, 10_000])
def test_a_maximum_of_exactly_the_minimum_and_one_below(minimum: int) -> None:
    check_placard(minimum, minimum)
    check_placard(minimum, 10**12)
    for maximum in (minimum - 1, 10**12 + 1):
        with pytest.raises(InputError, match="the maximum is"):
            check_placard(minimum, maximum)
