"""A card drawn in error: what the rule set's policy makes of it. Deals no other card.

It takes a position, and no hand's draw. Where the policy is ``banker-or-next-hand`` the same card
is the banker's if he draws next, else the next round's first; by other policies its round has to be
voided, and the card may be put away. Whatever else follows, it was drawn beyond the rules.
"""

from __future__ import annotations

from typing import Final

from schemas.cards import Card
from schemas.events import CardBurned, CardDiscarded, CardDrawn
from services.auditor.state import DEALING, Misdrawn, Round, State

_TO_A_HAND: Final = "banker-or-next-hand"
_FOUR: Final = 4


def _rule(st: State) -> str:
    return f"{st.tables.rules.name}/misdraw"


def drawn(st: State, playing: Round, data: CardDrawn) -> None:
    """Judge a card that is said to be drawn in error."""
    playing.errors = (*playing.errors, data.card)
    if playing.phase != DEALING:  # it came before bets.closed, and that has been said
        return
    if len(playing.errors) > 1 or st.misdrawn is not None:
        st.find("draw-extra", "at most one card in error", f"{data.card} in error", _rule(st))
        return
    banker = playing.count >= _FOUR and playing.need == "banker"
    st.misdrawn = Misdrawn(playing.number, st.seq, data.position, data.card, banker=banker)
    st.find("policy-applied", st.tables.rules.misdraw, f"{data.card} in error", _rule(st))


def goes_to_a_hand(st: State) -> bool:
    """Tell whether the rule set has a card drawn in error played."""
    return st.tables.rules.misdraw == _TO_A_HAND


def used(st: State, playing: Round, data: CardDrawn) -> bool:
    """Tell whether this card has to be, and is, the one that was drawn in error."""
    card = st.misdrawn
    if card is None or not goes_to_a_hand(st):
        return False
    same = playing.number == card.round
    if not (playing.need == data.hand == "banker" if card.banker else playing.count == 0):
        return False
    if same is not card.banker:
        return False
    if (data.position, data.card) == (card.position, card.card):
        st.misdrawn = None
        return True
    extra(st, f"{data.card} from {data.position}")
    return False


def extra(st: State, actual: str) -> None:
    """Say that a card drawn in error was not handled as the rule set says."""
    card = st.misdrawn
    st.misdrawn = None
    if card is not None and not st.hole:
        st.find("draw-extra", st.tables.rules.misdraw, actual, _rule(st),
                at=st.event_at(card.seq), number=card.round)  # fmt: skip


def dealt(st: State, playing: Round) -> None:
    """Judge, at a round's completion, what became of a card drawn in error in it."""
    card = st.misdrawn
    if card is None or card.round != playing.number:
        return
    if not goes_to_a_hand(st):
        extra(st, "round.dealt")
    elif card.banker:
        st.misdrawn = None  # the banker's card is missing, and that is said


def opened(st: State) -> None:
    """Go on to another round: only what may be its first card is still of use."""
    card = st.misdrawn
    if card is not None and (card.banker or not goes_to_a_hand(st)):
        st.misdrawn = None


def put_away(st: State, data: CardBurned | CardDiscarded) -> bool:
    """Tell whether this card is the one drawn in error, put away as the rule set says."""
    card = st.misdrawn
    if card is None or card.away or goes_to_a_hand(st) or data.position != card.position:
        return False
    shown: Card | None = data.card
    if shown not in {None, card.card}:
        return False
    card.away = True
    return True
