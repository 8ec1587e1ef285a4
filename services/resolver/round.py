"""One round as the resolver folds it: its bets, its hands, its outcome. It may not skip a rule.

A round that was not dealt by the rules it was opened with is halted, never paid.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from schemas.money import LARGEST
from schemas.outcomes import HaltReason, HandResult, RoundResolved, Settlement
from services.baccarat import void_settlement

if TYPE_CHECKING:
    from schemas.cards import Card
    from schemas.events import BetPlaced
    from schemas.ruleset import Side
    from services.baccarat import Game

_FIRST: Final = 4
_TWO: Final = 2
#: Opened, closed to bets, dealt.
_ENDS: Final = 3


class OpenRound:
    """A round from its ``round.opened`` to its outcome.

    ``opened`` is that event's number, ``stem`` what stands before it in its address.
    """

    __slots__ = (
        "_banker",
        "_bets",
        "_due",
        "_first",
        "_game",
        "_player",
        "all_spoke",
        "number",
        "opened",
    )

    def __init__(self, number: int, opened: int, stem: str, game: Game) -> None:
        """Begin with no bet and no card."""
        self.number, self.opened = number, opened
        #: The bets were closed by nobody's command, since all had spoken.
        self.all_spoke = False
        self._first = f"{stem}{opened}"
        self._game = game
        #: In the order placed; None once taken back, for an id is never used again.
        self._bets: dict[str, BetPlaced | None] = {}
        self._player: list[Card] = []
        self._banker: list[Card] = []
        self._due = game.next_draw(self._player, self._banker)

    def place(self, bet: BetPlaced) -> HaltReason | None:
        """Take a bet, or say why it cannot be settled."""
        if bet.stake < 1 or bet.bet in self._bets:
            return "bet"
        # Bets that are judged at the close may lie anywhere until then.
        rules = self._game.rules
        if bet.spot not in rules.spots and rules.judged == "on-arrival":
            return "spot"
        self._bets[bet.bet] = bet
        return None

    def withdraw(self, bet: str) -> HaltReason | None:
        """Take a bet back, or say that there is none."""
        if self._bets.get(bet) is None:
            return "bet"
        self._bets[bet] = None
        return None

    def draw(self, hand: Side, card: Card) -> HaltReason | None:
        """Give a card to a hand, or say which rule forbids it."""
        player, banker, due = self._player, self._banker, self._due
        if hand != due:
            if len(player) + len(banker) < _FIRST:
                return "deal-order"
            return "draw-missing" if due == "player" else "draw-extra"
        (player if hand == "player" else banker).append(card)
        self._due = self._game.next_draw(player, banker)
        return None

    @property
    def is_undealt(self) -> bool:
        """Whether no card was drawn yet."""
        return not self._player and not self._banker

    def deal(self, player: list[Card], banker: list[Card]) -> None:
        """Take two complete hands, dealt by the rules."""
        self._player, self._banker = player, banker
        self._due = None

    def bets_of(self, events: int) -> list[BetPlaced] | None:
        """Give the bets, if in so many events nothing was said but them, the cards and the ends."""
        bets = [bet for bet in self._bets.values() if bet is not None]
        least = len(bets) + len(self._player) + len(self._banker) + _ENDS
        return bets if self.all_spoke and events == least else None

    def err(self) -> HaltReason | None:
        """Say why no card can be drawn in error now: it is due to a hand. None where one can.

        A card too many is drawn once no more are due, or for a player who stands.
        """
        if len(self._player) + len(self._banker) < _FIRST:
            return "deal-order"
        if self._due == "player":
            return "draw-missing"
        return "draw-extra" if self._due == "banker" and len(self._player) > _TWO else None

    def dealt(self, through: str) -> HaltReason | RoundResolved:
        """Settle the round, or say why it cannot be."""
        if self._due is not None:
            return "draw-missing"
        result = self._game.result(self._player, self._banker)
        prices = self._game.prices(result)
        settlements: list[Settlement] = []
        house = 0
        for bet in self._bets.values():
            if bet is None:
                continue
            stake = bet.stake
            price = prices.get(bet.spot)
            if price is None:
                return "spot"
            outcome, odds, won, commission, returned = price.pay(stake)
            if won > LARGEST or not -LARGEST <= commission <= LARGEST:
                return "money"
            house += stake - returned - won + commission
            settlements.append(
                Settlement(
                    bet.bet, bet.bettor, bet.spot, stake, outcome, odds, won, commission, returned
                )
            )
        if not -LARGEST <= house <= LARGEST:
            return "money"
        return RoundResolved(
            self.number,
            self._first,
            through,
            HandResult(tuple(self._player), result.player_total),
            HandResult(tuple(self._banker), result.banker_total),
            result.winner,
            result.natural,
            tuple(settlements),
            house,
        )

    def voided(self, through: str) -> RoundResolved:
        """Give all stakes back; the hands are what was drawn until now."""
        total = self._game.total
        return RoundResolved(
            self.number,
            self._first,
            through,
            HandResult(tuple(self._player), total(self._player)),
            HandResult(tuple(self._banker), total(self._banker)),
            "void",
            natural=False,
            settlements=self.returned(),
            house=0,
        )

    def returned(self) -> tuple[Settlement, ...]:
        """Give each standing bet's stake back."""
        return tuple(
            void_settlement(bet.bet, bet.bettor, bet.spot, bet.stake)
            for bet in self._bets.values()
            if bet is not None
        )
