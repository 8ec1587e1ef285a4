"""The bets of one round: placed, refused, taken back, settled. Judges and pays nothing."""

from __future__ import annotations

from heapq import merge
from itertools import islice
from operator import itemgetter
from typing import TYPE_CHECKING, Final

from msgspec import structs

from services.baccarat import net
from services.dashboard.board.round_shapes import BetShape

if TYPE_CHECKING:
    from collections.abc import Iterable

    from schemas import events as ev
    from schemas.outcomes import Settlement


_PLACE: Final = itemgetter(0, 1)
#: So many are shown while they are made, the newest; of those refused less, lest they hide others.
MOST: Final = 200
_MOST_REFUSED: Final = 50


class BetsBoard:
    """A round's bets, in the order in which they were said."""

    __slots__ = ("_bets", "_placed", "_refused")

    def __init__(self) -> None:
        """Begin without one."""
        #: Those that stand or stood, by id.
        self._bets: dict[str, BetShape] = {}
        self._placed: dict[str, ev.BetPlaced] = {}
        #: Each after so many of those that stood.
        self._refused: list[tuple[int, BetShape]] = []

    @property
    def standing(self) -> tuple[ev.BetPlaced, ...]:
        """The bets that were placed and not taken back."""
        return tuple(self._placed.values())

    def place(self, said: ev.BetPlaced) -> None:
        """Take a bet that stands; an id is never used again."""
        if said.bet not in self._bets:
            self._placed[said.bet] = said
            self._bets[said.bet] = BetShape(said.bet, said.bettor, said.spot, said.stake, "placed")

    def refuse(self, said: ev.BetRefused) -> None:
        """Take a bet that does not stand; its id may be that of one that does."""
        shape = BetShape(said.bet, said.bettor, said.spot, said.stake, "refused", said.reason)
        self._refused.append((len(self._bets), shape))

    def withdraw(self, said: ev.BetWithdrawn) -> None:
        """Take a bet back."""
        if self._placed.pop(said.bet, None) is not None:
            self._bets[said.bet] = structs.replace(self._bets[said.bet], status="withdrawn")

    def shape(
        self, settlements: Iterable[Settlement], *, whole: bool
    ) -> tuple[tuple[BetShape, ...], int]:
        """Give the bets with what they came to, and how many are left out where not ``whole``.

        Bets that only the outcome knows come last. It costs no more the more there are, but for
        the settlements: a round's bets are shown again with each.
        """
        paid = {one.bet: one for one in settlements}
        only_paid = [_settled(one) for name, one in paid.items() if name not in self._placed]
        of_all = len(self._bets) + len(self._refused) + len(only_paid)
        first = 0 if whole else max(len(self._bets) - MOST, 0)
        names = islice(reversed(self._bets), len(self._bets) - first)
        stood = [
            _settled(paid[name]) if name in paid and name in self._placed else self._bets[name]
            for name in reversed(list(names))
        ]
        refused = self._refused if whole else self._refused[-_MOST_REFUSED:]
        said = merge(
            ((at, 0, bet) for at, bet in refused),
            ((at, 1, bet) for at, bet in enumerate(stood, first)),
            key=_PLACE,
        )
        known = only_paid if whole else only_paid[:MOST]
        shown = (*(bet for _, _, bet in said), *known)
        return shown, of_all - len(shown)


def _settled(paid: Settlement) -> BetShape:
    return BetShape(
        paid.bet,
        paid.bettor,
        paid.spot,
        paid.stake,
        "settled",
        None,
        paid.result,
        paid.odds,
        paid.won,
        paid.commission,
        paid.returned,
        net(paid),
    )
