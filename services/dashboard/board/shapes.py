"""What the board says of tables and shoes: shapes of its JSON. Data only, no folding.

The API, the streams and the pages all speak these; OpenAPI is generated from them. Money is minor
units of ``ShoeShape.currency``; rounds count from 1, positions from 0; times are as in the events.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from schemas.verdicts import Counts, Finding
from services.dashboard.board.round_shapes import Phase, ResultShape, RoundShape

Status = Literal["none", "open", "closed"]
#: Of a shoe: see ``lamp.py``.
Lamp = Literal["none", "open", "pass", "fail"]


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
    Seats, findings and adjustments are the newest 200, but at the shoe's own address, which has
    all; what ends in ``_more`` says how many are left out.
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
    seats_more: int = 0
    findings_more: int = 0
    adjustments_more: int = 0


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
