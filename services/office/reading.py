"""A log's lines folded into rounds with who dealt them. Takes the log at its word: audit it first.

It reads no file, and knows neither money nor chance.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

from schemas import events as ev
from schemas.address import EntryId
from schemas.address import Shoe as ShoeAddress
from schemas.cards import MOST_DECKS
from schemas.errors import InputError
from schemas.outcomes import RoundHalted, RoundResolved
from schemas.ruleset import RuleSet, parse, sha256_of

if TYPE_CHECKING:
    from schemas.cards import Card
    from schemas.envelope import Message, Said

Outcome = RoundResolved | RoundHalted
Kind = Literal["seeded", "fixed", "ktane"]
_SOURCE: Final = "/tables/"
_KINDS: Final[dict[type, Kind]] = {ev.Seeded: "seeded", ev.Fixed: "fixed", ev.Ktane: "ktane"}


class NotOpened(Exception):
    """A log that does not begin with ``shoe.opened``."""


@dataclass(slots=True)
class Shoe:
    """A shoe by its log: how it was opened and who works it now; ``time`` is of the last line.

    ``seen`` has the card of each position that lay face up. ``reveal`` is what its close revealed.
    """

    table: str
    number: int
    opened: str
    rules: RuleSet
    rules_name: str
    rules_sha256: str
    decks: int
    currency: str
    origin: Kind
    dealer: str
    time: str
    seen: dict[int, Card] = field(default_factory=dict)
    closed: bool = False
    reveal: ev.Reveal | None = None

    def round(self, number: int) -> str:
        """Give a round's address."""
        return ShoeAddress(self.table, self.number).round(number)


@dataclass(slots=True)
class Round:
    """A settled round; ``void`` is why it does not count, None where it does.

    ``dealer`` is who worked the table when it ended. ``known`` says that a card drawn in error lay
    face up while its bets were made, or that one was drawn in it: its cards are none of chance's.
    """

    shoe: Shoe
    number: int
    dealer: str
    opened: str
    settled: str
    outcome: Outcome
    void: str | None
    known: bool

    @property
    def address(self) -> str:
        """Spell it, like ``T7/12#17``."""
        return self.shoe.round(self.number)

    @property
    def counts(self) -> bool:
        """Whether cards decided it: it was neither voided nor halted."""
        return isinstance(self.outcome, RoundResolved) and self.outcome.winner != "void"


class Reading:
    """The fold of one log. ``shoe`` is None before its first line."""

    __slots__ = ("_errors", "_known", "_opened", "_void", "shoe")

    def __init__(self) -> None:
        """Begin before the first line."""
        self.shoe: Shoe | None = None
        self._opened = ""
        self._void: str | None = None
        self._known = False
        #: Positions of cards drawn in error.
        self._errors: set[int] = set()

    def line(self, message: Message[Said]) -> Round | None:
        """Take the next line; give the round that it settles.

        Raises ``NotOpened`` where the first line opens no shoe, ``InputError`` where the rules that
        it names cannot be read.
        """
        said = message.data
        shoe = self.shoe
        if shoe is None:
            self.shoe = _opened(message)
            return None
        shoe.time = message.time
        if isinstance(said, ev.CardDrawn | ev.CardBurned | ev.CardDiscarded):
            self._card(shoe, said)
        elif isinstance(said, RoundResolved | RoundHalted):
            return self._settled(shoe, said)
        elif isinstance(said, ev.RoundOpened):
            self._opened, self._void, self._known = message.time, None, False
        elif isinstance(said, ev.RoundVoided):
            self._void = said.reason
        elif isinstance(said, ev.DealerChanged):
            shoe.dealer = said.dealer
        elif isinstance(said, ev.ShoeClosed):
            shoe.closed, shoe.reveal = True, said.reveal
        return None

    def _card(self, shoe: Shoe, said: ev.CardDrawn | ev.CardBurned | ev.CardDiscarded) -> None:
        if said.card is not None:
            shoe.seen.setdefault(said.position, said.card)
        if isinstance(said, ev.CardDrawn):
            if said.hand == "error":
                self._errors.add(said.position)
            self._known = self._known or said.position in self._errors

    def _settled(self, shoe: Shoe, said: Outcome) -> Round:
        void = self._void
        if isinstance(said, RoundHalted):
            void = said.reason
        elif said.winner == "void":
            void = void or ""
        else:
            void = None
        return Round(
            shoe=shoe,
            number=said.round,
            dealer=shoe.dealer,
            opened=self._opened,
            settled=shoe.time,
            outcome=said,
            void=void,
            known=self._known,
        )


def _opened(message: Message[Said]) -> Shoe:
    said = message.data
    if not isinstance(said, ev.ShoeOpened):
        raise NotOpened
    if not 1 <= said.decks <= MOST_DECKS:
        raise InputError(f"a shoe cannot have {said.decks} decks", "shoe.opened")
    return Shoe(
        table=message.source.removeprefix(_SOURCE),
        number=EntryId.parse(message.id).major,
        opened=message.time,
        rules=parse(said.rules.text),
        rules_name=said.rules.name,
        rules_sha256=sha256_of(said.rules.text),
        decks=said.decks,
        currency=said.currency,
        origin=_KINDS[type(said.origin)],
        dealer=said.dealer,
        time=message.time,
    )
