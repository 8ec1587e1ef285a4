"""A dealer without Redis: commands and outcomes are handed over by the test."""

from __future__ import annotations

from schemas import commands as co
from schemas import events as ev
from schemas.address import EntryId, Sources
from schemas.cards import Card, card_named
from schemas.envelope import decode_event, encode
from schemas.events import RuleText
from schemas.ruleset import parse, published, sha256_of
from services.dealer.dealer import Dealer
from services.dealer.opening import House, Opener
from services.dealer.secret import DerivedSecrets
from services.resolver.fold import TableFold
from services.runtime.clocks import SimulatedClock

START_US = 1_767_225_600_000_000
TIME = "2026-01-01T00:00:00.000000Z"
SEED = bytes(range(32))
TABLE = "T7"


def cards(text: str) -> tuple[Card, ...]:
    found = [card_named(name) for name in text.split()]
    assert None not in found
    return tuple(card for card in found if card is not None)


def rules_like(name: str, *changes: tuple[str, str]) -> dict[str, RuleText]:
    """Give the published sets, and one more called ``test`` that differs in some lines."""
    text = published()[name].text.replace(f'name = "{name}"', 'name = "test"')
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    parse(text)
    return {**published(), "test": RuleText("test", sha256_of(text), text)}


class Table:
    """A dealer at T7 with its resolver; every event that was said stands in ``events``."""

    def __init__(
        self,
        opens: co.ShoeOpen | None = None,
        *,
        decks: dict[str, tuple[Card, ...]] | None = None,
        rules: dict[str, RuleText] | None = None,
        shoes: int | None = 1,
        resolve: bool = True,
    ) -> None:
        self.asks, self.decks, self.rules, self.shoes = opens, decks, rules, shoes
        self.opener = Opener(
            House("dora", "shoetrail test", opens, shoes),
            rules or published(),
            decks or {},
            DerivedSecrets(SEED),
        )
        self.dealer = self._dealer()
        self.fold = TableFold(TABLE)
        self.resolve = resolve
        self.entries: list[tuple[EntryId, bytes]] = []
        self.outcomes: list[tuple[EntryId, bytes]] = []
        #: What happened, in order: a command that was sent, or (an int) how many events there were
        #: once the dealer had said all that he could.
        self.script: list[bytes | int] = []
        self.batches: list[int] = []

    def _dealer(self) -> Dealer:
        return Dealer(TABLE, self.opener, SimulatedClock(START_US, 1_000_000))

    @property
    def commands(self) -> list[bytes]:
        return [item for item in self.script if isinstance(item, bytes)]

    def gone_on_from(self, events: int) -> list[bytes]:
        """Play the same script with a dealer who stops after so many events, and another."""
        other = Table(self.asks, decks=self.decks, rules=self.rules, shoes=self.shoes)
        for entry, data in self.entries[:events]:
            other.dealer.stored(entry, data)
            other.entries.append((entry, data))
            for name, outcome in other.fold.event(entry, data):
                other.dealer.outcome(name, outcome)
        reached = False
        for item in self.script:
            if isinstance(item, bytes):
                other.dealer.command(item)
            elif reached or item >= events:
                reached = True
                other.say()
        return [data for _, data in other.entries]

    def send(self, name: str, asks: co.Command) -> None:
        data = encode(name, Sources(TABLE).commands, TIME, asks)
        self.script.append(data)
        assert self.dealer.command(data), "not readable"

    def say(self) -> list[ev.Event]:
        """Let the dealer and the resolver talk until neither has more to say."""
        said: list[ev.Event] = []
        while (batch := self.dealer.say()) is not None:
            self.batches.append(len(batch.entries))
            for entry, data in batch.entries:
                self.entries.append((entry, data))
                said.append(decode_event(data).data)
                told = self.fold.event(entry, data)
                if self.resolve:
                    self.outcomes += told
                    for name, outcome in told:
                        self.dealer.outcome(name, outcome)
        self.script.append(len(self.entries))
        return said

    @property
    def events(self) -> list[ev.Event]:
        return [decode_event(data).data for _, data in self.entries]

    def sit(self, *bettors: str, bankroll: int = 1_000_000, shoe: int = 1) -> None:
        for bettor in bettors:
            self.send(co.command_id(shoe, "bettor.sit", bettor, 1), co.BettorSit(bettor, bankroll))

    def cut(self, by: str = "alice", client: str = "00ff", shoe: int = 1) -> None:
        self.send(co.command_id(shoe, "shoe.cut", by, 1), co.Cut(by, client))

    def bet(
        self,
        number: int,
        bettor: str = "alice",
        spot: str = "player",
        stake: float | str | bool | None = 1000,
        *,
        last: bool = True,
        n: int = 1,
        shoe: int = 1,
        chips: tuple[int, ...] | None = None,
    ) -> str:
        name = str(co.BetId(shoe, number, bettor, spot, n))
        self.send(name, co.BetPlace(number, bettor, spot, stake, chips, last))
        return name

    def let_go(self, number: int, bettor: str = "alice", shoe: int = 1) -> None:
        name = co.command_id(shoe, "bet.pass", bettor, number)
        self.send(name, co.BetPass(number, bettor))

    def play_on(self, *bettors: str, most: int = 200) -> None:
        """Let each bettor pass every round until the shoe closes."""
        shoe = self.entries[-1][0].major
        for number in range(1, most + 1):
            if self.dealer.shoe_closed:
                return
            for bettor in bettors:
                self.let_go(number, bettor, shoe)
            self.say()
