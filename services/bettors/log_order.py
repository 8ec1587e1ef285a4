"""Puts a table's events and outcomes into the log's one order. Judges neither.

They arrive on two streams, each in its own order. In the log an outcome stands right after the
event that its ``through`` (or ``at``) names, so a bettor who acts on that order always does the
same, whichever stream was quicker.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from schemas.address import START, EntryId, EventAddress
from schemas.events import RoundDealt, RoundVoided
from schemas.outcomes import RoundResolved

if TYPE_CHECKING:
    from schemas.envelope import Message, Said
    from schemas.events import Event
    from schemas.outcomes import Outcome, RoundHalted

_LAST_OF_A_ROUND: Final = (RoundDealt, RoundVoided)


class Line(NamedTuple):
    """A line of the log; ``id`` is the entry's in its own stream."""

    id: EntryId
    message: Message[Said]


class LogOrder:
    """Holds an outcome until its round's last event is in, and what follows until both are."""

    def __init__(self) -> None:
        """Begin before the first event."""
        self._events: deque[Line] = deque()
        self._outcomes: deque[tuple[EntryId, Line]] = deque()
        self._reached = START
        self._settled = START
        self._unsettled: EntryId | None = None

    def event(self, entry_id: EntryId, message: Message[Event]) -> list[Line]:
        """Take the next event; give the lines whose turn has come."""
        line = Line(entry_id, message)
        if self._unsettled is None and not self._events and not self._outcomes:
            self._reach(line)  # the common case: nothing is held
            return [line]
        self._events.append(line)
        return self._released()

    def outcome(self, entry_id: EntryId, message: Message[Outcome]) -> list[Line]:
        """Take the next outcome; give the lines whose turn has come."""
        said = message.data
        # An outcome that is not resolved is halted: there is no third.
        last = said.through if isinstance(said, RoundResolved) else cast("RoundHalted", said).at
        address = EventAddress.parse(last)
        self._outcomes.append((EntryId(address.shoe, address.seq), Line(entry_id, message)))
        return self._released()

    def _released(self) -> list[Line]:
        lines: list[Line] = []
        while True:
            if self._outcomes and self._is_due(*self._outcomes[0]):
                line = self._outcomes.popleft()[1]
                self._settled, self._unsettled = line.id, None
            elif self._events and self._unsettled is None:
                line = self._events.popleft()
                self._reach(line)
            else:
                return lines
            lines.append(line)

    def _reach(self, line: Line) -> None:
        self._reached = line.id
        said = line.message.data
        if isinstance(said, _LAST_OF_A_ROUND):
            played = EntryId(line.id.major, said.round)
            # A halted round has its outcome already, from the event where it halted.
            self._unsettled = played if played > self._settled else None

    def _is_due(self, place: EntryId, line: Line) -> bool:
        return place <= self._reached or line.id == self._unsettled
