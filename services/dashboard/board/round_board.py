"""One round as the board shows it: bets, cards as they fell, whose card is next. Settles nothing.

Events come in their own order; the outcome may come at any time among them, and again leaves the
same shape. What is against the rules is shown as it was said, its reason ``unknown``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from schemas.outcomes import RoundHalted, RoundResolved
from services.dashboard.board.bets_board import BetsBoard
from services.dashboard.board.reasons import ERROR, UNKNOWN, due
from services.dashboard.board.round_shapes import CardShape, Phase, RoundShape

if TYPE_CHECKING:
    from schemas import events as ev
    from schemas.cards import Card
    from services.baccarat.game import Game

_TWO: Final = 2
#: Every time of ours, and none that sorts behind them all.
_is_time = re.compile(
    r"\d{4}-(?:0\d|1[0-2])-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d\.\d{6}Z", re.ASCII
).fullmatch
_ANNUL: Final = "annul-and-burn"


def later(known: str | None, time: str) -> str | None:
    """Give the later of two times; one that is none is as if not said."""
    if known is not None and time <= known:
        return known
    return time if _is_time(time) else known


class Told:
    """An outcome with the time of its entry."""

    __slots__ = ("outcome", "seq", "time")

    def __init__(self, outcome: RoundResolved | RoundHalted, time: str, seq: int) -> None:
        """``seq`` is the event's that the outcome stands right after."""
        self.outcome = outcome
        self.time = time
        self.seq = seq


class RoundBoard:
    """A round from its ``round.opened`` on, or from its outcome where nobody saw it opened."""

    __slots__ = (
        "_broken", "_due", "_game", "_hands", "_phase", "_reason", "address", "bets", "cards",
        "number", "opened", "ran_out", "told", "updated",
    )  # fmt: skip

    def __init__(self, number: int, address: str, time: str, game: Game | None) -> None:
        """``address`` is the round's, like ``T7/12#17``; ``game`` None where no rules are known."""
        self.number = number
        self.address = address
        self.opened = time
        self.updated = time
        self.cards: list[CardShape] = []
        self.told: Told | None = None
        #: Whether it was voided by the rules for want of cards, whatever people call their reason.
        self.ran_out = False
        self._game = game
        self._phase: Phase = "betting"
        self._reason: str | None = None
        self._hands: dict[str, list[Card]] = {"player": [], "banker": [], "error": []}
        self._due = due(game, (), ()) if game is not None else (None, UNKNOWN)
        #: Whether a card fell that the rules would not have drawn, or one cannot be read.
        self._broken = game is None
        self.bets = BetsBoard()

    # ------------------------------------------------------------------------------------- events

    def touch(self, time: str) -> None:
        """Take the time of an event of this round."""
        self.updated = later(self.updated, time) or time

    def unreadable(self) -> None:
        """Take an event that cannot be read: it may have been a card."""
        self._broken = True
        self._due = (None, UNKNOWN)

    def closed(self) -> None:
        """Take no more bets."""
        self._phase = "closed"

    def draw(self, said: ev.CardDrawn, at: str) -> None:
        """Lay a card down."""
        self._phase = "dealing"
        hand = self._hands[said.hand]
        hand.append(said.card)
        game = self._game
        if game is None:
            self.cards.append(CardShape(said.hand, said.card, said.position, at, None, UNKNOWN))
            return
        side, reason = self._due
        if said.hand == "error":
            reason = ERROR
            if game.rules.misdraw == _ANNUL and not self._broken:
                self._due = (None, ERROR)
        elif self._broken or side != said.hand:
            reason, self._broken, self._due = UNKNOWN, True, (None, UNKNOWN)
        else:
            self._due = due(game, self._hands["player"], self._hands["banker"])
        total = game.total(hand)
        self.cards.append(CardShape(said.hand, said.card, said.position, at, total, reason))

    def dealt(self) -> None:
        """Both hands are said to be complete."""
        self._phase = "dealt"

    def void(self, said: ev.RoundVoided) -> None:
        """It does not count."""
        self._phase = "voided"
        self._reason = said.reason
        self.ran_out = said.command is None and said.reason == "shoe-exhausted"

    @property
    def is_done(self) -> bool:
        """Whether no card of it is to come, by its events."""
        return self._phase in {"dealt", "voided"}

    # -------------------------------------------------------------------------------------- shown

    @property
    def phase(self) -> Phase:
        """How far it has come; an outcome is the end of it."""
        if self.told is None:
            return self._phase
        if isinstance(self.told.outcome, RoundHalted):
            return "halted"
        return "voided" if self.told.outcome.winner == "void" else "settled"

    def shape(self, *, whole: bool = True) -> RoundShape:
        """Give the round; not ``whole``: of many bets the newest, for it is given with each."""
        told = None if self.told is None else self.told.outcome
        resolved = told if isinstance(told, RoundResolved) else None
        phase = self.phase
        over = phase in {"voided", "halted"}
        players, bankers = self._hands["player"], self._hands["banker"]
        reason = self._reason
        if isinstance(told, RoundHalted):
            reason = told.reason
        first = (players, bankers)
        if resolved is not None and not (players or bankers):
            first = (list(resolved.player.cards), list(resolved.banker.cards))
        side, why = self._due
        if told is not None and not self.cards:
            why = UNKNOWN
        bets, more = self.bets.shape(() if told is None else told.settlements, whole=whole)
        return RoundShape(
            number=self.number,
            at=self.address,
            phase=phase,
            opened=self.opened,
            updated=self.updated if self.told is None else _updated(self.updated, self.told.time),
            cards=tuple(self.cards),
            player_total=self._total(players, None if resolved is None else resolved.player.total),
            banker_total=self._total(bankers, None if resolved is None else resolved.banker.total),
            next=None if over or phase == "settled" else side,
            next_why=None if over else why,
            bets=bets,
            bets_more=more,
            winner=None if resolved is None else resolved.winner,
            natural=self._natural() if resolved is None else resolved.natural,
            player_pair=_is_pair(first[0]),
            banker_pair=_is_pair(first[1]),
            house=None if told is None else told.house,
            reason=reason,
        )

    def _total(self, hand: list[Card], told: int | None) -> int | None:
        if told is not None:
            return told
        return self._game.total(hand) if hand and self._game is not None else None

    def _natural(self) -> bool:
        return self._due[1].why == "natural" and self._phase != "voided"


def _updated(event: str, outcome: str) -> str:
    return later(event, outcome) or event


def _is_pair(hand: list[Card]) -> bool:
    return len(hand) >= _TWO and hand[0][0] == hand[1][0]
