"""A round played from its cards as they were spelled, by looking up. It remembers no shoe.

Nothing here says a finding: whoever finds another outcome has the round judged elsewhere.
"""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final, TypeVar

from schemas.cards import DECK

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from schemas.cards import Card
    from schemas.ruleset import Side
    from services.auditor.tables import Result, Tables


T = TypeVar("T")

#: Who may draw after the first four.
DRAWS: Final[tuple[tuple[Side, ...], ...]] = ((), ("player",), ("banker",), ("player", "banker"))
#: The places in it, and how many cards were dealt, in all and to the player.
_NOBODY, _PLAYER, _BANKER, _BOTH = range(4)
SIZES: Final = tuple([4 + len(draws) for draws in DRAWS])
IN_PLAYER: Final = tuple([2 + ("player" in draws) for draws in DRAWS])
_NAMES: Final[dict[bytes, Card]] = {card.encode("ascii"): card for card in DECK}
NAME: Final = _NAMES.__getitem__


class Play:
    """How rounds go by one rule set. Immutable but for what it remembers."""

    __slots__ = ("_first_four", "_kinds", "_known", "_tables", "_values", "hands")

    def __init__(self, tables: Tables) -> None:
        """Lay out what cards count, and where each hand's lie."""
        self._tables = tables
        self._values = {name: tables.values[card] for name, card in _NAMES.items()}
        #: By who drew: the player's cards and then the banker's, out of all as they left the shoe.
        self.hands: list[Callable[[Sequence[Any]], tuple[Any, ...]]] = [
            itemgetter(*_places(sides, "player"), *_places(sides, "banker"))
            for sides in (tables.deal + draws for draws in DRAWS)
        ]
        self._first_four = self.hands[_NOBODY]
        # Whether there is a natural, at 10 times the player's first total + the banker's.
        naturals = tables.naturals
        self._kinds = [one in naturals or two in naturals for one in range(10) for two in range(10)]
        self._known: dict[int, Result] = {}

    def __call__(self, cards: Sequence[bytes]) -> tuple[int, Result]:
        """Play a round with these cards, as they leave the shoe; what lies behind them is left.

        Gives the place in ``DRAWS`` of those who draw, and what comes out. Raises ``KeyError``
        where one is no card, ``IndexError`` where there are too few.
        """
        value, tables = self._values, self._tables
        one, two, three, four = self._first_four(cards)
        first, second = (value[one] + value[two]) % 10, (value[three] + value[four]) % 10
        totals = before = 10 * first + second
        draws = _NOBODY
        who = tables.after_four[before]
        if who == "player":
            third = value[cards[4]]
            totals = 10 * ((first + third) % 10) + second
            draws = _PLAYER
            if tables.after_third[10 * second + third]:
                totals += (second + value[cards[5]]) % 10 - second
                draws = _BOTH
        elif who == "banker":
            totals = 10 * first + (second + value[cards[4]]) % 10
            draws = _BANKER
        # all that a result depends on, as one number
        kind = 9 * draws + 3 * ((one[0] == two[0]) + (one == two))
        kind += (three[0] == four[0]) + (three == four)
        kind = 100 * (2 * kind + self._kinds[before]) + totals
        result = self._known.get(kind)
        if result is None:
            result = tables.result(*self.parted([*map(NAME, cards[: SIZES[draws]])], draws))
            self._known[kind] = result
        return draws, result

    def parted(self, cards: Sequence[T], draws: int) -> tuple[list[T], list[T]]:
        """Part a round's cards, as they left the shoe, into the player's and the banker's."""
        hands, in_player = self.hands[draws](cards), IN_PLAYER[draws]
        return [*hands[:in_player]], [*hands[in_player:]]


def _places(sides: Sequence[Side], side: Side) -> list[int]:
    return [at for at, one in enumerate(sides) if one == side]
