"""Rounds in which all bet on the same as before, foreseen up to the outcome. It halts nothing.

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

    #: What a round came to, and what was staked.
    Came = tuple[RoundResult, tuple[int, ...]]

#: So many sets of bets are remembered for each table.
_REMEMBERED: Final = 4
#: So much that rounds came to is remembered for each of them, and so many spellings: as many as
#: the stakes of one who doubles them need.
_CAME, _KINDS = 1024, 128
_BYTES: Final = {card: card.encode("ascii") for card in DECK}.__getitem__


class Repeated:
    """How a table's rounds are spelled while all bet on the same, in any shoe."""

    __slots__ = ("_game", "_here", "_kinds", "_known", "_shoe", "_table", "bets", "course")

    def __init__(self, table: str, game: Game, bets: tuple[Terms, ...]) -> None:
        """Spell the events; outcomes as they come."""
        self._table, self._game, self.bets = table, game, bets
        self.course = Course(table, game, bets)
        #: Outcomes by what the round came to and the stakes (None: it is to be halted), and those
        #: of one spelling.
        self._known: dict[Came, bytes | None] = {}
        self._kinds: dict[tuple[object, ...], bytes | None] = {}
        #: What was spelled so for one shoe.
        self._here: dict[Came, bytes] = {}
        self._shoe = b""

    def outcome(self, shoe: bytes, number: int, opened: int, dealt: Dealt) -> bytes | None:
        """Spell a round's outcome; None where it is to be halted."""
        player, banker = dealt.player, dealt.banker
        result = self._game.result(player, banker)
        if shoe != self._shoe:
            self._shoe, self._here = shoe, {}
        came = result, dealt.stakes
        spelled = self._here.get(came) or self._spelled(came, player, banker)
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

    def _spelled(self, came: Came, player: list[Card], banker: list[Card]) -> bytes | None:
        spelled = self._known.get(came, b"")
        if not spelled:
            if len(self._known) >= _CAME or len(self._kinds) >= _KINDS:
                self._known.clear()
                self._kinds.clear()
            spelled = self._known[came] = self._kind(came, player, banker)
        if spelled is not None:
            spelled = self._here[came] = filled(spelled, SHOE, self._shoe)
        return spelled

    def _kind(self, came: Came, player: list[Card], banker: list[Card]) -> bytes | None:
        """Spell the outcome of a kind of round, unless one was that differs in totals only."""
        result, stakes = came
        prices = self._game.prices(result)
        paid = [prices[bet.spot].pay(stake) for bet, stake in zip(self.bets, stakes, strict=True)]
        kind = (result.winner, result.natural, len(player), len(banker), stakes, *paid)
        if kind not in self._kinds:
            self._kinds[kind] = self._spell(stakes, player, banker)
        return self._kinds[kind]

    def _spell(
        self, stakes: tuple[int, ...], player: list[Card], banker: list[Card]
    ) -> bytes | None:
        stem = f"{self._table}/{SHOE}-"
        current = OpenRound(ROUND, NUMBER, stem, self._game)
        for (end, bettor, spot, chips), stake in zip(self.bets, stakes, strict=True):
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
        """How the next round is spelled if all bet on what they did in the last.

        None where they did not twice: bets that change each round are not foreseen, for trying
        would cost more than it saves.
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

        Whoever bets on this and that repeats it now and then: to spell each would cost too much.
        """
        if self._game is None or (self._known and terms != self._twice):
            self._twice = terms
            return
        if len(self._known) >= _REMEMBERED:
            del self._known[next(iter(self._known))]
        self._known[terms] = Repeated(self._table, self._game, terms)
