"""What a bomb's module makes of its rounds: solved, a strike, or neither. Judges no bet itself.

A fold over a table's events and outcomes, and nothing else (002_3d5c389fb97fc965.txt; procedure.md,
"A module"). The auditor has a fold of its own.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from schemas.events import BetPlaced, BetsClosed, BetWithdrawn, RoundOpened, RoundVoided
from schemas.outcomes import RoundResolved
from services.baccarat.settlement import house_net

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schemas.events import Event
    from schemas.outcomes import Outcome

#: Why a round in which the bets break the rules is voided.
INVALID: Final = "invalid-bet"

Result = Literal["solved", "strike", "neither"]
#: What a strike is for: an invalid set of bets, a stack out of order, a loss.
Strike = Literal["invalid-bet", "chips", "loss"]


class ModuleRound(NamedTuple):
    """What a round came to: ``profit`` in minor units, and what strikes it brought."""

    round: int
    profit: int
    result: Result
    strikes: tuple[Strike, ...]


class Module:
    """A module from its first deck on; ``shoe`` after shoe may be told, strikes add up."""

    __slots__ = ("_invalid", "_stacks", "_unsorted", "rounds", "solved", "strikes")

    def __init__(self) -> None:
        """Begin unsolved."""
        self.rounds: list[ModuleRound] = []
        #: Whether a round ended with a profit: no more is played.
        self.solved = False
        #: How many strikes there were.
        self.strikes = 0
        self._stacks: dict[str, tuple[int, ...]] = {}
        self._unsorted = False
        self._invalid = False

    def event(self, said: Event) -> None:
        """Take the table's next event."""
        match said:
            case RoundOpened():
                self._stacks = {}
                self._unsorted = self._invalid = False
            case BetPlaced(chips=chips) if chips is not None:
                self._stacks[said.bet] = chips
            case BetWithdrawn():
                self._stacks.pop(said.bet, None)
            case BetsClosed():
                self._unsorted = any(map(out_of_order, self._stacks.values()))
            case RoundVoided():
                self._invalid = said.command is None and said.reason == INVALID
            case _:
                pass

    def outcome(self, told: Outcome) -> None:
        """Take the table's next outcome; a halted round is none of the module's."""
        if not isinstance(told, RoundResolved):
            return
        if told.winner == "void":
            strikes: tuple[Strike, ...] = ("invalid-bet",) if self._invalid else ()
            result: Result = "strike" if strikes else "neither"
            self._add(ModuleRound(told.round, 0, result, strikes))
            return
        profit = -house_net(told.settlements)
        strikes = ("chips",) if self._unsorted else ()
        result = "solved" if profit > 0 else "neither"
        if profit < 0:
            strikes, result = (*strikes, "loss"), "strike"
        self._add(ModuleRound(told.round, profit, result, strikes))

    def _add(self, one: ModuleRound) -> None:
        self.rounds.append(one)
        self.solved = self.solved or one.result == "solved"
        self.strikes += len(one.strikes)


def out_of_order(chips: Sequence[int]) -> bool:
    """Tell whether a stack, bottom first, has a larger chip on a smaller one."""
    return any(above > below for below, above in pairwise(chips))
