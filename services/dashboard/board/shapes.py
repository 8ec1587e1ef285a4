"""What the board says of tables, shoes and rounds: shapes of its JSON. Data only, no folding.

The API, the streams and the pages all speak these; OpenAPI is generated from them. Money is minor
units of ``ShoeShape.currency``; rounds count from 1, positions from 0; times are as in the events.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from schemas.cards import Card
from schemas.outcomes import Winner
from schemas.verdicts import Counts, Finding

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
Status = Literal["none", "open", "closed"]
#: Of a shoe: ``none`` without a verdict, ``open`` with its rounds' alone; a failed one fails it.
Lamp = Literal["none", "open", "pass", "fail"]
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


class SeatShape(msgspec.Struct, frozen=True):
    """A bettor at the table; ``owed`` is commission marked and not collected yet."""

    bettor: str
    seat: int
    bankroll: int
    owed: int


class AskedShape(msgspec.Struct, frozen=True):
    """The mark that each derived road would get; null where none."""

    big_eye: str | None
    small: str | None
    cockroach: str | None


class RoadsShape(msgspec.Struct, frozen=True):
    """The five roads as ``shoetrail roads --json`` has them, and the next marks by who wins.

    ``big`` cells are [column, row, side, ties]; a derived road's are [column, row, R or B].
    ``bead`` has a letter a round; voided rounds leave no mark.
    """

    bead: str
    big: tuple[tuple[int, int, str, int], ...]
    big_eye: tuple[tuple[int, int, str], ...]
    small: tuple[tuple[int, int, str], ...]
    cockroach: tuple[tuple[int, int, str], ...]
    waiting: int
    if_banker: AskedShape
    if_player: AskedShape


class TallyShape(msgspec.Struct, frozen=True):
    """Counts of the shoe so far, the run that is going on, and the longest of each side."""

    rounds: int
    banker: int
    player: int
    tie: int
    void: int
    naturals: int
    player_pairs: int
    banker_pairs: int
    run_side: Literal["banker", "player"] | None
    run: int
    longest_banker: int
    longest_player: int


class LeftShape(msgspec.Struct, frozen=True):
    """What has not been seen: by rank (``A`` … ``K``), and in all; burned face down is among it.

    Of a stacked shoe nobody knows what is in it before it is revealed: ``ranks``, ``unseen`` null.
    """

    ranks: dict[str, int] | None
    unseen: int | None
    face_down: int
    running_count: int


class AdjustmentShape(msgspec.Struct, frozen=True):
    """Money moved after a round was settled; ``round`` is the address of the round."""

    at: str
    round: str
    bettor: str
    amount: int
    reason: str
    dispute: str | None


class DisputeShape(msgspec.Struct, frozen=True):
    """A dispute at this table: ``T7:3``, about a round, decided or not."""

    dispute: str
    round: str
    by: str
    claim: str
    opened: str
    resolved: str | None = None
    finding: str | None = None


class ShoeShape(msgspec.Struct, frozen=True):
    """What a shoe is, and how far it has come.

    ``cards`` is null where it is not known how many it holds: stacked, and not revealed yet. Where
    its ``shoe.opened`` cannot be read, texts are empty, ``origin`` is ``unknown`` and numbers 0.
    """

    table: str
    shoe: int
    status: Status
    rules: str
    rules_title: str
    rules_sha256: str
    currency: str
    decks: int
    cards: int | None
    drawn: int
    cut_card: int | None
    cut_card_out: int | None
    origin: str
    commitment: str | None
    revealed: bool
    previous_root: str | None
    dealer: str
    supervisor: str | None
    software: str
    spots: tuple[str, ...]
    opened: str
    closed: str | None
    close_reason: str | None
    lamp: Lamp
    counts: Counts | None
    root: str | None


class TableView(msgspec.Struct, frozen=True):
    """A shoe of a table, whole: what a page begins with. ``shoe`` null: none was opened yet.

    The live stream changes it: each message carries new values for some of these fields
    (``view``), and rows of ``results`` to put in place by round. ``updated`` is the last entry's.
    """

    table: str
    shoe: ShoeShape | None
    round: RoundShape | None
    results: tuple[ResultShape, ...]
    roads: RoadsShape
    tally: TallyShape
    left: LeftShape | None
    seats: tuple[SeatShape, ...]
    findings: tuple[Finding, ...]
    adjustments: tuple[AdjustmentShape, ...]
    disputes: tuple[DisputeShape, ...]
    updated: str | None


class Tile(msgspec.Struct, frozen=True):
    """A table in the lobby, whole; each of the lobby's messages carries one.

    ``last`` are the last letters (``BPT``, twelve at most); ``big`` the big road's last columns,
    counted from 0 again.
    """

    table: str
    shoe: int | None
    status: Status
    phase: Phase | None
    rules: str | None
    currency: str | None
    dealer: str | None
    rounds: int
    last: str
    big: tuple[tuple[int, int, str, int], ...]
    banker: int
    player: int
    tie: int
    cards: int | None
    drawn: int
    cut_card: int | None
    lamp: Lamp
    faults: int
    disputed: int
    updated: str | None


class FindingRow(msgspec.Struct, frozen=True):
    """A finding with where it was said, for the list of all."""

    table: str
    shoe: int
    time: str
    finding: Finding


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
    why_not: Literal["unseen", "open"] | None = None
