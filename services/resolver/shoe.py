"""One shoe as the resolver folds it: which event may come next, and the outcome of each round.

It halts only where it must not pay: what can be paid rightly is paid, and whatever else is wrong
with the shoe is for the auditor to say.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from schemas import events as ev
from schemas.address import Shoe, Sources
from schemas.envelope import encode
from schemas.outcomes import HaltReason, RoundHalted, RoundResolved
from services.baccarat import game_of
from services.resolver.foreseen import Foreseen
from services.resolver.misdraw import Misdraws
from services.resolver.round import OpenRound

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from schemas.cards import Card
    from schemas.envelope import Message
    from services.baccarat import Game

    Answer = HaltReason | RoundResolved | None
    Phase = Mapping[type[ev.Event], Callable[..., Answer]]

#: The time of an outcome that has no readable event before it.
_EPOCH: Final = "1970-01-01T00:00:00.000000Z"
_OPENS: Final = b"round.opened"
_is_time = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", re.ASCII).fullmatch


class Told(NamedTuple):
    """An outcome: its round and its bytes."""

    round: int
    data: bytes


class ShoeFold:
    """The fold of one shoe. Once it has halted it says nothing more."""

    __slots__ = (
        "_foreseen", "_game", "_good_time", "_halted", "_mark", "_misdraws", "_name", "_next",
        "_outcomes", "_phase", "_position", "_prefix", "_round", "_rounds", "_source", "_stem",
        "_time",
    )  # fmt: skip

    def __init__(self, shoe: Shoe, foreseen: Foreseen) -> None:
        """Begin before the shoe's first event; what is ``foreseen`` only makes it faster."""
        self._name, self._foreseen = shoe, foreseen
        self._mark = b"%d" % shoe.number
        self._prefix = f"{shoe.number}-"
        self._stem = f"{shoe}-"
        self._source, self._outcomes = Sources(shoe.table).events, Sources(shoe.table).outcomes
        self._next = 0
        self._time = self._good_time = _EPOCH
        self._halted = False
        self._phase = self._NEW
        self._game: Game | None = None
        self._rounds = 0
        self._round: OpenRound | None = None
        self._position = 0
        self._misdraws = Misdraws("")

    def fold(self, seq: int, message: Message[ev.Event] | None) -> Told | None:
        """Fold the event at ``seq``, None where it cannot be read; give the outcome it leads to."""
        if seq != self._next:
            return self._out_of_order(seq, message)
        self._next = seq + 1
        if message is None:
            return self._halt("unreadable")
        self._time = message.time
        if message.id != self._prefix + str(seq):
            return self._halt("sequence")
        event = message.data
        handle = self._phase.get(type(event))
        if handle is None or message.source != self._source:
            return self._halt("out-of-place")
        answer = handle(self, event)
        return None if answer is None else self._answer(answer)

    def ahead(self, seq: int, lines: Sequence[bytes], at: int) -> tuple[int, Told] | None:
        """Fold what is left of a round at once: give how many events it took, and its outcome.

        The event at ``seq`` is the line at ``at``, and those after it follow. None, and nothing has
        changed, where they are not, to the byte, what they must be: then they go to ``fold``.
        """
        if seq != self._next or self._misdraws.on_table:
            return None
        phase = self._phase
        if phase is self._BETWEEN or phase is self._FIRST:
            return self._round_ahead(lines, at)
        return self._dealt_ahead(lines, at) if phase is self._DEALING else None

    def _dealt_ahead(self, lines: Sequence[bytes], at: int) -> tuple[int, Told] | None:
        current, dealing = self._round, self._foreseen.dealing
        if current is None or dealing is None or not current.is_undealt:
            return None
        dealt = dealing.take(self._mark, lines, at, self._next, current.number, self._position)
        if dealt is None:
            return None
        self._next += dealt.events
        self._time = dealt.time.decode("ascii")
        self._position += dealt.events - 1
        current.deal(dealt.player, dealt.banker)
        return dealt.events, self._answer(self._settled(current))

    def _round_ahead(self, lines: Sequence[bytes], at: int) -> tuple[int, Told] | None:
        repeated, seq, number = self._foreseen.repeated, self._next, self._rounds + 1
        if repeated is None or _OPENS not in lines[at]:
            return None
        dealt = repeated.course.take(self._mark, lines, at, seq, number, self._position)
        data = dealt and repeated.outcome(self._mark, number, seq, dealt)
        if dealt is None or data is None:
            return None
        time = dealt.time.decode("ascii")
        if not _is_time(time):
            return None
        self._time = self._good_time = time
        self._phase = self._BETWEEN
        self._rounds = number
        self._position += len(dealt.player) + len(dealt.banker)
        self._next += dealt.events
        return dealt.events, Told(number, data)

    def abandoned(self) -> Told | None:
        """Say, if it must be said, that the next shoe began before this one was closed."""
        closed = self._phase is self._CLOSED
        return None if closed or self._halted else self._halt("sequence")

    def _out_of_order(self, seq: int, message: Message[ev.Event] | None) -> Told | None:
        if self._halted or seq < self._next:
            return None
        self._next = seq + 1
        if message is not None:
            self._time = message.time
        return self._halt("sequence")

    def _answer(self, answer: HaltReason | RoundResolved) -> Told:
        if isinstance(answer, str):
            return self._halt(answer)
        self._round = None
        self._phase = self._BETWEEN
        return self._say(answer)

    def _halt(self, reason: HaltReason) -> Told:
        at = self._name.event(self._next - 1)
        self._halted = True
        self._next = -1
        current = self._round
        number = self._rounds if current else self._rounds + 1
        returned = current.returned() if current else ()
        return self._say(RoundHalted(number, at, reason, returned, 0))

    def _say(self, outcome: RoundResolved | RoundHalted) -> Told:
        # Only what is said needs a time, so only there it is looked at: never one that is none.
        if _is_time(self._time):
            self._good_time = self._time
        number, time = outcome.round, self._good_time
        return Told(number, encode(f"{self._prefix}{number}", self._outcomes, time, outcome))

    # -------------------------------------------------------------------------- event by event

    def _shoe_opened(self, event: ev.ShoeOpened) -> Answer:
        self._game = game_of(event.rules)
        self._phase = self._FIRST
        if self._game is None:
            return "rules"
        self._misdraws = Misdraws(self._game.rules.misdraw)
        self._foreseen.begin(self._game)
        return None

    def _shoe_closed(self, _event: ev.ShoeClosed) -> Answer:
        self._phase = self._CLOSED
        return None

    def _card_left(self, event: ev.CardBurned | ev.CardDiscarded | ev.CardDrawn) -> Answer:
        if event.position == self._position:
            self._position += 1
            return None
        return self._card_again(event.position, event.card)

    def _card_again(self, position: int, card: Card | None) -> HaltReason | None:
        return None if self._misdraws.taken(position, card) else "card-order"

    def _round_opened(self, event: ev.RoundOpened) -> Answer:
        if event.round != self._rounds + 1 or self._game is None:
            return "out-of-place"
        self._rounds = event.round
        self._round = OpenRound(event.round, self._next - 1, self._stem, self._game)
        self._phase = self._BETTING
        return None

    def _bet_placed(self, event: ev.BetPlaced) -> Answer:
        current = self._round
        if current is None or event.round != current.number:
            return "out-of-place"
        return current.place(event)

    def _bet_withdrawn(self, event: ev.BetWithdrawn) -> Answer:
        current = self._round
        if current is None or event.round != current.number:
            return "out-of-place"
        return current.withdraw(event.bet)

    def _bets_closed(self, event: ev.BetsClosed) -> Answer:
        current = self._round
        if current is None or event.round != current.number:
            return "out-of-place"
        current.all_spoke = event.reason == "all-spoke" and event.command is None
        self._phase = self._DEALING
        return None

    def _card_drawn(self, event: ev.CardDrawn) -> Answer:
        current = self._round
        if current is None or event.round != current.number:
            return "out-of-place"
        if event.hand == "error":
            return self._drawn_in_error(current, event)
        if self._misdraws.on_table:
            wrong = self._misdraws.forbids(current, event.position)
            if wrong is not None:
                return wrong
        if event.position == self._position:
            self._position += 1
        elif (again := self._card_again(event.position, event.card)) is not None:
            return again
        return current.draw(event.hand, event.card)

    def _drawn_in_error(self, current: OpenRound, event: ev.CardDrawn) -> Answer:
        if event.position != self._position:
            return "card-order"
        self._position += 1
        return self._misdraws.drawn(current, event.position, event.card)

    def _round_dealt(self, event: ev.RoundDealt) -> Answer:
        current = self._round
        if current is None or event.round != current.number:
            return "out-of-place"
        if self._misdraws.annuls(current.number):
            return "draw-extra"
        return self._settled(current)

    def _settled(self, current: OpenRound) -> HaltReason | RoundResolved:
        last = self._next - 1
        answer = current.dealt(self._stem + str(last))
        if not isinstance(answer, str):
            self._foreseen.learn(current, self._prefix, last + 1 - current.opened)
        return answer

    def _round_voided(self, event: ev.RoundVoided) -> Answer:
        current = self._round
        if current is None or event.round != current.number:
            return "out-of-place"
        return current.voided(self._name.event(self._next - 1))

    def _nothing(self, _event: ev.Event) -> Answer:
        """Take what moves neither the cards nor the money of an open round."""

    # ----------------------------------------------- what may come when; all else is out of place

    _ALWAYS: Final[Phase] = {
        ev.BettorSeated: _nothing,
        ev.BettorLeft: _nothing,
        ev.BetRefused: _nothing,
        ev.BetPassed: _nothing,
        ev.CutCardOut: _nothing,
        ev.DealerChanged: _nothing,
        ev.CommissionCollected: _nothing,
        ev.CommandRefused: _nothing,
        ev.MoneyAdjusted: _nothing,
        ev.CardBurned: _card_left,
        ev.CardDiscarded: _card_left,
    }
    _NEW: Final[Phase] = {ev.ShoeOpened: _shoe_opened}
    _BETWEEN: Final[Phase] = {
        **_ALWAYS,
        ev.RoundOpened: _round_opened,
        ev.ShoeClosed: _shoe_closed,
    }
    _FIRST: Final[Phase] = {**_BETWEEN, ev.ShoeCut: _nothing}
    _BETTING: Final[Phase] = {
        **_ALWAYS,
        ev.BetPlaced: _bet_placed,
        ev.BetWithdrawn: _bet_withdrawn,
        ev.BetsClosed: _bets_closed,
        ev.RoundVoided: _round_voided,
    }
    _DEALING: Final[Phase] = {
        **_ALWAYS,
        ev.CardDrawn: _card_drawn,
        ev.RoundDealt: _round_dealt,
        ev.RoundVoided: _round_voided,
    }
    _CLOSED: Final[Phase] = {}
