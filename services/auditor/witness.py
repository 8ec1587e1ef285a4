"""What only a witness can see: arrival times, and commands against their answers. No I/O or clock.

One shoe's live record, apart from the verdicts. Commands and events come on two streams, so either
may be heard first; what hangs on both is said when the later one is heard.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from schemas import events as ev
from schemas import instant
from schemas.commands import BetPlace, Command
from schemas.envelope import Message
from schemas.errors import InputError
from schemas.outcomes import RoundHalted, RoundResolved
from schemas.verdicts import Finding
from services.auditor.asked import MILLISECOND_US, Heard, read
from services.auditor.betting import Betting, Row
from services.auditor.codes import finding
from services.auditor.judging import PROCEDURE, judge
from services.auditor.settling import net_of
from services.auditor.stream import entry_id
from services.auditor.tables import tables

MINUTE_US: Final = 60_000_000
_SECOND_US: Final = 1_000_000
_DESIGN: Final = "DESIGN.md#2"
_WITHDRAW: Final = "/withdraw"


class LiveWitness:
    """Watches one shoe. ``simulated``: its times are no clock's, so none is compared."""

    def __init__(
        self, table: str, shoe: int, *, simulated: bool = False, skew_us: int = MINUTE_US
    ) -> None:
        """Begin before the shoe's first event."""
        self._base = f"{table}/{shoe}-"
        self._source = f"/tables/{table}/commands"
        self._shoe = shoe
        self._simulated = simulated
        self._skew_us = skew_us
        self._skewed = False
        self._found: list[Finding] = []
        self._betting: Betting | None = None
        self._heard: dict[str, Heard] = {}
        self._places = 0
        self._seq = 0
        self._answered: set[str] = set()
        #: Bets that were taken, each with its round, the event that took it, and its terms.
        self._taken: dict[str, tuple[int, int, Row]] = {}
        #: When each round's betting closed, and the event that closed or voided it.
        self._closed_us: dict[int, int] = {}
        self._closed_at: dict[int, int] = {}
        self._over: int | None = None

    # ------------------------------------------------------------------------------ what is heard
    def command(self, at_ms: int, message: Message[Command]) -> tuple[Finding, ...]:
        """Hear a command, in the stream's order; ``at_ms`` is the first part of its stream id."""
        self._found = []
        heard = read(message, self._source, self._places, at_ms)
        if heard is not None and heard.shoe == self._shoe and heard.id not in self._heard:
            self._places += 1
            self._heard[heard.id] = heard
            if heard.id in self._taken:
                self._compare(heard)
        return tuple(self._found)

    def event(self, message: Message[Any], arrived_us: int | None) -> tuple[Finding, ...]:
        """Hear an event; ``arrived_us`` is None where it was read later than it was said."""
        self._found = []
        said = message.data
        following = self._seq + 1
        entry = None if message.id == f"{self._shoe}-{following}" else entry_id(message.id)
        self._seq = following if entry is None else entry.minor
        if said.command is not None:
            self._answered.add(said.command)
        if not self._simulated:
            self._clock(message.time, arrived_us, said)
        if isinstance(said, ev.ShoeOpened):
            laid = tables(said.rules.text)
            self._betting = None if laid is None else Betting(self._shoe, laid, said.limits)
        elif isinstance(said, ev.ShoeClosed):
            self._over = self._seq
        elif self._betting is not None and type(said) in _FOLLOWED:
            _FOLLOWED[type(said)](self, self._betting, said)
        return tuple(self._found)

    def outcome(self, message: Message[Any]) -> None:
        """Hear an outcome: money moves."""
        said, at = message.data, self._betting
        if at is None or not isinstance(said, RoundResolved | RoundHalted):
            return
        at.settled = max(at.settled, said.round)
        for one in said.settlements:
            if one.bettor in at.seats:
                at.seats[one.bettor].bankroll += net_of(one)

    def finish(self) -> tuple[Finding, ...]:
        """Say, once the shoe is closed and its commands are read, what had no answer or asker."""
        self._found = []
        last = max((self._heard[n].place for n in self._answered if n in self._heard), default=-1)
        for name, heard in self._heard.items():
            at = self._over if heard.round is None else self._closed_at.get(heard.round)
            if name not in self._answered and heard.place < last and at is not None:
                self._find("command-unanswered", "one event", name, _DESIGN, at, heard.round)
        for name, (number, seq, _) in self._taken.items():
            if name not in self._heard and not self._simulated:
                self._find("bet-backdated", "a command", f"none: {name}", _DESIGN, seq, number)
        return tuple(self._found)

    # ------------------------------------------------------------------------------------- times
    def _clock(self, text: str, arrived_us: int | None, said: ev.Event) -> None:
        try:
            time = instant.parse(text)
        except InputError:
            return
        if isinstance(said, ev.BetsClosed):
            self._closed_us.setdefault(said.round, time)
        if arrived_us is None:
            return
        skew = arrived_us - time
        wide = abs(skew) > self._skew_us
        if wide and not self._skewed:  # once, until it is well again
            limit = f"within {self._skew_us // _SECOND_US} s of its arrival"
            self._find("clock-skew", limit, f"{skew // _SECOND_US} s", _DESIGN, self._seq)
        self._skewed = wide

    def _backdated(self, heard: Heard) -> None:
        """Judge whether a bet's command had come by the time its betting closed."""
        number, seq, _ = self._taken[heard.id]
        closed = self._closed_us.get(number)
        if closed is not None and heard.at_us > closed:
            late = f"{(heard.at_us - closed) // MILLISECOND_US} ms after"
            self._find("bet-backdated", "before bets.closed", late, PROCEDURE, seq, number)

    # ------------------------------------------------------------------------------------- terms
    def _compare(self, heard: Heard) -> None:
        """Compare a bet that was taken with the command that asked for it."""
        number, seq, (name, bettor, spot, stake) = self._taken[heard.id]
        asks = heard.asks
        if isinstance(asks, BetPlace) and (asks.bettor, asks.spot, asks.stake) != (
            bettor,
            spot,
            stake,
        ):
            wanted = f"{name}: {asks.stake}"
            self._find("command-unanswered", wanted, str(stake), _DESIGN, seq, number)
        self._backdated(heard)

    def opened(self, at: Betting, said: ev.RoundOpened) -> None:
        """Follow a round's opening."""
        at.open_round(said.round)

    def closed(self, at: Betting, said: ev.BetsClosed | ev.RoundVoided) -> None:
        """Follow the end of a round's betting."""
        at.open = False
        if said.round in self._closed_at:
            return
        self._closed_at[said.round] = self._seq
        for name, *_ in at.rows:
            heard = self._heard.get(name)
            if heard is not None and self._taken[name][0] == said.round:
                self._backdated(heard)

    def placed(self, at: Betting, said: ev.BetPlaced) -> None:
        """Follow a bet that was taken."""
        at.place(said)
        row = (said.bet, said.bettor, said.spot, said.stake)
        if self._taken.setdefault(said.bet, (said.round, self._seq, row))[1] == self._seq:
            heard = self._heard.get(said.bet)
            if heard is not None:
                self._compare(heard)

    def refused(self, at: Betting, said: ev.BetRefused) -> None:
        """Judge a refusal by the table as it stood; one refused though good is a fault."""
        withdrawal = said.command is not None and said.command.endswith(_WITHDRAW)
        good = at.stands(said.bet) if withdrawal else judge(at, said) is None
        if good:
            wanted = f"{said.bet} taken"
            self._find("refusal-wrong", wanted, said.reason, PROCEDURE, self._seq, said.round)
        at.refuse(said)

    def withdrawn(self, at: Betting, said: ev.BetWithdrawn) -> None:
        """Follow a bet that was taken back."""
        at.withdraw(said.bet)

    def seated(self, at: Betting, said: ev.BettorSeated) -> None:
        """Follow a bettor to his seat."""
        at.sit(said.bettor, said.seat, said.bankroll)

    def left(self, at: Betting, said: ev.BettorLeft) -> None:
        """Follow a bettor away."""
        at.rise(said.bettor)

    def adjusted(self, at: Betting, said: ev.MoneyAdjusted) -> None:
        """Follow money."""
        if said.bettor in at.seats:
            at.seats[said.bettor].bankroll += said.amount

    def _find(
        self, code: str, expected: str, actual: str, rule: str, seq: int, number: int | None = None
    ) -> None:
        at = f"{self._base}{seq}"
        self._found.append(finding(code, at, expected, actual, rule, number=number))


_FOLLOWED: Final[dict[type, Callable[[LiveWitness, Betting, Any], None]]] = {
    ev.BettorSeated: LiveWitness.seated,
    ev.BettorLeft: LiveWitness.left,
    ev.MoneyAdjusted: LiveWitness.adjusted,
    ev.RoundOpened: LiveWitness.opened,
    ev.BetPlaced: LiveWitness.placed,
    ev.BetRefused: LiveWitness.refused,
    ev.BetWithdrawn: LiveWitness.withdrawn,
    ev.BetsClosed: LiveWitness.closed,
    ev.RoundVoided: LiveWitness.closed,
}
