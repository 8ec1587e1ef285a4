"""The cards of one shoe as they were seen: by position, what is left, the running count. No rules.

A card that was drawn in error and is said again where it is played counts once. A card that was
burned face down is out of the shoe, and has not been seen.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from schemas import events as ev
from schemas.cards import DECK, RANKS
from services.baccarat.card_count import CardCount
from services.baccarat.course import Course, KnownCards
from services.dashboard.board.shapes import LeftShape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schemas.cards import Card

_SUITS: Final = 4
_DECK: Final = 52

Taken = ev.CardBurned | ev.CardDiscarded | ev.CardDrawn


class CardsBoard:
    """One shoe's cards; ``decks`` is 0 where it is not known which cards it holds."""

    __slots__ = (
        "_aside", "_count", "_face_down", "_last", "_late", "_ranks", "begun", "decks",
        "order", "seen",
    )  # fmt: skip

    def __init__(self, decks: int = 0) -> None:
        """Begin with a full shoe."""
        self.decks = decks
        #: Of each card that was seen, by its position.
        self.seen: dict[int, Card] = {}
        #: Positions of cards that left face down.
        self._face_down: set[int] = set()
        self._ranks = dict.fromkeys(RANKS, 0)
        self._count = CardCount()
        #: The order of a shoe that is public or revealed, else empty.
        self.order: tuple[Card, ...] = ()
        #: Positions of cards that were put aside, or drawn in error and never played.
        self._aside: set[int] = set()
        #: By the last position dealt before it, that of a card drawn in error and played later.
        self._late: dict[int, int] = {}
        self._last = -1
        #: Whether a round was opened: what is burned before is the rules' own burn.
        self.begun = False

    def take(self, said: Taken) -> bool:
        """Take a card that left the shoe; tell whether anything is left otherwise than before."""
        position, card = said.position, said.card
        self._follow(said)
        if position in self.seen:
            return False
        if card is None:
            new = position not in self._face_down
            self._face_down.add(position)
            return new
        self._face_down.discard(position)
        self.seen[position] = card
        self._ranks[card[0]] += 1
        self._count.see(card)
        return True

    @property
    def drawn(self) -> int:
        """How many cards have left the shoe."""
        return len(self.seen) + len(self._face_down)

    @property
    def size(self) -> int | None:
        """How many cards the shoe held; None where nobody can know yet."""
        return self.decks * _DECK if self.decks else len(self.order) or None

    @property
    def face_down(self) -> int:
        """How many cards left face down."""
        return len(self._face_down)

    def unseen(self) -> dict[Card, int] | None:
        """Count the cards that nobody has seen; None where the shoe's cards are not known.

        Below 0 where more of a card were seen than a whole shoe has: such a log is no honest one.
        """
        if self.decks:
            held = dict.fromkeys(DECK, self.decks)
        elif self.order:
            held = dict(Counter(self.order))
        else:
            return None
        for card in self.seen.values():
            held[card] = held.get(card, 0) - 1
        return held

    def known(self) -> KnownCards:
        """Give the cards by position: as they were seen, else from a public or revealed order."""
        return KnownCards(self._at, self.size, Course(frozenset(self._aside), dict(self._late)))

    def left(self) -> LeftShape:
        """Give what is left."""
        ranks: dict[str, int] | None = None
        unseen: int | None = None
        size = self.size
        if size is not None:
            each = _held(self.decks, self.order)
            ranks = {rank: max(each[rank] - self._ranks[rank], 0) for rank in RANKS}
            unseen = max(size - len(self.seen), 0)
        return LeftShape(ranks, unseen, len(self._face_down), self._count.now)

    def _at(self, position: int) -> Card | None:
        card = self.seen.get(position)
        if card is None and position < len(self.order):
            return self.order[position]
        return card

    def _follow(self, said: Taken) -> None:
        """Keep how the cards came, for those who deal them again by other rules."""
        position = said.position
        if not isinstance(said, ev.CardDrawn) or said.hand == "error":
            if self.begun or not isinstance(said, ev.CardBurned):
                self._aside.add(position)
            return
        if position in self._aside:
            self._aside.discard(position)
            if self._last > position:
                self._late[self._last] = position
        self._last = max(self._last, position)


def _held(decks: int, order: Sequence[Card]) -> dict[str, int]:
    if decks:
        return dict.fromkeys(RANKS, decks * _SUITS)
    held = dict.fromkeys(RANKS, 0)
    for card in order:
        held[card[0]] += 1
    return held
