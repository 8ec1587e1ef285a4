"""What a dealer says: the events of a table, one struct each. Data only, no rules.

``command`` names the command that an event answers, and is null in events nobody asked for.
Money is whole minor units of the shoe's currency; positions count from 0, burns included.
"""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from schemas.cards import Card
from schemas.money import Amount, Count

Hand = Literal["player", "banker", "error"]
CloseReason = Literal["all-spoke", "window", "no-bets"]
ShoeEnd = Literal["rules", "asked", "solved", "halted", "voided"]
Refusal = Literal[
    "spot", "below-minimum", "above-maximum", "step", "stake", "late", "early", "repeat",
    "combination", "differential", "bankroll", "chips", "not-seated", "no-such-bet",
]  # fmt: skip
CommandRefusal = Literal[
    "rules", "origin", "limits", "window", "deck", "shoe-open", "not-awaited", "already-seated",
    "seat-taken", "not-seated", "bankroll", "already-cut", "no-cut", "seed", "in-round", "no-round",
    "dealt", "bet", "address", "amount", "reason", "shoe-ended", "unsupported", "repeat",
]  # fmt: skip


class Event(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Ground of every event's data: ``command`` is the one it answers, or null. Always last."""

    command: str | None


class RuleText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A rule set as it was opened: its name, the SHA-256 of its text (hex) and the text."""

    name: str
    sha256: str
    text: str


class Seeded(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="seeded"
):
    """The order comes from a seed that the dealer committed to."""

    algorithm: str


class Fixed(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="fixed"):
    """The order was stacked beforehand; ``commitment`` holds it."""


class Ktane(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="ktane"):
    """The order is computed from a bomb, all in public (``specs/sources.md`` C)."""

    serial: str
    min: Count
    max: Count
    ports: tuple[str, ...]
    lit: tuple[str, ...]
    solved: Count
    colour: str


Origin = Seeded | Fixed | Ktane


class SpotLimits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one bet on a spot may be, in minor units: a multiple of ``step`` within bounds."""

    minimum: Amount
    maximum: Amount
    step: Amount


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table's limits: each spot's, and the widest gap between all player and banker stakes."""

    spots: dict[str, SpotLimits]
    differential: Amount | None


class SeedReveal(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="seed"
):
    """What opens a seeded shoe's commitment: 32 bytes in hex."""

    server_seed: str


class OrderReveal(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="order"
):
    """What opens a fixed order's commitment: 32 bytes in hex, and the cards joined by spaces."""

    salt: str
    order: str


Reveal = SeedReveal | OrderReveal


class ShoeOpened(Event, frozen=True):
    """First in each shoe. ``cut_card`` is the index of the first card behind it, or null."""

    rules: RuleText
    decks: Count
    currency: str
    origin: Origin
    commitment: str | None
    cut_card: Count | None
    limits: Limits
    seats: tuple[str, ...]
    window: Count | None
    dealer: str
    software: str
    previous_root: str | None


class ShoeCut(Event, frozen=True):
    """A seeded shoe's cut: hex of 0 to 64 bytes each; no card leaves before it."""

    client_seed: str
    beacon: str
    by: str


class BettorSeated(Event, frozen=True):
    """Somebody sits, or still sits when a new shoe is opened, with this bankroll."""

    bettor: str
    seat: Count
    bankroll: Amount


class BettorLeft(Event, frozen=True):
    """Somebody left his seat."""

    bettor: str


class CardBurned(Event, frozen=True):
    """A card left the shoe unplayed; ``card`` is null where it stays face down."""

    position: Count
    card: Card | None


class CardDiscarded(Event, frozen=True):
    """A card was taken out of play, and why."""

    position: Count
    card: Card
    reason: str


class RoundOpened(Event, frozen=True):
    """Betting for this round begins."""

    round: Count


class BetsClosed(Event, frozen=True):
    """No more bets: every seat has spoken, the window has ended, or it is a dummy hand."""

    round: Count
    reason: CloseReason


class RoundDealt(Event, frozen=True):
    """Both hands are complete."""

    round: Count


class RoundVoided(Event, frozen=True):
    """The round does not count: all stakes go back."""

    round: Count
    reason: str
    by: str


class BetPlaced(Event, frozen=True):
    """A bet stands. ``bet`` is the id of the command that placed it; ``chips`` lie bottom first."""

    round: Count
    bet: str
    bettor: str
    spot: str
    stake: Amount
    chips: tuple[int, ...] | None


class BetRefused(Event, frozen=True):
    """A bet was not taken. ``stake`` is null where the stake asked for is no 53-bit integer."""

    round: Count
    bet: str
    bettor: str
    spot: str
    stake: Amount | None
    chips: tuple[int, ...] | None
    reason: Refusal


class BetPassed(Event, frozen=True):
    """A bettor lets this round go, or has no more to say in it."""

    round: Count
    bettor: str


class BetWithdrawn(Event, frozen=True):
    """A bet was taken back before the close."""

    round: Count
    bet: str


class CardDrawn(Event, frozen=True):
    """A card went to a hand, or was drawn in error; that one is said again where it is played."""

    round: Count
    hand: Hand
    position: Count
    card: Card


class CutCardOut(Event, frozen=True):
    """The cut card came out, before the card of this position."""

    position: Count


class DealerChanged(Event, frozen=True):
    """Other people work the table from here on."""

    dealer: str
    supervisor: str


class CommissionCollected(Event, frozen=True):
    """Commission that was marked during the shoe is collected."""

    bettor: str
    amount: Amount


class CommandRefused(Event, frozen=True):
    """A command that is no bet cannot be done."""

    reason: CommandRefusal


class MoneyAdjusted(Event, frozen=True):
    """Money moved after a round was settled; ``at`` is the round, ``amount`` the bettor's view."""

    at: str
    bet: str | None
    bettor: str
    amount: Amount
    reason: str
    by: str
    dispute: str | None


class ShoeClosed(Event, frozen=True):
    """Last in each shoe; ``reveal`` opens the commitment."""

    reason: ShoeEnd
    by: str
    reveal: Reveal | None


class TableAnnounced(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A dealer works this table: how others discover it."""

    table: str


class AuditDue(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A shoe's log is whole: workers may audit the file."""

    table: str
    shoe: Count
    size: Count
    root: str


#: The types of events, by the name that the envelope carries.
EVENTS: Final[dict[str, type[Event]]] = {
    "shoe.opened": ShoeOpened,
    "shoe.cut": ShoeCut,
    "bettor.seated": BettorSeated,
    "bettor.left": BettorLeft,
    "card.burned": CardBurned,
    "card.discarded": CardDiscarded,
    "round.opened": RoundOpened,
    "bets.closed": BetsClosed,
    "round.dealt": RoundDealt,
    "round.voided": RoundVoided,
    "bet.placed": BetPlaced,
    "bet.refused": BetRefused,
    "bet.passed": BetPassed,
    "bet.withdrawn": BetWithdrawn,
    "card.drawn": CardDrawn,
    "cut_card.out": CutCardOut,
    "dealer.changed": DealerChanged,
    "commission.collected": CommissionCollected,
    "command.refused": CommandRefused,
    "money.adjusted": MoneyAdjusted,
    "shoe.closed": ShoeClosed,
}

NOTICES: Final[dict[str, type[msgspec.Struct]]] = {
    "table.announced": TableAnnounced,
    "audit.due": AuditDue,
}
