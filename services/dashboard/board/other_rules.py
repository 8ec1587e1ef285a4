"""What other rules would have made of a round: the same coup dealt again, as the board shows it.

The round begins with the card that it began with, bets stand as they were placed. Deals and prices
nothing itself; pure, and of a board's fold it changes nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from schemas.outcomes import RoundResolved
from schemas.ruleset import named, parse
from services.baccarat import net
from services.baccarat.course import Unseen
from services.baccarat.game import compile_rules
from services.baccarat.redeal import Logged, Played, same_coup
from services.dashboard.board.asked_shapes import OtherBetShape, OtherCardShape, OtherShape
from services.dashboard.board.reasons import due
from services.dashboard.board.shoe_board import ShoeBoard

if TYPE_CHECKING:
    from typing import Literal

    from schemas.cards import Card
    from schemas.outcomes import Winner
    from services.baccarat.game import Game
    from services.dashboard.board.round_board import RoundBoard


def under(board: object, number: int, rules: str) -> OtherShape | None:
    """Tell what a published rule set makes of a round of a board; None where there is none.

    Raises ``InputError`` for rules that are not published. It takes about a millisecond, once the
    rules were compiled.
    """
    game = compile_rules(parse(named(rules).text))
    shoe = board.shoe if isinstance(board, ShoeBoard) else None
    one = None if shoe is None else shoe.round(number)
    if shoe is None or one is None:
        return None
    if one.told is None:
        return _unsaid(game, "open")
    try:
        played = same_coup(game, logged(one), shoe.known())
    except Unseen:
        return _unsaid(game, "unseen")
    return _shape(game, one, played)


def logged(one: RoundBoard) -> Logged:
    """Give a settled round as other rules can deal it again."""
    dealt = [card.position for card in one.cards if card.hand != "error"]
    told = None if one.told is None else one.told.outcome
    void = not isinstance(told, RoundResolved) or told.winner == "void"
    return Logged(
        number=one.number,
        bets=one.bets.standing,
        start=dealt[0] if dealt else None,
        voided=void and not one.ran_out,
        taken=len(dealt),
        then=next((at for at in dealt[1:2] if at > dealt[0] + 1), None),
    )


def _unsaid(game: Game, why_not: Literal["unseen", "open"]) -> OtherShape:
    rules = game.rules
    return OtherShape(rules.name, rules.title, (), None, None, None, (), (), why_not)


def _shape(game: Game, one: RoundBoard, played: Played) -> OtherShape:
    return OtherShape(
        rules=game.rules.name,
        title=game.rules.title,
        cards=_cards(game, played),
        winner=cast("Winner", played.winner),
        player_total=played.player.total if played.player.cards else None,
        banker_total=played.banker.total if played.banker.cards else None,
        bets=_bets(one, played),
        unplaceable=played.unplaceable,
    )


def _cards(game: Game, played: Played) -> tuple[OtherCardShape, ...]:
    hands: dict[str, list[Card]] = {"player": [], "banker": []}
    shapes = []
    for card in played.cards:
        _side, reason = due(game, hands["player"], hands["banker"])
        hand = hands[card.hand]
        hand.append(card.card)
        total = game.total(hand)
        shapes.append(OtherCardShape(card.hand, card.card, card.position, total, reason))
    return tuple(shapes)


def _bets(one: RoundBoard, played: Played) -> tuple[OtherBetShape, ...]:
    told = () if one.told is None else one.told.outcome.settlements
    was = {paid.bet: net(paid) for paid in told}
    by_them = {paid.bet: paid for paid in played.settlements}
    shapes = []
    for bet in one.bets.standing:
        terms = (bet.bet, bet.bettor, bet.spot, bet.stake, was.get(bet.bet))
        paid = by_them.get(bet.bet)
        if paid is None:
            shapes.append(OtherBetShape(*terms, None))
            continue
        what = (paid.result, paid.odds, paid.won, paid.commission, paid.returned)
        shapes.append(OtherBetShape(*terms, net(paid), *what))
    return tuple(shapes)
