"""The worked sequences of ``tests/vectors/systems``: reads them, plays nothing."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parents[1] / "vectors" / "systems"
_SIDES = {"B": "banker", "P": "player", "-": None}


class Worked(NamedTuple):
    """A system, the options it is given, and what was worked by hand."""

    name: str
    why: str
    settings: dict[str, str]
    results: str
    stakes: list[int]
    sides: list[str | None]
    profit: list[int]
    restarts: int


def worked() -> list[Worked]:
    found = []
    for file in sorted(FOLDER.glob("*.toml")):
        for case in tomllib.loads(file.read_text(encoding="utf-8"))["case"]:
            stakes, sides = case["stakes"], case.get("sides", "player")
            found.append(
                Worked(
                    file.stem,
                    case["why"],
                    case.get("settings", {}),
                    case["results"],
                    stakes,
                    [sides] * len(stakes)
                    if sides in ("player", "banker")
                    else [_SIDES[letter] for letter in sides.split()],
                    case["profit"],
                    case.get("restarts", 0),
                )
            )
    return found
