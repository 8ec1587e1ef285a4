"""A module played without Redis: the dealer, the resolver and who plays it, each a pure fold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemas import events as ev
from schemas.envelope import Message, decode_event, decode_outcome
from services.auditor.fold import ShoeAudit
from services.bettors.defuser import DefuserFold
from services.journal import Entry
from services.ledger.lines import LogOrder
from tests.unit.dealer.house import TABLE, TIME, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schemas.address import EntryId
    from schemas.outcomes import Outcome
    from services.auditor.report import Previous, ShoeResult
    from services.bettors.bets_file import Action

Said = tuple["EntryId", Message[ev.Event] | Message["Outcome"]]


class ModuleGame:
    """Plays written bets on a module's decks until nobody has more to say.

    ``killed_after`` that many batches of the dealer's: the player's last words are lost, and
    another one takes his place.
    """

    def __init__(
        self,
        decks: Sequence[ev.Ktane],
        rounds: Sequence[Sequence[Action]],
        killed_after: int | None = None,
    ) -> None:
        self.decks, self.rounds = decks, rounds
        self.table = Table()
        self.fold = DefuserFold(TABLE, "ktane", decks, rounds)
        self.told: list[Said] = []
        self.batches = 0
        commands = [self.fold.open_deck(1, TIME), *self.fold.resume()]
        while commands:
            for command in commands:
                self.table.script.append(command)
                assert self.table.dealer.command(command), command
            self.table.say()
            self.batches += 1
            commands = self._tell()
            if self.batches == killed_after:
                commands = self._another()

    def _tell(self) -> list[bytes]:
        """Tell the player what was said since."""
        outcomes = dict(self.table.outcomes)
        said: list[bytes] = []
        known = sum(isinstance(one.data, ev.Event) for _, one in self.told)
        batch: list[Entry] = []
        for entry, data in self.table.entries[known:]:
            event = decode_event(data)
            batch.append(Entry(entry, data))
            self.told.append((entry, event))
            if isinstance(event.data, ev.RoundDealt | ev.RoundVoided):
                said += self._hear_all(batch)
                batch = []
                place = entry._replace(minor=event.data.round)
                outcome = decode_outcome(outcomes[place])
                said += self._hear(self.fold, (place, outcome))
                self.told.append((place, outcome))
        return said + self._hear_all(batch)

    def _hear_all(self, batch: Sequence[Entry]) -> list[bytes]:
        """Give him events as they come to a desk."""
        said: list[bytes] = []
        for entry, data in self.fold.heeded(batch):
            said += self.fold.event(entry, decode_event(data))
        return said + self.fold.passed(batch[-1].id) if batch else said

    @staticmethod
    def _hear(fold: DefuserFold, one: Said) -> list[bytes]:
        entry, message = one
        if isinstance(message.data, ev.Event):
            return fold.event(entry, message)
        return fold.outcome(entry, message)

    def _another(self) -> list[bytes]:
        self.fold = DefuserFold(TABLE, "ktane", self.decks, self.rounds)
        for one in self.told:
            assert self._hear(self.fold, one) == []
        return self.fold.resume()

    @property
    def bytes(self) -> list[bytes]:
        return [data for _, data in self.table.entries]

    def audits(self) -> list[ShoeResult]:
        """Audit each shoe's log, the one before being known."""
        found: list[ShoeResult] = []
        previous: Previous | None = None
        told = dict(self.table.outcomes)
        audit = ShoeAudit()
        order: LogOrder[bytes] = LogOrder()
        for entry, data in self.table.entries:
            event = decode_event(data).data
            if isinstance(event, ev.ShoeOpened):
                audit, order = ShoeAudit(previous=previous), LogOrder()
            lines = order.event(entry.minor, data, closes=isinstance(event, ev.ShoeClosed))
            if isinstance(event, ev.RoundDealt | ev.RoundVoided):
                lines += order.outcome(entry.minor, told[entry._replace(minor=event.round)])
            audit.lines(lines)
            if isinstance(event, ev.ShoeClosed):
                found.append(audit.result())
                previous = audit.as_previous()
        return found
