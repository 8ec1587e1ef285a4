"""A replay log as something to look at: its rounds, cards and bets. Checks nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemas import events as ev
from schemas.address import EntryId
from schemas.cards import card_named
from schemas.envelope import decode_line
from schemas.errors import InputError, Unreadable
from schemas.outcomes import Outcome, RoundHalted, RoundResolved
from schemas.ruleset import RuleSet, parse
from services.baccarat import Game, compile_rules
from services.dealer import order as shoe_order

if TYPE_CHECKING:
    from pathlib import Path

    from schemas.cards import Card


class RoundView:
    """One round of a log."""

    def __init__(self, number: int) -> None:
        """Begin with its ``round.opened``."""
        self.number = number
        self.bets: list[ev.BetPlaced] = []
        self.cards: list[ev.CardDrawn] = []
        self.outcome: RoundResolved | RoundHalted | None = None


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
        #: The address of the event that took the card of a position.
        self.taken_at: dict[int, str] = {}
        self._seen: dict[int, Card] = {}
        self._cut: ev.ShoeCut | None = None
        self._order: tuple[Card, ...] = ()

    def card_at(self, position: int) -> Card | None:
        """Give the card of a position: from the revealed order, or as it was seen."""
        if position < len(self._order):
            return self._order[position]
        return self._seen.get(position)

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
            self._reveal(said)
        elif isinstance(said, RoundResolved | RoundHalted) and said.round in self.rounds:
            self.rounds[said.round].outcome = said

    def _card(self, name: str, said: ev.CardBurned | ev.CardDiscarded | ev.CardDrawn) -> None:
        if said.card is not None:
            self._seen[said.position] = said.card
            self.taken_at[said.position] = f"{self.table}/{name}"
        if isinstance(said, ev.CardDrawn) and said.round in self.rounds:
            self.rounds[said.round].cards.append(said)

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
            self._order = tuple(card for card in named if card is not None)
        elif isinstance(closed.reveal, ev.SeedReveal) and self._cut is not None:
            try:
                parts = [closed.reveal.server_seed, self._cut.client_seed, self._cut.beacon]
                server, client, beacon = (bytes.fromhex(part) for part in parts)
            except ValueError:
                return
            name = f"{self.table}/{self.shoe}"
            order = shoe_order.derive(server, name, client, beacon, self.opened.decks)
            self._order = shoe_order.named(order)


def read_log(path: Path) -> LogView:
    """Read a log, or say in one line why it cannot be read."""
    if path.exists() and not path.is_file():
        raise InputError("this is no file", str(path), "name a replay log")
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", str(path)) from None
    view: LogView | None = None
    for number, line in enumerate(lines, start=1):
        if number == len(lines) and not line:
            break
        where = f"{path}, line {number}"
        try:
            message = decode_line(line)
        except Unreadable:
            raise InputError("this is no line of a log", where, "audit it") from None
        if view is None:
            if not isinstance(message.data, ev.ShoeOpened):
                raise InputError("a log begins with shoe.opened", where, "name a replay log")
            table = message.source.rsplit("/", 1)[-1]
            view = LogView(table, EntryId.parse(message.id).major, message.data)
        else:
            view.add(message.id, message.data)
    if view is None:
        raise InputError("the file is empty", str(path), "name a replay log")
    return view
