"""The commands of a round in which all bet as in the last, told by their bytes. It reads none.

Whoever bets the same again sends the same bytes but for the round's number and the time. What is
not so is left to be read. A shoe has one of these.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from schemas import commands as co
from schemas import events as ev
from schemas.instant import LENGTH, is_timelike
from schemas.stencil import NUMBER, stencil

if TYPE_CHECKING:
    from collections.abc import Sequence

    from services.dealer.inbox import Waiting

_HOLE: Final = re.compile(rb"%[db]")


class _Laid(NamedTuple):
    """A bet: the end of its id, after ``<shoe>-<round>``, its terms, and how it is spelled."""

    end: str
    bettor: str
    spot: str
    stake: int
    last: bool
    pieces: tuple[bytes, ...] = ()


class Again:
    """Compares commands, as they come, with those of the last round."""

    __slots__ = ("_laid", "_shoe", "_source", "_terms", "coming", "speakers")

    def __init__(self, shoe: int, source: str) -> None:
        """Expect nothing yet."""
        self._shoe, self._source = shoe, source
        self._laid: list[_Laid] = []
        self._terms: list[_Laid] = []
        #: Commands that came and were the same, not read; and who says by all of them that he has
        #: no more to say.
        self.coming: list[bytes] = []
        self.speakers: frozenset[str] = frozenset()

    def expects(self, data: bytes, number: int) -> bool:
        """Take a command for this round, if it is the next one that is expected."""
        place = len(self.coming)
        if place == len(self._laid) or not _is_so(data, self._laid[place].pieces, number):
            return False
        self.coming.append(data)
        return True

    def bets(self, number: int) -> list[ev.BetPlaced] | None:
        """Give the bets that came; None where some did not."""
        if len(self.coming) != len(self._laid):
            return None
        stem = f"{self._shoe}-{number}"
        return [
            ev.BetPlaced(number, stem + end, bettor, spot, stake, None, command=stem + end)
            for end, bettor, spot, stake, _, _ in self._laid
        ]

    def learn(self, commands: Sequence[Waiting], number: int) -> None:
        """Look at the bets of a plain round: those that came twice are expected to come again."""
        stem = f"{self._shoe}-{number}"
        said = []
        for _, _, name, asks in commands:
            if isinstance(asks, co.BetPlace) and isinstance(asks.stake, int):
                end = name.removeprefix(stem)
                said.append(_Laid(end, asks.bettor, asks.spot, asks.stake, asks.last))
        before, self._terms, self._laid = self._terms, said, []
        if said == before:
            self._laid = [self._spelled(bet) for bet in said]
            self.speakers = frozenset([bet.bettor for bet in said if bet.last])

    def _spelled(self, bet: _Laid) -> _Laid:
        asks = co.BetPlace(NUMBER, bet.bettor, bet.spot, bet.stake, None, bet.last)
        spelled = stencil(f"{self._shoe}-{NUMBER}{bet.end}", self._source, asks)
        # Neither names nor spots have a per cent sign: there are the round, the time, the round.
        return bet._replace(pieces=tuple(_HOLE.split(spelled)))


def _is_so(data: bytes, pieces: tuple[bytes, ...], number: int) -> bool:
    """Tell whether a command is spelled so, for this round and at any time."""
    before, after, then, rest = pieces
    told = b"%d" % number
    head, tail = before + told + after, then + told + rest
    start = len(head)
    return (
        len(data) == start + LENGTH + len(tail)
        and data.startswith(head)
        and data.endswith(tail)
        and is_timelike(data[start : start + LENGTH])
    )
