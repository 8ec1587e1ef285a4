"""What the board says of a round, its cards, bets and result: shapes of its JSON. Data only.

Money is minor units of ``ShoeShape.currency``; rounds count from 1, positions from 0.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from schemas.cards import Card
from schemas.outcomes import Winner

#: Why the next card goes where it goes, or why none does; the pages hold the words for each.
Why = Literal[
    "first",  # one of the first four
    "natural",  # both stand on it
    "player-draws",
    "player-stands",
    "banker-draws-stood",  # the player stood
    "banker-stands-stood",
    "banker-draws-third",  # by the chart, against the player's third card
    "banker-stands-third",
    "complete",
    "error",  # drawn in error
    "unknown",  # the record does not say: its rules cannot be read, or it is out of order
]
Phase = Literal["betting", "closed", "dealing", "dealt", "settled", "voided", "halted"]
BetStatus = Literal["placed", "withdrawn", "refused", "settled"]


class Reason(msgspec.Struct, frozen=True):
    """Why a card was drawn: the totals of the first two cards, and the player's third card."""

    why: Why
    player: int | None = None
    banker: int | None = None
    third: Card | None = None


class CardShape(msgspec.Struct, frozen=True):
    """A card of a round, as it fell; ``total`` is its hand's after it, null without its values."""

    hand: str
    card: Card
    position: int
    at: str
    total: int | None
    reason: Reason


class BetShape(msgspec.Struct, frozen=True):
    """A bet of a round. ``refusal`` says why it was refused; ``net`` is the bettor's, once settled.

    In public all of it but the spot is left out: there is no list of bets at all.
    """

    bet: str
    bettor: str
    spot: str
    stake: int | None
    status: BetStatus
    refusal: str | None = None
    result: str | None = None
    odds: str | None = None
    won: int = 0
    commission: int = 0
    returned: int = 0
    net: int | None = None


class RoundShape(msgspec.Struct, frozen=True):
    """A round, being dealt or done. ``next`` is whose card falls next, and why (or why none does).

    ``house`` is null until the outcome is there, and in public. ``reason`` is of a void or a halt.
    ``bets_more`` are left out of a view: the newest 200 are in it, and 50 that were refused; the
    round's own address has all.
    """

    number: int
    at: str
    phase: Phase
    opened: str
    updated: str
    cards: tuple[CardShape, ...]
    player_total: int | None
    banker_total: int | None
    next: str | None
    next_why: Reason | None
    bets: tuple[BetShape, ...]
    winner: Winner | None = None
    natural: bool = False
    player_pair: bool = False
    banker_pair: bool = False
    house: int | None = None
    reason: str | None = None
    bets_more: int = 0


class ResultShape(msgspec.Struct, frozen=True):
    """A settled round in a row of results. Marks: voided, halted, corrected, disputed, audited.

    ``disputed`` is ``open`` while a dispute of it is undecided; ``verdict`` is the round's own.
    """

    round: int
    at: str
    time: str
    winner: Winner
    natural: bool
    player_pair: bool
    banker_pair: bool
    player_total: int
    banker_total: int
    cards: int
    halted: bool = False
    corrected: bool = False
    disputed: Literal["open", "resolved"] | None = None
    verdict: Literal["open", "fail"] | None = None
