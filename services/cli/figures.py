"""What a session at the table comes to: a fold over its outcomes. Keeps nothing on disk.

The document says that "game statistics" are saved and not which (silent): the hands and who won
them, and what one bettor staked, won and lost.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from schemas.outcomes import RoundResolved
from services.baccarat import net

if TYPE_CHECKING:
    from schemas.outcomes import RoundHalted


class Figures(msgspec.Struct):
    """One bettor's session in numbers; money in minor units.

    ``hands`` = banker + player + ties; a voided or halted round is none. ``paid`` is what winning
    bets brought before commission, ``net`` the profit, ``best`` and ``worst`` the highest and the
    lowest that it stood at, ``largest`` the largest stake. Bets neither won nor lost came back.
    """

    shoes: int = 0
    hands: int = 0
    banker: int = 0
    player: int = 0
    ties: int = 0
    naturals: int = 0
    bets: int = 0
    won: int = 0
    lost: int = 0
    staked: int = 0
    paid: int = 0
    commission: int = 0
    net: int = 0
    best: int = 0
    worst: int = 0
    largest: int = 0
    restarts: int = 0

    def outcome(self, said: RoundResolved | RoundHalted, bettor: str) -> None:
        """Add a round; it was the shoe's first where its number is 1."""
        if said.round == 1:
            self.shoes += 1
        if isinstance(said, RoundResolved):
            self._hand(said)
        for one in said.settlements:
            if one.bettor != bettor:
                continue
            self.bets += 1
            self.won += one.result == "win"
            self.lost += one.result == "lose"
            self.staked += one.stake
            self.paid += one.won
            self.commission += one.commission
            self.net += net(one)
            self.largest = max(self.largest, one.stake)
        self.best = max(self.best, self.net)
        self.worst = min(self.worst, self.net)

    def _hand(self, said: RoundResolved) -> None:
        if said.winner == "void":
            return
        self.hands += 1
        self.naturals += said.natural
        self.banker += said.winner == "banker"
        self.player += said.winner == "player"
        self.ties += said.winner == "tie"
