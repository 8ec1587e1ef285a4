"""What a dealer may be asked: commands and their derived ids. Data only, no judgement.

A stake is kept as it was sent, so that a bad one can be refused on the record rather than lost.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, Literal, NamedTuple

import msgspec

from schemas.address import NAME
from schemas.events import Ktane, SpotLimits

#: A whole command may be this long (bytes); a longer one is unreadable.
LONGEST: Final = 8192


class Command(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Ground of every command's data."""


class AskSeeded(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="seeded"
):
    """Open a shoe whose order the dealer draws from a seed of his own."""


class AskFixed(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="fixed"
):
    """Open a stacked shoe; ``deck`` names an order that only the dealer holds."""

    deck: str


AskOrigin = AskSeeded | AskFixed | Ktane


class ShoeOpen(Command, frozen=True):
    """Open the next shoe: rules by name, who must sit before the cut, limits other than the rules'.

    ``window`` is the betting window in seconds; null waits until every seat has spoken.
    """

    rules: str
    origin: AskOrigin = AskSeeded()
    seats: tuple[str, ...] = ()
    limits: dict[str, SpotLimits] | None = None
    differential: int | None = None
    window: int | None = None


class Cut(Command, frozen=True):
    """Cut the shoe: the client seed and a beacon, each hex of 0 to 64 bytes."""

    by: str
    client_seed: str = ""
    beacon: str = ""


class BettorSit(Command, frozen=True):
    """Sit down with this bankroll; null takes the first free seat."""

    bettor: str
    bankroll: int
    seat: int | None = None


class BettorLeave(Command, frozen=True):
    """Leave the table; in a round, after it is settled."""

    bettor: str


class BetPlace(Command, frozen=True):
    """Bet; ``last`` says that this bettor has no more to say in this round.

    ``chips`` lie bottom first.
    """

    round: int
    bettor: str
    spot: str
    stake: int | float | str | bool | None
    chips: tuple[int, ...] | None = None
    last: bool = False


class BetWithdraw(Command, frozen=True):
    """Take a bet back before the close."""

    bet: str


class BetPass(Command, frozen=True):
    """Let the round go, or say that one has spoken."""

    round: int
    bettor: str


class CardMisdraw(Command, frozen=True):
    """Draw one card too many in this round, for practice and tests."""

    round: int


class RoundVoid(Command, frozen=True):
    """Void a round, with a reason."""

    round: int
    reason: str
    by: str


class DealerChange(Command, frozen=True):
    """Other people take over the table."""

    dealer: str
    supervisor: str


class MoneyAdjust(Command, frozen=True):
    """Correct money of a settled round: ``at`` like ``T7/12#17``, ``amount`` the bettor's view."""

    at: str
    bettor: str
    amount: int
    reason: str
    by: str
    bet: str | None = None
    dispute: str | None = None


class ShoeClose(Command, frozen=True):
    """Close the shoe after this round (null: after the one in play)."""

    by: str
    reason: Literal["asked", "solved", "voided"] = "asked"
    after_round: int | None = None


COMMANDS: Final[dict[str, type[Command]]] = {
    "shoe.open": ShoeOpen,
    "shoe.cut": Cut,
    "bettor.sit": BettorSit,
    "bettor.leave": BettorLeave,
    "bet.place": BetPlace,
    "bet.withdraw": BetWithdraw,
    "bet.pass": BetPass,
    "card.misdraw": CardMisdraw,
    "round.void": RoundVoid,
    "dealer.change": DealerChange,
    "money.adjust": MoneyAdjust,
    "shoe.close": ShoeClose,
}

SPOT: Final = r"[a-z][a-z0-9-]{0,31}"
_COUNT: Final = r"(0|[1-9][0-9]{0,9})"
_BET = re.compile(rf"{_COUNT}-{_COUNT}/({NAME})/({SPOT})/{_COUNT}", re.ASCII)
_OTHER = re.compile(rf"{_COUNT}/([a-z]+\.[a-z]+)/({NAME})/{_COUNT}", re.ASCII)


class BetId(NamedTuple):
    """The parts of a bet's id: ``12-17/alice/banker/1``."""

    shoe: int
    round: int
    bettor: str
    spot: str
    n: int

    def __str__(self) -> str:
        """Spell it."""
        return f"{self.shoe}-{self.round}/{self.bettor}/{self.spot}/{self.n}"


@lru_cache(maxsize=64)  # whoever hears a command looks at its id more than once
def parse_bet_id(text: str) -> BetId | None:
    """Read a bet's id, or give None where it is none."""
    found = _BET.fullmatch(text)
    if found is None:
        return None
    return BetId(int(found[1]), int(found[2]), found[3], found[4], int(found[5]))


def withdraw_id(bet: str) -> str:
    """Derive the id of the command that takes ``bet`` back."""
    return f"{bet}/withdraw"


def command_id(shoe: int, kind: str, who: str, n: int) -> str:
    """Derive the id of any command that is neither a bet nor its withdrawal."""
    return f"{shoe}/{kind}/{who}/{n}"


class CommandId(NamedTuple):
    """The parts of another command's id: ``12/bet.pass/alice/17``."""

    shoe: int
    kind: str
    who: str
    n: int


def parse_command_id(text: str) -> CommandId | None:
    """Read the id of a command that is neither a bet nor its withdrawal, or give None."""
    found = _OTHER.fullmatch(text)
    if found is None:
        return None
    return CommandId(int(found[1]), found[2], found[3], int(found[4]))


def parse_shoe(name: str) -> int | None:
    """Tell which shoe a command is for by its id, or give None where it is no id of ours."""
    bet = name.removesuffix("/withdraw")
    parts = parse_bet_id(bet) or parse_command_id(name)
    return None if parts is None else parts.shoe
