"""When a shoe has ended, by the rule set's data. Says what is so; reports nothing."""

from __future__ import annotations

from schemas.events import Seeded
from schemas.ruleset import CardsLeft, CutCard, Drawn, Rounds
from services.auditor.state import NEVER, Round, State


def stated_cut(st: State, size: int) -> int | None:
    """Say where the cut card of a shoe of so many cards has to lie."""
    ending = st.tables.rules.ending
    return max(0, size - ending.from_end) if isinstance(ending, CutCard) else None


def set_full(st: State) -> None:
    """Work out the first position at which, or after so many hands, the shoe has ended."""
    ending = st.tables.rules.ending
    st.most_hands = ending.rounds if isinstance(ending, Rounds) else NEVER
    size = st.size
    if size is None:
        return
    few = max(st.tables.rules.round_needs, 1) - 1
    if isinstance(ending, CardsLeft):
        few = max(few, ending.at_most)
    elif isinstance(ending, Drawn):
        unseeded = None if isinstance(st.opened.origin, Seeded) else ending.least
        few = max(few, st.threshold or unseeded or 0)
    st.full = size - few


def look(st: State) -> None:
    """Look whether the shoe has ended, as far as its size is known."""
    st.ended = (
        st.position >= st.full
        or st.hands >= st.most_hands
        or st.exhausted
        or st.solved
        or (st.after_cut is not None and st.after_cut <= 0)
    )


def after_round(st: State, done: Round) -> None:
    """Take account of a round that is settled."""
    if st.cut_at is not None and st.cut_at < done.stop and st.cut_first is None:
        st.cut_first = st.cut_at <= done.start and done.carried is None
    if done.dealt:
        st.hands += 1
        if st.cut_first is not None:
            _cut_card(st, first=st.cut_first)
    if done.exhausted:
        st.exhausted = True
    look(st)


def _cut_card(st: State, *, first: bool) -> None:
    """Count the hands after the one in which the cut card came out."""
    ending = st.tables.rules.ending
    if st.after_cut is not None:
        st.after_cut -= 1
    elif isinstance(ending, CutCard):
        st.after_cut = 0 if first and ending.first_card_is_last else ending.hands_after


def knowable(st: State) -> bool:
    """Tell whether the end can be judged with what is known now."""
    ending = st.tables.rules.ending
    if isinstance(ending, Drawn):
        return st.threshold is not None or not isinstance(st.opened.origin, Seeded)
    return st.size is not None or isinstance(ending, Rounds)


def first_past(st: State) -> Round | None:
    """Find, once all is known, the first round opened though too few cards were left."""
    if not st.rounds or st.rounds[-1].start < st.full:
        return None
    return next((opened for opened in st.rounds if opened.start >= st.full), None)
