"""What a resolver says: one outcome for each opened round. Data only, no arithmetic."""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from schemas.cards import Card
from schemas.money import Amount, Count

Winner = Literal["banker", "player", "tie", "void"]
Result = Literal["win", "lose", "push", "void"]
HaltReason = Literal[
    "unreadable", "sequence", "out-of-place", "rules", "card-order", "deal-order", "draw-missing",
    "draw-extra", "bet", "spot", "money",
]  # fmt: skip


class Outcome(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Ground of every outcome's data."""


class HandResult(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A hand as it lay at the end; no cards total 0."""

    cards: tuple[Card, ...]
    total: Count


class Settlement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one bet came to. The bettor's net is returned + won - commission - stake.

    ``odds`` is an exact fraction such as ``8/1`` where the bet won, else null.
    """

    bet: str
    bettor: str
    spot: str
    stake: Amount
    result: Result
    odds: str | None
    won: Amount
    commission: Amount
    returned: Amount


class RoundResolved(Outcome, frozen=True):
    """The round as it came out. ``first`` and ``through`` are addresses like ``T7/12-45``.

    ``house`` is the house's net: the negated sum of the bettors'.
    """

    round: Count
    first: str
    through: str
    player: HandResult
    banker: HandResult
    winner: Winner
    natural: bool
    settlements: tuple[Settlement, ...]
    house: Amount


class RoundHalted(Outcome, frozen=True):
    """The round cannot be folded: stakes go back. ``at`` is where, like ``T7/12-45``."""

    round: Count
    at: str
    reason: HaltReason
    settlements: tuple[Settlement, ...]
    house: Amount


OUTCOMES: Final[dict[str, type[Outcome]]] = {
    "round.resolved": RoundResolved,
    "round.halted": RoundHalted,
}


def pivot(outcome: Outcome) -> str:
    """Give the address of the event that an outcome stands right after in a log."""
    if isinstance(outcome, RoundResolved):
        return outcome.through
    if isinstance(outcome, RoundHalted):
        return outcome.at
    raise TypeError(type(outcome).__name__)
