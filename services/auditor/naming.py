"""Which command an event says that it answers: one of the right kind, of this shoe, or none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from schemas import events as ev
from schemas.commands import parse_bet_id, parse_command_id, parse_shoe, withdraw_id
from services.auditor import carried
from services.auditor.state import State

_RULE: Final = "schemas/published"
ASKED: Final = frozenset(("asked", "solved", "voided"))


def is_command(st: State, name: str | None, kind: str, who: str | None = None) -> bool:
    """Tell whether this is the id of such a command of this shoe, by this one if it says whom."""
    parts = None if name is None else parse_command_id(name)
    return parts is not None and (
        parts.shoe == st.shoe and parts.kind == kind and who in {None, parts.who}
    )


def closes(st: State, data: ev.ShoeClosed) -> bool:
    """Tell whether a shoe's closing names the command that asked for it."""
    return is_command(st, data.command, "shoe.close")


def _nobody(st: State, data: ev.Event) -> bool:
    del st
    return data.command is None


def _opened(st: State, data: ev.ShoeOpened) -> bool:
    return data.command is None or is_command(st, data.command, "shoe.open")


def _cut(st: State, data: ev.ShoeCut) -> bool:
    return is_command(st, data.command, "shoe.cut", data.by)


def _seated(st: State, data: ev.BettorSeated) -> bool:
    """Null only where those who still sit are restated: right after the shoe's opening."""
    if data.command is None:
        return st.hole or not (st.acted or st.position or st.round_number)
    return is_command(st, data.command, "bettor.sit", data.bettor)


def _restates(data: ev.Event) -> bool:
    return isinstance(data, ev.BettorSeated) and data.command is None


def _left(st: State, data: ev.BettorLeft) -> bool:
    return is_command(st, data.command, "bettor.leave", data.bettor)


def _passed(st: State, data: ev.BetPassed) -> bool:
    return is_command(st, data.command, "bet.pass", data.bettor)


def _withdrawn(st: State, data: ev.BetWithdrawn) -> bool:
    del st
    return data.command == withdraw_id(data.bet)


def _refused(st: State, data: ev.BetRefused) -> bool:
    bet = parse_bet_id(data.bet)
    return (
        bet is not None
        and bet.shoe == st.shoe
        and data.command in {data.bet, withdraw_id(data.bet)}
    )


def _changed(st: State, data: ev.DealerChanged) -> bool:
    return is_command(st, data.command, "dealer.change")


def _any(st: State, data: ev.CommandRefused) -> bool:
    return data.command is not None and parse_shoe(data.command) == st.shoe


def _adjusted(st: State, data: ev.MoneyAdjusted) -> bool:
    return is_command(st, data.command, "money.adjust")


def _drawn(st: State, data: ev.CardDrawn) -> bool:
    """Only a card in error is ever asked for."""
    return data.command is None or (
        data.hand == "error" and is_command(st, data.command, "card.misdraw")
    )


def _voided(st: State, data: ev.RoundVoided) -> bool:
    """Null only where the rules void it."""
    if data.command is None:
        return data.by == "rules" or st.hole
    return is_command(st, data.command, "round.void")


def _closed(st: State, data: ev.ShoeClosed) -> bool:
    """Whether a shoe that was asked to close had ended anyway is known at its reveal only."""
    del st
    return data.reason in ASKED or data.command is None


#: Bets are left out: their names are looked at with their terms.
_RIGHT: Final[dict[type, Callable[[State, Any], bool]]] = {
    ev.ShoeOpened: _opened,
    ev.ShoeCut: _cut,
    ev.BettorSeated: _seated,
    ev.BettorLeft: _left,
    ev.BetPassed: _passed,
    ev.BetWithdrawn: _withdrawn,
    ev.BetRefused: _refused,
    ev.DealerChanged: _changed,
    ev.CommandRefused: _any,
    ev.MoneyAdjusted: _adjusted,
    ev.CardDrawn: _drawn,
    ev.RoundVoided: _voided,
    ev.ShoeClosed: _closed,
    **dict.fromkeys(
        (
            ev.RoundOpened, ev.BetsClosed, ev.RoundDealt, ev.CardBurned, ev.CardDiscarded,
            ev.CutCardOut, ev.CommissionCollected,
        ),
        _nobody,
    ),
}  # fmt: skip


#: Events that are right if they name no command.
UNASKED: Final = frozenset(
    kind for kind, right in _RIGHT.items() if right is _nobody or right is _drawn
)


#: Whose second answer to a command nothing else shows: it seats, bets and closes nothing twice.
_ONCE: Final = frozenset((ev.BetPassed, ev.CommandRefused, ev.DealerChanged, ev.MoneyAdjusted))


def check(st: State, data: ev.Event) -> None:
    """Judge the command that an event names."""
    right = _RIGHT.get(type(data))
    if type(data) is not ev.ShoeOpened and not _restates(data):
        st.acted = True
        if st.carried:
            carried.all_seated(st)
    if right is not None and not right(st, data):
        said = "no command" if data.command is None else data.command
        wanted = "no command" if right is _nobody else "the command that it answers"
        st.find("malformed", wanted, said, _RULE)
    if data.command is not None and type(data) in _ONCE:
        if data.command in st.answered:
            said = f"another to {data.command}"
            st.find("out-of-place", "one answer to a command", said, "DESIGN.md#2")
        st.answered.add(data.command)


def unreadable(st: State, data: ev.Event) -> None:
    """Say that an event names no command that it could answer."""
    said = "no command" if data.command is None else data.command
    st.find("malformed", "the command that it answers", said, _RULE)
