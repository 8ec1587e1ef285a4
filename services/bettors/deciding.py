"""The card that decides a game of so many hands. Knows which cards fell, never which will.

Source: ``specs/sources.md`` A, after the question of 000_d744afdfeb946d00.txt: "Which card
determines the outcome of this game?"
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from schemas.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schemas.cards import Card
    from schemas.ruleset import Side
    from services.baccarat import Game

    Cards = tuple[Card, ...]
    Likeness = tuple[int, int, int]


class Deciding(NamedTuple):
    """The deciding card: its hand from 1, its place in the hand from 0, and how it decided."""

    hand: int
    card: int
    goal_met: bool


def deciding_card(
    game: Game, drawn: Sequence[Sequence[Card]], *, side: Side, wins: int, hands: int
) -> Deciding | None:
    """Find the first card after which all continuations agree whether ``side`` gets its ``wins``.

    ``drawn`` has the cards of each of up to ``hands`` hands in the order they were drawn, voided
    rounds left out; only the last may be unfinished. Each unseen card may have any value, and a tie
    is no win. None: no card has decided it yet, or there was nothing to decide.
    """
    prospects = _Prospects(game, side)
    fresh = prospects.of((), ())
    won = 0
    for number, cards in enumerate(drawn[:hands], start=1):
        later = hands - number
        player: Cards = ()
        banker: Cards = ()
        now = fresh
        for index, card in enumerate(cards):
            player, banker = _dealt(game, player, banker, card, number)
            now = prospects.of(player, banker)
            least = won + min(now) + later * min(fresh)
            most = won + max(now) + later * max(fresh)
            if least >= wins or most < wins:
                return Deciding(number, index, least >= wins)
        won += min(now)
    return None


def _dealt(
    game: Game, player: Cards, banker: Cards, card: Card, number: int
) -> tuple[Cards, Cards]:
    side = game.next_draw(player, banker)
    if side is None:
        raise InputError(f"{card} was drawn after both hands were complete", f"hand {number}")
    return ((*player, card), banker) if side == "player" else (player, (*banker, card))


class _Prospects:
    """Whether a hand in play can still be won and can still be missed by one side."""

    def __init__(self, game: Game, side: Side) -> None:
        self._game = game
        self._side = side
        self._one_of_each_value = {value: card for card, value in game.values.items()}.values()
        self._known: dict[tuple[Likeness, Likeness], frozenset[bool]] = {}

    def of(self, player: Cards, banker: Cards) -> frozenset[bool]:
        """Give what the hand can come to: won (True), missed (False) or either."""
        like = (self._likeness(player), self._likeness(banker))
        if like not in self._known:
            self._known[like] = self._explored(player, banker)
        return self._known[like]

    def _explored(self, player: Cards, banker: Cards) -> frozenset[bool]:
        side = self._game.next_draw(player, banker)
        if side is None:
            return frozenset({self._game.result(player, banker).winner == self._side})
        to_player = side == "player"
        found: frozenset[bool] = frozenset()
        for card in self._one_of_each_value:
            found |= self.of(
                (*player, card) if to_player else player,
                banker if to_player else (*banker, card),
            )
        return found

    def _likeness(self, hand: Cards) -> Likeness:
        """Name what draws and results ask of a hand: its first total and its third card's value."""
        return len(hand), self._game.total(hand[:2]), self._game.total(hand[2:])
