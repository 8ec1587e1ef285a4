"""Commands that wait for the dealer, in the order they came. Judges none of them.

A command is known by its derived id, which must agree with what it says; the same command sent
again is one command.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

from schemas import commands as co
from schemas.envelope import decode_command
from schemas.errors import Unreadable
from schemas.money import LARGEST
from services.dealer.shoe import Answer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from schemas.envelope import Message

Asked = TypeVar("Asked", bound=co.Command)


class Waiting(NamedTuple):
    """A readable command: the shoe and round it is for (0: no round), its id and what it asks."""

    shoe: int
    round: int
    id: str
    asks: co.Command

    @property
    def terms(self) -> Answer:
        """What it asks for, as far as two sendings could differ."""
        if isinstance(self.asks, co.BetPlace):
            return Answer(self.id, whole(self.asks.stake), self.asks.chips)
        return Answer(self.id, None, None)


def whole(stake: object) -> int | None:
    """Give a stake as events can carry it, or None where it is no such integer."""
    return stake if type(stake) is int and abs(stake) <= LARGEST else None


_WHO: dict[type[co.Command], Callable[[co.Command], str | None]] = {
    co.BettorSit: lambda asks: asks.bettor,  # type: ignore[attr-defined]
    co.BettorLeave: lambda asks: asks.bettor,  # type: ignore[attr-defined]
    co.BetPass: lambda asks: asks.bettor,  # type: ignore[attr-defined]
    co.Cut: lambda asks: asks.by,  # type: ignore[attr-defined]
}


def read(data: bytes, source: str) -> Waiting | None:
    """Read a command's bytes; None where they are unreadable or the id says something else."""
    try:
        message: Message[co.Command] = decode_command(data)
    except Unreadable:
        return None
    if message.source != source:
        return None
    asks = message.data
    if isinstance(asks, co.BetPlace):
        return _bet(message.id, asks)
    if isinstance(asks, co.BetWithdraw):
        return _withdrawal(message.id, asks)
    return _other(message.id, asks)


def _withdrawal(name: str, asks: co.BetWithdraw) -> Waiting | None:
    bet = co.parse_bet_id(asks.bet)
    if bet is None or name != co.withdraw_id(asks.bet):
        return None
    return Waiting(bet.shoe, bet.round, name, asks)


def _other(name: str, asks: co.Command) -> Waiting | None:
    parts = co.parse_command_id(name)
    if parts is None or co.COMMANDS.get(parts.kind) is not type(asks):
        return None
    who = _WHO.get(type(asks))
    if who is not None and who(asks) != parts.who:
        return None
    number = getattr(asks, "round", 0)
    return Waiting(parts.shoe, number if isinstance(number, int) else 0, name, asks)


def _bet(name: str, asks: co.BetPlace) -> Waiting | None:
    bet = co.parse_bet_id(name)
    chips_fit = asks.chips is None or all(abs(chip) <= LARGEST for chip in asks.chips)
    if bet is None or not chips_fit:
        return None
    if (bet.round, bet.bettor, bet.spot) != (asks.round, asks.bettor, asks.spot):
        return None
    return Waiting(bet.shoe, bet.round, name, asks)


class Inbox:
    """What waits for an answer, and who has spoken for which round of the open shoe."""

    def __init__(self) -> None:
        """Begin empty."""
        self.waiting: list[Waiting] = []
        self._spoken: dict[int, set[str]] = {}
        self._shoe = 0

    def put(self, command: Waiting) -> None:
        """Take a command in; those for shoes that are over are forgotten."""
        if command.shoe < self._shoe:
            return
        self.waiting.append(command)
        if command.shoe == self._shoe:
            self._hear(command)

    def begin(self, shoe: int) -> None:
        """Turn to a new shoe: what is left of older ones will never be answered."""
        self._shoe = shoe
        self._spoken = {}
        self.waiting = [command for command in self.waiting if command.shoe >= shoe]
        for command in self.waiting:
            if command.shoe == shoe:
                self._hear(command)

    def settle(self, number: int) -> None:
        """Forget who spoke up to this round."""
        for old in [key for key in self._spoken if key <= number]:
            del self._spoken[old]

    def spoken(self, number: int) -> set[str]:
        """Name who has spoken for a round."""
        return self._spoken.get(number, set())

    def asking(self, kind: type[Asked], shoe: int) -> Iterator[tuple[Waiting, Asked]]:
        """Give what waits of this kind for this shoe, in order, with what it asks."""
        for command in self.waiting:
            asks = command.asks
            if isinstance(asks, kind) and command.shoe == shoe:
                yield command, asks

    def voids(self, shoe: int, number: int) -> bool:
        """Tell whether somebody asks for this round to be voided."""
        return any(asks.round == number for _, asks in self.asking(co.RoundVoid, shoe))

    def _hear(self, command: Waiting) -> None:
        asks = command.asks
        if (isinstance(asks, co.BetPlace) and asks.last) or isinstance(asks, co.BetPass):
            self._spoken.setdefault(command.round, set()).add(asks.bettor)
        elif isinstance(asks, co.BetWithdraw):
            bet = co.parse_bet_id(asks.bet)
            if bet is not None:
                self._spoken.setdefault(command.round, set()).discard(bet.bettor)
