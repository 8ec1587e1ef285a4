"""Settlements: each bet's, to the right bettor, in the right amount. Reads no cards.

A finding's amount is what the bettor should have got less what he got, stake included: positive
where the house owes him.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec.structs import astuple

from schemas.outcomes import RoundHalted, RoundResolved, Settlement
from services.auditor.betting import Row
from services.auditor.money import Paid, given_back
from services.auditor.state import Round, State
from services.auditor.tables import Result

SETTLEMENT: Final = "docs/procedure.md#settlement"
MONEY: Final = "DESIGN.md#5"


def net_of(said: Settlement) -> int:
    """Work out what a settlement moves to the bettor."""
    return said.returned + said.won - said.commission - said.stake


def settle(
    st: State, playing: Round, data: RoundResolved, result: Result | None, place: str
) -> None:
    """Judge all settlements of a round; ``result`` is None where it is void."""
    bets, said = playing.bets, data.settlements
    house = judged = 0
    seats = st.betting.seats
    if len(bets) == len(said) and result is not None:
        known = result.known
        for row, one in zip(bets, said, strict=True):
            paid = known.get(row[2:]) or result.paid(row[2:])
            if astuple(one) != row + paid.says:
                break
            judged += 1
            net = paid.net
            house -= net
            if row[1] in seats:
                seats[row[1]].bankroll += net
    if judged < len(said) or len(bets) != len(said):
        _one_by_one(st, playing, data, result, place)
        house = -sum(map(net_of, said))
        move(st, said[judged:])
    if house != data.house:
        st.find("money-not-conserved", str(house), str(data.house), MONEY, at=place,
                amount=house - data.house)  # fmt: skip
    if st.marked:
        for one in said:
            if one.bettor in seats:
                seats[one.bettor].owed += one.commission


def move(st: State, said: Iterable[Settlement]) -> None:
    """Move money as an outcome says, where there is nothing to judge it by."""
    for one in said:
        seat = st.betting.seats.get(one.bettor)
        if seat is not None:
            seat.bankroll += net_of(one)


def _one_by_one(
    st: State, playing: Round, data: RoundResolved, result: Result | None, place: str
) -> None:
    """Match settlements to bets by their ids, and judge each pair."""
    waiting: dict[str, list[Row]] = {}
    for row in playing.bets:
        waiting.setdefault(row[0], []).append(row)
    order: list[str] = []
    for one in data.settlements:
        own = waiting.get(one.bet)
        if own:
            row = own.pop(0)
            order.append(row[0])
            _judge(st, row, one, _paid(result, row), place)
        elif not st.hole:
            actual = f"{one.bet} of {one.bettor}"
            st.find("settlement-extra", "no such bet", actual, SETTLEMENT, at=place,
                    amount=-net_of(one))  # fmt: skip
    settled = set(order)
    for row in (row for rows in waiting.values() for row in rows):
        if row[0] not in settled:  # else taken twice, settled once: the taking was the fault
            amount = _paid(result, row).net
            st.find("settlement-missing", row[0], "none", SETTLEMENT, at=place, amount=amount)
    rightly = [row[0] for row in playing.bets if row[0] in settled]
    if order != rightly and sorted(order) == sorted(rightly):
        expected = next(want for want, got in zip(rightly, order, strict=True) if want != got)
        st.find("settlement-bet", f"{expected} first", "another order", SETTLEMENT, at=place)


def _paid(result: Result | None, row: Row) -> Paid:
    return given_back(row[3]) if result is None else result.paid(row[2:])


def _judge(st: State, row: Row, one: Settlement, paid: Paid, place: str) -> None:
    _, bettor, spot, stake = row
    result, odds, won, commission, returned = paid.says
    if (one.bettor, one.spot, one.stake) != (bettor, spot, stake):
        actual = f"{one.bettor} {one.spot} {one.stake}"
        owed = paid.net if one.bettor != bettor else paid.net - net_of(one)
        st.find("settlement-bet", f"{bettor} {spot} {stake}", actual, SETTLEMENT,
                at=place, amount=owed)  # fmt: skip
        return
    rule = f"{st.tables.rules.name}/spots/{spot}/pays"
    if one.result != result:
        st.find("payout", f"{result}: {paid.net} net", f"{one.result}: {net_of(one)} net", rule,
                at=place, amount=paid.net - net_of(one))  # fmt: skip
        return
    if (one.odds, one.won, one.returned) != (odds, won, returned):
        expected = f"{odds or result}: won {won}, returned {returned}"
        actual = f"{one.odds or one.result}: won {one.won}, returned {one.returned}"
        st.find("payout", expected, actual, rule, at=place,
                amount=won + returned - one.won - one.returned)  # fmt: skip
        if one.commission == st.tables.commission(spot, stake, one.won):
            return  # right by what was wrongly won
    if one.commission != commission:
        name = st.tables.rules.name
        st.find("commission", str(commission), str(one.commission), f"{name}/commission",
                at=place, amount=one.commission - commission)  # fmt: skip


def returned(st: State, data: RoundHalted, place: str) -> None:
    """Judge a halted round's money: every stake goes back."""
    for one in data.settlements:
        paid = given_back(one.stake)
        if (one.result, one.odds, one.won, one.commission, one.returned) != paid.says:
            st.find("payout", f"void: {paid.net} net", f"{one.result}: {net_of(one)} net",
                    SETTLEMENT, at=place, number=data.round, amount=-net_of(one))  # fmt: skip
    house = -sum(map(net_of, data.settlements))
    if house != data.house:
        st.find("money-not-conserved", str(house), str(data.house), MONEY, at=place,
                number=data.round, amount=house - data.house)  # fmt: skip
    move(st, data.settlements)
