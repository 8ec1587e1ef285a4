"""The dealer's answers to bets: taken, refused with a reason, or later. Has no state of its own.

The order of the reasons is that of ``docs/procedure.md``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemas import commands as co
from schemas import events as ev
from schemas.money import is_amount
from services.baccarat import judge
from services.dealer.inbox import whole
from services.dealer.reply import LATER, Reply

if TYPE_CHECKING:
    from services.dealer.inbox import Waiting
    from services.dealer.shoe import ShoeFacts


def place(facts: ShoeFacts, command: Waiting, asks: co.BetPlace) -> Reply:
    """Take a bet, or refuse it for the first reason that holds."""
    seated = facts.seated.get(asks.bettor)
    reason: ev.Refusal | None
    if seated is None:
        reason = "not-seated"
    elif command.round > facts.settled + 1:
        reason = "early"
    elif command.round <= facts.settled or facts.phase == "dealing":
        reason = "late"
    elif facts.phase != "betting":
        return LATER
    elif command.id in facts.commands or any(
        bet.bettor == asks.bettor and bet.spot == asks.spot for bet in facts.bets.values()
    ):
        reason = "repeat"
    elif facts.rules.judged == "at-close":
        reason = _judge_now(facts, asks, seated.bankroll)
    else:
        reason = judge(
            facts.game,
            facts.opened.limits,
            facts.standing(asks.bettor),
            facts.staked("player"),
            facts.staked("banker"),
            seated.bankroll,
            asks.spot,
            asks.stake,
            asks.chips,
        )
    stake = whole(asks.stake)
    if reason is None and stake is not None:
        return ev.BetPlaced(
            round=asks.round,
            bet=command.id,
            bettor=asks.bettor,
            spot=asks.spot,
            stake=stake,
            chips=asks.chips,
            command=command.id,
        )
    return ev.BetRefused(
        round=asks.round,
        bet=command.id,
        bettor=asks.bettor,
        spot=asks.spot,
        stake=stake,
        chips=asks.chips,
        reason=reason or "stake",
        command=command.id,
    )


def _judge_now(facts: ShoeFacts, asks: co.BetPlace, bankroll: int) -> ev.Refusal | None:
    """Judge what cannot wait for the close: a stake that is none, or more than he has."""
    stake = whole(asks.stake)
    if stake is None or not is_amount(stake):
        return "stake"
    staked = sum(standing.stake for standing in facts.standing(asks.bettor))
    return "bankroll" if staked + stake > bankroll else None


def withdraw(facts: ShoeFacts, command: Waiting, asks: co.BetWithdraw) -> Reply | ev.CommandRefusal:
    """Give a standing bet back."""
    if command.round == facts.settled + 1 and facts.phase == "ready":
        return LATER
    if facts.phase != "betting" or asks.bet not in facts.bets:
        return "bet"
    return ev.BetWithdrawn(round=facts.round, bet=asks.bet, command=command.id)


def let_go(facts: ShoeFacts, command: Waiting, asks: co.BetPass) -> Reply | ev.CommandRefusal:
    """Note that a bettor lets the round go."""
    if asks.bettor not in facts.seated:
        return "not-seated"
    if asks.round > facts.settled + 1:
        return "no-round"
    if asks.round <= facts.settled or facts.phase == "dealing":
        return "dealt"
    if facts.phase != "betting":
        return LATER
    return ev.BetPassed(round=asks.round, bettor=asks.bettor, command=command.id)
