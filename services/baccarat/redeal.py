"""A logged shoe by other rules: the same coups, or the whole shoe dealt again. Reads no log.

What people decided stays as it was: the bets, by their round's number, whatever a bankroll would
have come to; rounds voided for another reason than an empty shoe, which take as many cards as they
took; cards put aside, or dealt later than they were drawn. What the rules decide is done anew by
the rule set in question: burn, cut card, who draws, what is paid, how the shoe ends. The shoe's own
size counts, not the rule set's decks. Bets outside a rule set's limits are priced all the same;
``compare.outside`` names them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from schemas.cards import Card
from schemas.events import BetPlaced
from schemas.outcomes import HandResult, Settlement
from schemas.ruleset import Side
from services.baccarat.course import STRAIGHT, Course, Unseen, Way
from services.baccarat.ending import ShoeProgress, burn_count, cut_card_index, shoe_over
from services.baccarat.settlement import void_settlement

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from services.baccarat.course import KnownCards
    from services.baccarat.game import Game

    Take = Callable[[], tuple[int, Card] | None]


class Logged(NamedTuple):
    """A settled round of a log; ``start`` is the position of its first card to a hand, if any.

    ``voided`` rounds did not count, for another reason than that the shoe ran out; they took
    ``taken`` cards to their hands. ``then`` is the second card's position where it is not the next:
    the first one was drawn in error, and the hand before drew on.
    """

    number: int
    bets: tuple[BetPlaced, ...]
    start: int | None
    voided: bool
    taken: int
    then: int | None = None


class Drawn(msgspec.Struct, frozen=True):
    """A card of a round: where it went, its position in the shoe, and why it was drawn."""

    hand: str
    card: Card
    position: int
    reason: str


class Played(msgspec.Struct, frozen=True):
    """A round by a rule set; ``unplaceable`` are the bets on spots that it does not offer."""

    round: int
    rules: str
    cards: tuple[Drawn, ...]
    player: HandResult
    banker: HandResult
    winner: str
    settlements: tuple[Settlement, ...]
    unplaceable: tuple[str, ...]


def same_coup(game: Game, logged: Logged, cards: KnownCards) -> Played:
    """Deal a round again from the position where it began, as if the shoe began there."""
    if logged.start is None:
        return _void(game, logged, [])
    way = Way(cards.course, logged.start, lambda _position: None)

    def take() -> tuple[int, Card] | None:
        way.skip()
        if cards.size is not None and way.position >= cards.size and not way.has_late:
            return None
        position = way.next()
        card = cards.at(position)
        if card is None:
            what = f"the card at position {position} is not known from this log"
            raise Unseen(what, mend="come again once the shoe is closed")
        return position, card

    return _round(game, logged, take)


def deal_again(
    game: Game,
    rounds: Sequence[Logged],
    order: Sequence[Card],
    course: Course = STRAIGHT,
    *,
    reshuffle_at: int | None = None,
    to_the_end: bool = True,
) -> list[Played]:
    """Deal a whole shoe from its first card on, with the bets of the log's rounds by number.

    ``to_the_end``: until the rules end the shoe, whatever the log's number of rounds; else as many
    rounds as the log has at most, for it was closed on demand. ``reshuffle_at`` as in
    ``ShoeProgress``.
    """
    logged: Mapping[int, Logged] = {one.number: one for one in rounds}
    shoe = _Shoe(game, order, course, reshuffle_at)
    played: list[Played] = []
    last = max(logged, default=0)
    while not shoe.over and (to_the_end or len(played) < last):
        number = len(played) + 1
        one = logged.get(number) or Logged(number, (), None, voided=False, taken=0)
        played.append(shoe.round(one))
    return played


class _Shoe:
    """A shoe being dealt again: what the dealer keeps count of."""

    def __init__(
        self, game: Game, order: Sequence[Card], course: Course, reshuffle_at: int | None
    ) -> None:
        self._game = game
        self._order = order
        self._cut = cut_card_index(game.rules, len(order))
        #: Whether the hand in play, or the next, has no card yet.
        self._first = True
        self._ran_out = False
        self._progress = ShoeProgress(len(order), 0, 0, reshuffle_at=reshuffle_at)
        self._way = Way(course, 0, self._leaves)
        self._way.skip()
        if game.rules.burn is not None and order:
            for _ in range(1 + burn_count(game.rules, order[0])):
                self._take()

    @property
    def over(self) -> bool:
        """Whether no further round is opened."""
        return self._ran_out or shoe_over(self._game.rules, self._progress)

    def round(self, one: Logged) -> Played:
        """Deal the next round."""
        played = _round(self._game, one, self._take_to_hand)
        if not one.voided:
            self._ran_out = played.winner == "void"
            self._progress.hands += not self._ran_out
        self._first = True
        return played

    def _take_to_hand(self) -> tuple[int, Card] | None:
        return self._take(to_hand=True)

    def _take(self, *, to_hand: bool = False) -> tuple[int, Card] | None:
        if self._way.position >= len(self._order) and not self._way.has_late:
            return None
        position = self._way.next()
        self._first = self._first and not to_hand
        self._way.skip()
        return position, self._order[position]

    def _leaves(self, position: int) -> None:
        progress = self._progress
        if position == self._cut:
            progress.cut_out_hand = progress.hands + 1
            progress.cut_out_before_first = self._first
        progress.position = position + 1


def _round(game: Game, one: Logged, take: Take) -> Played:
    """Deal and settle a round; it is void where the log says so, or where the cards run out."""
    hands: dict[Side, list[Card]] = {"player": [], "banker": []}
    drawn: list[Drawn] = []
    while not one.voided or len(drawn) < one.taken:
        hand = game.next_draw(hands["player"], hands["banker"])
        if hand is None:
            break
        reason = game.why(hands["player"], hands["banker"])
        taken = take()
        if taken is None:
            return _void(game, one, drawn)
        position, card = taken
        drawn.append(Drawn(hand, card, position, reason))
        hands[hand].append(card)
    if one.voided:
        for _ in range(one.taken - len(drawn)):  # they went elsewhere then; they are gone
            take()
        return _void(game, one, drawn)
    player, banker = hands["player"], hands["banker"]
    result = game.result(player, banker)
    offered = [bet for bet in one.bets if bet.spot in game.rules.spots]
    return Played(
        round=one.number,
        rules=game.rules.name,
        cards=tuple(drawn),
        player=HandResult(tuple(player), result.player_total),
        banker=HandResult(tuple(banker), result.banker_total),
        winner=result.winner,
        settlements=tuple(
            game.settle(bet.bet, bet.bettor, bet.spot, bet.stake, result) for bet in offered
        ),
        unplaceable=_unplaceable(game, one),
    )


def _void(game: Game, one: Logged, drawn: Sequence[Drawn]) -> Played:
    hands = {side: tuple(c.card for c in drawn if c.hand == side) for side in ("player", "banker")}
    return Played(
        round=one.number,
        rules=game.rules.name,
        cards=tuple(drawn),
        player=HandResult(hands["player"], game.total(hands["player"])),
        banker=HandResult(hands["banker"], game.total(hands["banker"])),
        winner="void",
        settlements=tuple(
            void_settlement(bet.bet, bet.bettor, bet.spot, bet.stake)
            for bet in one.bets
            if bet.spot in game.rules.spots
        ),
        unplaceable=_unplaceable(game, one),
    )


def _unplaceable(game: Game, one: Logged) -> tuple[str, ...]:
    return tuple(bet.bet for bet in one.bets if bet.spot not in game.rules.spots)
