"""Who still sits when the next shoe is opened: restated as the last one left him. Seats nobody.

It is judged only where that shoe was audited just before, and passed: else nobody knows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from services.auditor.report import Sat

if TYPE_CHECKING:
    from schemas.events import BettorSeated
    from services.auditor.state import State

_RULE: Final = "docs/procedure.md#a-shoe/1"
_MONEY: Final = "money-not-conserved"


def sitting(st: State) -> tuple[Sat, ...]:
    """Give who sits at a shoe's end, in order of seats."""
    sat = [Sat(one.bettor, one.number, one.bankroll) for one in st.betting.seats.values()]
    return tuple(sorted(sat, key=lambda one: one.seat))


def seated(st: State, data: BettorSeated) -> None:
    """Judge a bettor who is restated, by what the last shoe left him."""
    if st.carried is None or data.command is not None:
        return
    if st.acted or st.position or st.round_number:
        return  # too late for that, which has been said
    st.restated = st.seq
    left = st.carried.pop(data.bettor, None)
    if left is None and data.bettor in st.betting.seats:
        return  # twice
    bankroll = 0 if left is None else left.bankroll
    if left is None or data.bankroll != bankroll:
        st.find(_MONEY, f"{bankroll} of {data.bettor}", str(data.bankroll), _RULE,
                amount=bankroll - data.bankroll)  # fmt: skip
    if left is not None and data.seat != left.seat:
        st.doubt("out-of-place", f"seat {left.seat} of {data.bettor}", f"seat {data.seat}", _RULE)


def all_seated(st: State) -> None:
    """Say who still sat and was not restated, once something else was said than that."""
    if not st.carried:
        return
    missing = [*st.carried.values()]
    st.carried.clear()
    if st.lost or st.hole:
        return
    for one in missing:
        st.find(_MONEY, f"{one.bankroll} of {one.bettor}", "not seated", _RULE,
                at=st.event_at(st.restated + 1), amount=one.bankroll)  # fmt: skip
        if one.bettor not in st.betting.seats:
            st.betting.adopt(one.bettor)
