"""Rounds that were plainly good and taken whole, and how a fold goes on after one. Judges nothing.

All checks are made before: what is done here cannot be undone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from services.auditor import ending
from services.auditor.state import COMPLETE, Round, State

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schemas.cards import Card
    from services.auditor.betting import Repeated, Row


class TakenRound(Round):
    """A good round, as it was after its outcome."""

    phase = COMPLETE
    dealt = settled = True
    bets: list[Row] = []  # noqa: RUF012 - nobody adds to those of a round that is settled

    def __init__(
        self,
        number: int,
        opened: int,
        ended: int,
        start: int,
        player: list[Card],
        banker: list[Card],
        stakes: tuple[tuple[str, int], ...],
    ) -> None:
        """Note the events that opened and ended it, where its cards begin, hands and stakes."""
        self.number = number
        self.opened = opened
        self.ended = ended
        self.start = start
        self.stop = start + len(player) + len(banker)
        self.player = player
        self.banker = banker
        self.stakes = stakes


def take_out(left: dict[str, int], cards: Sequence[Card]) -> bool:
    """Take cards out of those left in a shoe; take none where one is not there."""
    short = False
    for card in cards:
        copies = left[card] - 1
        left[card] = copies
        if copies < 0:
            short = True
    if short:
        for card in cards:
            left[card] += 1
    return not short


def accept(st: State, done: TakenRound, cards: tuple[Card, ...], bets: Repeated, time: str) -> None:
    """Go on from the end of a good round, its cards being taken out and its money moved."""
    number, ended = done.number, done.ended
    st.seen.append((done.start, cards, ended - len(cards), number))
    st.seq = ended
    st.next = ended + 1
    st.time = time
    st.position = done.stop
    st.outcomes += 1
    st.bets += len(bets.rows)
    st.verdict_for = st.round_number = number
    st.betting.skip_round(number, bets)
    st.rounds.append(done)
    ending.after_round(st, done)
