"""Every way a round can come out by a rule set, as far as any bet can ask. It deals no shoe."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from schemas.cards import DECK
from services.baccarat.settlement import Price

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from schemas.cards import Card
    from schemas.outcomes import Winner
    from services.baccarat.game import Game
    from services.baccarat.result import RoundResult


class Span(NamedTuple):
    """The least and the most that bets can bring together where this side wins (nets)."""

    winner: Winner
    least: int
    most: int


def spans(game: Game, stakes: Sequence[tuple[str, int]]) -> list[Span]:
    """Tell what these bets, (spot, stake) each, can bring together by who wins the round.

    They are priced in one round, so that what cannot come together is not added up. Any card may
    come: of a whole number of decks, not of what is left in some shoe.
    """
    nets: dict[Winner, list[int]] = {}
    for result in possible(game):
        nets.setdefault(result.winner, []).append(net_of(game, stakes, result))
    return [Span(winner, min(found), max(found)) for winner, found in sorted(nets.items())]


def net_of(game: Game, stakes: Sequence[tuple[str, int]], result: RoundResult) -> int:
    """Give the net of bets, (spot, stake) each, in a round that came out so."""
    net = 0
    for spot, stake in stakes:
        paid = Price(game.rules, spot, result).pay(stake)
        net += paid.net(stake)
    return net


@lru_cache(maxsize=16)
def possible(game: Game) -> frozenset[RoundResult]:
    """Give every result that can be; one pair of cards stands for all that are alike to a bet."""
    found: set[RoundResult] = set()
    pairs = list(_pairs(game))
    thirds = list({game.values[card]: card for card in DECK}.values())
    for player in pairs:
        for banker in pairs:
            found.update(game.result(*hands) for hands in _drawn(game, player, banker, thirds))
    return frozenset(found)


def _pairs(game: Game) -> Iterator[tuple[Card, ...]]:
    """Give one pair of cards for each total, with and without the two being alike."""
    seen = set()
    for one in DECK:
        for other in DECK:
            alike = one == other
            if alike and game.rules.decks == 1:
                continue
            kind = (game.total([one, other]), one[0] == other[0], alike)
            if kind not in seen:
                seen.add(kind)
                yield one, other


def _drawn(
    game: Game, player: tuple[Card, ...], banker: tuple[Card, ...], thirds: Sequence[Card]
) -> Iterator[tuple[tuple[Card, ...], tuple[Card, ...]]]:
    side = game.next_draw(player, banker)
    if side is None:
        yield player, banker
        return
    for card in thirds:
        if side == "player":
            yield from _drawn(game, (*player, card), banker, thirds)
        else:
            yield from _drawn(game, player, (*banker, card), thirds)
