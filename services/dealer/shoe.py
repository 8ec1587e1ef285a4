"""One shoe as the dealer knows it: who sits, what stands, how far it is dealt. Folds nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from schemas import events as ev
from schemas.ruleset import parse as parse_rules
from services.baccarat import Module, ShoeProgress, Stake, compile_rules

if TYPE_CHECKING:
    from schemas.cards import Card
    from schemas.ruleset import RuleSet
    from services.baccarat import Game

Phase = Literal["none", "ready", "betting", "dealing", "unsettled", "closed"]


class Answer(NamedTuple):
    """What a command was answered for; two sendings with the same terms are one command."""

    command: str
    stake: int | None
    chips: tuple[int, ...] | None


class Seated:
    """A bettor at the table: his seat, what he can still stake, the commission he owes."""

    __slots__ = ("bankroll", "owed", "seat")

    def __init__(self, seat: int, bankroll: int) -> None:
        """Sit down."""
        self.seat = seat
        self.bankroll = bankroll
        self.owed = 0


class ShoeFacts:
    """One shoe of a table, from its ``shoe.opened`` on."""

    def __init__(
        self, table: str, shoe: int, opened: ev.ShoeOpened, carried: dict[str, Seated]
    ) -> None:
        """Begin with the event that opened it; ``carried`` still sit from the shoe before."""
        self.table = table
        self.number = shoe
        self.opened = opened
        self.rules: RuleSet = parse_rules(opened.rules.text)
        self.game: Game = compile_rules(self.rules)
        self.carried = carried
        self.seated: dict[str, Seated] = {}
        self.cut: ev.ShoeCut | None = None
        self.burns_due: int | None = 1 if self.rules.burn else 0
        self.round = 0
        self.settled = 0
        self.halted = False
        self.exhausted = False
        self.cut_card_out = False
        self.phase: Phase = "ready"
        self.player: list[Card] = []
        self.banker: list[Card] = []
        #: The card drawn in error that still lies on the table, and the last round that had one.
        self.error: ev.CardDrawn | None = None
        self.misdrawn = 0
        self.bets: dict[str, ev.BetPlaced] = {}
        self.answered: set[Answer] = set()
        self.commands: set[str] = set()
        self.betting_since = 0
        #: Where the round in play was opened, and where it was dealt or voided.
        self.opened_seq = self.ended_seq = -1
        self.progress = ShoeProgress(size=0, position=0, hands=0)
        #: A bomb's deck is dealt until its module is solved.
        self.module = Module() if isinstance(opened.origin, ev.Ktane) else None

    def standing(self, bettor: str) -> list[Stake]:
        """Give a bettor's standing bets in this round."""
        return [
            Stake(bet.spot, bet.stake, bet.chips)
            for bet in self.bets.values()
            if bet.bettor == bettor
        ]

    @property
    def solved(self) -> bool:
        """Whether this is the deck of a module that is solved: nothing more is dealt from it."""
        return self.module is not None and self.module.solved

    @property
    def has_order(self) -> bool:
        """Whether the order of its cards is settled: a seeded shoe has none before its cut."""
        return self.cut is not None or not isinstance(self.opened.origin, ev.Seeded)

    def staked(self, spot: str) -> int:
        """Add up all standing stakes on a spot in this round."""
        return sum(bet.stake for bet in self.bets.values() if bet.spot == spot)

    def awaited(self) -> list[str]:
        """Name the awaited bettors who do not sit yet."""
        return [name for name in self.opened.seats if name not in self.seated]

    def to_restate(self) -> str | None:
        """Name the next bettor who still sits from the shoe before and is not yet restated."""
        return next(iter(self.carried), None)
