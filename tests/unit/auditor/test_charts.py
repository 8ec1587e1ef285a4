"""Every reachable hand by value against the printed charts, for each rule set."""

from __future__ import annotations

import csv
from itertools import product
from pathlib import Path

import pytest

from schemas.cards import Card
from schemas.ruleset import named, published
from services.auditor.hands import _next
from services.auditor.state import Round, State
from services.auditor.tables import tables
from tests.unit.auditor.table import Table

CHARTS = Path(__file__).parents[2] / "vectors" / "charts"
#: A card of each value from 0 to 9.
BY_VALUE: list[Card] = ["KS", "AS", "2S", "3S", "4S", "5S", "6S", "7S", "8S", "9S"]


def player_draws(name: str) -> set[int]:
    with (CHARTS / "player.csv").open(encoding="utf-8") as file:
        rows = {row["rules"]: row["draws"] for row in csv.DictReader(file)}
    return {int(total) for total in rows[name]}


def banker_draws(name: str) -> dict[int, tuple[bool, set[int]]]:
    found = {}
    for line in (CHARTS / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        total, stood, thirds = line.replace(":", " ").split()
        found[int(total)] = (stood == "D", {int(value) for value in thirds if value != "-"})
    return found


def test_each_rule_set_has_a_chart() -> None:
    assert {path.stem for path in CHARTS.glob("*.txt")} == set(published())


@pytest.mark.parametrize("name", sorted(published()))
def test_every_hand_as_printed(name: str) -> None:
    player, banker = player_draws(name), banker_draws(name)
    laid = tables(named(name).text)
    assert laid is not None
    st = State("T7", 12, Table(name, stacked="AS").entries[0].data, laid)
    for p1, b1, p2, b2 in product(range(10), repeat=4):
        first, second = (p1 + p2) % 10, (b1 + b2) % 10
        hand, other = [BY_VALUE[p1], BY_VALUE[p2]], [BY_VALUE[b1], BY_VALUE[b2]]
        playing = Round(1, 1, 0, [])
        playing.player, playing.banker = hand, other
        natural = first > 7 or second > 7
        right = None
        if not natural:
            right = "player" if first in player else "banker" if banker[second][0] else None
        assert _next(st, playing, 4) == right
        assert laid.draws(hand, other) == right
        if right != "player":
            continue
        for third in range(10):
            drawn = [*hand, BY_VALUE[third]]
            playing.player = drawn
            then = "banker" if third in banker[second][1] else None
            assert _next(st, playing, 5) == then
            assert laid.draws(drawn, other) == then
            for last in (0, 5):
                playing.banker = [*other, BY_VALUE[last]]
                assert _next(st, playing, 6) is None
                assert laid.draws(drawn, playing.banker) is None
            playing.banker = other
