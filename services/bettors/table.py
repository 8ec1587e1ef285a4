"""Bettors at one table, as a pure fold: events and outcomes in, commands out. Sees no hidden card.

It speaks for all its seats in their order, so that the same table always hears the same commands.
A command's time is that of the event or outcome which led to it; there is no clock here.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final, NamedTuple

from schemas import events as ev
from schemas.address import EntryId, Shoe
from schemas.envelope import event_or_none, kind_of
from schemas.outcomes import RoundHalted, RoundResolved
from services.bettors.facts import ShoeFacts
from services.bettors.log_order import LogOrder
from services.bettors.round_end import RoundEnd
from services.bettors.systems import Coup, Leave, System, View
from services.bettors.voice import Voice

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from schemas.envelope import Message
    from schemas.outcomes import Outcome
    from services.bettors.log_order import Line
    from services.journal import Entry

_OUTCOMES: Final = (RoundResolved, RoundHalted)
_CARDS: Final = (ev.CardDrawn, ev.CardBurned, ev.CardDiscarded)
_IN_ERROR: Final = b'"hand":"error"'
_OPENED, _CLOSED, _DEALT = b"round.opened", b"bets.closed", b"round.dealt"
#: Most of a round, and nothing to those who watch no cards.
_IDLE: Final = frozenset({b"bet.placed", b"card.drawn"})


class Seat(NamedTuple):
    """A bettor of ours: the bankroll he first sits down with (minor units) and how he bets."""

    name: str
    bankroll: int
    system: System


def simulated_client_seed(shoe: Shoe) -> bytes:
    """Give the client seed of a simulated run, the same each time."""
    return hashlib.sha256(f"client {shoe}".encode()).digest()


class BettorsFold:
    """All that one bettors process says at one table.

    Fed both streams from any shoe's ``-0`` on. Until ``resume`` it says nothing, for it only reads
    what has been; ``resume`` gives what is due now, from the first seat again: the dealer drops
    repeats. A system is asked at the same place in the log either way, so after a restart it bets
    what it bet before (one that carries something from shoe to shoe has to be fed from the first).
    """

    def __init__(
        self, table: str, seats: Sequence[Seat], client_seed: Callable[[Shoe], bytes]
    ) -> None:
        """Speak for these seats; the first cuts each seeded shoe with the seed given for it."""
        self._table = table
        self._seats = tuple(seats)
        self._watching = [system for _, _, system in seats if type(system).card is not System.card]
        self._told = [seat for seat in seats if type(seat.system).coup is not System.coup]
        self._client_seed = client_seed
        self._voice = Voice(table)
        self._end = RoundEnd(table)
        self._order = LogOrder()
        self._live = False
        self._shoe: ShoeFacts | None = None
        self._sits: dict[str, bytes] = {}
        self._cut: bytes | None = None
        #: The round that we last spoke for, and what we said.
        self._spoken: tuple[int, list[bytes]] = (0, [])
        self._leaving: set[str] = set()
        self._refused: list[ev.BetRefused] = []

    @property
    def across_shoes(self) -> bool:
        """Whether a bettor carries something from shoe to shoe, and has to be told of them all."""
        return any(seat.system.across_shoes for seat in self._seats)

    def heeded(self, entries: Sequence[Entry]) -> Sequence[Entry]:
        """Leave out what is nothing to us: bets, cards nobody watches, an opening all sit for.

        What is left is to be given to ``event``, one by one, and the last of all to ``passed``.
        """
        shoe = self._shoe
        if self._watching or not entries:
            return entries
        idle = _IDLE
        if shoe is not None and shoe.has_all and entries[-1].id.major == shoe.address.number:
            idle |= {_OPENED}
        last = entries[-1]
        dealt = kind_of(last.data) == _DEALT
        plain = dealt and shoe is not None and self._end.is_of(shoe.next_round, last)
        if plain or (dealt and event_or_none(last.data) is not None):
            idle |= {_CLOSED}  # a hand that is dealt says so too
        heeded = [
            entry for entry in entries if kind_of(entry.data) not in idle or _IN_ERROR in entry.data
        ]
        return [] if plain and len(heeded) == 1 and self._takes_end(last.id) else heeded

    def _takes_end(self, entry_id: EntryId) -> bool:
        """Take the end of the round in play without reading it, where the log's order lets it."""
        shoe = self._shoe
        if shoe is None or entry_id.major != shoe.address.number:
            return False
        played = EntryId(entry_id.major, shoe.next_round)
        if not self._order.may_end(played):
            return False
        shoe.closed = played.minor
        self._order.dealt(entry_id, played)
        return True

    def passed(self, entry_id: EntryId) -> list[bytes]:
        """Take it that all events up to this one have come; give the commands to send."""
        return self._take(self._order.passed(entry_id))

    def event(self, entry_id: EntryId, message: Message[ev.Event]) -> list[bytes]:
        """Take the next event; give the commands to send, in order."""
        return self._take(self._order.event(entry_id, message))

    def outcome(self, entry_id: EntryId, message: Message[Outcome]) -> list[bytes]:
        """Take the next outcome; give the commands to send, in order."""
        return self._take(self._order.outcome(entry_id, message))

    def resume(self) -> list[bytes]:
        """Have caught up: give the commands that are due now, and speak from here on."""
        self._live = True
        shoe = self._shoe
        if shoe is None or shoe.is_over:
            return []
        number, said = self._spoken
        if number == shoe.next_round:
            return list(said) if shoe.closed < number else []
        # Asking for a seat or a cut that is there already would be refused on the record.
        due = [sit for name, sit in self._sits.items() if shoe.is_expected(name)]
        if self._cut is not None and not shoe.is_cut:
            due.append(self._cut)
        return due

    def _take(self, lines: Iterable[Line]) -> list[bytes]:
        say: list[bytes] = []
        for line in lines:
            say += self._step(line)
        return say if self._live else []

    def _step(self, line: Line) -> list[bytes]:
        said, time = line.message.data, line.message.time
        if isinstance(said, ev.ShoeOpened):
            return self._open(Shoe(self._table, line.id.major), said, time)
        shoe = self._shoe
        if shoe is None or line.id.major != shoe.address.number:
            return []  # of a shoe before the one that we are fed from
        if isinstance(said, ev.Event):
            self._see(shoe, said)
        elif isinstance(said, _OUTCOMES):
            self._settle(shoe, said)
        if self._spoken[0] < shoe.next_round and shoe.takes_bets:
            return self._speak(shoe, time)
        return []

    def _open(self, address: Shoe, opened: ev.ShoeOpened, time: str) -> list[bytes]:
        sitting = frozenset(self._shoe.bankrolls) if self._shoe is not None else frozenset()
        self._shoe = ShoeFacts(address, opened, [seat.name for seat in self._seats], sitting)
        self._spoken = (0, [])
        self._leaving.clear()
        self._refused.clear()
        for seat in self._seats:
            seat.system.shoe()
        number = address.number
        # Who sat when the last shoe closed is about to be said to sit still.
        self._sits = {
            name: self._voice.sit(number, name, bankroll, time)
            for name, bankroll, _ in self._seats
            if name not in sitting
        }
        self._cut = None
        if self._seats and not self._shoe.is_cut:
            seed = self._client_seed(address)
            self._cut = self._voice.cut(number, self._seats[0].name, seed, time)
        return [*self._sits.values(), *filter(None, [self._cut])]

    def _see(self, shoe: ShoeFacts, said: ev.Event) -> None:
        shoe.see(said)
        if isinstance(said, _CARDS):
            card = shoe.shown(said)
            if card is not None:
                for system in self._watching:
                    system.card(card)
        elif isinstance(said, ev.BetRefused) and said.round == shoe.next_round:
            self._refused.append(said)

    def _settle(self, shoe: ShoeFacts, outcome: RoundResolved | RoundHalted) -> None:
        shoe.settle(outcome)
        winner = outcome.winner if isinstance(outcome, RoundResolved) else "void"
        for name, _, system in self._told:
            settled = tuple(one for one in outcome.settlements if one.bettor == name)
            refused = tuple(one for one in self._refused if one.bettor == name)
            system.coup(Coup(outcome.round, winner, settled, refused))
        self._refused.clear()

    def _speak(self, shoe: ShoeFacts, time: str) -> list[bytes]:
        """Ask each bettor who sits what he bets in the next round."""
        number = shoe.next_round
        said: list[bytes] = []
        for name, _, system in self._seats:
            bankroll = shoe.bankrolls.get(name)
            if bankroll is None or name in self._leaving:
                continue
            answer = system.bet(View(shoe.address.number, number, bankroll))
            if isinstance(answer, Leave):
                self._leaving.add(name)
            said += self._voice.answer(shoe.address.number, number, name, answer, time)
        self._spoken = (number, said)
        return list(said)
