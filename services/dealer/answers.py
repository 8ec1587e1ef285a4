"""The dealer's answers: what each command gets, given the facts. Has no state of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from schemas import commands as co
from schemas import events as ev
from schemas.address import RoundAddress, is_name
from schemas.errors import InputError
from schemas.money import MOST_BANKROLL, is_amount
from services.dealer.bets import let_go, place, withdraw
from services.dealer.misdraw import misdraw
from services.dealer.order import OPEN_BYTES
from services.dealer.reply import LATER, NOTHING, Reply

if TYPE_CHECKING:
    from collections.abc import Callable

    from services.dealer.inbox import Waiting
    from services.dealer.shoe import ShoeFacts


def answer(facts: ShoeFacts, command: Waiting) -> Reply:
    """Answer a command for the open shoe, while no round waits for its outcome."""
    asks = command.asks
    # A bet may be sent again with other terms, which is refused; any other command is known by id.
    if command.terms in facts.answered or (
        command.id in facts.commands and not isinstance(asks, co.BetPlace)
    ):
        return NOTHING
    reply = _ANSWERS[type(asks)](facts, command, asks)
    if isinstance(reply, str):
        return refused(command, reply)
    return reply


def refused(command: Waiting, reason: ev.CommandRefusal) -> ev.CommandRefused:
    """Refuse a command that is no bet."""
    return ev.CommandRefused(reason=reason, command=command.id)


def _sit(facts: ShoeFacts, command: Waiting, asks: co.BettorSit) -> Reply | ev.CommandRefusal:
    taken = {seated.seat for seated in facts.seated.values()}
    free = next(seat for seat in range(1, len(taken) + 2) if seat not in taken)
    seat = free if asks.seat is None else asks.seat
    if asks.bettor in facts.seated:
        return "already-seated"
    if not is_name(asks.bettor) or not is_amount(seat) or seat in taken:
        return "seat-taken"
    if not is_amount(asks.bankroll) or asks.bankroll > MOST_BANKROLL:
        return "bankroll"
    return ev.BettorSeated(
        bettor=asks.bettor, seat=seat, bankroll=asks.bankroll, command=command.id
    )


def _leave(facts: ShoeFacts, command: Waiting, asks: co.BettorLeave) -> Reply | ev.CommandRefusal:
    seated = facts.seated.get(asks.bettor)
    if seated is None:
        return "not-seated"
    if facts.phase != "ready":
        return LATER
    if seated.owed > 0:
        return ev.CommissionCollected(bettor=asks.bettor, amount=seated.owed, command=None)
    return ev.BettorLeft(bettor=asks.bettor, command=command.id)


def _cut(facts: ShoeFacts, command: Waiting, asks: co.Cut) -> Reply | ev.CommandRefusal:
    if not isinstance(facts.opened.origin, ev.Seeded):
        return "no-cut"
    if facts.cut is not None:
        return "already-cut"
    if not (_hex(asks.client_seed) and _hex(asks.beacon)):
        return "seed"
    if facts.awaited():
        return LATER
    return ev.ShoeCut(
        client_seed=asks.client_seed, beacon=asks.beacon, by=asks.by, command=command.id
    )


def _hex(text: str) -> bool:
    try:
        data = bytes.fromhex(text)
    except ValueError:
        return False
    return data.hex() == text and len(data) <= OPEN_BYTES


def _void(facts: ShoeFacts, command: Waiting, asks: co.RoundVoid) -> Reply | ev.CommandRefusal:
    if asks.round <= facts.settled or facts.phase == "dealing":
        return "dealt"
    if asks.round > facts.settled + 1:
        return "no-round"
    if not asks.reason.strip() or not asks.by.strip():
        return "reason"
    if facts.phase != "betting":
        return LATER
    return ev.RoundVoided(round=asks.round, reason=asks.reason, by=asks.by, command=command.id)


def _change(
    _facts: ShoeFacts, command: Waiting, asks: co.DealerChange
) -> Reply | ev.CommandRefusal:
    return ev.DealerChanged(dealer=asks.dealer, supervisor=asks.supervisor, command=command.id)


def _adjust(facts: ShoeFacts, command: Waiting, asks: co.MoneyAdjust) -> Reply | ev.CommandRefusal:
    try:
        at = RoundAddress.parse(asks.at)
    except InputError:
        return "address"
    settled = at.shoe < facts.number or (at.shoe == facts.number and at.round <= facts.settled)
    if at.table != facts.table or not settled or at.round < 1 or at.shoe < 1:
        return "address"
    seated = facts.seated.get(asks.bettor)
    left = (
        0 if seated is None else seated.bankroll - sum(s.stake for s in facts.standing(asks.bettor))
    )
    if not is_amount(abs(asks.amount)):
        return "amount"
    if seated is not None and not 0 <= left + asks.amount <= MOST_BANKROLL:
        return "amount"
    if not asks.reason.strip() or not asks.by.strip():
        return "reason"
    return ev.MoneyAdjusted(
        at=asks.at,
        bet=asks.bet,
        bettor=asks.bettor,
        amount=asks.amount,
        reason=asks.reason,
        by=asks.by,
        dispute=asks.dispute,
        command=command.id,
    )


def _close(facts: ShoeFacts, _command: Waiting, asks: co.ShoeClose) -> Reply | ev.CommandRefusal:
    """Let a close wait for its round; a module that is not solved is not closed as solved."""
    due = asks.after_round is None or asks.after_round <= facts.settled
    if facts.module is None or facts.phase != "ready" or not due:
        return LATER
    return "reason" if asks.reason == "solved" and not facts.solved else LATER


def _open(_facts: ShoeFacts, _command: Waiting, _asks: co.Command) -> Reply | ev.CommandRefusal:
    return "shoe-open"


_ANSWERS: Final[dict[type[co.Command], Callable[..., Reply | ev.CommandRefusal]]] = {
    co.BetPlace: place,
    co.BetWithdraw: withdraw,
    co.BetPass: let_go,
    co.BettorSit: _sit,
    co.BettorLeave: _leave,
    co.Cut: _cut,
    co.RoundVoid: _void,
    co.DealerChange: _change,
    co.MoneyAdjust: _adjust,
    co.ShoeClose: _close,
    co.ShoeOpen: _open,
    co.CardMisdraw: misdraw,
}
