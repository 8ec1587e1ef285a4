"""Cards leaving the shoe: positions, copies, burns, the cut card. Knows no hands and no order."""

from __future__ import annotations

from typing import Final

from schemas.cards import Card
from schemas.events import CardBurned, CardDiscarded, CutCardOut, Seeded
from services.auditor import misdraw
from services.auditor.state import NEVER, State

SHOE: Final = "docs/procedure.md#a-shoe"
ORDER: Final = "docs/shoe.md"


def set_mark(st: State) -> None:
    """Work out the next position at which more than the card has to be looked at."""
    if st.waits or st.awaited or st.order is not None:
        st.mark = 0
        return
    cut = NEVER if st.cut_out or st.cut_at is None else st.cut_at
    end = NEVER if st.exhausted or st.size is None else st.size
    st.mark = min(cut, end)


def leaves(st: State, position: int, card: Card | None, number: int | None) -> None:
    """Take account of a card that left the shoe."""
    if position != st.position:
        _misplaced(st, position, card)
    if position >= st.mark:
        _marked(st, position, card)
    st.position = position + 1
    if card is not None:
        st.seen.append((position, (card,), st.seq, number))
        left = st.left[card] - 1
        st.left[card] = left
        if left < 0 and card not in st.order_said:
            st.order_said.add(card)
            copies = f"copy {st.decks + 1} of {card}"
            st.find("order-composition", f"{st.decks} of {card}", copies, ORDER)


def _misplaced(st: State, position: int, card: Card | None) -> None:
    if position < st.position:
        st.find("card-order", f"position {st.position}", f"position {position} again", SHOE)
        if card is not None:
            st.left[card] += 1
    else:
        st.doubt("card-order", f"position {st.position}", f"position {position}", SHOE)


def _marked(st: State, position: int, card: Card | None) -> None:
    if st.waits:
        st.waits = False
        st.find("card-before-cut", "shoe.cut", f"card {position}", f"{SHOE}/2")
    awaited(st)
    if st.cut_at is not None and not st.cut_out and position >= st.cut_at:
        st.cut_out = True
        st.doubt("out-of-place", f"cut_card.out {st.cut_at}", f"card {position}", f"{SHOE}/4")
    if st.size is not None and position >= st.size and not st.exhausted:
        st.exhausted = True
        st.find("shoe-exhausted", f"{st.size} cards", f"card {position}", SHOE)
    elif (
        st.order is not None
        and card is not None
        and position < len(st.order)
        and st.order[position] != card
    ):
        st.find("card-order", st.order[position], card, "specs/sources.md#c")
    set_mark(st)


def awaited(st: State) -> None:
    """Say so, once, where something begins before every awaited seat sits."""
    if st.awaited:
        who = " ".join(sorted(st.awaited))
        st.doubt("out-of-place", f"bettor.seated {who}", "not seated", f"{SHOE}/2")
        st.awaited.clear()


def burned(st: State, data: CardBurned) -> None:
    """Judge a burn: the first face up, then as many face down as it says."""
    burns = st.tables.burns
    if burns is None or st.round_number:
        if _burned_later(st, data):
            return
    elif st.burns is None:
        if data.card is None:
            st.find("burn-wrong", "face up", "face down", f"{SHOE}/3")
            st.burns = NEVER
        else:
            st.burns = 1 + burns[data.card]
    elif data.card is not None:
        st.find("burn-wrong", "face down", data.card, f"{SHOE}/3")
    st.burned += 1
    if st.burns is not None and st.burned == st.burns + 1 and not st.round_number:
        rule = f"{st.tables.rules.name}/burn/counts"
        st.find("burn-wrong", f"{st.burns} cards", f"{st.burned} cards", rule)
    leaves(st, data.position, data.card, None)


def _burned_later(st: State, data: CardBurned) -> bool:
    """Judge a burn that is not the shoe's first; tell whether it is only of a wrong draw."""
    if misdraw.put_away(st, data):
        return True
    st.find("burn-wrong", "no burn", f"card {data.position} burned", f"{SHOE}/3")
    return False


def check_burn(st: State) -> None:
    """Judge, before the first round, whether the burn is complete."""
    if st.tables.burns is None or st.burns == NEVER:
        return
    rule = f"{st.tables.rules.name}/burn/counts"
    if st.burns is None:
        st.doubt("burn-wrong", "a card burned face up", "none", rule)
    elif st.burned < (st.burns if st.size is None else min(st.burns, st.size)):
        st.doubt("burn-wrong", f"{st.burns} cards", f"{st.burned} cards", rule)


def discarded(st: State, data: CardDiscarded) -> None:
    """Judge a card put aside: only one drawn in error may be, with a reason."""
    if misdraw.put_away(st, data):
        return
    rule = f"{st.tables.rules.name}/misdraw"
    if not st.lost:  # that it was drawn in error may be what is missing
        st.doubt("draw-extra", "a card drawn in error", f"{data.card} of {data.position}", rule)
    if data.position >= st.position:
        leaves(st, data.position, data.card, None if st.round is None else st.round.number)


def cut_card_out(st: State, data: CutCardOut) -> None:
    """Judge where the cut card came out: once, just before the card at its place."""
    if st.cut_at is None or st.cut_out or not data.position == st.cut_at == st.position:
        expected = "none" if st.cut_at is None or st.cut_out else f"at card {st.cut_at}"
        st.doubt("out-of-place", expected, f"before card {st.position}", f"{SHOE}/4")
    st.cut_out = True
    set_mark(st)


def is_seeded(st: State) -> bool:
    """Tell whether the order comes from a seed."""
    return isinstance(st.opened.origin, Seeded)
