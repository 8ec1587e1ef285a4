"""What an auditor remembers of one shoe, and how it says a finding. It checks nothing itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from schemas.address import Sources
from schemas.cards import DECK, Card
from schemas.events import Ktane, Seeded, ShoeEnd, ShoeOpened
from schemas.verdicts import Finding, Grade
from services.auditor.betting import Betting, Row
from services.auditor.codes import finding
from services.auditor.judging import Wrong
from services.auditor.tables import Tables
from services.ledger.merkle import TreeBuilder

if TYPE_CHECKING:
    from services.auditor.report import Moved, Sat
    from services.auditor.spelling import Spelling
    from services.ledger.disputes import DisputeBook

#: What a round waits for: its bets, its cards, its outcome.
BETTING: Final = 0
DEALING: Final = 1
COMPLETE: Final = 2

NEVER: Final = 2**60


class Round:
    """One round as the events told it."""

    #: The event that made it complete, and the next card of the shoe by then.
    ended = -1
    stop = 0
    phase = BETTING
    #: Cards dealt to the two hands, and which hand has to draw next.
    count = 0
    need: str | None = None
    dealt = False
    void = False
    exhausted = False
    card_early = False
    #: The first four went elsewhere than they had to; hands are then read as they lie.
    misdealt = False
    #: Its drawing was found wrong once; what comes after follows from that.
    faulted = False
    #: The event that said that all have spoken.
    all_spoke: int | None = None
    #: Its outcome is in, though the round is not complete.
    settled = False
    #: Bets that break the rules, where those judge at the close; cards drawn in error.
    invalid: Sequence[tuple[Row, Wrong]] = ()
    #: A stack of chips was out of order when betting closed.
    unsorted = False
    errors: Sequence[Card] = ()
    #: Nobody may bet on it; how many of its cards were drawn in error before; the one that began
    #: it, and one that lies among its cards but is of no hand (positions).
    dummy = False
    again = 0
    carried: int | None = None
    skipped: int | None = None

    def __init__(self, number: int, opened: int, start: int, bets: list[Row]) -> None:
        """Open a round at this event, ``start`` being the next card of the shoe."""
        self.number = number
        self.opened = opened
        self.start = start
        self.bets = bets
        #: What was staked where, kept for the reveal.
        self.stakes: tuple[tuple[str, int], ...] = ()
        self.player: list[Card] = []
        self.banker: list[Card] = []


class Misdrawn:
    """A card drawn in error: in which round, by which event, whether the banker had to draw."""

    __slots__ = ("annulled", "away", "banker", "card", "position", "round", "said", "seq", "why")

    def __init__(self, number: int, seq: int, position: int, card: Card, *, banker: bool) -> None:
        """Note it: it is not put aside, its round not voided, no fault of it said."""
        self.round = number
        self.seq = seq
        self.position = position
        self.card = card
        self.banker = banker
        self.away = self.annulled = self.said = False
        #: For which reason it was put aside, and by which event.
        self.why: tuple[str, int] | None = None


class Seen(NamedTuple):
    """A card that left the shoe and was shown: where it lay, and which event showed it."""

    position: int
    card: Card
    seq: int
    round: int | None


class State:
    """A shoe in the middle of its audit. Bounded by the shoe's own log."""

    __slots__ = (
        "acted", "adjusted", "after_cut", "answered", "awaited", "base", "beacon", "bets",
        "betting", "burned", "burns", "carried", "client_seed", "closed", "cut_at", "cut_first",
        "cut_out", "deal", "dealer", "decks", "disputes", "end", "ended", "exhausted", "findings",
        "full", "halted", "hands", "hole", "left", "lost", "mark", "marked", "misdrawn",
        "module_of", "most_hands", "next", "odd", "opened", "order", "order_said", "others",
        "outcome_source", "outcomes", "owing", "past_said", "position", "prefix", "repeated",
        "restated", "revealed", "round", "round_number", "rounds", "seen", "seq", "shoe", "shoe_id",
        "size", "slack", "solved", "source", "spelling", "strikes", "table", "tables", "threshold",
        "time", "told", "told_which", "tree", "verdict_for", "voided", "waits",
    )  # fmt: skip

    def __init__(  # noqa: PLR0915 - all that is remembered, in one place
        self, table: str, shoe: int, opened: ShoeOpened, tables: Tables
    ) -> None:
        """Begin at a shoe's first event."""
        rules = tables.rules
        self.call(table, shoe)
        self.opened = opened
        self.tables = tables
        self.betting = Betting(shoe, tables, opened.limits)
        # the lines
        self.tree = TreeBuilder()
        self.next = 0
        self.seq = 0
        #: Which shoe the first events after the opening are of, where only that tells which it is.
        self.others: tuple[str, int, int] | None = None
        self.told_which = True
        self.time = ""
        #: Lines that could not be read, and so may have been the missing ones.
        self.slack = 0
        #: Something of this round is known to be missing: what seems wrong may follow from that.
        self.hole = False
        #: Something of this shoe is missing for good, and something but restated seats was said.
        self.lost = False
        self.acted = False
        self.repeated = ("", -1)
        #: Who sat at the end of the last shoe and is not restated yet, None where nobody knows; and
        #: the last event that restated one.
        self.carried: dict[str, Sat] | None = None
        self.restated = 0
        #: How rounds are spelled while the bets are the same, kept from one to the next.
        self.spelling: Spelling | None = None
        #: How many lines were outcomes, and how many nothing of ours.
        self.outcomes = 0
        self.odd = 0
        # what was found
        self.findings: list[Finding] = []
        self.told = 0
        self.verdict_for: int | None = None
        # the shoe
        self.dealer = opened.dealer
        self.decks = opened.decks if opened.decks == rules.decks else rules.decks
        #: Its cards: all decks, but where the order was stacked they are known at the reveal only.
        self.size: int | None = 52 * self.decks
        self.order: list[Card] | None = None
        self.client_seed: bytes | None = None
        self.beacon = b""
        self.awaited = set(opened.seats)
        #: Nothing may leave the shoe yet.
        self.waits = isinstance(opened.origin, Seeded)
        self.closed = False
        self.end: ShoeEnd | None = None
        self.halted = False
        terms = rules.commission
        #: Commission is marked, and collected at the shoe's end.
        self.marked = terms is not None and terms.collected == "shoe-end"
        #: The server seed that was revealed, and where.
        self.revealed: tuple[str, bytes] | None = None
        # the cards
        self.deal = tables.deal
        self.position = 0
        #: The next position at which something but the card itself has to be looked at.
        self.mark = 0
        self.left: dict[str, int] = dict.fromkeys(DECK, self.decks)
        self.order_said: set[str] = set()
        #: What was shown, in rows: the place of the first card, the cards, the event of the first
        #: and the round.
        self.seen: list[tuple[int, tuple[Card, ...], int, int | None]] = []
        self.burns: int | None = None
        self.burned = 0
        #: The last card that was drawn in error, until it is played.
        self.misdrawn: Misdrawn | None = None
        # the disputes of the table, None where nobody knows them, and the money moved for them
        self.disputes: DisputeBook | None = None
        self.adjusted: list[Moved] = []
        #: Commands that were answered, where a second answer would not show otherwise.
        self.answered: set[str] = set()
        # the end
        self.cut_at = opened.cut_card
        self.cut_out = False
        #: Whether it came out before a hand's first card, and how many hands are left after it.
        self.cut_first: bool | None = None
        self.after_cut: int | None = None
        self.threshold: int | None = None
        #: The shoe has ended at this position, or after so many hands.
        self.full = NEVER
        self.most_hands = NEVER
        self.exhausted = False
        self.ended = False
        self.past_said = False
        self.hands = 0
        # a bomb's module: whose deck this is, whether a round of it solved it, and its strikes
        self.module_of: Ktane | None = None
        self.solved = False
        self.strikes = 0
        # the rounds
        self.round: Round | None = None
        self.round_number = 0
        self.rounds: list[Round] = []
        self.owing: list[tuple[Round, int]] = []
        self.voided = 0
        self.bets = 0

    def each_seen(self) -> list[Seen]:
        """Give each card that was shown by itself."""
        return [
            Seen(position + at, card, seq + at, number)
            for position, cards, seq, number in self.seen
            for at, card in enumerate(cards)
        ]

    def call(self, table: str, shoe: int) -> None:
        """Take the shoe to be this one."""
        sources = Sources(table)
        self.table = table
        self.shoe = shoe
        self.shoe_id = f"{table}/{shoe}"
        self.prefix = f"{shoe}-"
        self.base = f"{table}/{shoe}-"
        self.source = sources.events
        self.outcome_source = sources.outcomes

    def rename(self, table: str, shoe: int) -> None:
        """Take the shoe to be another than its opening says."""
        self.call(table, shoe)
        self.betting.shoe = shoe

    def event_at(self, seq: int) -> str:
        """Spell an event's address."""
        return self.base + str(seq)

    def find(
        self,
        code: str,
        expected: str,
        actual: str,
        rule: str,
        *,
        at: str | None = None,
        number: int | None = None,
        amount: int = 0,
        grade: Grade | None = None,
    ) -> None:
        """Say a finding; by default of the event in hand and the round in play."""
        if number is None and self.round is not None:
            number = self.round.number
        at = at or self.base + str(self.seq)
        self.findings.append(
            finding(code, at, expected, actual, rule, number=number, amount=amount, grade=grade)
        )

    def doubt(
        self, code: str, expected: str, actual: str, rule: str, at: str | None = None
    ) -> None:
        """Say a finding, unless what is known to be missing explains it."""
        if not self.hole:
            self.find(code, expected, actual, rule, at=at)

    def once(self, code: str, expected: str, actual: str, rule: str) -> None:
        """Say a finding about this line, unless the line before it had the same."""
        if self.repeated not in {(code, self.next), (code, self.next - 1)}:
            self.find(code, expected, actual, rule, at=self.event_at(self.seq))
        self.repeated = (code, self.next)

    def adopt(self, number: int, phase: int) -> Round:
        """Take up a round whose opening is missing."""
        rows = self.betting.open_round(number)
        adopted = Round(number, self.seq, self.position, rows)
        adopted.phase = phase
        self.betting.open = phase == BETTING
        self.round = adopted
        self.round_number = number
        return adopted
