"""What an audit comes to: the shoe before, one shoe's result, a whole audit. Data only."""

from __future__ import annotations

from typing import Literal, NamedTuple

import msgspec

from schemas.events import Limits, Origin, ShoeEnd
from schemas.money import Count
from schemas.verdicts import Counts, Finding, ShoeVerdict


class Sat(NamedTuple):
    """A bettor who sits at a shoe's end: where, and with how much."""

    bettor: str
    seat: int
    bankroll: int


class Previous(msgspec.Struct, frozen=True):
    """What must be known of a table's last shoe to judge the next.

    ``seats`` are those who sat at its end; None where it did not pass, and nobody knows.
    """

    shoe: int
    rules: str
    limits: Limits
    root: str
    origin: Origin | None = None
    solved: bool = False
    seats: tuple[Sat, ...] | None = None


class Moved(msgspec.Struct, frozen=True):
    """Money that a shoe's log says was moved for a dispute, by the address of that event."""

    dispute: str
    at: str
    amount: int


#: What became of a shoe's commitment: opened by its reveal, not opened though the shoe is closed,
#: not to be opened yet; or there is none, all being public.
Fate = Literal["opened", "unopened", "open", "public"]


class ShoeResult(msgspec.Struct, frozen=True):
    """What one shoe's log came to; ``open`` where it is not closed and no fault was found.

    ``solved`` and ``strikes`` are of a bomb's module, as far as this deck of it goes; ``adjusted``
    is the money moved for disputes.
    """

    table: str
    shoe: Count
    verdict: ShoeVerdict
    findings: tuple[Finding, ...]
    counts: Counts
    root: str
    solved: bool = False
    strikes: int = 0
    adjusted: tuple[Moved, ...] = ()
    commitment: Fate = "open"
    ended: ShoeEnd | None = None


class Openings(msgspec.Struct):
    """What became of one table's commitments: a bad shoe that is dropped must not go unseen.

    ``voided`` and ``halted`` shoes are among the opened or unopened; ``missing`` are numbers
    between the table's first and last shoe of which there is no log.
    """

    table: str
    shoes: int = 0
    opened: int = 0
    unopened: int = 0
    open: int = 0
    public: int = 0
    voided: int = 0
    halted: int = 0
    missing: int = 0

    def add(self, shoe: ShoeResult, before: int | None) -> None:
        """Count a shoe; ``before`` is the number of the last one counted."""
        self.shoes += 1
        setattr(self, shoe.commitment, getattr(self, shoe.commitment) + 1)
        self.voided += shoe.ended == "voided"
        self.halted += shoe.ended == "halted"
        if before is not None:
            self.missing += shoe.shoe - before - 1


class Seals(msgspec.Struct, frozen=True):
    """How many logs are what was signed of them, or not; have no checkpoint; had none checked."""

    held: int = 0
    broken: int = 0
    missing: int = 0
    unchecked: int = 0


class Audit(msgspec.Struct, frozen=True):
    """What all files of an audit came to: fail beats open beats pass."""

    shoes: int
    rounds: int
    events: int
    findings: tuple[Finding, ...]
    verdict: ShoeVerdict
    seals: Seals = Seals()
    commitments: tuple[Openings, ...] = ()
