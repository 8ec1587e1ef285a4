"""The cards of the open shoe in their order, as far as it is settled; its secret. Deals none.

No log line, error or event may have either before the shoe closes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemas import events as ev
from schemas.address import Shoe
from schemas.ruleset import Drawn
from services.baccarat import bomb_deck
from services.dealer import order as shoe_order

if TYPE_CHECKING:
    from schemas.cards import Card
    from services.dealer.opening import Opener
    from services.dealer.secret import Secret
    from services.dealer.shoe import ShoeFacts


class Deck:
    """One table's; it changes with each shoe, and with the cut."""

    def __init__(self, table: str, opener: Opener) -> None:
        """Have no cards yet."""
        self.cards: tuple[Card, ...] = ()
        #: None in a shoe whose deck is public.
        self.secret: Secret | None = None
        self._table, self._opener = table, opener
        self._prepared = (0, False)
        self._noted = 0

    def prepare(self, facts: ShoeFacts) -> None:
        """Find the secret of the open shoe, and its order once that is settled."""
        state = (facts.number, facts.cut is not None)
        if self._prepared == state:
            return
        origin = facts.opened.origin
        facts.progress.size = 52 * facts.opened.decks
        if isinstance(origin, ev.Ktane):
            self.secret, self.cards = None, bomb_deck(origin)
            self._prepared = state
            return
        shoe = Shoe(self._table, facts.number)
        self.secret = self._opener.secret(shoe, facts.opened)
        if self.secret.order is not None:
            self.cards = self.secret.order
            facts.progress.size = len(self.cards)
        elif isinstance(origin, ev.Seeded) and facts.cut is not None:
            client, beacon = bytes.fromhex(facts.cut.client_seed), bytes.fromhex(facts.cut.beacon)
            key = shoe_order.shoe_key(self.secret.value, str(shoe), client, beacon)
            self.cards = shoe_order.named(shoe_order.shuffle(key, facts.opened.decks))
            ending = facts.rules.ending
            if isinstance(ending, Drawn):
                drawn = shoe_order.drawn_number(key, ending.label, ending.choices)
                facts.progress.reshuffle_at = ending.least + drawn
        self._prepared = state

    def on_record(self, facts: ShoeFacts) -> None:
        """Hear that all of these facts are in the stream: a cut is noted once it stands there."""
        if facts.cut is not None and self._noted != facts.number:
            self._opener.cut(Shoe(self._table, facts.number))
            self._noted = facts.number
