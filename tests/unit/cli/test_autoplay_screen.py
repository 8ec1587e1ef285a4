"""What a person sees while a table plays itself, drawn into windows of several sizes."""

from __future__ import annotations

import io
import re
import time
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest
from rich.console import Console

from schemas.outcomes import HandResult, RoundResolved, Settlement, Winner
from services.baccarat.card_count import CardCount
from services.baccarat.score_card import ScoreCard
from services.cli.autoplay_screen import Screen, Shown
from services.cli.figures import Figures

if TYPE_CHECKING:
    from services.cli.autoplay_table import AutoTable

WINNERS: tuple[Winner, ...] = ("banker", "player", "tie", "banker", "banker")
BET = Settlement("b", "gambler", "player", 32_000, "lose", None, 0, 0, 0)
LAST = RoundResolved(
    9,
    "T/1-0",
    "T/1-9",
    HandResult(("TH", "TS", "4S"), 4),
    HandResult(("KC", "9D"), 9),
    "banker",
    natural=True,
    settlements=(BET,),
    house=32_000,
)


class Game(SimpleNamespace):
    """As much of a table as is looked at."""

    @property
    def left(self) -> int:
        return int(self.hands - self.dealt)


def game(marks: int = 7, **fields: object) -> Game:
    card = ScoreCard()
    for number in range(marks):
        card.add(WINNERS[number % len(WINNERS)])
    figures = Figures(hands=marks, net=-12_300, best=500, worst=-20_000, largest=32_000, won=3)
    plain: dict[str, object] = {
        "hands": 200_000, "dealt": marks, "shoe": 3, "paused": False, "over": False, "pace": 0.0,
        "card": card, "figures": figures, "count": CardCount(14), "last": LAST if marks else None,
    }  # fmt: skip
    return Game(**{**plain, **fields})


def drawn(
    monkeypatch: pytest.MonkeyPatch,
    table: Game,
    shown: Shown | None = None,
    *,
    columns: int = 80,
    rows: int = 24,
    keys: bool = True,
) -> list[str]:
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("LINES", str(rows))
    screen = Screen(
        cast("AutoTable", table), "Title", "USD", shown or Shown(), keys=keys, hidden=False
    )
    return lines_of(screen, columns, rows)


def lines_of(screen: Screen, columns: int, rows: int) -> list[str]:
    out = io.StringIO()
    Console(file=out, width=columns, height=rows, color_system=None).print(screen.drawn())
    return out.getvalue().splitlines()


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (132, 50)])
@pytest.mark.parametrize("marking", ["x", "numbers"])
def test_a_whole_shoe_is_on_the_card_and_all_else_too(
    monkeypatch: pytest.MonkeyPatch, size: tuple[int, int], marking: str
) -> None:
    columns, rows = size
    shown = Shown(marking="numbers" if marking == "numbers" else "x")
    lines = drawn(monkeypatch, game(85), shown, columns=columns, rows=rows)
    text = "\n".join(lines)
    assert len(lines) < rows
    assert {len(line) for line in lines} == {columns}
    numbers = [int(found) for line in lines for found in re.findall(r" (\d+)(?= |$)", line)]
    assert {1, 40, 84, 85} <= set(numbers)
    assert text.count("──") >= 2 * (85 // 5)  # each tie is a line through both
    assert ("X" in text) is (marking == "x")
    for told in (
        "199,915 of 200,000 hands to go · shoe 3",
        "last hand   player 4  10♥ 10♠ 4♠  banker 9  K♣ 9♦       banker wins, natural",
        "its bet     $320.00 on player, lost",
        "card count  +14",
        "bets        won 3 · lost 0 · largest $320.00",
        "profit      -$123.00   best $5.00 · worst -$200.00",
        "p pause · g go on · q quit · +- speed · h hands · c count · s card · m marks",
    ):
        assert told in text, told


def test_where_there_is_less_room_the_newest_hands_are_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines = drawn(monkeypatch, game(85), columns=40, rows=16)
    assert len(lines) < 16
    assert any(re.search(r"\b85\b", line) for line in lines)
    assert not any(re.search(r"│ +1 +2 ", line) for line in lines)
    assert len(drawn(monkeypatch, game(99), columns=20, rows=5)) > 0


def test_each_part_may_be_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = Shown()
    for key in "hcs":
        shown.pressed(key)
    text = "\n".join(drawn(monkeypatch, game(), shown, keys=False))
    assert "player 4   banker 9   banker wins" in text
    for hidden in ("♥", "card count", "Banker", "p pause"):
        assert hidden not in text
    for key in "hcs?":
        shown.pressed(key)
    assert shown == Shown()
    shown.pressed("m")
    assert shown == Shown(marking="numbers")
    shown.pressed("m")
    assert shown == Shown()


def test_what_is_going_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def first_line(table: Game) -> str:
        return drawn(monkeypatch, table)[1].strip("│ ")

    assert first_line(game(0)) == "200,000 of 200,000 hands to go · opening the first shoe"
    assert first_line(game(paused=True)).endswith("· shoe 3 · PAUSED: g goes on, q quits")
    assert first_line(game(over=True)).endswith("· shoe 3 · closing the shoe")


def test_how_fast_it_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    monkeypatch.setenv("COLUMNS", "80")
    table = game()
    screen = Screen(cast("AutoTable", table), "T", "USD", Shown(), keys=False, hidden=False)

    def state() -> str:
        return lines_of(screen, 80, 24)[1].strip("│ ").rpartition("shoe 3 · ")[2]

    assert state() == "…"
    now, table.dealt = 104.0, 7 + 2000
    assert state() == "500 a second · 6 min 36 s left"
    now = 108.0
    assert state() == "…"  # nothing for four seconds
    now = 111.0
    assert state() == "nothing for 7 seconds"
    table.paused = True
    assert state() == "PAUSED: g goes on, q quits"
    now = 299.5
    assert state() == "PAUSED: g goes on, q quits"
    now, table.paused = 300.0, False
    assert state() == "…"
    now, table.dealt = 301.5, table.dealt + 3
    assert state() == "1.5 a second · 36 h 39 min left"


def test_nothing_is_shown_where_nobody_looks_on(capsys: pytest.CaptureFixture[str]) -> None:
    table = cast("AutoTable", game())
    with Screen(table, "T", "USD", Shown(), keys=False, hidden=False) as screen:
        screen.look()
    assert capsys.readouterr() == ("", "")
