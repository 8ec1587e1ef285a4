"""A rule set's data laid out for looking up: values, draws, burns, payments. No state of a shoe."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Final, NamedTuple

from schemas import ruleset
from schemas.cards import DECK, RANKS, Card
from schemas.errors import InputError
from schemas.ruleset import Pay, RuleSet, Side
from services.auditor.money import Facts, Paid, commission, deciding, given_back, paid_by
from services.auditor.play import Play

MOST_IN_HAND: Final = 3
_TEN: Final = 10
_TWO: Final = 2
#: Bets whose payment is remembered, over all kinds of round.
_PAYMENTS: Final = 16_384


class Result:
    """How a round came out, and what each bet on it is paid, remembered by (spot, stake)."""

    __slots__ = ("_facts", "_pays", "_tables", "known", "reading")

    def __init__(self, tables: Tables, facts: Facts) -> None:
        """Hold the facts of one kind of round."""
        #: The totals, the winner and whether it was a natural, as an outcome has to say them.
        self.reading = (facts.player_total, facts.banker_total, facts.winner, facts.natural)
        self.known: dict[tuple[str, int], Paid] = {}
        #: Which line decides a spot.
        self._pays: dict[str, Pay | None] = {}
        self._tables = tables
        self._facts = facts

    def paid(self, bet: tuple[str, int]) -> Paid:
        """Give what this (spot, stake) comes to."""
        found = self.known.get(bet)
        if found is None:
            self._tables.make_room()
            found = self.known[bet] = self._work_out(*bet)
        return found

    def _work_out(self, spot: str, stake: int) -> Paid:
        rules, pays = self._tables.rules, self._pays
        if spot not in rules.spots:
            return given_back(stake)
        if spot not in pays:
            pays[spot] = deciding(rules.spots[spot], self._facts)
        return paid_by(rules, pays[spot], spot, stake)


class Dealt(NamedTuple):
    """A round dealt from an order by the rules; ``after`` is the next card's index."""

    player: tuple[Card, ...]
    banker: tuple[Card, ...]
    after: int


class Tables:
    """One rule set, laid out. Immutable but for what it remembers."""

    __slots__ = ("_payments", "_results", "after_four", "after_third", "burns", "deal", "naturals",
                 "play", "rules", "values")  # fmt: skip

    def __init__(self, rules: RuleSet) -> None:
        """Lay the rule set's data out."""
        drawing = rules.drawing
        self.rules = rules
        self.values: dict[str, int] = {card: rules.values[RANKS.index(card[0])] for card in DECK}
        self.deal: tuple[Side, ...] = drawing.deal
        self.naturals = frozenset(drawing.naturals)
        #: Who draws after the first four, at 10 times the player's total + the banker's.
        self.after_four: list[Side | None] = [
            self._first_to_draw(player, banker) for player in range(10) for banker in range(10)
        ]
        #: Whether the banker draws, at 10 times his total + the value of the player's third card.
        self.after_third: list[Side | None] = [
            "banker" if third in row else None
            for row in drawing.banker_chart
            for third in range(10)
        ]
        self.burns: dict[str, int] | None = None
        if rules.burn is not None:
            counts = rules.burn.counts
            self.burns = {card: counts[RANKS.index(card[0])] for card in DECK}
        self._results: dict[int, Result] = {}
        self._payments = 0
        #: Plays rounds from cards that are not read yet.
        self.play = Play(self)

    def _first_to_draw(self, player: int, banker: int) -> Side | None:
        drawing = self.rules.drawing
        if player in self.naturals or banker in self.naturals:
            return None
        if player in drawing.player:
            return "player"
        return "banker" if banker in drawing.banker_player_stood else None

    def total(self, cards: Sequence[str]) -> int:
        """Add a hand up: the last digit counts."""
        return sum(self.values[card] for card in cards) % _TEN

    def result(self, player: Sequence[str], banker: Sequence[str]) -> Result:
        """Read a finished round off its cards."""
        in_player, in_banker = len(player), len(banker)
        if not (_TWO <= in_player <= MOST_IN_HAND and _TWO <= in_banker <= MOST_IN_HAND):
            return Result(self, self._facts(player, banker))
        values = self.values
        one, two, three, four = player[0], player[1], banker[0], banker[1]
        p = first = (values[one] + values[two]) % _TEN
        b = second = (values[three] + values[four]) % _TEN
        if in_player > _TWO:
            p = (p + values[player[2]]) % _TEN
        if in_banker > _TWO:
            b = (b + values[banker[2]]) % _TEN
        # all that the facts depend on, as one number
        key = 2 * (100 * in_player + 10 * p + b) + (in_banker > _TWO)
        key = 2 * key + (first in self.naturals or second in self.naturals)
        key = 9 * key + 3 * ((one[0] == two[0]) + (one == two))
        key += (three[0] == four[0]) + (three == four)
        known = self._results.get(key)
        if known is None:
            known = self._results[key] = Result(self, self._facts(player, banker))
        return known

    def make_room(self) -> None:
        """Count one more payment that is remembered; of too many all are forgotten."""
        self._payments += 1
        if self._payments > _PAYMENTS:
            self._payments = 1
            for result in self._results.values():
                result.known.clear()

    def _facts(self, player: Sequence[str], banker: Sequence[str]) -> Facts:
        p, b = self.total(player), self.total(banker)
        firsts = {self.total(hand[:2]) for hand in (player, banker) if len(hand) >= _TWO}
        pair_p = len(player) >= _TWO and player[0][0] == player[1][0]
        pair_b = len(banker) >= _TWO and banker[0][0] == banker[1][0]
        return Facts(
            "tie" if p == b else "player" if p > b else "banker",
            p,
            b,
            len(player),
            len(banker),
            len(player) + len(banker),
            abs(p - b),
            bool(firsts & self.naturals),
            pair_p,
            pair_b,
            pair_p and player[0] == player[1],
            pair_b and banker[0] == banker[1],
        )

    def commission(self, spot: str, stake: int, won: int) -> int:
        """Give what the house keeps of so much won."""
        terms = self.rules.commission
        return 0 if terms is None else commission(terms, spot, stake, won)

    def draws(self, player: Sequence[str], banker: Sequence[str]) -> Side | None:
        """Say which hand draws next once the first four lie, None when both are complete."""
        if len(banker) >= MOST_IN_HAND:
            return None
        second = self.total(banker)
        if len(player) >= MOST_IN_HAND:
            first = self.total(player[:2])
            if self.after_four[_TEN * first + second] != "player":
                return None
            return self.after_third[_TEN * second + self.values[player[2]]]
        return self.after_four[_TEN * self.total(player) + second]

    def round_from(self, order: Sequence[Card], start: int) -> Dealt | None:
        """Deal a round by the rules from this index of an order; None where the cards run out."""
        hands: dict[Side, list[Card]] = {"player": [], "banker": []}
        at = start
        side: Side | None = self.deal[0]
        while side is not None:
            if at >= len(order):
                return None
            hands[side].append(order[at])
            at += 1
            dealt = at - start
            if dealt < len(self.deal):
                side = self.deal[dealt]
            else:
                side = self.draws(hands["player"], hands["banker"])
        return Dealt(tuple(hands["player"]), tuple(hands["banker"]), at)


@lru_cache(maxsize=64)
def tables(text: str) -> Tables | None:
    """Lay out a rule set's text, or give None where it cannot be read."""
    try:
        return Tables(ruleset.parse(text))
    except InputError:
        return None


@lru_cache(maxsize=64)
def hash_of(text: str) -> str:
    """Hash a rule set's text as ``shoe.opened`` has to state it."""
    return sha256(text.encode()).hexdigest()
