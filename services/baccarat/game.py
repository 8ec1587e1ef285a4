"""One rule set, ready to be asked: who draws, what came out, what is paid. Holds no table's state.

Compiled once a rule set; every table that plays it shares the same ``Game``.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from schemas.errors import InputError
from schemas.ruleset import TOTALS, parse, sha256_of
from services.baccarat.drawing import DrawingRules
from services.baccarat.result import RoundResult
from services.baccarat.settlement import SettlementRules
from services.baccarat.values import total, values_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schemas.cards import Card
    from schemas.events import RuleText
    from schemas.outcomes import Winner
    from schemas.ruleset import RuleSet

#: More rule sets than any house plays at once.
_KEPT: Final = 64


class Game:
    """A compiled rule set: what ``DrawingRules`` and ``SettlementRules`` answer, and totals."""

    __slots__ = ("_naturals", "next_draw", "prices", "rules", "settle", "values", "why")

    def __init__(self, rules: RuleSet) -> None:
        """Compile; ``compile_rules`` does it once a rule set."""
        self.rules = rules
        self.values = values_of(rules)
        self._naturals = frozenset(rules.drawing.naturals)
        drawing = DrawingRules(rules.drawing, self.values)
        # Bound once: a dealer and a resolver ask these for every card and every bet.
        self.next_draw = drawing.next_draw
        self.why = drawing.why
        settlement = SettlementRules(rules)
        self.settle = settlement.settle
        self.prices = settlement.prices

    def total(self, cards: Sequence[Card]) -> int:
        """Give a hand's total."""
        return total(cards, self.values)

    def result(self, player: Sequence[Card], banker: Sequence[Card]) -> RoundResult:
        """Tell what two complete hands came to."""
        worth, naturals = self.values.__getitem__, self._naturals
        players, bankers = list(map(worth, player)), list(map(worth, banker))
        player_total, banker_total = sum(players) % TOTALS, sum(bankers) % TOTALS
        winner: Winner = "tie"
        if player_total != banker_total:
            winner = "player" if player_total > banker_total else "banker"
        player_first, banker_first = player[0], banker[0]
        player_second, banker_second = player[1], banker[1]
        return RoundResult(
            winner,
            sum(players[:2]) % TOTALS in naturals or sum(bankers[:2]) % TOTALS in naturals,
            player_total,
            banker_total,
            len(player),
            len(banker),
            player_first[0] == player_second[0],
            banker_first[0] == banker_second[0],
            player_first == player_second,
            banker_first == banker_second,
        )


class _ByIdentity:
    """A rule set as a key: rules hold dicts, so they have no hash of their own."""

    __slots__ = ("rules",)

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ByIdentity) and self.rules is other.rules

    def __hash__(self) -> int:
        return id(self.rules)


@lru_cache(maxsize=_KEPT)
def _compiled(key: _ByIdentity) -> Game:
    return Game(key.rules)


def compile_rules(rules: RuleSet) -> Game:
    """Give the ``Game`` of a rule set; parsing a text twice gives one rule set, and so one game."""
    return _compiled(_ByIdentity(rules))


def game_of(told: RuleText) -> Game | None:
    """Read the rules that a shoe is played by; None where they are not what they say they are."""
    if sha256_of(told.text) != told.sha256:
        return None
    try:
        rules = parse(told.text)
    except InputError:
        return None
    return compile_rules(rules) if rules.name == told.name else None
