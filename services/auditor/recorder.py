"""One table's live record, as a pure fold: events and outcomes in, lines and verdicts out. No I/O.

Events and outcomes come on two streams. A round that is dealt or voided waits here for its outcome,
so that the record is in the log's one order whichever stream was faster. An outcome that settles no
such round stands after the event it names, or after all that is recorded.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from schemas import events as ev
from schemas.address import START, EntryId, EventAddress, Sources
from schemas.envelope import decode_outcome, encode, event_or_none
from schemas.errors import InputError, Lost, Unreadable
from schemas.events import AuditDue
from schemas.outcomes import RoundHalted, pivot
from schemas.verdicts import RoundAudited
from services.auditor.fold import ShoeAudit
from services.ledger.lines import LogOrder

if TYPE_CHECKING:
    from collections.abc import Mapping

    from schemas.envelope import Message, Said
    from schemas.events import RuleText
    from services.auditor.report import Previous
    from services.ledger.disputes import DisputeBook


#: A line of the log, and what it says; None where it cannot be read.
Line: TypeAlias = "tuple[bytes, Message[Said] | None]"

#: Beyond every event of a shoe.
_END: Final = 2**53
_ENDS: Final = frozenset((ev.RoundDealt, ev.RoundVoided))


class Step(NamedTuple):
    """What to do next for a shoe: write these lines, then say this verdict.

    ``read`` is what each line says. ``due`` tells that the shoe is closed and its log is whole.
    """

    shoe: int
    lines: list[bytes]
    read: list[Message[Said] | None]
    verdict: tuple[EntryId, bytes] | None
    due: AuditDue | None


class _Due(NamedTuple):
    """The next outcome: it stands after event ``at``. ``time`` None: when that was said."""

    name: EntryId
    line: Line
    at: int
    time: str | None
    halts: bool


class Recorder:
    """Begins at a shoe's first event; ``previous`` is what is known of the shoe before.

    ``disputes`` are the table's; whoever feeds the recorder adds to them before an event that
    moves money for one.
    """

    def __init__(
        self,
        table: str,
        rules: Mapping[str, RuleText],
        previous: Previous | None = None,
        disputes: DisputeBook | None = None,
    ) -> None:
        """Begin with nothing heard."""
        self._table = table
        self._rules = rules
        self._sources = Sources(table)
        self._previous = previous
        self._disputes = disputes
        self._events: deque[tuple[EntryId, bytes]] = deque()
        self._outcomes: dict[EntryId, bytes] = {}
        self._last_outcome = START
        self._begin(0)

    def event(self, entry: EntryId, data: bytes) -> None:
        """Hear an event, in order."""
        self._events.append((entry, data))

    def outcome(self, entry: EntryId, data: bytes) -> None:
        """Hear an outcome, in order."""
        self._outcomes[entry] = data
        self._last_outcome = max(self._last_outcome, entry)

    def steps(self) -> list[Step]:
        """Give all that can be recorded of what was heard; a step has something to do."""
        steps: list[Step] = []
        while True:
            step = self._settle()
            if step is None:
                if self._waits or not self._events:
                    return steps
                step = self._next_lines()
            if step is not None:
                steps.append(step)

    def _begin(self, shoe: int) -> None:
        self._shoe = shoe
        self._audit = ShoeAudit(
            self._table,
            shoe,
            known=self._rules,
            previous=self._previous,
            disputes=self._disputes,
        )
        self._order: LogOrder[Line] = LogOrder()
        self._due: _Due | None = None
        #: The last event that was taken, and when it was said.
        self._seq, self._time = -1, ""
        #: Outcomes that were recorded, and rounds that were dealt or voided.
        self._round = self._dealt = 0
        self._size = 0
        self._halted = False
        self._waits = False

    def _settle(self) -> Step | None:
        """Record the next outcome, when all that stands before it was taken."""
        if self._due is None:
            self._due = self._next_outcome()
        due = self._due
        if due is None or (not self._waits and due.at > self._seq):
            return None
        self._due = None
        self._round, self._waits = due.name.minor, False
        self._halted = self._halted or due.halts
        lines = self._order.outcome(due.at, due.line)
        self._take(lines)
        verdict = self._verdict(self._round)
        time = self._time if due.time is None else due.time
        said = encode(str(due.name), self._sources.verdicts, time, verdict)
        if self._dealt >= self._round:
            # what is held of a round whose outcome stands before its end
            rest = self._order.rest()
            self._take(rest)
            lines += rest
        return self._step(lines, (due.name, said))

    def _next_outcome(self) -> _Due | None:
        name = EntryId(self._shoe, self._round + 1)
        data = self._outcomes.pop(name, None)
        if data is None:
            if self._waits and self._last_outcome > name:
                what = f"{self._table}: no outcome {name}, and {self._last_outcome} was said after"
                raise Lost(what)
            return None
        try:
            message = decode_outcome(data)
        except Unreadable:
            return _Due(name, (data, None), _END, None, halts=False)
        try:
            at = EventAddress.parse(pivot(message.data)).seq
        except InputError:
            at = _END
        halts = isinstance(message.data, RoundHalted)
        return _Due(name, (data, message), at, message.time, halts)

    def _verdict(self, number: int) -> RoundAudited:
        """Give the verdict on what the last line settled; one that settled nothing failed."""
        verdict = self._audit.round_verdict()
        if verdict is None:
            return RoundAudited(number, self._audit.untold(), "fail")
        return verdict

    def _next_lines(self) -> Step | None:
        """Take events until there is something to record, or an outcome may be due."""
        events, order = self._events, self._order
        while events:
            entry, data = events[0]
            if entry.major != self._shoe:
                self._begin(entry.major)
                order = self._order
            event = event_or_none(data)
            told = None if event is None else event.data
            closed = told if isinstance(told, ev.ShoeClosed) else None
            if closed is not None and closed.reason == "halted" and not self._halted:
                self._waits = True
                return None
            events.popleft()
            self._seq = entry.minor
            if event is not None:
                self._time = event.time
            lines = order.event(entry.minor, (data, event), closes=closed is not None)
            if type(told) in _ENDS:
                self._dealt += 1
                if self._dealt <= self._round:
                    lines += order.rest()
                else:
                    self._waits = not self._halted  # then nothing more is said of this shoe
            if closed is not None:
                return self._close(lines)
            if lines:
                self._take(lines)
                return self._step(lines)
            due = self._due
            if self._waits or (due.at <= self._seq if due is not None else self._outcomes):
                return None
        return None

    def _take(self, lines: list[Line]) -> None:
        if lines:
            self._audit.lines([data for data, _ in lines])
            self._size += len(lines)

    def _step(
        self,
        lines: list[Line],
        verdict: tuple[EntryId, bytes] | None = None,
        due: AuditDue | None = None,
    ) -> Step:
        return Step(
            self._shoe, [data for data, _ in lines], [read for _, read in lines], verdict, due
        )

    def _close(self, lines: list[Line]) -> Step:
        self._take(lines)
        verdict = self._audit.close()
        self._previous = self._audit.as_previous()
        name = EntryId(self._shoe, self._round + 1)
        due = AuditDue(self._table, self._shoe, self._size, verdict.root)
        said = encode(str(name), self._sources.verdicts, self._time, verdict)
        self._outcomes = {key: data for key, data in self._outcomes.items() if key > name}
        self._due = None
        return self._step(lines, (name, said), due)
