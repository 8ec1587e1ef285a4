"""One table's live record, as a pure fold: events and outcomes in, lines and verdicts out. No I/O.

Events and outcomes come on two streams. A round that is dealt or voided waits here for its outcome,
so that the record is in the log's one order whichever stream was faster. An outcome that settles no
such round stands after the event it names, or after all that is recorded.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final, NamedTuple

from schemas import events as ev
from schemas.address import START, EntryId, EventAddress, Sources
from schemas.envelope import decode_event, decode_outcome, encode
from schemas.errors import InputError, Lost, Unreadable
from schemas.events import AuditDue
from schemas.outcomes import RoundHalted, pivot
from schemas.verdicts import RoundAudited
from services.auditor.fold import ShoeAudit
from services.ledger.lines import LogOrder

if TYPE_CHECKING:
    from collections.abc import Mapping

    from schemas.envelope import Message
    from schemas.events import RuleText
    from services.auditor.report import Previous
    from services.ledger.disputes import DisputeBook


#: Beyond every event of a shoe.
_END: Final = 2**53
_ENDS: Final = (ev.RoundDealt, ev.RoundVoided)


class Step(NamedTuple):
    """What to do next for a shoe: write these lines, then say this verdict.

    ``due`` tells that the shoe is closed and its log is whole.
    """

    shoe: int
    lines: list[bytes]
    verdict: tuple[EntryId, bytes] | None
    due: AuditDue | None


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
            if step is None and not self._waits:
                step = self._next_event()
            if step is None:
                return steps
            if step.lines or step.verdict is not None or step.due is not None:
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
        self._order = LogOrder()
        #: The last event that was taken, and when it was said.
        self._seq, self._time = -1, ""
        #: Outcomes that were recorded, and rounds that were dealt or voided.
        self._round = self._dealt = 0
        self._size = 0
        self._halted = False
        self._waits = False

    def _settle(self) -> Step | None:
        """Record the next outcome, when all that stands before it was taken."""
        name = EntryId(self._shoe, self._round + 1)
        data = self._outcomes.get(name)
        if data is None:
            if self._waits and self._last_outcome > name:
                what = f"{self._table}: no outcome {name}, and {self._last_outcome} was said after"
                raise Lost(what)
            return None
        time, at, halts = self._time, _END, False
        try:
            message = decode_outcome(data)
            time, halts = message.time, isinstance(message.data, RoundHalted)
            at = EventAddress.parse(pivot(message.data)).seq
        except InputError:
            pass
        if not self._waits and at > self._seq:
            return None
        del self._outcomes[name]
        self._round, self._waits = name.minor, False
        self._halted = self._halted or halts
        lines = self._lines(self._order.outcome(at, data))
        said = encode(str(name), self._sources.verdicts, time, self._verdict(name.minor))
        if self._dealt >= self._round:
            # what is held of a round whose outcome stands before its end
            lines += self._lines(self._order.rest())
        return Step(self._shoe, lines, (name, said), None)

    def _verdict(self, number: int) -> RoundAudited:
        """Give the verdict on what the last line settled; one that settled nothing failed."""
        verdict = self._audit.round_verdict()
        if verdict is None:
            return RoundAudited(number, self._audit.untold(), "fail")
        return verdict

    def _next_event(self) -> Step | None:
        if not self._events:
            return None
        entry, data = self._events[0]
        if entry.major != self._shoe:
            self._begin(entry.major)
        event: Message[ev.Event] | None
        try:
            event = decode_event(data)
        except Unreadable:
            event = None
        told = None if event is None else event.data
        if isinstance(told, ev.ShoeClosed) and told.reason == "halted" and not self._halted:
            self._waits = True
            return self._settle()
        self._events.popleft()
        self._seq, self._time = entry.minor, self._time if event is None else event.time
        lines = self._lines(
            self._order.event(entry.minor, data, closes=isinstance(told, ev.ShoeClosed))
        )
        if isinstance(told, _ENDS):
            self._dealt += 1
            if self._dealt <= self._round:
                lines += self._lines(self._order.rest())
            else:
                self._waits = not self._halted  # then nothing more is said of this shoe
        if event is None or not isinstance(told, ev.ShoeClosed):
            return Step(self._shoe, lines, None, None)
        return self._close(lines, event.time)

    def _lines(self, lines: list[bytes]) -> list[bytes]:
        self._audit.lines(lines)
        self._size += len(lines)
        return lines

    def _close(self, lines: list[bytes], time: str) -> Step:
        verdict = self._audit.close()
        self._previous = self._audit.as_previous()
        name = EntryId(self._shoe, self._round + 1)
        due = AuditDue(self._table, self._shoe, self._size, verdict.root)
        said = encode(str(name), self._sources.verdicts, time, verdict)
        self._outcomes = {key: data for key, data in self._outcomes.items() if key > name}
        return Step(self._shoe, lines, (name, said), due)
