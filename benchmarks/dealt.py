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


def deal(table: str, shoes: int, seed: bytes = bytes(32)) -> tuple[list[Stored], list[Stored]]:
    """Deal so many eight-deck shoes with three bettors; give the events and the outcomes."""
    names = tuple(name for name, _, _ in BETS)
    opens = co.ShoeOpen("punto-banco", seats=names)
    house = House("bench", "shoetrail bench", opens, shoes)
    opener = Opener(house, published(), {}, DerivedSecrets(seed))
    dealer = Dealer(table, opener, SimulatedClock(START_US))
    resolver = TableFold(table)
    source, time = Sources(table).commands, spell(START_US)
    events: list[Stored] = []
    outcomes: list[Stored] = []

    def tell(name: str, asks: co.Command) -> None:
        dealer.command(encode(name, source, time, asks))

    def bet(shoe: int, number: int) -> None:
        for name, spot, stake in BETS:
            bet_id = str(co.BetId(shoe, number, name, spot, 1))
            tell(bet_id, co.BetPlace(number, name, spot, stake, last=True))

    for shoe in range(1, shoes + 1):
        if shoe == 1:
            for name in names:
                tell(co.command_id(1, "bettor.sit", name, 1), co.BettorSit(name, 10**9))
        tell(co.command_id(shoe, "shoe.cut", "alice", 1), co.Cut("alice", "00"))
        bet(shoe, 1)
        settled = 0
        while (batch := dealer.say()) is not None:
            for entry, data in batch.entries:
                events.append((entry, data))
                for name, outcome in resolver.event(entry, data):
                    outcomes.append((name, outcome))
                    dealer.outcome(name, outcome)
                    settled = name.minor
            if dealer.shoe_closed:
                break
            if settled:
                bet(shoe, settled + 1)
    return events, outcomes
