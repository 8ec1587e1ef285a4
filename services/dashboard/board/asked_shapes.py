"""What the board works out where it is asked: odds, other rules. Shapes of its JSON; data only."""

from __future__ import annotations

from typing import Literal

import msgspec

from schemas.cards import Card
from schemas.outcomes import Winner
from services.dashboard.board.round_shapes import Reason

#: Why it cannot be said what other rules would have made of a round.
WhyNot = Literal[
    "unseen",  # it takes a card that nobody has seen yet
    "open",  # the round is not settled
]


class SpotOddsShape(msgspec.Struct, frozen=True):
    """The house's share of a stake on this spot in the next round, exact and as a number."""

    spot: str
    edge: str
    share: float


class OddsShape(msgspec.Struct, frozen=True):
    """The next round's exact odds from the cards not seen after round ``after`` (0: none dealt)."""

    shoe: int
    after: int
    unseen: int
    banker: float
    player: float
    tie: float
    spots: tuple[SpotOddsShape, ...]


class OtherCardShape(msgspec.Struct, frozen=True):
    """A card of a round dealt again by other rules; ``reason`` by theirs."""

    hand: str
    card: Card
    position: int
    total: int
    reason: Reason


class OtherBetShape(msgspec.Struct, frozen=True):
    """A bet by other rules: its net as it was settled, and by them.

    ``net`` is null until it is settled, ``other`` where these rules do not offer the spot.
    """

    bet: str
    bettor: str
    spot: str
    stake: int
    net: int | None
    other: int | None
    result: str | None = None
    odds: str | None = None
    won: int = 0
    commission: int = 0
    returned: int = 0


class OtherShape(msgspec.Struct, frozen=True):
    """What other rules would have made of a round, dealt again from the card it began with.

    The shoe's own cards; stakes by their number of minor units, whatever currency the rules count
    in, and whatever their limits. ``winner`` is null where it cannot be said: ``why_not`` is
    ``unseen`` where it takes a card that nobody has seen yet, ``open`` where the round is not
    settled. ``unplaceable`` are the bets on spots that they do not offer. No bets in public.
    """

    rules: str
    title: str
    cards: tuple[OtherCardShape, ...]
    winner: Winner | None
    player_total: int | None
    banker_total: int | None
    bets: tuple[OtherBetShape, ...]
    unplaceable: tuple[str, ...]
    why_not: WhyNot | None = None
