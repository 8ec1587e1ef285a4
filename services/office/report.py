"""What a table took, by dealer and gaming day: a fold over logs. Money of one currency at a time.

A round belongs to the gaming day in which it was settled and to the dealer who worked the table
then; commission is owed when it is charged, and collected when it is: with each hand, or by
``commission.collected``. It judges nothing: audit the logs first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from schemas import events as ev
from schemas.outcomes import RoundHalted
from services.baccarat import net

if TYPE_CHECKING:
    from schemas.envelope import Message, Said
    from services.office.gaming_day import GamingDays
    from services.office.reading import Round, Shoe


class Takings(msgspec.Struct, kw_only=True):
    """Counts and minor units. ``handle`` is what was staked on bets that were decided.

    ``hold`` is what the house kept of it, commission included. ``shoes`` were opened, ``rounds``
    dealt and settled, ``voided`` and ``halted`` ones had their stakes returned. ``adjusted`` is
    what bettors were given, or had taken, afterwards; it is in no hold.
    """

    shoes: int = 0
    rounds: int = 0
    voided: int = 0
    halted: int = 0
    bets: int = 0
    handle: int = 0
    hold: int = 0
    hold_percent: float | None = None
    commission_owed: int = 0
    commission_collected: int = 0
    adjusted: int = 0
    disputes: int = 0
    disputes_open: int = 0


class Row(Takings, kw_only=True):
    """A table's takings in one gaming day, under one dealer, in one currency."""

    day: str
    table: str
    dealer: str
    currency: str


class Total(Takings, kw_only=True):
    """All takings in one currency."""

    currency: str


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """All rows, by day; ``disputes_elsewhere`` are of rounds that are in none of the logs."""

    day_starts: str
    zone: str
    rows: tuple[Row, ...]
    totals: tuple[Total, ...]
    disputes_elsewhere: int


class Disputed(NamedTuple):
    """How many disputes a round has had, and how many of them are open."""

    all: int
    open: int


class Takes:
    """The fold: a shoe, then its lines and rounds, then the next. Keeps rows only."""

    def __init__(self, days: GamingDays) -> None:
        """Begin before the first log."""
        self._days = days
        self._rows: dict[tuple[str, str, str, str], Row] = {}
        self._elsewhere = 0

    def shoe(self, shoe: Shoe) -> None:
        """Take a shoe as it is opened."""
        self._row(shoe).shoes += 1

    def line(self, shoe: Shoe, message: Message[Said]) -> None:
        """Take a line that moves money outside of a round."""
        said = message.data
        if isinstance(said, ev.CommissionCollected):
            self._row(shoe).commission_collected += said.amount
        elif isinstance(said, ev.MoneyAdjusted):
            self._row(shoe).adjusted += said.amount

    def round(self, done: Round, disputed: Disputed | None) -> None:
        """Take a settled round, and what is disputed of it."""
        row = self._row(done.shoe)
        if done.counts:
            row.rounds += 1
        elif isinstance(done.outcome, RoundHalted):
            row.halted += 1
        else:
            row.voided += 1
        terms = done.shoe.rules.commission
        at_once = terms is not None and terms.collected == "each-hand"
        for paid in done.outcome.settlements:
            if paid.result == "void":
                continue
            row.bets += 1
            row.handle += paid.stake
            row.hold -= net(paid)
            row.commission_owed += paid.commission
            row.commission_collected += paid.commission if at_once else 0
        if disputed is not None:
            row.disputes += disputed.all
            row.disputes_open += disputed.open

    def elsewhere(self, disputes: int) -> None:
        """Count disputes of rounds that are in none of the logs."""
        self._elsewhere += disputes

    def report(self, day_starts: str, zone: str) -> Report:
        """Give all rows and totals."""
        rows = [row for _, row in sorted(self._rows.items())]
        totals: dict[str, Total] = {}
        for row in rows:
            total = totals.setdefault(row.currency, Total(currency=row.currency))
            for name in _ADDED:
                setattr(total, name, getattr(total, name) + getattr(row, name))
        for takings in (*rows, *totals.values()):
            if takings.handle:
                takings.hold_percent = 100 * takings.hold / takings.handle
        return Report(
            day_starts=day_starts,
            zone=zone,
            rows=tuple(rows),
            totals=tuple(total for _, total in sorted(totals.items())),
            disputes_elsewhere=self._elsewhere,
        )

    def _row(self, shoe: Shoe) -> Row:
        day = self._days.of(shoe.time).isoformat()
        key = (day, shoe.table, shoe.dealer, shoe.currency)
        row = self._rows.get(key)
        if row is None:
            row = self._rows[key] = Row(
                day=day, table=shoe.table, dealer=shoe.dealer, currency=shoe.currency
            )
        return row


_ADDED = tuple(name for name in Takings.__struct_fields__ if name != "hold_percent")
