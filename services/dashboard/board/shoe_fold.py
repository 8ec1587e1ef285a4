"""One shoe of a table as the board folds it: events, outcomes and verdicts. Pure; pays nothing.

Each handler gives the names of the fields of ``TableView`` that it changed. The streams may be
taken in any interleaving: what depends on two of them is put together when it is shown, or is
worked out again by whichever comes last.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from schemas.address import EventAddress, RoundAddress, Shoe
from schemas.errors import InputError
from schemas.outcomes import RoundHalted, RoundResolved, pivot
from schemas.verdicts import RoundAudited, ShoeAudited
from services.dashboard.board.cards_board import CardsBoard
from services.dashboard.board.lamp import lamp_of
from services.dashboard.board.order_board import seeded_order
from services.dashboard.board.results import Results
from services.dashboard.board.round_board import RoundBoard, Told
from services.dashboard.board.seats_board import SeatsBoard
from services.dashboard.board.shoe_events import EVENTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schemas import events as ev
    from schemas.envelope import Message
    from schemas.verdicts import Counts, Finding, ShoeVerdict
    from services.baccarat.course import KnownCards
    from services.baccarat.game import Game
    from services.dashboard.board.disputes_board import DisputesBoard
    from services.dashboard.board.round_shapes import ResultShape
    from services.dashboard.board.shapes import AdjustmentShape, Lamp
    from services.dashboard.board.shoe_events import Fields


_NOTHING: Final = ()
_LAST: Final = 1 << 62


class ShoeFold:
    """One shoe: its parts, and what each entry changes of them."""

    __slots__ = (
        "_whole", "adjustments", "cards", "closed", "closed_at", "counts", "cut", "cut_card_out",
        "dealer", "findings", "game", "halted", "name", "opened", "opened_at", "opened_last",
        "results", "root", "rounds", "rows", "seats", "supervisor",
    )  # fmt: skip

    def __init__(self, name: Shoe, disputes: DisputesBoard) -> None:
        """Begin before its first event."""
        self.name = name
        self.opened: ev.ShoeOpened | None = None
        self.opened_at = ""
        self.game: Game | None = None
        self.cut: ev.ShoeCut | None = None
        self.closed: ev.ShoeClosed | None = None
        self.closed_at: str | None = None
        self.cut_card_out: int | None = None
        self.dealer = ""
        self.supervisor: str | None = None
        self.rounds: dict[int, RoundBoard] = {}
        self.opened_last: RoundBoard | None = None
        self.halted: RoundBoard | None = None
        self.cards = CardsBoard()
        self.seats = SeatsBoard()
        self.results = Results(name.round, lambda number: disputes.state(name.round(number)))
        self.adjustments: list[AdjustmentShape] = []
        self.findings: list[Finding] = []
        #: What was said of the shoe as a whole, live or of its log, and what came with it.
        self._whole: list[ShoeVerdict] = []
        self.counts: Counts | None = None
        self.root: str | None = None
        #: Rows that the last entry changed.
        self.rows: tuple[ResultShape, ...] = ()

    # ------------------------------------------------------------------------------------ streams

    def event(self, seq: int, message: Message[ev.Event] | None) -> Fields:
        """Take an event, None where it cannot be read; give the fields that it changed."""
        self.rows = ()
        if message is None:
            one = self.opened_last
            if one is None or one.is_done:
                return _NOTHING
            one.unreadable()
            return ("round",) if one is self.current else _NOTHING
        said = message.data
        handle = EVENTS.get(type(said))
        if handle is None:
            return _NOTHING
        return handle(self, seq, message.time, said)

    def outcome(self, message: Message[Any] | None) -> Fields:
        """Take an outcome."""
        self.rows = ()
        said = None if message is None else message.data
        if message is None or not isinstance(said, RoundResolved | RoundHalted):
            return _NOTHING
        told = Told(said, message.time, _seq_of(pivot(said)))
        row = self.results.add(told)
        if row is None:
            return _NOTHING
        self.rows = (row,)
        one = self.rounds.get(said.round)
        if one is not None:
            one.told = told
        elif isinstance(said, RoundHalted) and (
            self.halted is None or self.halted.number < said.round
        ):
            self.halted = self._from(told)
        fields = ["roads", "tally"] if row.winner != "void" else ["tally"]
        if self.seats.settle(told):
            fields.append("seats")
        if one is self.current or self.current is self.halted:
            fields.append("round")
        return tuple(fields)

    def verdict_said(self, message: Message[Any] | None) -> Fields:
        """Take a verdict."""
        self.rows = ()
        said = None if message is None else message.data
        if not isinstance(said, RoundAudited | ShoeAudited):
            return _NOTHING
        lamp, findings = self.lamp, self.findings
        if isinstance(said, RoundAudited):
            verdicts = self.results.verdicts
            if verdicts.get(said.round) != "fail":
                verdicts[said.round] = said.verdict
            self.rows = self.results.mark(said.round)
            if said.findings and not self._whole:
                self.findings = [*findings, *said.findings]
        else:
            if self.counts is None:
                self.counts, self.root = said.counts, said.root
                known = list(said.findings)
                self.findings = findings if findings == known else known
            self._whole.append(said.verdict)
        fields = ("shoe",) if self.lamp != lamp or not isinstance(said, RoundAudited) else ()
        return (*fields, "findings") if self.findings is not findings else fields

    def filed(self, verdict: ShoeVerdict, findings: Sequence[Finding]) -> None:
        """Take the audit of the shoe's log, with all that was found in it."""
        self._whole.append(verdict)
        known = set(self.findings)
        self.findings += [one for one in findings if one not in known]

    def dispute(self, about: RoundAddress) -> None:
        """Mark a round that is under dispute, or is no longer."""
        self.rows = self.results.mark(about.round)

    # -------------------------------------------------------------------------------------- shown

    @property
    def lamp(self) -> Lamp:
        """What the audit of it came to so far."""
        return lamp_of((*self._whole, *self.results.verdicts.values()))

    @property
    def current(self) -> RoundBoard | None:
        """The round now: the last that was opened, or a later one that was only halted."""
        one, halted = self.opened_last, self.halted
        if halted is None or (one is not None and one.number >= halted.number):
            return one
        return halted

    def round(self, number: int) -> RoundBoard | None:
        """Give a round, from its outcome where nobody saw it opened."""
        one = self.rounds.get(number)
        if one is None and (told := self.results.told(number)) is not None:
            one = self._from(told)
        return one

    def known(self) -> KnownCards:
        """Give all cards that anybody can know by now, by position."""
        if not self.cards.order and self.opened is not None:
            self.cards.order = seeded_order(self.name, self.opened, self.cut, self.closed)
        return self.cards.known()

    def _from(self, told: Told) -> RoundBoard:
        number = told.outcome.round
        one = RoundBoard(number, self.name.round(number), told.time, self.game)
        one.told = told
        return one


def _seq_of(address: str) -> int:
    try:
        return EventAddress.parse(address).seq
    except InputError:
        return _LAST
