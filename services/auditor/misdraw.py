"""A card drawn in error: what the rule set's policy makes of it. Deals no other card.

It takes a position, and no hand's draw. ``annul-and-burn``: it is put aside and its round voided.
``banker-or-next-hand``: the same card is the banker's if he has to draw, else the next hand's
first. ``dummy-hand``: it is the first of the next hand, on which nobody bets. At the shoe's end it
is put aside. One that was handled so is one notice, at the card; one that was not is one fault.
"""

from __future__ import annotations

from typing import Final

from schemas.events import CardBurned, CardDiscarded, CardDrawn
from services.auditor.state import COMPLETE, Misdrawn, Round, State

#: The reason for which a round with a card in error may be voided, and the card put aside.
REASON: Final = "misdraw"
#: Why it is put aside at the shoe's end.
_NO_HAND: Final = "no-next-hand"
_ANNUL: Final = "annul-and-burn"
_TO_A_HAND: Final = "banker-or-next-hand"
_DUMMY: Final = "dummy-hand"
_SHOE: Final = "docs/procedure.md#a-card-drawn-in-error"
_TWO: Final = 2
_FOUR: Final = 4


def _rule(st: State) -> str:
    return f"{st.tables.rules.name}/misdraw"


def annuls(st: State) -> bool:
    """Tell whether the rule set annuls a round with a card in error."""
    return st.tables.rules.misdraw == _ANNUL


def _handled(st: State, card: Misdrawn, how: str) -> None:
    st.misdrawn = None
    if not card.said:
        st.find("policy-applied", st.tables.rules.misdraw, f"{card.card} in error: {how}",
                _rule(st), at=st.event_at(card.seq), number=card.round)  # fmt: skip


def _mishandled(st: State, card: Misdrawn, how: str) -> None:
    st.misdrawn = None
    if not (card.said or st.hole):
        st.find("draw-extra", st.tables.rules.misdraw, f"{card.card} in error: {how}",
                _rule(st), at=st.event_at(card.seq), number=card.round)  # fmt: skip


# ---------------------------------------------------------------------------------- in its round
def drawn(st: State, playing: Round, data: CardDrawn) -> bool:
    """Judge a card that is said to be drawn in error; False where it was due to a hand."""
    playing.errors = (*playing.errors, data.card)
    if len(playing.errors) > 1 or st.misdrawn is not None:
        st.find("draw-extra", "at most one card in error", f"{data.card} in error", _rule(st))
        return True
    banker = playing.count >= _FOUR and playing.need == "banker" and not st.hole
    card = Misdrawn(playing.number, st.seq, data.position, data.card, banker=banker)
    st.misdrawn = card
    if st.tables.rules.misdraw == _DUMMY:
        playing.skipped = data.position
    if not st.hole:  # else to whom it was due is not known
        stood = len(playing.player) == _TWO
        card.said = playing.count < _FOUR or playing.need == "player" or (banker and not stood)
    return not card.said


def used(st: State, playing: Round, data: CardDrawn) -> bool:
    """Tell whether this is the card on the table and none from the shoe; judge it by the policy."""
    card = st.misdrawn
    if card is None or card.away or data.hand == "error":
        return False
    due = _is_due(st, playing, card, data.hand)
    if data.position != card.position:
        if due:
            playing.again += st.hole  # its line may be the missing one
            _mishandled(st, card, f"{data.card} of {data.position} was dealt")
        return False
    st.misdrawn = None
    playing.again += 1
    if playing.number != card.round and not playing.count:
        playing.carried = card.position
    if data.card != card.card:
        if not (card.said or st.hole):
            st.find("card-order", card.card, data.card, _SHOE)
    elif not due:
        _mishandled(st, card, f"to the {data.hand} in round {playing.number}")
    elif playing.number == card.round:
        _handled(st, card, "to the banker")
    else:
        _handled(st, card, f"first of round {playing.number}")
    return True


def _for(st: State, card: Misdrawn, wanted: str) -> None:
    """Judge why a card was put aside, unless something else was wrong with it."""
    if card.why is not None and card.why[0] != wanted and not card.said:
        reason, seq = card.why
        card.said = True
        there = reason if reason.strip() else "no reason"
        st.find("out-of-place", wanted, there, _rule(st), at=st.event_at(seq))


def _is_due(st: State, playing: Round, card: Misdrawn, hand: str) -> bool:
    """Tell whether the next card of this hand has to be the one on the table."""
    if annuls(st):
        return False
    if st.tables.rules.misdraw == _TO_A_HAND and card.banker:
        return playing.number == card.round and playing.need == hand == "banker"
    return playing.number != card.round and not playing.count


def dealt(st: State, playing: Round) -> None:
    """Judge, at a round's completion, what became of a card drawn in error in it."""
    card = st.misdrawn
    if card is None or card.round != playing.number:
        return
    if annuls(st):
        _mishandled(st, card, "the round was dealt")
    elif card.banker and st.tables.rules.misdraw == _TO_A_HAND:
        st.misdrawn = None  # the banker's card is missing, and that is said
        playing.again += st.hole


def voided(st: State, playing: Round, *, allowed: bool) -> None:
    """Judge, where a round is voided, what became of a card drawn in error in it."""
    card = st.misdrawn
    if card is None or card.round != playing.number:
        return
    card.said = card.said or not allowed or st.hole
    if annuls(st):
        card.annulled = True
        if card.away:
            _handled(st, card, "burned, and the round annulled")
    elif card.banker and st.tables.rules.misdraw == _TO_A_HAND:
        _mishandled(st, card, "the banker had to draw, and the round was voided")


# ------------------------------------------------------------------------------------ afterwards
def opened(st: State, playing: Round) -> None:
    """Go on to another round: only what has to be its first card is still of use."""
    card = st.misdrawn
    if card is None:
        return
    policy = st.tables.rules.misdraw
    if policy == _ANNUL:
        if card.annulled:
            _mishandled(st, card, "not burned")
        st.misdrawn = None
    elif policy == _TO_A_HAND and card.banker:
        st.misdrawn = None
    elif card.away:
        _mishandled(st, card, f"put aside, though round {playing.number} followed")
    elif policy == _DUMMY:
        playing.dummy = True
        st.betting.open = False


def closed(st: State) -> None:
    """Judge, at the shoe's end, a card that no hand was left for."""
    card = st.misdrawn
    if card is None or st.halted:
        return
    if annuls(st):
        if card.annulled:
            _mishandled(st, card, "not burned")
    elif st.tables.rules.misdraw == _TO_A_HAND and card.banker:
        st.misdrawn = None  # its round never ended, and that is said
    elif card.away:
        _for(st, card, _NO_HAND)
        _handled(st, card, "no hand was left")
    else:
        _mishandled(st, card, "left on the table")


def put_away(st: State, data: CardBurned | CardDiscarded) -> bool:
    """Tell whether this is the card on the table, put aside; judge whether it had to be."""
    card = st.misdrawn
    if card is None or card.away or data.position != card.position:
        return False
    if data.card not in {None, card.card}:
        st.misdrawn = None
        st.find("card-order", card.card, str(data.card), _SHOE)
    elif card.annulled:
        st.misdrawn = None
        st.doubt("out-of-place", "before round.voided", f"{card.card} put aside", _rule(st))
    elif st.round is not None and st.round.phase != COMPLETE and not annuls(st):
        _mishandled(st, card, "put aside")
    else:
        card.away = True
        if isinstance(data, CardDiscarded):
            card.why = data.reason, st.seq
            if annuls(st) or not data.reason.strip():
                _for(st, card, REASON if annuls(st) else _NO_HAND)
        elif not annuls(st):
            card.said = True
            st.find("burn-wrong", "card.discarded", f"{card.card} burned", _rule(st))
    return True
