"""Cards drawn in error, as the resolver folds them: where the policy lets each be played.

It halts a round whose hands are not those that the policy makes; how a card is put aside, and
whether a dummy hand was bet on, is for the auditor to say. Source: ``docs/procedure.md``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from schemas.cards import Card
    from schemas.outcomes import HaltReason
    from services.resolver.round import OpenRound

_ANNUL: Final = "annul-and-burn"
_TO_BANKER: Final = "banker-or-next-hand"


class Misdraws:
    """One shoe's cards in error. ``on_table`` is False almost always, and then nothing is asked."""

    __slots__ = ("_card", "_policy", "_position", "_round", "on_table")

    def __init__(self, policy: str) -> None:
        """Begin with none; ``policy`` is the rule set's ``misdraw``."""
        self._policy = policy
        self._round = 0
        self._position = -1
        self._card: Card | None = None
        #: A card in error was drawn and neither played nor put aside since.
        self.on_table = False

    def drawn(self, current: OpenRound, position: int, card: Card) -> HaltReason | None:
        """Lay a card in error on the table, or say why it cannot have been drawn in error."""
        if self.on_table or self._round == current.number:
            return "draw-extra"
        wrong = current.err()
        if wrong is None:
            self._round, self._position, self._card = current.number, position, card
            self.on_table = True
        return wrong

    def taken(self, position: int, card: Card | None) -> bool:
        """Tell whether this is the card on the table, taken up again; ``card`` may be unseen."""
        same = self.on_table and position == self._position and card in {None, self._card}
        self.on_table = self.on_table and not same
        return same

    def forbids(self, current: OpenRound, position: int) -> HaltReason | None:
        """Say why a hand may not have this card while another lies on the table."""
        again = position == self._position
        if current.number != self._round:
            if self._policy == _ANNUL:  # it ought to have been burned
                self.on_table = False
                return None
            return None if again else "card-order"  # the next hand begins with it
        if self._policy == _TO_BANKER:
            return None if again else "draw-extra"
        return "draw-extra" if again or self._policy == _ANNUL else None

    def annuls(self, number: int) -> bool:
        """Tell whether this round, having had a card in error, may not be paid."""
        return self._policy == _ANNUL and self._round == number
