"""What differs between two dealings of one shoe: cards, winners, money. Deals and settles nothing.

A bettor's net is returned + won - commission - stake; the house's is the bettors' negated sum. A
bet that one side could not take, its spot not being offered or its round not dealt, has no net
there; what that makes in money is counted in, and apart too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from schemas.events import BetPlaced, Limits, Refusal
from services.baccarat.bets import Stake, judge_set
from services.baccarat.redeal import Played
from services.baccarat.settlement import net

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from services.baccarat.game import Game
    from services.baccarat.redeal import Logged


class Money(msgspec.Struct, frozen=True):
    """Somebody's net by both, and b - a; ``one_sided`` is due to bets that only one could take."""

    a: int
    b: int
    difference: int
    one_sided: int


class BetCompared(msgspec.Struct, frozen=True):
    """A bet's net by both; null where it could not be taken."""

    bet: str
    bettor: str
    spot: str
    stake: int
    a: int | None
    b: int | None


class Difference(msgspec.Struct, frozen=True):
    """A round that differs: in its ``cards``, its ``winner``, or the ``money`` of bets both took.

    Where none of these is so, only bets that one side could not take differ. A side is null where
    the round was not dealt there.
    """

    round: int
    cards: bool
    winner: bool
    money: bool
    a: Played | None
    b: Played | None
    bets: tuple[BetCompared, ...]
    house: Money


class Reading(msgspec.Struct, frozen=True):
    """All rounds that differ in one reading, how many do in what, and everybody's money."""

    rounds: tuple[Difference, ...]
    cards: int
    winners: int
    money: int
    bettors: dict[str, Money]
    house: Money


class Outside(msgspec.Struct, frozen=True):
    """A bet that a rule set's limits would not allow: it is priced all the same."""

    rules: str
    bet: str
    bettor: str
    spot: str
    reason: Refusal


class _Sum:
    """Adds up what bets came to."""

    def __init__(self) -> None:
        self.a = self.b = self.one_sided = 0

    def add(self, bet: BetCompared, sign: int = 1) -> None:
        a, b = bet.a or 0, bet.b or 0
        self.a += sign * a
        self.b += sign * b
        if (bet.a is None) != (bet.b is None):
            self.one_sided += sign * (b - a)

    def money(self) -> Money:
        return Money(self.a, self.b, self.b - self.a, self.one_sided)


def compare(a: Sequence[Played], b: Sequence[Played], logged: Sequence[Logged]) -> Reading:
    """Compare two dealings of one shoe round by round; ``logged`` has the bets of each."""
    sides = ({one.round: one for one in a}, {one.round: one for one in b})
    bets = {one.number: one.bets for one in logged}
    house, bettors = _Sum(), dict[str, _Sum]()
    found: list[Difference] = []
    for number in sorted({*sides[0], *sides[1], *bets}):
        one, other = sides[0].get(number), sides[1].get(number)
        compared = _bets(bets.get(number, ()), one, other)
        for bet in compared:
            bettors.setdefault(bet.bettor, _Sum()).add(bet)
            house.add(bet, -1)
        difference = _difference(number, one, other, compared)
        if difference is not None:
            found.append(difference)
    return Reading(
        rounds=tuple(found),
        cards=sum(one.cards for one in found),
        winners=sum(one.winner for one in found),
        money=sum(one.money for one in found),
        bettors={name: total.money() for name, total in sorted(bettors.items())},
        house=house.money(),
    )


def _difference(
    number: int, a: Played | None, b: Played | None, bets: tuple[BetCompared, ...]
) -> Difference | None:
    house = _Sum()
    for bet in bets:
        house.add(bet, -1)
    cards, winner = _hands(a) != _hands(b), _winner(a) != _winner(b)
    money = any(None not in {bet.a, bet.b} and bet.a != bet.b for bet in bets)
    one_sided = any((bet.a is None) != (bet.b is None) for bet in bets)
    if not (cards or winner or money or one_sided):
        return None
    return Difference(number, cards, winner, money, a, b, bets, house.money())


def _hands(one: Played | None) -> tuple[object, ...] | None:
    return None if one is None else (one.player.cards, one.banker.cards)


def _winner(one: Played | None) -> str | None:
    return None if one is None else one.winner


def _bets(bets: Iterable[BetPlaced], a: Played | None, b: Played | None) -> tuple[BetCompared, ...]:
    nets = _nets(a), _nets(b)
    return tuple(
        BetCompared(
            bet.bet, bet.bettor, bet.spot, bet.stake, nets[0].get(bet.bet), nets[1].get(bet.bet)
        )
        for bet in bets
    )


def _nets(one: Played | None) -> Mapping[str, int]:
    return {} if one is None else {paid.bet: net(paid) for paid in one.settlements}


def outside(game: Game, limits: Limits, logged: Sequence[Logged]) -> list[Outside]:
    """Name the bets that a table with these rules and limits would not have taken, and why.

    Bets on spots that are not offered are left out. A stack of chips is not looked at: it was built
    for the chips of the table that it was bet at.
    """
    found: list[Outside] = []
    for one in logged:
        bets = [bet for bet in one.bets if bet.spot in game.rules.spots]
        player, banker = (
            sum(bet.stake for bet in bets if bet.spot == spot) for spot in ("player", "banker")
        )
        for bettor in dict.fromkeys(bet.bettor for bet in bets):
            reasons = _reasons(
                game, limits, [bet for bet in bets if bet.bettor == bettor], (player, banker)
            )
            found += [
                Outside(game.rules.name, bet.bet, bettor, bet.spot, reason)
                for bet, reason in reasons
            ]
    return found


def _reasons(
    game: Game, limits: Limits, bets: Sequence[BetPlaced], staked: tuple[int, int]
) -> list[tuple[BetPlaced, Refusal]]:
    """Judge one bettor's bets of a round: each by itself, then what is left of them together."""
    found: list[tuple[BetPlaced, Refusal]] = []
    left: list[BetPlaced] = []
    for bet in bets:
        reason = judge_set(game, limits, [Stake(bet.spot, bet.stake)])
        if reason is None or reason == "combination":
            left.append(bet)
        else:
            found.append((bet, reason))
    together = judge_set(game, limits, [Stake(bet.spot, bet.stake) for bet in left], *staked)
    return found if together is None else found + [(bet, together) for bet in left]
