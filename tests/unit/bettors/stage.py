"""A table made by hand: says what dealer and resolver would say. Checks nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from schemas import events as ev
from schemas import instant
from schemas.address import EntryId, Shoe, Sources
from schemas.envelope import Message, decode_command, decode_event, decode_outcome, encode
from schemas.outcomes import HandResult, RoundHalted, RoundResolved, Settlement

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from schemas.cards import Card
    from schemas.commands import Command
    from schemas.outcomes import Outcome, Result, Winner
    from services.bettors import BettorsFold

START = 1_790_000_000_000_000
SECOND = 1_000_000
LIMITS = ev.Limits({"player": ev.SpotLimits(100, 100_000, 100)}, None)
RULES = ev.RuleText("punto-banco", "00", "")


class Line(NamedTuple):
    stream: Literal["event", "outcome"]
    id: EntryId
    message: Message[ev.Event] | Message[Outcome]


class Stage:
    """The lines of one table in the log's order."""

    def __init__(self, table: str = "T7") -> None:
        self.table = table
        self.rules = RULES
        self.lines: list[Line] = []
        self.shoe = 0
        self.seq = -1
        self.round = 0

    @property
    def now(self) -> str:
        return instant.spell(START + SECOND * (self.shoe * 1000 + self.seq))

    @property
    def here(self) -> str:
        return Shoe(self.table, self.shoe).event(self.seq)

    def say(self, *events: ev.Event) -> None:
        for event in events:
            self.seq += 1
            entry_id = EntryId(self.shoe, self.seq)
            data = encode(str(entry_id), Sources(self.table).events, self.now, event)
            self.lines.append(Line("event", entry_id, decode_event(data)))

    def open(
        self,
        *,
        origin: ev.Origin | None = None,
        seats: Sequence[str] = (),
        restated: dict[str, int] | None = None,
    ) -> None:
        self.shoe, self.seq, self.round = self.shoe + 1, -1, 0
        origin = origin or ev.Seeded("baccarat-shoe/v1")
        opened = ev.ShoeOpened(
            self.rules,
            8,
            "USD",
            origin,
            commitment=None,
            cut_card=None,
            limits=LIMITS,
            seats=tuple(seats),
            window=None,
            dealer="d",
            software="s",
            previous_root=None,
            command=None,
        )
        still = [
            ev.BettorSeated(name, seat, bankroll, command=None)
            for seat, (name, bankroll) in enumerate((restated or {}).items(), start=1)
        ]
        self.say(opened, *still)

    def seat(self, **bankrolls: int) -> None:
        self.say(
            *(
                ev.BettorSeated(name, seat, bankroll, command=f"{self.shoe}/bettor.sit/{name}/1")
                for seat, (name, bankroll) in enumerate(bankrolls.items(), start=1)
            )
        )

    def cut(self) -> None:
        self.say(ev.ShoeCut("00", "", "alice", command=f"{self.shoe}/shoe.cut/alice/1"))

    def betting(self, *answers: ev.Event) -> None:
        self.round += 1
        closed = ev.BetsClosed(self.round, "all-spoke", command=None)
        self.say(ev.RoundOpened(self.round, command=None), *answers, closed)

    def deal(self, *cards: Card) -> None:
        self.say(*(ev.CardDrawn(self.round, "player", 9, card, command=None) for card in cards))
        self.say(ev.RoundDealt(self.round, command=None))

    def settle(self, winner: Winner, *settlements: Settlement) -> None:
        empty = HandResult((), 0)
        self._conclude(
            RoundResolved(
                self.round,
                first=self.here,
                through=self.here,
                player=empty,
                banker=empty,
                winner=winner,
                natural=False,
                settlements=settlements,
                house=0,
            )
        )

    def halt(self, *settlements: Settlement) -> None:
        self._conclude(RoundHalted(self.round, self.here, "card-order", settlements, 0))

    def play(self, winner: Winner, *settlements: Settlement) -> None:
        """A round in which everybody has spoken, and its outcome."""
        self.betting()
        self.deal()
        self.settle(winner, *settlements)

    def close(self, reason: ev.ShoeEnd = "rules") -> None:
        by = "resolver" if reason == "halted" else "rules"
        self.say(ev.ShoeClosed(reason, by, reveal=None, command=None))

    def _conclude(self, outcome: Outcome) -> None:
        entry_id = EntryId(self.shoe, self.round)
        data = encode(str(entry_id), Sources(self.table).outcomes, self.now, outcome)
        self.lines.append(Line("outcome", entry_id, decode_outcome(data)))


def settled(bettor: str, spot: str, stake: int, result: Result, won: int = 0) -> Settlement:
    """A bet's settlement without commission, at even money unless told."""
    odds = None
    if result == "win":
        won, odds = won or stake, "1/1"
    returned = 0 if result == "lose" else stake
    return Settlement(f"1-1/{bettor}/{spot}/1", bettor, spot, stake, result, odds, won, 0, returned)


def feed(fold: BettorsFold, lines: Iterable[Line]) -> list[bytes]:
    """Give these lines to a fold; what it says to them, in order."""
    said: list[bytes] = []
    for line in lines:
        take = fold.event if line.stream == "event" else fold.outcome
        said += take(line.id, line.message)  # type: ignore[arg-type]
    return said


def heard(said: Iterable[bytes]) -> list[tuple[str, Command]]:
    """Read commands as a dealer does: id and data."""
    return [(message.id, message.data) for message in map(decode_command, said)]


def ids(said: Iterable[bytes]) -> list[str]:
    return [command_id for command_id, _ in heard(said)]
