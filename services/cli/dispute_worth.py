"""What a claim would be worth: bets as recorded, as claimed, and at most. It judges no claim."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from schemas.outcomes import Winner
from services.baccarat import net
from services.baccarat.possible import net_of, spans

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from schemas.disputes import DisputeOpened
    from schemas.events import BetPlaced, BetRefused
    from services.baccarat import Game, RoundResult
    from services.cli.log_view import LogView, RoundView

_TWO: Final = 2
Stakes = list[tuple[str, int]]


class Staked(msgspec.Struct, frozen=True):
    """A bet as the claim has it: a spot and a stake."""

    spot: str
    stake: int


class HadItBeen(msgspec.Struct, frozen=True):
    """What the bets as claimed bring where this side wins: the least and the most (nets)."""

    winner: Winner
    least: int
    most: int


class Worth(msgspec.Struct, frozen=True):
    """What the claim is about, in minor units of the bettor's net.

    ``paid`` is what the bets on record brought; ``due`` what they bring by the rules on the cards
    as they lie, and ``claimed`` the bets as claimed (null where the round has no complete hands).
    ``most`` is the most that the bets as claimed bring in any round, less what was paid.
    """

    bettor: str
    paid: int
    due: int | None
    claimed: int | None
    bets: tuple[Staked, ...]
    outcomes: tuple[HadItBeen, ...]
    most: int


def worth(
    view: LogView, one: RoundView, said: DisputeOpened, asked: Iterable[BetPlaced | BetRefused]
) -> Worth | None:
    """Price a claim; None where it is nobody's in particular. ``asked`` are the round's bets."""
    bettor = said.bettor
    if bettor is None:
        return None
    mine = [bet for bet in one.bets if bet.bettor == bettor and said.bet in {None, bet.bet}]
    names = {bet.bet for bet in mine}
    settled = () if one.outcome is None else one.outcome.settlements
    paid = sum(net(bet) for bet in settled if bet.bet in names)
    recorded = _known(view.game, [(bet.spot, bet.stake) for bet in mine])
    claimed = _known(view.game, _claimed(said, recorded, asked))
    result = _result(view, one)
    had = [HadItBeen(*span) for span in spans(view.game, claimed)]
    return Worth(
        bettor=bettor,
        paid=paid,
        due=None if result is None else net_of(view.game, recorded, result),
        claimed=None if result is None else net_of(view.game, claimed, result),
        bets=tuple(Staked(*bet) for bet in claimed),
        outcomes=tuple(had),
        most=max(span.most for span in had) - paid,
    )


def _claimed(
    said: DisputeOpened, recorded: Stakes, asked: Iterable[BetPlaced | BetRefused]
) -> Stakes:
    """Give the bets as the claim has them: one with other terms, or one more."""
    if said.bet is not None:
        bet = next((bet for bet in asked if bet.bet == said.bet), None)
        spot = said.spot or (None if bet is None else bet.spot)
        stake = said.stake or (None if bet is None else bet.stake)
        return [] if spot is None or stake is None else [(spot, stake)]
    if said.spot is not None and said.stake is not None:
        return [*recorded, (said.spot, said.stake)]
    return recorded


def _known(game: Game, stakes: Sequence[tuple[str, int]]) -> Stakes:
    """Leave out bets on spots that the rules do not have: nothing says what they would pay."""
    return [(spot, stake) for spot, stake in stakes if spot in game.rules.spots]


def _result(view: LogView, one: RoundView) -> RoundResult | None:
    """Tell what the cards on record come to, however they were read; None for a void round."""
    hands = [
        [card.card for card in one.cards if card.hand == side] for side in ("player", "banker")
    ]
    void = one.voided is not None or getattr(one.outcome, "winner", None) == "void"
    if void or min(map(len, hands)) < _TWO:
        return None
    return view.game.result(*hands)
