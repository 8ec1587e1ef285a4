"""A module's table for tests: the bomb of the vectors, its decks' coups known by heart."""

from __future__ import annotations

from msgspec.structs import replace

from schemas import commands as co
from schemas import events as ev
from schemas.envelope import decode_outcome
from schemas.outcomes import RoundResolved
from services.baccarat import Module
from services.ledger.lines import LogOrder
from tests.unit.dealer.house import Table

#: Coups of the red deck: player 9-3, player 9-4, player 9-3, tie 6-6 (knaves for the player),
#: tie 7-7, banker 9-8, which leaves 23 cards. Of the blue one: player 7-3, player 7-3.
RED = ev.Ktane("AB3CD7", 1000, 100_000, ("DVI-D", "Serial", "Serial"), (), 3, "red")
BLUE = replace(RED, colour="blue", solved=5)
WHO = "alice"

#: A bet: its spot, its stake, and its chips, bottom first.
Bet = tuple[str, int] | tuple[str, int, tuple[int, ...]]


class ModuleTable(Table):
    """A dealer at T7 who deals a module's decks to one bettor."""

    def __init__(self, deck: ev.Ktane = RED, **asks: object) -> None:
        super().__init__()
        self.shoe = 0
        self.number = 0
        self.open(deck, **asks)
        self.sit(WHO, bankroll=10**12)
        self.say()

    def open(self, deck: ev.Ktane, **asks: object) -> str:
        """Ask for the next deck."""
        name = co.command_id(self.dealer_shoe + 1, "shoe.open", WHO, 1)
        fields = {"rules": "ktane", "origin": deck, "seats": (WHO,), **asks}
        self.send(name, co.ShoeOpen(**fields))  # type: ignore[arg-type]
        self.say()
        return name

    @property
    def dealer_shoe(self) -> int:
        return 0 if self.dealer.last is None else self.dealer.last.major

    def play(self, *bets: Bet) -> list[ev.Event]:
        """Lay these bets and press the deck; gives what was said."""
        if self.dealer_shoe != self.shoe:
            self.shoe, self.number = self.dealer_shoe, 0
        self.number += 1
        for spot, stake, *chips in bets:
            stack = chips[0] if chips else None
            self.bet(self.number, WHO, spot, stake, last=False, shoe=self.shoe, chips=stack)
        self.let_go(self.number, WHO, self.shoe)
        return self.say()

    def close(self, reason: str = "solved", n: int = 1, after: int | None = None) -> str:
        name = co.command_id(self.dealer_shoe, "shoe.close", WHO, n)
        self.send(name, co.ShoeClose(WHO, reason, after))  # type: ignore[arg-type]
        self.say()
        return name

    def answer(self, name: str) -> ev.Event:
        return next(event for event in reversed(self.events) if event.command == name)

    @property
    def module(self) -> Module:
        """The module's fold over all that was said."""
        module = Module()
        told = {name: decode_outcome(data).data for name, data in self.outcomes}
        for (entry, _), event in zip(self.entries, self.events, strict=True):
            module.event(event)
            if isinstance(event, ev.RoundDealt | ev.RoundVoided):
                outcome = told[entry._replace(minor=event.round)]
                assert isinstance(outcome, RoundResolved)
                module.outcome(outcome)
        return module

    def logs(self) -> list[list[bytes]]:
        """The lines of each shoe's log."""
        logs: list[list[bytes]] = []
        told = dict(self.outcomes)
        order: LogOrder[bytes] = LogOrder()
        for (entry, data), event in zip(self.entries, self.events, strict=True):
            if isinstance(event, ev.ShoeOpened):
                logs.append([])
                order = LogOrder()
            logs[-1] += order.event(entry.minor, data, closes=isinstance(event, ev.ShoeClosed))
            if isinstance(event, ev.RoundDealt | ev.RoundVoided):
                logs[-1] += order.outcome(entry.minor, told[entry._replace(minor=event.round)])
        return logs
