"""Whether a bet had to be refused, and for what. Changes nothing, settles nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final, NamedTuple

from schemas.commands import parse_bet_id
from schemas.events import BetPlaced, BetRefused, Refusal
from schemas.money import is_amount
from services.auditor.betting import Betting, Row

PROCEDURE: Final = "docs/procedure.md#a-round/3"


class Wrong(NamedTuple):
    """Why a bet had to be refused: the reason, the finding's code, and what is on either side."""

    reason: Refusal
    code: str
    expected: str
    actual: str
    rule: str


def judge(at: Betting, bet: BetPlaced | BetRefused) -> Wrong | None:
    """Give the first reason for which this bet has to be refused now, or None."""
    return next(_reasons(at, bet), None)


def _reasons(at: Betting, bet: BetPlaced | BetRefused) -> Iterator[Wrong]:
    """Go through the reasons in the procedure's order."""
    if bet.bettor not in at.seats:
        yield Wrong("not-seated", "bet-bankroll", "a seated bettor", "not seated", PROCEDURE)
    nearest = max(at.settled + 1, at.round)
    this = bet.round == at.round
    if bet.round > nearest:
        yield Wrong("early", "bet-late", f"round {nearest}", f"round {bet.round}", PROCEDURE)
    if bet.round < at.round or (this and not at.open):
        said = f"round {bet.round} after its bets.closed"
        yield Wrong("late", "bet-late", "no bet after bets.closed", said, PROCEDURE)
    own = at.spots_of(bet.bettor) if this else ()
    if this and (bet.bet in at.answered or bet.spot in own):
        said = f"another bet of {bet.bettor} on {bet.spot}"
        yield Wrong("repeat", "bet-repeat", "one bet on a spot", said, PROCEDURE)
    stake = bet.stake
    if stake is None or not is_amount(stake):
        yield Wrong("stake", "bet-limit", "a positive amount", str(stake), PROCEDURE)
        return
    if not at.at_close:
        yield from _terms(at, bet.spot, stake, bet.chips)
        yield from _together(at, bet.spot, own)
        yield from _too_wide(at, bet.spot, stake, at.gap() if this else 0)
    whole = stake + (at.staked(bet.bettor) if this else 0)
    if bet.bettor in at.seats and whole > at.seats[bet.bettor].bankroll:
        most = f"at most {at.seats[bet.bettor].bankroll}"
        yield Wrong("bankroll", "bet-bankroll", most, str(whole), PROCEDURE)


def _terms(at: Betting, spot: str, stake: int, chips: tuple[int, ...] | None) -> Iterator[Wrong]:
    """Judge a bet by itself: spot, limits, step, chips."""
    name = at.tables.rules.name
    limits = at.limits.get(spot)
    if limits is None:
        yield Wrong("spot", "bet-spot", " ".join(at.limits), spot, f"{name}/spots")
        return
    least, most, step = limits
    where = f"{name}/spots/{spot}"
    said = f"{least} to {most}"
    if stake < least:
        yield Wrong("below-minimum", "bet-limit", said, str(stake), f"{where}/minimum")
    if stake > most:
        yield Wrong("above-maximum", "bet-limit", said, str(stake), f"{where}/maximum")
    if step > 0 and stake % step:
        yield Wrong("step", "bet-step", f"a multiple of {step}", str(stake), f"{where}/step")
    if chips is not None:
        kinds = at.tables.rules.chips or ()
        if sum(chips) != stake or not set(chips) <= set(kinds):
            said = f"chips of the table that make {stake}"
            yield Wrong("chips", "bet-step", said, f"chips of {sum(chips)}", f"{name}/chips")


def _together(at: Betting, spot: str, own: Collection[str]) -> Iterator[Wrong]:
    """Judge a bet against the same bettor's others."""
    rules = at.tables.rules
    where = f"{rules.name}/together"
    said = " ".join((*own, spot))
    mains = [other for other in (*own, spot) if _is_main(at, other)]
    if rules.together.exactly_one_main and _is_main(at, spot) and len(mains) > 1:
        rule = f"{where}/exactly_one_main"
        yield Wrong("combination", "bet-combination", "one main bet", said, rule)
    for names in rules.together.exclusive:
        if spot in names and not set(names).isdisjoint(own):
            wanted = "one of " + " ".join(names)
            yield Wrong("combination", "bet-combination", wanted, said, f"{where}/exclusive")


def _is_main(at: Betting, spot: str) -> bool:
    rules = at.tables.rules.spots.get(spot)
    return rules is not None and rules.main


def _too_wide(at: Betting, spot: str, stake: int, gap: int) -> Iterator[Wrong]:
    change = {"player": stake, "banker": -stake}.get(spot, 0)
    after = abs(gap + change)
    if at.widest is not None and change and after > at.widest and after > abs(gap):
        rule = f"{at.tables.rules.name}/differential"
        wanted = f"at most {at.widest}"
        yield Wrong("differential", "bet-differential", wanted, str(after), rule)


def judge_at_close(at: Betting) -> list[tuple[Row, Wrong]]:
    """Judge all standing bets, where the rules do so only now; one finding a bet at most."""
    if not at.at_close:
        return []
    found: list[tuple[Row, Wrong]] = []
    own: dict[str, dict[str, Row]] = {}
    gap = 0
    for row in at.rows:
        name, bettor, spot, stake = row
        others = own.setdefault(bettor, {})
        reasons = (
            *_terms(at, spot, stake, at.chips.get(name)),
            *_together(at, spot, others),
            *_too_wide(at, spot, stake, gap),
        )
        found += [(row, wrong) for wrong in reasons[:1]]
        others.setdefault(spot, row)
        gap += {"player": stake, "banker": -stake}.get(spot, 0)
    if at.tables.rules.together.exactly_one_main:
        blamed = {row[1] for row, _ in found}
        for bettor, spots in own.items():
            if bettor not in blamed and not any(_is_main(at, spot) for spot in spots):
                row = next(iter(spots.values()))
                rule = f"{at.tables.rules.name}/together/exactly_one_main"
                said = " ".join(spots)
                wrong = Wrong("combination", "bet-combination", "one main bet", said, rule)
                found.append((row, wrong))
    return found


def names(at: Betting, bet: BetPlaced) -> bool:
    """Tell whether a bet's id says the same as its terms."""
    said = parse_bet_id(bet.bet)
    return said is not None and said[:4] == (at.shoe, bet.round, bet.bettor, bet.spot)
