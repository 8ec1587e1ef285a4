"""Puts a table's events and outcomes into the log's one order. Judges neither.

They arrive on two streams, each in its own order. In the log an outcome stands right after the
event that its ``through`` (or ``at``) names, so a bettor who acts on that order always does the
same, whichever stream was quicker.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final, NamedTuple

from schemas.address import START, EntryId, EventAddress
from schemas.events import RoundDealt, RoundVoided, ShoeClosed
from schemas.outcomes import RoundHalted, RoundResolved, pivot

if TYPE_CHECKING:
    from schemas.envelope import Message, Said
    from schemas.events import Event
    from schemas.outcomes import Outcome

_LAST_OF_A_ROUND: Final = (RoundDealt, RoundVoided)


class Line(NamedTuple):
    """A line of the log; ``id`` is the entry's in its own stream."""

    id: EntryId
    message: Message[Said]


class LogOrder:
    """Holds an outcome until its round's last event is in, and what follows until both are.

    A shoe that was closed for a halt waits for that halt: it was closed because of it.
    """

    def __init__(self) -> None:
        """Begin before the first event."""
        self._events: deque[Line] = deque()
        self._outcomes: deque[tuple[EntryId, Line]] = deque()
        self._reached = START
        self._settled = START
        self._unsettled: EntryId | None = None
        self._halted = 0  # the last shoe with a halt

    def event(self, entry_id: EntryId, message: Message[Event]) -> list[Line]:
        """Take the next event; give the lines whose turn has come."""
        line = Line(entry_id, message)
        if not self._events and not self._outcomes and not self._waits(line):
            self._reach(line)  # the common case: nothing is held
            return [line]
        self._events.append(line)
        return self._released()

    def may_end(self, played: EntryId) -> bool:
        """Tell whether the end of this round may come: all is told up to it, but its outcome."""
        idle = not self._events and not self._outcomes and self._unsettled is None
        return idle and self._settled < played

    def dealt(self, entry_id: EntryId, played: EntryId) -> None:
        """Take the last event of a round that may end, told apart by others."""
        self._reached, self._unsettled = entry_id, played

    def passed(self, entry_id: EntryId) -> list[Line]:
        """Note that events up to this one have come, of which some were left out."""
        if not self._events and entry_id > self._reached:
            self._reached = entry_id
        return self._released()

    def outcome(self, entry_id: EntryId, message: Message[Outcome]) -> list[Line]:
        """Take the next outcome; give the lines whose turn has come."""
        said = message.data
        held = self._events or self._outcomes
        if entry_id == self._unsettled and not held and isinstance(said, RoundResolved):
            self._settled, self._unsettled = entry_id, None  # the common case: all wait for it
            return [Line(entry_id, message)]
        address = EventAddress.parse(pivot(said))
        self._outcomes.append((EntryId(address.shoe, address.seq), Line(entry_id, message)))
        return self._released()

    def _released(self) -> list[Line]:
        lines: list[Line] = []
        while True:
            if self._outcomes and self._is_due(*self._outcomes[0]):
                line = self._outcomes.popleft()[1]
                self._settled, self._unsettled = line.id, None
                if isinstance(line.message.data, RoundHalted):
                    self._halted = line.id.major
            elif self._events and not self._waits(self._events[0]):
                line = self._events.popleft()
                self._reach(line)
            else:
                return lines
            lines.append(line)

    def _waits(self, line: Line) -> bool:
        said = line.message.data
        for_halt = isinstance(said, ShoeClosed) and said.reason == "halted"
        return self._unsettled is not None or (for_halt and self._halted != line.id.major)

    def _reach(self, line: Line) -> None:
        self._reached = line.id
        said = line.message.data
        if isinstance(said, _LAST_OF_A_ROUND):
            played = EntryId(line.id.major, said.round)
            # A halted round has its outcome already, from the event where it halted.
            self._unsettled = played if played > self._settled else None

    def _is_due(self, place: EntryId, line: Line) -> bool:
        # An event that cannot be read is never reached, but what follows it shows it gone by.
        gone_by = bool(self._events) and place < self._events[0].id
        return place <= self._reached or gone_by or line.id == self._unsettled
