"""The score card as text, by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from services.baccarat.score_card import ScoreCard
from services.cli.score_card import drawn

if TYPE_CHECKING:
    from schemas.outcomes import Winner
    from services.baccarat.score_card import Mark

LETTERS: dict[str, Winner] = {"B": "banker", "P": "player", "T": "tie"}


def marks(letters: str) -> list[Mark]:
    card = ScoreCard()
    for letter in letters:
        card.add(LETTERS[letter])
    return card.marks


def test_marked_with_xs_a_tie_is_a_line_through_both() -> None:
    assert drawn(marks("BPTBB")) == [
        "       1 2 3 4 5",
        "Banker X   ─ X X",
        "Player   X ─",
    ]


def test_marked_with_the_running_number_of_wins() -> None:
    assert drawn(marks("BPTBBP"), "numbers") == [
        "       1 2 3 4 5 6",
        "Banker 1   ─ 2 3",
        "Player   1 ─     2",
    ]


def test_numbers_and_lines_are_as_wide_as_the_widest() -> None:
    assert drawn(marks("B" * 10 + "T"), "numbers", across=6) == [
        "        1  2  3  4  5  6",
        "Banker  1  2  3  4  5  6",
        "Player",
        "        7  8  9 10 11",
        "Banker  7  8  9 10 ──",
        "Player             ──",
    ]


def test_no_hands_no_card() -> None:
    assert drawn([]) == []
