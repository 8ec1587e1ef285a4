"""Writes the events of a shoe by hand, for tests: says what it is told, right or wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemas import events as ev
from schemas.address import EntryId, Sources
from schemas.envelope import decode_outcome, encode
from schemas.instant import spell
from schemas.ruleset import named, parse
from services.baccarat import compile_rules, resolve_limits
from services.resolver.fold import TableFold

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from schemas.cards import Card
    from schemas.outcomes import Outcome
    from services.resolver.fold import Said

START = 1_800_000_000_000_000
STEP = 1_000_000
Line = tuple[EntryId, bytes]


def time_of(seq: int) -> str:
    return spell(START + STEP * seq)


class Script:
    """One shoe's events, one call each; ``lines`` are what a stream would hold."""

    def __init__(self, rules: str = "punto-banco", table: str = "T7", shoe: int = 12) -> None:
        self.lines: list[Line] = []
        self.table, self.shoe = table, shoe
        self.rules = named(rules)
        self.game = compile_rules(parse(self.rules.text))
        self.source = Sources(table).events
        self.round = 0
        self.position = 0

    def say(self, event: ev.Event) -> Script:
        seq = len(self.lines)
        entry = EntryId(self.shoe, seq)
        self.lines.append((entry, encode(str(entry), self.source, time_of(seq), event)))
        return self

    def raw(self, data: bytes) -> Script:
        self.lines.append((EntryId(self.shoe, len(self.lines)), data))
        return self

    def opened(self, text: ev.RuleText | None = None) -> Script:
        rules = self.game.rules
        return self.say(
            ev.ShoeOpened(
                rules=text or self.rules,
                decks=rules.decks,
                currency=rules.currency,
                origin=ev.Fixed(),
                commitment="00" * 32,
                cut_card=None,
                limits=resolve_limits(rules),
                seats=(),
                window=None,
                dealer="dealer",
                software="0",
                previous_root=None,
                command=None,
            )
        )

    def open_round(self, number: int | None = None) -> Script:
        self.round = self.round + 1 if number is None else number
        return self.say(ev.RoundOpened(round=self.round, command=None))

    def bet(self, spot: str, stake: int, bettor: str = "alice", n: int = 1) -> Script:
        name = f"{self.shoe}-{self.round}/{bettor}/{spot}/{n}"
        return self.say(
            ev.BetPlaced(
                round=self.round,
                bet=name,
                bettor=bettor,
                spot=spot,
                stake=stake,
                chips=None,
                command=name,
            )
        )

    def close_bets(self) -> Script:
        return self.say(ev.BetsClosed(round=self.round, reason="all-spoke", command=None))

    def card(self, hand: ev.Hand, card: Card, position: int | None = None) -> Script:
        at = self.position if position is None else position
        self.position = at + 1
        return self.say(
            ev.CardDrawn(round=self.round, hand=hand, position=at, card=card, command=None)
        )

    def deal(self, *cards: Card) -> Script:
        """Deal cards as the rules say, in order, until they run out."""
        hands: dict[str, list[Card]] = {"player": [], "banker": []}
        for card in cards:
            side = self.game.next_draw(hands["player"], hands["banker"])
            assert side is not None
            hands[side].append(card)
            self.card(side, card)
        return self

    def deal_rest(self, *cards: Card) -> Script:
        """Deal the rest of a hand whose first card lies there."""
        sides: tuple[ev.Hand, ...] = ("banker", "player", "banker")
        for side, card in zip(sides, cards, strict=True):
            self.card(side, card)
        return self

    def dealt(self) -> Script:
        return self.say(ev.RoundDealt(round=self.round, command=None))

    def voided(self, reason: str = "asked") -> Script:
        return self.say(ev.RoundVoided(round=self.round, reason=reason, by="pit", command=None))

    def hand(self, *cards: Card, bets: Sequence[tuple[str, int]] = ()) -> Script:
        """Play a whole round."""
        self.open_round()
        for spot, stake in bets:
            self.bet(spot, stake)
        return self.close_bets().deal(*cards).dealt()

    def closed(self) -> Script:
        return self.say(ev.ShoeClosed(reason="rules", by="rules", reveal=None, command=None))

    def fold(self) -> list[Said]:
        return fold(self.lines, self.table)

    def outcomes(self) -> list[Outcome]:
        return [decode_outcome(said.data).data for said in self.fold()]


def fold(lines: Iterable[Line], table: str = "T7") -> list[Said]:
    resolver = TableFold(table)
    return resolver.events(list(lines))
