"""Reads the printed charts of ``tests/vectors/charts``. Knows nothing of our rule-set files."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parents[2] / "vectors" / "charts"
NAMES = sorted(path.stem for path in FOLDER.glob("*.txt"))
NATURALS = {8, 9}


class Chart(NamedTuple):
    player: set[int]
    stood: set[int]
    rows: dict[int, set[int]]

    def next_draw(self, player: list[int], banker: list[int]) -> str | None:
        """Say who gets the next card after the first four, by value."""
        first_player, first_banker = sum(player[:2]) % 10, sum(banker[:2]) % 10
        if {first_player, first_banker} & NATURALS or len(banker) == 3:
            return None
        if len(player) == 2 and first_player in self.player:
            return "player"
        if len(player) == 2:
            return "banker" if first_banker in self.stood else None
        return "banker" if player[2] in self.rows[first_banker] else None


@cache
def chart(name: str) -> Chart:
    stood = set()
    rows = {}
    for line in (FOLDER / f"{name}.txt").read_text().splitlines():
        total, rest = line.split(": ")
        without, thirds = rest.split(" ")
        rows[int(total)] = set() if thirds == "-" else {int(value) for value in thirds}
        if without == "D":
            stood.add(int(total))
    with (FOLDER / "player.csv").open() as file:
        players = {row["rules"]: row["draws"] for row in csv.DictReader(file)}
    return Chart({int(total) for total in players[name]}, stood, rows)
