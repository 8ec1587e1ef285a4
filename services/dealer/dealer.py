"""The dealer of one table, as a pure fold: facts and commands in, the next events out. No I/O.

What comes next depends on the facts alone and on the commands that wait, one event at a time; so a
dealer that goes on from any point of a shoe says what an undisturbed one would have said.
"""

from __future__ import annotations

from itertools import count, repeat
from typing import TYPE_CHECKING, Final, NamedTuple

from schemas import commands as co
from schemas import events as ev
from schemas.address import EntryId, Shoe, Sources
from schemas.envelope import decode_event, decode_outcome, encode
from schemas.errors import Conflict, Unreadable
from schemas.instant import spell
from services.baccarat import shoe_over
from services.dealer.answers import answer, refused
from services.dealer.at_once import PlainRound, PlainRounds
from services.dealer.closing import asked_to_close, closing
from services.dealer.dealing import burn, next_card
from services.dealer.deck import Deck
from services.dealer.facts import TableFacts
from services.dealer.inbox import Inbox, Waiting, read
from services.dealer.log_root import LogRoot
from services.dealer.misdraw import begins_dummy
from services.dealer.reply import LATER, NOTHING, Reply
from services.dealer.shoe import ShoeFacts

if TYPE_CHECKING:
    from schemas.outcomes import Outcome
    from services.dealer.opening import Opener
    from services.runtime.clocks import Clock


#: As ``EntryId(…)`` and ``Said(…)`` make them, without a call of Python's for each.
_new: Final = tuple.__new__


class Said(NamedTuple):
    """An event as it goes to the stream: its id ``<shoe>-<seq>`` and its bytes."""

    id: EntryId
    data: bytes


class Batch(NamedTuple):
    """Events for one append: they follow ``after`` (None: they begin a shoe)."""

    after: EntryId | None
    entries: list[Said]


class Dealer:
    """One table's dealer. Feed it what is stored, then commands and outcomes; ask what to say."""

    def __init__(self, table: str, opener: Opener, clock: Clock) -> None:
        """Begin before the first shoe."""
        self.table = table
        self._sources = Sources(table)
        self._opener = opener
        self._clock = clock
        self._facts = TableFacts(table)
        self._inbox = Inbox()
        self._window_over = False
        self._deck = Deck(table, opener)
        self._rounds: PlainRounds | None = None
        self._log = LogRoot()

    # ---------------------------------------------------------------- what is said to the dealer

    def stored(self, entry: EntryId, data: bytes) -> None:
        """Take an event of this table's own stream as a fact, in order, before anything else.

        One that cannot be read was said by somebody else: it stands there, the resolver halts the
        shoe at it, and all that is left to do is to close.
        """
        try:
            message = decode_event(data)
        except Unreadable:
            if self.last is None or self.last.major != entry.major:
                raise
            self._facts.seq = entry.minor
            self._log.event(entry.minor, data, closes=False)
            return
        self._facts.read(entry.major, entry.minor, message)
        self._said(entry, data, message.data)

    def outcome(self, entry: EntryId, data: bytes) -> None:
        """Take an outcome: the round is settled."""
        self._recall()
        told: Outcome = decode_outcome(data).data
        if entry.major == self._facts.number:
            if not self._facts.settles(entry.minor, told):
                what = f"{self._sources.outcomes} {entry} settles nothing that was dealt"
                raise Conflict(what)
            self._facts.outcome(entry.major, told)
            self._log.outcome(self._facts.settled_at(told), data)
            self._inbox.settle(entry.minor)

    def command(self, data: bytes) -> bool:
        """Take a command; False where it is unreadable, and so gets no answer."""
        rounds = self._rounds
        if rounds is not None and not self._inbox.waiting and rounds.expects(data):
            return True
        self._recall()
        return self._hear(data)

    def _hear(self, data: bytes) -> bool:
        waiting = read(data, self._sources.commands)
        if waiting is None:
            return False
        self._inbox.put(waiting)
        return True

    def window_ended(self) -> None:
        """Say that the betting window of the open round is over."""
        self._window_over = True

    def window_ends_at(self) -> int | None:
        """When the open betting window ends (microseconds); None where none is open."""
        facts = self._facts.shoe
        if facts is None or facts.phase != "betting" or facts.opened.window is None:
            return None
        return facts.betting_since + 1_000_000 * facts.opened.window

    @property
    def last(self) -> EntryId | None:
        """The last event that was said; None before the first."""
        return None if self._facts.shoe is None else EntryId(self._facts.number, self._facts.seq)

    @property
    def shoe_closed(self) -> bool:
        """Whether the newest shoe is closed."""
        return self._facts.shoe is not None and self._facts.shoe.phase == "closed"

    # -------------------------------------------------------------------- what the dealer says

    def say(self) -> Batch | None:
        """Give all that can be said now, up to the end of the shoe, and take it as said.

        Whoever asks again has brought to the stream what was given before.
        """
        after = self.last
        if self._facts.shoe is not None:
            self._deck.on_record(self._facts.shoe)
        if (entries := self._say_round()) is not None:
            return Batch(after, entries)
        entries = []
        facts, source = self._facts, self._sources.events
        while (event := self._next()) is not None:
            shoe, seq = facts.number, facts.seq + 1
            if isinstance(event, ev.ShoeOpened):
                shoe, seq, after = shoe + 1, 0, None
            entry = EntryId(shoe, seq)
            time = self._clock.next(facts.time)
            data = encode(f"{shoe}-{seq}", source, spell(time), event)
            facts.happened(shoe, seq, time, event)
            self._said(entry, data, event)
            entries.append(Said(entry, data))
            if isinstance(event, ev.ShoeClosed):
                break
        return Batch(after, entries) if entries else None

    def _say_round(self) -> list[Said] | None:
        """Say a plain round at once; None where what comes next is none."""
        told = self._plain_round()
        if told is None:
            return None
        shoe, first = self._facts.number, self._facts.seq + 1
        self._inbox.waiting.clear()
        self._window_over = False
        self._facts.played(told)
        self._log.events(first, told.datas)
        ids = map(_new, repeat(EntryId), zip(repeat(shoe), count(first)))
        return list(map(_new, repeat(Said), zip(ids, told.datas, strict=False)))

    def _plain_round(self) -> PlainRound | None:
        facts, rounds = self._facts.shoe, self._rounds
        if facts is None or facts.phase != "ready":
            self._recall()
            return None
        self._deck.prepare(facts)
        if rounds is None:
            rounds = self._rounds = PlainRounds(facts, self._sources)
        more = self._deck.cards, self._clock, self._facts.seq, self._facts.time
        if rounds.again.coming:
            bets = rounds.repeated()
            told = None if bets is None else rounds.say(bets, *more)
            if told is not None:
                rounds.again.coming.clear()
                return told
            self._recall()
        bets = rounds.heard(self._inbox)
        told = None if bets is None else rounds.say(bets, *more)
        if told is not None:
            rounds.again.learn(self._inbox.waiting, told.number)
        return told

    def _recall(self) -> None:
        """Read the commands that were only compared: they are answered one by one."""
        if self._rounds is not None and self._rounds.again.coming:
            coming, self._rounds.again.coming = self._rounds.again.coming, []
            for data in coming:
                self._hear(data)

    def _said(self, entry: EntryId, data: bytes, event: ev.Event) -> None:
        if isinstance(event, ev.ShoeOpened):
            self._rounds = None
            self._log = LogRoot()
            self._inbox.begin(entry.major)
        elif isinstance(event, ev.RoundOpened):
            self._window_over = False
        self._log.event(entry.minor, data, closes=isinstance(event, ev.ShoeClosed))

    def _next(self) -> ev.Event | None:
        facts = self._facts.shoe
        if facts is None or facts.phase == "closed":
            return self._next_shoe()
        self._deck.prepare(facts)
        if (name := facts.to_restate()) is not None:
            seated = facts.carried[name]
            return ev.BettorSeated(
                bettor=name, seat=seated.seat, bankroll=seated.bankroll, command=None
            )
        if facts.phase == "unsettled":
            return None
        if facts.phase == "dealing":
            return next_card(facts, self._deck.cards, self._inbox)
        if facts.phase == "betting" and begins_dummy(facts):
            return ev.BetsClosed(round=facts.round, reason="no-bets", command=None)
        return self._next_answer(facts) or (
            self._close_betting(facts) if facts.phase == "betting" else self._between(facts)
        )

    def _next_shoe(self) -> ev.ShoeOpened | None:
        number = self._facts.number + 1
        shoe = Shoe(self.table, number)
        root = self._log.root() if number > 1 else None
        for command, asks in self._inbox.asking(co.ShoeOpen, number):
            if self._opener.problem(asks, self._facts.shoe) is None:
                return self._opener.opened(shoe, asks, root, command.id)
        # A shoe that halted before its first round would halt again, and again.
        newest = self._facts.shoe
        hopeless = newest is not None and newest.halted and not newest.round
        wish = None if hopeless else self._opener.wish(number)
        if wish is None or self._opener.problem(wish, newest) is not None:
            return None
        return self._opener.opened(shoe, wish, root, None)

    def _next_answer(self, facts: ShoeFacts) -> ev.Event | None:
        waiting = self._inbox.waiting
        place = 0
        while place < len(waiting):
            command = waiting[place]
            reply = self._reply(facts, command)
            if reply is LATER:
                place += 1
                continue
            if reply is NOTHING:
                del waiting[place]
                continue
            assert isinstance(reply, ev.Event)  # noqa: S101 - tells the type checker
            if reply.command is not None:
                del waiting[place]
            return reply
        return None

    def _reply(self, facts: ShoeFacts, command: Waiting) -> Reply:
        if command.shoe != facts.number:
            return LATER
        if isinstance(command.asks, co.ShoeOpen) and command.id not in facts.commands:
            return refused(command, self._opener.problem(command.asks) or "shoe-open")
        return answer(facts, command)

    def _close_betting(self, facts: ShoeFacts) -> ev.Event | None:
        if facts.seated and facts.seated.keys() <= self._inbox.spoken(facts.round):
            return ev.BetsClosed(round=facts.round, reason="all-spoke", command=None)
        if self._window_over and facts.opened.window is not None:
            return ev.BetsClosed(round=facts.round, reason="window", command=None)
        return None

    def _between(self, facts: ShoeFacts) -> ev.Event | None:
        if facts.halted:
            return self._closing(facts, "halted", "resolver", None)
        ready = facts.has_order and not (facts.solved or facts.awaited())
        if ready and facts.burns_due and facts.progress.position < facts.progress.size:
            return burn(facts, self._deck.cards)
        if ready and (facts.exhausted or shoe_over(facts.rules, facts.progress)):
            return self._closing(facts, "rules", "rules", None)
        if (asked := asked_to_close(facts, self._inbox)) is not None:
            command, asks = asked
            return self._closing(facts, asks.reason, asks.by, command.id)
        number = facts.settled + 1
        if ready and (
            facts.opened.window is not None
            or begins_dummy(facts)
            or self._table_has_spoken(facts, number)
        ):
            return ev.RoundOpened(round=number, command=None)
        return None

    def _closing(
        self, facts: ShoeFacts, reason: ev.ShoeEnd, by: str, command: str | None
    ) -> ev.Event:
        return closing(facts, self._inbox, self._deck.secret, reason, by, command)

    def _table_has_spoken(self, facts: ShoeFacts, number: int) -> bool:
        everyone = bool(facts.seated) and facts.seated.keys() <= self._inbox.spoken(number)
        return everyone or self._inbox.voids(facts.number, number)
