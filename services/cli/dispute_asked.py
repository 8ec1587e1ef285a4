"""What is asked of a dispute desk, checked against the round that it is about. Writes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from schemas.address import checked_name
from schemas.commands import BetId, parse_bet_id
from schemas.disputes import Adjustment, DisputeOpened
from schemas.errors import InputError
from schemas.money import LARGEST, is_amount

if TYPE_CHECKING:
    from schemas.address import RoundAddress
    from services.cli.dispute_evidence import RoundLog
    from services.ledger.disputes import Dispute


def bet_of(text: str, at: RoundAddress) -> str:
    """Give a bet's id back if it is one of this round."""
    parts = parse_bet_id(text)
    if parts is None or (parts.shoe, parts.round) != (at.shoe, at.round):
        mend = f"write it as {BetId(at.shoe, at.round, 'alice', 'banker', 1)}"
        raise InputError(f"{text[:60]!r} is no bet of {at}", "--bet", mend)
    return text


def stake_of(stake: int | None) -> int | None:
    """Give a stake back if it is one, or is not told."""
    if stake is not None and not is_amount(stake):
        raise InputError(f"{stake} is no stake", "--stake", f"give 1 to {LARGEST} minor units")
    return stake


def about(said: DisputeOpened, log: RoundLog) -> DisputeOpened:
    """Fill in whose money a claim is about, and refuse what the round does not have."""
    bets = {one.bet: one for one in log.bets()}
    if said.bet is not None and said.bet not in bets:
        mend = "its bets are: " + ", ".join(bets) if bets else "leave --bet out"
        raise InputError(f"there is no bet {said.bet} on record", "--bet", mend)
    bettor = said.bettor
    known = {*log.seats, *(one.bettor for one in bets.values())}
    if said.bet is not None:
        bettor = bets[said.bet].bettor
        if said.bettor not in {None, bettor}:
            raise InputError(f"{said.bet} is no bet of {said.bettor}", "--bettor", f"say {bettor}")
    elif bettor is None and said.by in known:
        bettor = said.by
    if bettor is not None and bettor not in known:
        mend = "there sat: " + ", ".join(log.seats) if log.seats else "leave --bettor out"
        raise InputError(f"{bettor} sat at no seat in {log.at}", "--bettor", mend)
    spots = log.view.rules.spots
    if said.spot is not None and said.spot not in spots:
        raise InputError(f"{said.spot[:40]!r} is no spot", "--spot", "use: " + ", ".join(spots))
    if said.bet is None and (said.spot is None) != (said.stake is None):
        raise InputError("a bet has both", "--spot, --stake", "give both, or name a --bet")
    if said.spot is not None and bettor is None:
        raise InputError("it is not said whose bet", "--spot, --stake", "give --bettor too")
    return msgspec.structs.replace(said, bettor=bettor)


def money_of(one: Dispute, amount: int, bettor: str | None, bet: str | None) -> Adjustment:
    """Say whose money moves: as told, else the bet's, else as the claim has it."""
    if not is_amount(abs(amount)):
        mend = f"give -{LARGEST} to {LARGEST} minor units, but not 0"
        raise InputError(f"{amount} is no amount that can move", "--adjust", mend)
    name = bet_of(bet, one.at) if bet is not None else None
    if name is None and bettor in {None, one.opened.bettor}:
        name = one.opened.bet
    parts = None if name is None else parse_bet_id(name)
    who = bettor or (None if parts is None else parts.bettor) or one.opened.bettor
    if who is None:
        raise InputError("it is not said whose money moves", "--adjust", "give --bettor or --bet")
    checked_name(who, "bettor")
    if parts is not None and parts.bettor != who:
        raise InputError(f"{name} is no bet of {who}", "--bet, --bettor", f"say {parts.bettor}")
    return Adjustment(who, name, amount)
