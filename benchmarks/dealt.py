"""Shoes for the benchmarks, dealt in memory by the real folds. Measures nothing."""

from __future__ import annotations

from schemas import commands as co
from schemas.address import EntryId, Sources
from schemas.envelope import encode
from schemas.instant import spell
from schemas.ruleset import published
from services.dealer.dealer import Dealer
from services.dealer.opening import House, Opener
from services.dealer.secret import DerivedSecrets
from services.resolver.fold import TableFold
from services.runtime.clocks import SimulatedClock

Stored = tuple[EntryId, bytes]
START_US = 1_767_225_600_000_000
BETS = (("alice", "player", 2500), ("bob", "banker", 2500), ("carol", "tie", 500))


class _Table:
    """A dealer and a resolver who hand each other what they say."""

    def __init__(self, table: str, shoes: int, seed: bytes) -> None:
        opens = co.ShoeOpen("punto-banco", seats=tuple(name for name, _, _ in BETS))
        house = House("bench", "shoetrail bench", opens, shoes)
        opener = Opener(house, published(), {}, DerivedSecrets(seed))
        self.dealer = Dealer(table, opener, SimulatedClock(START_US))
        self._resolver = TableFold(table)
        self._source = Sources(table).commands
        self.events: list[Stored] = []
        self.outcomes: list[Stored] = []

    def tell(self, name: str, asks: co.Command) -> None:
        self.dealer.command(encode(name, self._source, spell(START_US), asks))

    def bet(self, shoe: int, number: int) -> None:
        for name, spot, stake in BETS:
            bet_id = str(co.BetId(shoe, number, name, spot, 1))
            self.tell(bet_id, co.BetPlace(number, name, spot, stake, last=True))

    def play_shoe(self, shoe: int) -> None:
        self.tell(co.command_id(shoe, "shoe.cut", "alice", 1), co.Cut("alice", "00"))
        self.bet(shoe, 1)
        while (batch := self.dealer.say()) is not None:
            for entry, data in batch.entries:
                self.events.append((entry, data))
                for name, outcome in self._resolver.event(entry, data):
                    self.outcomes.append((name, outcome))
                    self.dealer.outcome(name, outcome)
                    self.bet(shoe, name.minor + 1)
            if self.dealer.shoe_closed:
                return


def deal(table: str, shoes: int, seed: bytes = bytes(32)) -> tuple[list[Stored], list[Stored]]:
    """Deal so many eight-deck shoes with three bettors; give the events and the outcomes."""
    playing = _Table(table, shoes, seed)
    for name, _, _ in BETS:
        playing.tell(co.command_id(1, "bettor.sit", name, 1), co.BettorSit(name, 10**9))
    for shoe in range(1, shoes + 1):
        playing.play_shoe(shoe)
    return playing.events, playing.outcomes
