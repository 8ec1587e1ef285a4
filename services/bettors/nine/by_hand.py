"""A system played from results that were written down, at even money. Deals and settles nothing.

For checking a system by hand: no limits of a table, no commission, no bankroll.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from schemas.errors import InputError
from schemas.ruleset import Side
from services.baccarat.card_count import CardCount
from services.bettors.nine.system import OnTheCount, OnTheShoe

if TYPE_CHECKING:
    from collections.abc import Sequence

    from services.bettors.nine.system import BettingSystem

_WINNERS: Final[dict[str, Side]] = {"B": "banker", "P": "player"}


class Run(msgspec.Struct, frozen=True):
    """Stakes and sides, one more than there are results, for the next bet; 0 and null: none.

    ``profit`` is cumulative, one figure for each result.
    """

    stakes: tuple[int, ...]
    sides: tuple[Side | None, ...]
    profit: tuple[int, ...]
    restarts: int


def letters(system: BettingSystem) -> str:
    """Give the letters that a system's results are written in."""
    return "BPT" if isinstance(system, OnTheShoe) else "WLT"


def play(system: BettingSystem, results: Sequence[str], counts: Sequence[int] | None = None) -> Run:
    """Play the results: W, L, T of the bets, or B, P, T of the hands (follow, opposite the shoe).

    ``counts`` are the card counts before each bet, where a system goes by them: as many as there
    are results, which leaves the next bet open, or one more.
    """
    _check(system, results, counts)
    bets = [_next(system, counts, 0)]
    profit: list[int] = []
    for number, letter in enumerate(results, start=1):
        side, stake = bets[-1]
        won = _fared(letter, side)
        profit.append((profit[-1] if profit else 0) + won * stake)
        if won:
            system.settle(won=won > 0)
        if letter in _WINNERS:
            system.decide(_WINNERS[letter])
        bets.append(_next(system, counts, number))
    sides, stakes = zip(*bets, strict=True)
    return Run(stakes, sides, tuple(profit), system.restarts)


def _next(system: BettingSystem, counts: Sequence[int] | None, at: int) -> tuple[Side | None, int]:
    if isinstance(system, OnTheCount) and counts is not None:
        if at == len(counts):
            return None, 0
        system.count = CardCount(counts[at])
    return system.side, 0 if system.side is None else system.stake


def _fared(letter: str, side: Side | None) -> int:
    """Tell how a bet fared: 1 won, -1 lost, 0 neither."""
    if letter == "T" or side is None:
        return 0
    if letter in _WINNERS:
        return 1 if _WINNERS[letter] == side else -1
    return 1 if letter == "W" else -1


def _check(system: BettingSystem, results: Sequence[str], counts: Sequence[int] | None) -> None:
    known = letters(system)
    for number, letter in enumerate(results, start=1):
        if letter not in known:
            mend = f"write {', '.join(known)}"
            raise InputError(f"{letter!r} is no result", f"results, number {number}", mend)
    if not isinstance(system, OnTheCount):
        if counts is not None:
            raise InputError("this system goes by no count", "counts", "leave them out")
        return
    needed = len(results)
    if counts is None and needed:
        raise InputError("no counts", "counts", "give the card count before each bet")
    if counts is not None and len(counts) not in (needed, needed + 1):
        what = f"{len(counts)} counts for {needed} results"
        raise InputError(what, "counts", f"give {needed + 1}, one for each bet and the next")
