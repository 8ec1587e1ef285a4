"""What a betting system is: told what the whole table sees, it says what to bet. Sees no more.

A system is told things in the log's order and is asked once for each round that it can bet in, so
that it may keep count of its series. It reads no clock, stream or hidden card.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, TypeAlias

if TYPE_CHECKING:
    from schemas.cards import Card
    from schemas.events import BetRefused
    from schemas.outcomes import Settlement, Winner


class Wish(NamedTuple):
    """A bet that a system wants: at most one on each spot; ``stake`` in minor units, above 0."""

    spot: str
    stake: int
    chips: tuple[int, ...] | None = None


class Leave(Enum):
    """A system's answer when its bettor gets up for the rest of the shoe."""

    LEAVE = "leave"


LEAVE: Final = Leave.LEAVE
Answer: TypeAlias = Sequence[Wish] | Leave


class View(NamedTuple):
    """What a bettor knows when he is asked: the round to bet on and his bankroll before it."""

    shoe: int
    round: int
    bankroll: int


class Coup(NamedTuple):
    """A finished round as a bettor saw it: who won, how his own bets fared, which were refused.

    The winner of a voided or halted round is ``void``.
    """

    round: int
    winner: Winner
    settled: tuple[Settlement, ...] = ()
    refused: tuple[BetRefused, ...] = ()


class System(Protocol):
    """A betting system. A class that names it as its base may leave out all but ``bet``."""

    #: Whether it carries something from shoe to shoe, so that it has to be told of all shoes.
    across_shoes: bool = False

    # A system that needs no shoes, cards or results is told of them all the same.

    def shoe(self) -> None:
        """A new shoe was opened: forget what belongs to the old one."""
        return

    def card(self, card: Card) -> None:  # noqa: ARG002
        """A card was shown: drawn, burned face up or taken out of play."""
        return

    def coup(self, coup: Coup) -> None:  # noqa: ARG002
        """A round was settled, whether the bettor had bets in it or not."""
        return

    def bet(self, view: View) -> Answer:
        """Say what to bet in the next round; no wish is a pass."""
        ...
