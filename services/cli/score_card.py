"""Draws a score card as text: a row for each side, a column for each hand. Keeps no score.

Source: 001_8304c434475ca3ac.txt: winners are marked with an X, or with the number of times that
side has won; in the event of a tie "a line is usually drawn through both" however it is marked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from services.baccarat.score_card import Mark

#: X's at first; "numbers" are the document's #'s.
Marking = Literal["x", "numbers"]

_SIDES: Final = {"banker": "Banker", "player": "Player"}
_LABEL: Final = max(map(len, _SIDES.values()))
_LINE: Final = "─"


def drawn(
    marks: Sequence[Mark], marking: Marking = "x", *, across: int = 20, width: int = 1
) -> list[str]:
    """Draw the card as lines of text, ``across`` hands beside one another; no hands, no lines.

    The first row of each strip has the hands' numbers, from 1. ``width``: of a hand, at least.
    """
    width = max((width, len(str(len(marks))), *(len(_text(mark, marking)) for mark in marks)))
    lines: list[str] = []
    for first in range(0, len(marks), across):
        strip = marks[first : first + across]
        numbers = [str(first + at) for at in range(1, len(strip) + 1)]
        lines.append(_row("", numbers, width))
        lines += [
            _row(label, [_cell(mark, side, marking, width) for mark in strip], width)
            for side, label in _SIDES.items()
        ]
    return lines


def _text(mark: Mark, marking: Marking) -> str:
    return "X" if marking == "x" else str(mark.number)


def _cell(mark: Mark, side: str, marking: Marking, width: int) -> str:
    if mark.winner == "tie":
        return _LINE * width
    return _text(mark, marking) if mark.winner == side else ""


def _row(label: str, cells: Sequence[str], width: int) -> str:
    return " ".join([label.ljust(_LABEL), *(cell.rjust(width) for cell in cells)]).rstrip()
