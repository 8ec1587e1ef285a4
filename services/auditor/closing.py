"""The end of a shoe: why it closed, what was still owed, and the reveal. Opens no new round."""

from __future__ import annotations

from typing import Final

from schemas.events import ShoeClosed
from services.auditor import carried, ending, misdraw, module, naming
from services.auditor.outcomes import missing
from services.auditor.people import uncollected
from services.auditor.reveal import opens, reveal
from services.auditor.state import COMPLETE, State

END: Final = "docs/procedure.md#the-end-of-a-shoe"
#: By whom a shoe is closed that nobody asked to close.
_RULES: Final = "rules"


def closed(st: State, data: ShoeClosed) -> None:
    """Judge a shoe's closing."""
    playing = st.round
    if playing is not None and not playing.settled and not st.halted:
        if playing.phase == COMPLETE:
            if not st.hole:
                st.owing.append((playing, st.seq))
        else:
            st.doubt("out-of-place", f"round {playing.number} complete", "shoe.closed", END)
    if playing is not None:
        st.rounds.append(playing)
    st.round = None
    misdraw.closed(st)
    carried.all_seated(st)
    for late, seq in st.owing:
        missing(st, late, seq)
    st.owing.clear()
    for bettor, seat in st.betting.seats.items():
        if seat.owed:
            uncollected(st, bettor, seat)
    reveal(st, data.reveal)
    _ended(st, data)
    st.closed = True
    st.end = data.reason


def _ended(st: State, data: ShoeClosed) -> None:
    """Judge whether the shoe might end now, and for this reason."""
    ending.set_full(st)
    ending.look(st)
    rule = f"{st.tables.rules.name}/ending"
    past = ending.first_past(st)
    if past is not None and not st.past_said:
        st.past_said = True
        st.find("dealt-past-cut", "shoe.closed", f"round {past.number}", rule,
                at=st.event_at(past.opened), number=past.number)  # fmt: skip
    if data.reason == "voided" and _voided(st, data):
        return
    if data.reason == "halted":
        if not st.halted:
            st.find("closed-early", "round.halted before", "no round halted", END)
        return
    if data.reason == "rules":
        _by_rules(st, data, rule)
        return
    if data.reason == "solved" and st.module_of is not None and not st.solved:
        module.falsely_solved(st, data)
    elif not st.ended:
        asked = naming.closes(st, data)
        st.find("closed-early", "another round", f"{data.reason}, by {data.by or 'nobody'}", rule,
                grade="notice" if asked else "fault")  # fmt: skip
    elif not naming.closes(st, data):
        naming.unreadable(st, data)


def _by_rules(st: State, data: ShoeClosed, rule: str) -> None:
    """Judge a closing that nobody asked for: the rules close a shoe, and once it has ended."""
    if not st.ended and ending.knowable(st) and not st.hole:
        st.find("closed-early", "another round", f"closed with {_left(st)}", rule)
    if data.by != _RULES:
        st.find("malformed", f"by {_RULES}", f"by {data.by if data.by.strip() else 'nobody'}", END)


def _voided(st: State, data: ShoeClosed) -> bool:
    """Judge a shoe that was voided; tell whether a fault was found."""
    if st.client_seed is not None or st.position:
        if "voided" not in st.tables.rules.void_after_card:
            st.find("void-after-cut", "no void once the shoe is cut", f"by {data.by or 'nobody'}",
                    f"{st.tables.rules.name}/void_after_card")  # fmt: skip
            return True
    elif not data.by.strip():
        st.find("void-unexplained", "a name", "nobody", END)
        return True
    return False


def _left(st: State) -> str:
    hands = f"{st.hands} hands dealt"
    return hands if st.size is None else f"{st.size - st.position} cards left, {hands}"


def unjudged(st: State, data: ShoeClosed) -> None:
    """Close a shoe whose rules cannot be read; its commitment can still be opened, or not."""
    opens(st, data.reveal)
    st.closed = True
    st.end = data.reason
