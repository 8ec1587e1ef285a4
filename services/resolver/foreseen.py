"""Rounds in which all bet as before, foreseen from the opening to the outcome. It halts nothing.

What it spells is what ``OpenRound`` made of a round of that kind: it does no arithmetic of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from schemas.address import Sources
from schemas.cards import DECK, Card
from schemas.events import BetPlaced
from schemas.outcomes import HandResult, RoundResolved
from schemas.stencil import NUMBER, ROUND, SHOE, TEXT, filled, stencil
from services.resolver.course import Course, terms_of
from services.resolver.round import OpenRound

if TYPE_CHECKING:
    from services.baccarat import Game
    from services.baccarat.result import RoundResult
    from services.resolver.course import Dealt, Terms

#: So many sets of bets are remembered for each table.
_REMEMBERED: Final = 4
_BYTES: Final = {card: card.encode("ascii") for card in DECK}.__getitem__


class Repeated:
    """How a table's rounds are spelled while all bet the same, in any shoe."""

    __slots__ = ("_game", "_here", "_kinds", "_known", "_shoe", "_table", "bets", "course")

    def __init__(self, table: str, game: Game, bets: tuple[Terms, ...]) -> None:
        """Spell the events; outcomes as they come."""
        self._table, self._game, self.bets = table, game, bets
        self.course = Course(table, game, bets)
        #: Outcomes by what the round came to (None: it is to be halted), and those of one spelling.
        self._known: dict[RoundResult, bytes | None] = {}
        self._kinds: dict[tuple[object, ...], bytes | None] = {}
        #: What was spelled so for one shoe.
        self._here: dict[RoundResult, bytes] = {}
        self._shoe = b""

    def outcome(self, shoe: bytes, number: int, opened: int, dealt: Dealt) -> bytes | None:
        """Spell a round's outcome; None where it is to be halted."""
        player, banker = dealt.player, dealt.banker
        result = self._game.result(player, banker)
        if shoe != self._shoe:
            self._shoe, self._here = shoe, {}
        spelled = self._here.get(result) or self._spelled(result, player, banker)
        if spelled is None:
            return None
        return filled(spelled, ROUND, b"%d" % number) % (
            dealt.time,
            opened,
            opened + dealt.events - 1,
            *map(_BYTES, player),
            result.player_total,
            *map(_BYTES, banker),
            result.banker_total,
        )

    def _spelled(self, result: RoundResult, player: list[Card], banker: list[Card]) -> bytes | None:
        spelled = self._known.get(result, b"")
        if not spelled:
            spelled = self._known[result] = self._kind(result, player, banker)
        if spelled is not None:
            spelled = self._here[result] = filled(spelled, SHOE, self._shoe)
        return spelled

    def _kind(self, result: RoundResult, player: list[Card], banker: list[Card]) -> bytes | None:
        """Spell the outcome of a kind of round, unless one was that differs in totals only."""
        prices = self._game.prices(result)
        paid = [prices[bet.spot].pay(bet.stake) for bet in self.bets]
        kind = (result.winner, result.natural, len(player), len(banker), *paid)
        if kind not in self._kinds:
            self._kinds[kind] = self._spell(player, banker)
        return self._kinds[kind]

    def _spell(self, player: list[Card], banker: list[Card]) -> bytes | None:
        stem = f"{self._table}/{SHOE}-"
        current = OpenRound(ROUND, NUMBER, stem, self._game)
        for end, bettor, spot, stake, chips in self.bets:
            bet = f"{SHOE}-{ROUND}/{end}"
            if current.place(BetPlaced(ROUND, bet, bettor, spot, stake, chips, command=None)):
                return None
        current.deal(player, banker)
        came = current.dealt(f"{stem}{NUMBER}")
        if not isinstance(came, RoundResolved):
            return None
        players, bankers = (
            HandResult((TEXT,) * len(hand.cards), NUMBER) for hand in (came.player, came.banker)
        )
        holed = replace(came, player=players, banker=bankers)
        return stencil(f"{SHOE}-{ROUND}", Sources(self._table).outcomes, holed)


class Foreseen:
    """What a table's next round is likely to be, from shoe to shoe."""

    __slots__ = ("_bets", "_game", "_known", "_table", "_twice", "dealing")

    def __init__(self, table: str) -> None:
        """Begin with nothing foreseen."""
        self._table = table
        self._game: Game | None = None
        #: How any round is dealt.
        self.dealing: Course | None = None
        #: By what was bet twice, the newest last.
        self._known: dict[tuple[Terms, ...], Repeated] = {}
        #: What was bet twice lately, and is not spelled yet.
        self._twice: tuple[Terms, ...] | None = None
        self._bets: tuple[Terms, ...] | None = None

    def begin(self, game: Game) -> None:
        """Begin a shoe that is played by these rules."""
        if game is not self._game:
            self._game, self._bets, self._twice = game, None, None
            self._known.clear()
            self.dealing = Course(self._table, game)

    @property
    def repeated(self) -> Repeated | None:
        """How the next round is spelled if all bet as in the last; None where they did not twice.

        Bets that change each round are not foreseen: trying would cost more than it saves.
        """
        return None if self._bets is None else self._known.get(self._bets)

    def learn(self, current: OpenRound, prefix: str, events: int) -> None:
        """Look at a round that was settled: what was bet, if nothing else was said in it."""
        bets = current.bets_of(events)
        terms = None if bets is None else terms_of(f"{prefix}{current.number}/", bets)
        if terms is not None and terms == self._bets and terms not in self._known:
            self._again(terms)
        self._bets = terms

    def _again(self, terms: tuple[Terms, ...]) -> None:
        """Spell rounds with bets that came again; where others did before, the second time only.

        Whoever changes his stakes repeats one now and then: to spell each would cost too much.
        """
        if self._game is None or (self._known and terms != self._twice):
            self._twice = terms
            return
        if len(self._known) >= _REMEMBERED:
            del self._known[next(iter(self._known))]
        self._known[terms] = Repeated(self._table, self._game, terms)
