"""Commands as a witness reads them: which of them must be answered. Answers none itself."""

from __future__ import annotations

from typing import Final, NamedTuple

from schemas.address import is_name
from schemas.commands import (
    COMMANDS,
    BetPass,
    BetPlace,
    BettorLeave,
    BettorSit,
    BetWithdraw,
    Command,
    Cut,
    parse_bet_id,
    parse_command_id,
    withdraw_id,
)
from schemas.envelope import Message
from schemas.money import LARGEST

MILLISECOND_US: Final = 1_000


class Heard(NamedTuple):
    """A command as it first came: its id and place in the stream, when, and what it asks.

    ``round`` is the one it is for, None where it is for no round's betting.
    """

    id: str
    place: int
    at_us: int
    shoe: int
    round: int | None
    asks: Command


def read(message: Message[Command], source: str, place: int, at_ms: int) -> Heard | None:
    """Read a command; None where nobody has to answer it: its id says otherwise."""
    if message.source != source:
        return None
    name, asks = message.id, message.data
    target: tuple[int, int | None] | None
    if isinstance(asks, BetPlace):
        target = _bet(name, asks)
    elif isinstance(asks, BetWithdraw):
        bet = parse_bet_id(asks.bet)
        target = None if bet is None or name != withdraw_id(asks.bet) else (bet.shoe, bet.round)
    else:
        target = _other(name, asks)
    if target is None:
        return None
    return Heard(name, place, at_ms * MILLISECOND_US, *target, asks)


def _bet(name: str, asks: BetPlace) -> tuple[int, int] | None:
    bet = parse_bet_id(name)
    if bet is None or bet[1:4] != (asks.round, asks.bettor, asks.spot):
        return None
    chips = asks.chips or ()
    if not is_name(asks.bettor) or any(abs(chip) > LARGEST for chip in chips):
        return None
    return bet.shoe, bet.round


def _other(name: str, asks: Command) -> tuple[int, int | None] | None:
    parts = parse_command_id(name)
    if parts is None or COMMANDS.get(parts.kind) is not type(asks):
        return None
    if isinstance(asks, BettorSit | BettorLeave | BetPass) and asks.bettor != parts.who:
        return None
    if isinstance(asks, Cut) and asks.by != parts.who:
        return None
    return parts.shoe, asks.round if isinstance(asks, BetPass) else None
