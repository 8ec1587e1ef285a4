"""What bettors know of the shoe in play: who sits with how much, and how far it has come.

Folded from the table's lines; decides nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemas import events as ev
from schemas.commands import parse_command_id
from schemas.errors import InputError
from schemas.outcomes import RoundHalted, RoundResolved
from schemas.ruleset import parse
from services.baccarat import net

if TYPE_CHECKING:
    from collections.abc import Iterable

    from schemas.address import Shoe
    from schemas.cards import Card

#: Most of what a table says, and nothing to those who count money and rounds.
_OF_NO_CONCERN = frozenset({ev.CardDrawn, ev.BetPlaced, ev.BetPassed})


class ShoeFacts:
    """One shoe as its bettors see it."""

    def __init__(
        self, address: Shoe, opened: ev.ShoeOpened, ours: Iterable[str], sitting: Iterable[str]
    ) -> None:
        """Begin at ``shoe.opened``; ``sitting`` are those who sat when the last shoe closed."""
        self.address = address
        #: Of everybody who sits, ours or not, in minor units.
        self.bankrolls: dict[str, int] = {}
        #: Rounds with an outcome; the next one is the round to bet on.
        self.settled = 0
        #: The last round whose bets are closed.
        self.closed = 0
        #: The round that nobody may bet on: a dummy hand, after a card drawn in error.
        self.dummy = 0
        self.is_over = False
        self.is_cut = not isinstance(opened.origin, ev.Seeded)
        self._rules = opened.rules.text
        #: Positions of the cards that were drawn in error.
        self._in_error: set[int] = set()
        self._awaited = frozenset(opened.seats)
        self._ours = frozenset(ours)
        self._expected = set(self._awaited | self._ours).union(sitting)

    @property
    def next_round(self) -> int:
        """The round that bets are for."""
        return self.settled + 1

    @property
    def has_all(self) -> bool:
        """Whether all sit who are expected to."""
        return not self._expected

    @property
    def takes_bets(self) -> bool:
        """Whether bets for the next round may be sent: all sit, all is cut, none is in play."""
        closed = self.is_over or self.closed > self.settled or self.dummy == self.next_round
        return self.is_cut and not self._expected and not closed

    def is_expected(self, bettor: str) -> bool:
        """Tell whether this bettor has still to sit down, or to be said to sit still."""
        return bettor in self._expected

    def see(self, said: ev.Event) -> None:
        """Take an event of this shoe."""
        if type(said) in _OF_NO_CONCERN:
            return
        match said:
            case ev.BettorSeated():
                self.bankrolls[said.bettor] = said.bankroll
                self._expected.discard(said.bettor)
            case ev.BettorLeft():
                self.bankrolls.pop(said.bettor, None)
            case ev.MoneyAdjusted():
                self._move(said.bettor, said.amount)
            case ev.ShoeCut():
                self.is_cut = True
            case ev.CommandRefused():
                self._give_up(said.command)
            case ev.RoundOpened():
                # The dealer waits for the awaited no longer, whatever became of them.
                self._expected &= self._ours
            case ev.BetsClosed() | ev.RoundDealt() | ev.RoundVoided():
                self.closed = said.round
            case ev.ShoeClosed():
                self.is_over = True
            case _:
                pass

    def settle(self, outcome: RoundResolved | RoundHalted) -> None:
        """Take a round's outcome: the money moves, and a halt ends the shoe."""
        self.settled = outcome.round
        self.is_over |= isinstance(outcome, RoundHalted)
        for one in outcome.settlements:
            self._move(one.bettor, net(one))

    def shown(self, said: ev.CardDrawn | ev.CardBurned | ev.CardDiscarded) -> Card | None:
        """Take a card; give it where it lies face up and was not seen before.

        One that was drawn in error was, when it is played or put aside.
        """
        if isinstance(said, ev.CardDrawn) and said.hand == "error":
            self._misdrawn(said.round)
            self._in_error.add(said.position)
            return said.card
        return None if said.position in self._in_error else said.card

    def _misdrawn(self, number: int) -> None:
        """Take a card drawn in error in this round: by some rules nobody bets on the next."""
        try:
            rules = parse(self._rules)
        except InputError:
            return  # others say so
        if rules.misdraw == "dummy-hand":
            self.dummy = number + 1

    def _move(self, bettor: str, amount: int) -> None:
        if bettor in self.bankrolls:
            self.bankrolls[bettor] += amount

    def _give_up(self, command: str | None) -> None:
        """Expect no more of a bettor who was refused a seat, unless the shoe waits for him."""
        asked = parse_command_id(command or "")
        if asked is not None and asked.kind == "bettor.sit" and asked.who not in self._awaited:
            self._expected.discard(asked.who)
