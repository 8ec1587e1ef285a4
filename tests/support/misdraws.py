"""The hand-worked shoes with cards drawn in error, and what was said of a shoe in their signs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from schemas import events as ev

if TYPE_CHECKING:
    from collections.abc import Iterable

FILE: Final = Path(__file__).parents[1] / "vectors" / "misdraws" / "shoes.json"
_HANDS: Final = {"player": "P", "banker": "B", "error": "E"}


class Hand(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One round: what is said in it by position, and its outcome."""

    line: str
    player: str
    banker: str
    winner: str


class Case(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One stacked shoe."""

    name: str
    policy: str
    work: str
    order: str
    misdraws: tuple[int, ...]
    rounds: tuple[Hand, ...]
    end: str

    @property
    def changes(self) -> tuple[tuple[str, str], ...]:
        """What makes ``yaba4``, which has no burn and no cut card, a rule set of this policy."""
        return (('misdraw = "banker-or-next-hand"', f'misdraw = "{self.policy}"'),)

    @property
    def erred(self) -> list[int]:
        """The rounds in which a card was drawn in error."""
        return [n for n, hand in enumerate(self.rounds, 1) if "E" in hand.line]


CASES: Final = msgspec.json.decode(FILE.read_bytes(), type=tuple[Case, ...])


def spelled(events: Iterable[ev.Event]) -> tuple[list[str], str]:
    """Spell each round in the signs of the vectors, and what is put aside after the last."""
    rounds: list[list[str]] = []
    end: list[str] = []
    playing = False
    for event in events:
        if isinstance(event, ev.RoundOpened):
            rounds.append([])
            playing = True
        sign = _sign(event)
        if sign:
            (rounds[-1] if playing else end).append(sign)
        if isinstance(event, ev.RoundDealt | ev.RoundVoided):
            playing = False
    return [" ".join(signs) for signs in rounds], " ".join(end)


def _sign(event: ev.Event) -> str:
    match event:
        case ev.CardDrawn():
            return f"{_HANDS[event.hand]}{event.position}"
        case ev.CardDiscarded():
            return f"D{event.position}"
        case ev.RoundVoided():
            return "V"
        case ev.RoundDealt():
            return "="
        case ev.BetsClosed(reason="no-bets"):
            return "0"
        case _:
            return ""
