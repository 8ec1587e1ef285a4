"""The results of a shoe: a row for each outcome with its marks, roads and counts. Judges nothing.

Outcomes come in the order of their stream. Marks (corrected, disputed, the round's verdict) may
come before the row that they are on, or after.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from schemas.outcomes import RoundResolved
from services.baccarat.roads import LETTERS, Roads
from services.dashboard.board.round_shapes import ResultShape
from services.dashboard.board.shapes import TallyShape

if TYPE_CHECKING:
    from collections.abc import Callable

    from schemas.cards import Card
    from schemas.verdicts import RoundVerdict
    from services.dashboard.board.round_board import Told

_TWO: Final = 2

Disputed = Literal["open", "resolved"] | None


#: The counts of a shoe without a round.
EMPTY: Final = TallyShape(0, 0, 0, 0, 0, 0, 0, 0, None, 0, 0, 0)


class Results:
    """One shoe's results; ``disputed`` tells of a round whether it is under dispute."""

    __slots__ = (
        "_address",
        "_counts",
        "_disputed",
        "_longest",
        "_rows",
        "_run",
        "_side",
        "_told",
        "corrected",
        "roads",
        "verdicts",
    )  # fmt: skip

    def __init__(self, address: Callable[[int], str], disputed: Callable[[int], Disputed]) -> None:
        """``address`` names a round of this shoe."""
        self.roads = Roads()
        self.corrected: set[int] = set()
        self.verdicts: dict[int, RoundVerdict] = {}
        self._address = address
        self._disputed = disputed
        self._told: dict[int, Told] = {}
        self._rows: dict[int, ResultShape] = {}
        self._counts = dict.fromkeys(
            ("banker", "player", "tie", "void", "natural", "player pair", "banker pair"), 0
        )
        self._side: Literal["banker", "player"] | None = None
        self._run = 0
        self._longest = {"banker": 0, "player": 0}

    def add(self, told: Told) -> ResultShape | None:
        """Take the next outcome; None where its round has one already."""
        outcome = told.outcome
        number = outcome.round
        if number in self._told:
            return None
        self._told[number] = told
        winner = outcome.winner if isinstance(outcome, RoundResolved) else "void"
        counts = self._counts
        counts[winner] += 1
        row = self._row(told)
        if winner != "void":
            counts["natural"] += row.natural
            counts["player pair"] += row.player_pair
            counts["banker pair"] += row.banker_pair
            self.roads.add(LETTERS[winner])
        if winner in {"banker", "player"}:
            self._run = self._run + 1 if winner == self._side else 1
            self._side = winner
            self._longest[winner] = max(self._longest[winner], self._run)
        self._rows[number] = row
        return row

    def mark(self, number: int) -> tuple[ResultShape, ...]:
        """Give a round's row again where a mark has changed it."""
        told = self._told.get(number)
        if told is None:
            return ()
        row = self._row(told)
        if row == self._rows[number]:
            return ()
        self._rows[number] = row
        return (row,)

    def told(self, number: int) -> Told | None:
        """Give a round's outcome."""
        return self._told.get(number)

    def outcomes(self) -> list[Told]:
        """Give all outcomes as they came."""
        return list(self._told.values())

    def row(self, number: int) -> ResultShape | None:
        """Give a round's row."""
        return self._rows.get(number)

    def rows(self) -> tuple[ResultShape, ...]:
        """Give all rows, by round."""
        return tuple([self._rows[number] for number in sorted(self._rows)])

    def tally(self) -> TallyShape:
        """Give the counts."""
        counts = self._counts
        return TallyShape(
            rounds=len(self._told),
            banker=counts["banker"],
            player=counts["player"],
            tie=counts["tie"],
            void=counts["void"],
            naturals=counts["natural"],
            player_pairs=counts["player pair"],
            banker_pairs=counts["banker pair"],
            run_side=self._side,
            run=self._run,
            longest_banker=self._longest["banker"],
            longest_player=self._longest["player"],
        )

    def _row(self, told: Told) -> ResultShape:
        outcome = told.outcome
        number = outcome.round
        resolved = outcome if isinstance(outcome, RoundResolved) else None
        player = () if resolved is None else resolved.player.cards
        banker = () if resolved is None else resolved.banker.cards
        return ResultShape(
            round=number,
            at=self._address(number),
            time=told.time,
            winner="void" if resolved is None else resolved.winner,
            natural=False if resolved is None else resolved.natural,
            player_pair=_is_pair(player),
            banker_pair=_is_pair(banker),
            player_total=0 if resolved is None else resolved.player.total,
            banker_total=0 if resolved is None else resolved.banker.total,
            cards=len(player) + len(banker),
            halted=resolved is None,
            corrected=number in self.corrected,
            disputed=self._disputed(number),
            verdict=self.verdicts.get(number),
        )


def _is_pair(hand: tuple[Card, ...]) -> bool:
    return len(hand) >= _TWO and hand[0][0] == hand[1][0]
