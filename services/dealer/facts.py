"""What has happened at a table, by the dealer's own events and the outcomes. Decides nothing.

Events are facts once they are said: folding them again, from any point where the last process
stopped, gives the state to go on from.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from schemas import events as ev
from schemas.address import EventAddress
from schemas.instant import parse as parse_time
from schemas.outcomes import RoundHalted, RoundResolved, pivot
from services.baccarat import burn_count, net
from services.dealer.shoe import Answer, Seated, ShoeFacts

if TYPE_CHECKING:
    from collections.abc import Callable

    from schemas.envelope import Message
    from schemas.outcomes import Outcome, Settlement
    from services.dealer.at_once import PlainRound

# Named once: a union would be made anew, and be searched slowly, for every event.
_ENDS: Final = (ev.RoundDealt, ev.RoundVoided)
_BETS: Final = (ev.BetPlaced, ev.BetRefused)


class TableFacts:
    """A table's facts through its last event; ``shoe`` is the newest, open or closed."""

    def __init__(self, table: str) -> None:
        """Begin before the first shoe."""
        self.table = table
        self.shoe: ShoeFacts | None = None
        self.seq = -1
        self.time: int | None = None
        self._apply: dict[type[ev.Event], Callable[..., None]] = {
            ev.ShoeCut: self._cut,
            ev.BettorSeated: self._seated,
            ev.BettorLeft: self._left,
            ev.CardBurned: self._burned,
            ev.CardDiscarded: self._discarded,
            ev.RoundOpened: self._opened,
            ev.BetsClosed: self._closed_bets,
            ev.BetPlaced: self._placed,
            ev.BetWithdrawn: self._withdrawn,
            ev.CardDrawn: self._drawn,
            ev.CutCardOut: self._cut_card,
            ev.RoundDealt: self._dealt,
            ev.RoundVoided: self._voided,
            ev.CommissionCollected: self._collected,
            ev.MoneyAdjusted: self._adjusted,
            ev.ShoeClosed: self._closed,
        }

    @property
    def number(self) -> int:
        """The newest shoe's number; 0 before the first."""
        return 0 if self.shoe is None else self.shoe.number

    def happened(self, shoe: int, seq: int, time: int, event: ev.Event) -> None:
        """Take an event as a fact."""
        self.seq = seq
        self.time = time
        if isinstance(event, ev.ShoeOpened):
            before = {} if self.shoe is None else self.shoe.seated
            carried = dict(sorted(before.items(), key=lambda item: item[1].seat))
            self.shoe = ShoeFacts(self.table, shoe, event, carried)
            if event.command is not None:  # the opening is its answer
                self.shoe.commands.add(event.command)
            return
        facts = self.shoe
        if facts is None:
            return
        if isinstance(event, ev.RoundOpened):
            facts.betting_since = time
            facts.opened_seq = seq
        elif isinstance(event, _ENDS):
            facts.ended_seq = seq
        if facts.module is not None:
            facts.module.event(event)
        apply = self._apply.get(type(event))
        if apply is not None:
            apply(facts, event)
        if event.command is not None:
            facts.commands.add(event.command)
            terms = (event.stake, event.chips) if isinstance(event, _BETS) else (None, None)
            facts.answered.add(Answer(event.command, *terms))

    def played(self, told: PlainRound) -> None:
        """Take a plain round as a fact: what ``happened`` makes of its events, one by one."""
        facts = self.shoe
        if facts is None:
            return
        facts.opened_seq, facts.betting_since = self.seq + 1, told.began
        self.seq += len(told.datas)
        self.time, facts.ended_seq = told.ended, self.seq
        facts.round = told.number
        facts.bets = {bet.bet: bet for bet in told.bets}
        facts.commands.update(facts.bets)
        facts.answered.update([Answer(bet.bet, bet.stake, bet.chips) for bet in told.bets])
        facts.player, facts.banker = told.player, told.banker
        facts.progress.position += len(told.player) + len(told.banker)
        facts.progress.hands += 1
        facts.phase = "unsettled"

    def read(self, shoe: int, seq: int, message: Message[ev.Event]) -> None:
        """Take a stored event as a fact."""
        self.happened(shoe, seq, parse_time(message.time), message.data)

    def settles(self, number: int, outcome: Outcome) -> bool:
        """Tell whether an outcome is about what happened here: the round in play, or a halt."""
        facts = self.shoe
        if facts is None:
            return False
        stem = f"{self.table}/{facts.number}-"
        if isinstance(outcome, RoundResolved):
            return facts.phase == "unsettled" and (
                number == outcome.round == facts.round
                and outcome.first == f"{stem}{facts.opened_seq}"
                and outcome.through == f"{stem}{facts.ended_seq}"
            )
        if not isinstance(outcome, RoundHalted) or not outcome.at.startswith(stem):
            return False
        expected = facts.round if facts.round > facts.settled else facts.settled + 1
        return number == outcome.round == expected or facts.halted

    def settled_at(self, outcome: Outcome) -> int:
        """Give the number of the event after which an outcome stands that ``settles``."""
        if self.shoe is not None and isinstance(outcome, RoundResolved):
            return self.shoe.ended_seq
        return EventAddress.parse(pivot(outcome)).seq

    def outcome(self, shoe: int, outcome: Outcome) -> None:
        """Settle the round that this outcome is about."""
        facts = self.shoe
        if facts is None or facts.number != shoe:
            return
        if facts.module is not None:
            facts.module.outcome(outcome)
        if isinstance(outcome, RoundHalted):
            facts.halted = True
            self._settle(facts, outcome.settlements)
            facts.settled = facts.round  # outside a round its number is one that was never opened
        elif isinstance(outcome, RoundResolved) and outcome.round == facts.settled + 1:
            self._settle(facts, outcome.settlements)
            facts.settled = outcome.round
        if facts.phase != "closed":
            facts.phase = "ready"

    @staticmethod
    def _settle(facts: ShoeFacts, settlements: tuple[Settlement, ...]) -> None:
        marked = facts.rules.commission is not None and (
            facts.rules.commission.collected == "shoe-end"
        )
        for paid in settlements:
            seated = facts.seated.get(paid.bettor)
            if seated is not None:
                seated.bankroll += net(paid)
                if marked:
                    seated.owed += paid.commission

    @staticmethod
    def _cut(facts: ShoeFacts, event: ev.ShoeCut) -> None:
        facts.cut = event

    @staticmethod
    def _seated(facts: ShoeFacts, event: ev.BettorSeated) -> None:
        facts.seated[event.bettor] = Seated(event.seat, event.bankroll)
        facts.carried.pop(event.bettor, None)

    @staticmethod
    def _left(facts: ShoeFacts, event: ev.BettorLeft) -> None:
        facts.seated.pop(event.bettor, None)

    @staticmethod
    def _burned(facts: ShoeFacts, event: ev.CardBurned) -> None:
        facts.progress.position = event.position + 1
        if event.card is not None and event.position == 0:
            facts.burns_due = burn_count(facts.rules, event.card)
        elif facts.burns_due:
            facts.burns_due -= 1

    @staticmethod
    def _discarded(facts: ShoeFacts, event: ev.CardDiscarded) -> None:
        _leaves(facts, event.position)

    @staticmethod
    def _opened(facts: ShoeFacts, event: ev.RoundOpened) -> None:
        facts.round = event.round
        facts.phase = "betting"
        facts.bets = {}
        facts.player = []
        facts.banker = []

    @staticmethod
    def _closed_bets(facts: ShoeFacts, _event: ev.BetsClosed) -> None:
        facts.phase = "dealing"

    @staticmethod
    def _placed(facts: ShoeFacts, event: ev.BetPlaced) -> None:
        facts.bets[event.bet] = event

    @staticmethod
    def _withdrawn(facts: ShoeFacts, event: ev.BetWithdrawn) -> None:
        facts.bets.pop(event.bet, None)

    @staticmethod
    def _drawn(facts: ShoeFacts, event: ev.CardDrawn) -> None:
        _leaves(facts, event.position)
        if event.hand == "error":
            facts.error = event
            facts.misdrawn = event.round
        else:
            (facts.player if event.hand == "player" else facts.banker).append(event.card)

    @staticmethod
    def _cut_card(facts: ShoeFacts, _event: ev.CutCardOut) -> None:
        facts.cut_card_out = True
        dealing = facts.phase == "dealing"
        facts.progress.cut_out_hand = facts.progress.hands + 1
        facts.progress.cut_out_before_first = not dealing or not facts.player

    @staticmethod
    def _dealt(facts: ShoeFacts, _event: ev.RoundDealt) -> None:
        facts.phase = "unsettled"
        facts.progress.hands += 1

    @staticmethod
    def _voided(facts: ShoeFacts, event: ev.RoundVoided) -> None:
        facts.phase = "unsettled"
        # Whoever asks for a round to be voided may word the reason as he likes.
        said = event.reason if event.command is None else ""
        facts.exhausted = facts.exhausted or said == "shoe-exhausted"

    @staticmethod
    def _collected(facts: ShoeFacts, event: ev.CommissionCollected) -> None:
        seated = facts.seated.get(event.bettor)
        if seated is not None:
            seated.owed -= event.amount

    @staticmethod
    def _adjusted(facts: ShoeFacts, event: ev.MoneyAdjusted) -> None:
        seated = facts.seated.get(event.bettor)
        if seated is not None:
            seated.bankroll += event.amount

    @staticmethod
    def _closed(facts: ShoeFacts, _event: ev.ShoeClosed) -> None:
        facts.phase = "closed"


def _leaves(facts: ShoeFacts, position: int) -> None:
    """Take account of a card that leaves the shoe, or the table where it was drawn in error."""
    facts.progress.position = max(facts.progress.position, position + 1)
    if facts.error is not None and facts.error.position == position:
        facts.error = None
