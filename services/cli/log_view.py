"""A replay log as something to look at: its rounds, cards and bets. Checks nothing."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final

from schemas import events as ev
from schemas.address import EntryId
from schemas.cards import card_named
from schemas.envelope import decode_line
from schemas.errors import InputError, Unreadable, cannot_read
from schemas.outcomes import Outcome, RoundHalted, RoundResolved
from schemas.ruleset import Drawn, RuleSet, parse
from services.baccarat import Game, bomb_deck, compile_rules
from services.baccarat.course import Course, KnownCards
from services.baccarat.redeal import Logged
from services.dealer import order as shoe_order

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from schemas.cards import Card
    from schemas.ruleset import Ending

#: Why a round is voided that the shoe held too few cards for.
EXHAUSTED: Final = "shoe-exhausted"


class RoundView:
    """One round of a log."""

    def __init__(self, number: int) -> None:
        """Begin with its ``round.opened``."""
        self.number = number
        self.bets: list[ev.BetPlaced] = []
        self.cards: list[ev.CardDrawn] = []
        self.outcome: RoundResolved | RoundHalted | None = None
        #: Why the round was voided, if it was.
        self.voided: str | None = None
        #: Whether it was voided by the rules, for want of cards, whatever people call their reason.
        self.ran_out = False

    def logged(self) -> Logged:
        """Give what other rules can deal again."""
        dealt = [card.position for card in self.cards if card.hand != "error"]
        void = not isinstance(self.outcome, RoundResolved) or self.outcome.winner == "void"
        return Logged(
            number=self.number,
            bets=tuple(self.bets),
            start=dealt[0] if dealt else None,
            voided=void and not self.ran_out,
            taken=len(dealt),
            then=next((at for at in dealt[1:2] if at > dealt[0] + 1), None),
        )


class LogView:
    """One shoe of a log."""

    def __init__(self, table: str, shoe: int, opened: ev.ShoeOpened) -> None:
        """Begin with its ``shoe.opened``."""
        self.table = table
        self.shoe = shoe
        self.opened = opened
        self.rules: RuleSet = parse(opened.rules.text)
        self.game: Game = compile_rules(self.rules)
        self.currency = opened.currency
        self.rounds: dict[int, RoundView] = {}
        self.refused: list[ev.BetRefused] = []
        self.closed: ev.ShoeClosed | None = None
        #: The address of the event that took the card of a position.
        self.taken_at: dict[int, str] = {}
        self._seen: dict[int, Card] = {}
        self._cut: ev.ShoeCut | None = None
        #: In which round the card of a position was drawn in error, and where it went then.
        self.in_error: dict[int, int] = {}
        self.became: dict[int, ev.CardBurned | ev.CardDiscarded | ev.CardDrawn] = {}
        #: Positions of cards that were put aside, or drawn in error and never played.
        self._aside: set[int] = set()
        #: By the last position dealt before it, that of a card drawn in error and played later.
        self._late: dict[int, int] = {}
        self._last = -1
        #: The shoe's order, empty as long as it is not known.
        self.order: tuple[Card, ...] = ()
        if isinstance(opened.origin, ev.Ktane):
            with suppress(InputError):  # what is on no bomb has no order
                self.order = bomb_deck(opened.origin)

    @property
    def known(self) -> KnownCards:
        """The cards by position: as they were seen on the table, else from the revealed order."""
        size = len(self.order) or None
        return KnownCards(self._card_at, size, Course(frozenset(self._aside), self._late))

    def reshuffle_at(self, ending: Ending) -> int | None:
        """Give the number of cards left at which the shoe's seed ends it; None without a seed."""
        key = self._key()
        if key is None or not isinstance(ending, Drawn):
            return None
        return ending.least + shoe_order.drawn_number(key, ending.label, ending.choices)

    def logged(self) -> list[Logged]:
        """Give the settled rounds as other rules can deal them again."""
        return [one.logged() for one in self.rounds.values() if one.outcome is not None]

    def _card_at(self, position: int) -> Card | None:
        seen = self._seen.get(position)
        if seen is None and position < len(self.order):
            return self.order[position]
        return seen

    def add(self, name: str, said: ev.Event | Outcome) -> None:
        """Take the next line, with its entry id."""
        if isinstance(said, ev.RoundOpened):
            self.rounds[said.round] = RoundView(said.round)
        elif isinstance(said, ev.CardBurned | ev.CardDiscarded | ev.CardDrawn):
            self._card(name, said)
        elif isinstance(said, ev.BetPlaced | ev.BetWithdrawn):
            self._bet(said)
        elif isinstance(said, ev.BetRefused):
            self.refused.append(said)
        elif isinstance(said, ev.ShoeCut):
            self._cut = said
        elif isinstance(said, ev.ShoeClosed):
            self.closed = said
            self._reveal(said)
        elif isinstance(said, ev.RoundVoided) and said.round in self.rounds:
            self.rounds[said.round].voided = said.reason
            self.rounds[said.round].ran_out = said.command is None and said.reason == EXHAUSTED
        elif isinstance(said, RoundResolved | RoundHalted) and said.round in self.rounds:
            self.rounds[said.round].outcome = said

    def _card(self, name: str, said: ev.CardBurned | ev.CardDiscarded | ev.CardDrawn) -> None:
        if said.card is not None:
            self._seen[said.position] = said.card
            self.taken_at[said.position] = f"{self.table}/{name}"
        played = isinstance(said, ev.CardDrawn) and said.hand != "error"
        if played:
            self._play(said.position)
        elif self.rounds or not isinstance(said, ev.CardBurned):  # a first burn is the rules' own
            self._aside.add(said.position)
        if isinstance(said, ev.CardDrawn) and said.round in self.rounds:
            self.rounds[said.round].cards.append(said)
        if isinstance(said, ev.CardDrawn) and said.hand == "error":
            self.in_error[said.position] = said.round
        elif said.position in self.in_error:
            self.became[said.position] = said

    def _play(self, position: int) -> None:
        if position in self._aside:
            self._aside.discard(position)
            if self._last > position:
                self._late[self._last] = position
        self._last = max(self._last, position)

    def _bet(self, said: ev.BetPlaced | ev.BetWithdrawn) -> None:
        one = self.rounds.get(said.round)
        if one is None:
            return
        if isinstance(said, ev.BetPlaced):
            one.bets.append(said)
        else:
            one.bets = [bet for bet in one.bets if bet.bet != said.bet]

    def _reveal(self, closed: ev.ShoeClosed) -> None:
        if isinstance(closed.reveal, ev.OrderReveal):
            named = [card_named(name) for name in closed.reveal.order.split(" ")]
            self.order = tuple(card for card in named if card is not None)
        key = self._key()
        if key is not None:
            self.order = shoe_order.named(shoe_order.shuffle(key, self.opened.decks))

    def _key(self) -> bytes | None:
        reveal = None if self.closed is None else self.closed.reveal
        if not isinstance(reveal, ev.SeedReveal) or self._cut is None:
            return None
        try:
            parts = [reveal.server_seed, self._cut.client_seed, self._cut.beacon]
            server, client, beacon = (bytes.fromhex(part) for part in parts)
        except ValueError:
            return None
        return shoe_order.shoe_key(server, f"{self.table}/{self.shoe}", client, beacon)


def read_log(path: Path) -> LogView:
    """Read a log, or say in one line why it cannot be read."""
    return view_of(read_lines(path), str(path))


def read_lines(path: Path) -> list[bytes]:
    """Give a log's lines without their newlines, or say in one line why there are none."""
    if path.exists() and not path.is_file():
        raise InputError("this is no file", str(path), "name a replay log")
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise cannot_read(path, error) from None
    return lines if lines[-1] else lines[:-1]


def view_of(lines: Iterable[bytes], where: str) -> LogView:
    """Look at the lines of a log; ``where`` they are from is for messages."""
    view: LogView | None = None
    for number, line in enumerate(lines, start=1):
        try:
            message = decode_line(line)
        except Unreadable:
            place = f"{where}, line {number}"
            raise InputError("this is no line of a log", place, "audit it") from None
        if view is None:
            if not isinstance(message.data, ev.ShoeOpened):
                what = "a log begins with shoe.opened"
                raise InputError(what, f"{where}, line {number}", "name a replay log")
            table = message.source.rsplit("/", 1)[-1]
            view = LogView(table, EntryId.parse(message.id).major, message.data)
        else:
            view.add(message.id, message.data)
    if view is None:
        raise InputError("the file is empty", where, "name a replay log")
    return view
