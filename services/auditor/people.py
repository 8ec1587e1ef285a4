"""Who sits, bets, deals and owes, event by event. Draws no cards and settles no bets."""

from __future__ import annotations

from typing import Final

from schemas.address import RoundAddress, is_name
from schemas.commands import parse_command_id
from schemas.errors import InputError
from schemas.events import (
    BetPassed,
    BetPlaced,
    BetRefused,
    BettorLeft,
    BettorSeated,
    BetWithdrawn,
    CommandRefused,
    CommissionCollected,
    DealerChanged,
    MoneyAdjusted,
    ShoeCut,
)
from services.auditor import carried, disputed
from services.auditor.betting import UNKNOWN, Seat
from services.auditor.cards import is_seeded, set_mark
from services.auditor.hands import ROUND
from services.auditor.judging import Wrong, judge, names
from services.auditor.order import MOST_CLIENT_BYTES, unhex
from services.auditor.state import BETTING, State

SHOE: Final = "docs/procedure.md#a-shoe"
END: Final = "docs/procedure.md#the-end-of-a-shoe"
MONEY: Final = "DESIGN.md#5"
_HOUSE: Final = "house"


def shoe_cut(st: State, data: ShoeCut) -> None:
    """Judge a cut: once, in a seeded shoe, by somebody who is not the house."""
    if not is_seeded(st) or st.client_seed is not None:
        wanted = "one shoe.cut" if is_seeded(st) else "no shoe.cut"
        st.find("out-of-place", wanted, f"shoe.cut by {data.by}", f"{SHOE}/2")
        return
    if st.awaited:
        who = " ".join(sorted(st.awaited))
        st.awaited.clear()
        st.doubt("out-of-place", f"bettor.seated {who}", "shoe.cut", f"{SHOE}/2")
    st.waits = False
    st.client_seed = unhex(data.client_seed, 0, MOST_CLIENT_BYTES)
    beacon = unhex(data.beacon, 0, MOST_CLIENT_BYTES)
    if st.client_seed is None or beacon is None:
        st.client_seed = None
        st.find("malformed", "hex of 0 to 64 bytes", "another spelling", "schemas/published")
    else:
        st.beacon = beacon
    if not is_name(data.by):
        st.find("malformed", "who cut", data.by, "schemas/published")
    elif data.by in {st.dealer, _HOUSE} or not (data.by in st.betting.seats or st.lost):
        st.find("cut-by-house", "a player's cut", data.by, "docs/shoe.md")
    if not data.client_seed:
        st.find("cut-empty", "a client seed", "none", "docs/shoe.md")
    set_mark(st)


def seated(st: State, data: BettorSeated) -> None:
    """Seat a bettor, on a seat of his own."""
    betting = st.betting
    if data.seat < 1 or data.bankroll < 0 or not is_name(data.bettor):
        said = f"{data.bettor} at {data.seat} with {data.bankroll}"
        st.find("malformed", "a name, a seat from 1 on, a bankroll", said, SHOE)
    carried.seated(st, data)
    taken = betting.sits_at(data.seat)
    again = data.bettor in betting.seats and data.bettor not in betting.strangers
    if again or taken is not None:
        st.doubt("out-of-place", "a free seat", f"{taken or data.bettor} sits already", SHOE)
    st.betting.sit(data.bettor, data.seat, data.bankroll)
    st.awaited.discard(data.bettor)
    set_mark(st)


def left(st: State, data: BettorLeft) -> None:
    """Let a bettor go, between rounds and owing nothing."""
    if st.round is not None:
        st.doubt("out-of-place", f"the outcome of round {st.round.number}", f"{data.bettor} left",
                 f"{ROUND}/6")  # fmt: skip
    seat = st.betting.rise(data.bettor)
    if seat is None and not st.lost:
        st.doubt("out-of-place", "a seated bettor", f"{data.bettor} does not sit", SHOE)
    elif seat is not None and seat.owed:
        uncollected(st, data.bettor, seat)


def uncollected(st: State, bettor: str, seat: Seat) -> None:
    """Say that a bettor's marked commission was not collected."""
    st.find("commission-uncollected", str(seat.owed), f"0 of {bettor}",
            f"{st.tables.rules.name}/commission/collected", amount=-seat.owed)  # fmt: skip
    seat.owed = 0


def collected(st: State, data: CommissionCollected) -> None:
    """Judge the collecting of marked commission."""
    seat = st.betting.seats.get(data.bettor)
    owed = 0 if seat is None else seat.owed
    if data.amount != owed:
        st.find("commission-uncollected", str(owed), f"{data.amount} of {data.bettor}",
                f"{st.tables.rules.name}/commission/collected",
                amount=data.amount - owed)  # fmt: skip
    if seat is not None:
        seat.owed = 0


def placed(st: State, data: BetPlaced) -> None:
    """Judge a bet that was taken."""
    betting = st.betting
    playing = st.round
    st.bets += 1
    if betting.take(data):
        return
    if playing is None and st.hole:
        playing = st.adopt(data.round, BETTING)
    if data.bettor not in betting.seats and st.lost:
        betting.adopt(data.bettor)
    wrong = judge(betting, data)
    if wrong is not None:
        _unknown_money(st, data.bettor, wrong)
        amount = max(0, data.stake)
        st.find(wrong.code, wrong.expected, wrong.actual, wrong.rule,
                number=data.round, amount=amount)  # fmt: skip
    elif data.round != betting.round:
        st.doubt("out-of-place", "round.opened", f"a bet for round {data.round}", ROUND)
    if data.command != data.bet or not names(betting, data):
        named = f"{st.shoe}-{data.round}/{data.bettor}/{data.spot}/n"
        said = data.bet if data.command == data.bet else str(data.command)
        st.find("malformed", named, said, "DESIGN.md#2")
    if playing is not None and data.round == playing.number and not playing.settled:
        betting.place(data)


def _unknown_money(st: State, bettor: str, wrong: Wrong) -> None:
    """Say of a bettor but once that he does not sit, or has not so much."""
    betting = st.betting
    if wrong.reason == "not-seated":
        betting.adopt(bettor)
    elif wrong.reason == "bankroll":
        betting.seats[bettor].bankroll = UNKNOWN


def withdrawn(st: State, data: BetWithdrawn) -> None:
    """Judge a bet's being taken back: before the close only."""
    playing = st.round
    if playing is None or playing.number != data.round or playing.phase != BETTING:
        st.doubt("out-of-place", "before bets.closed", f"{data.bet} withdrawn", f"{ROUND}/2")
    if not st.betting.withdraw(data.bet):
        st.doubt("out-of-place", "a standing bet", f"{data.bet} withdrawn", f"{ROUND}/2")


def refused(st: State, data: BetRefused) -> None:
    """Remember that a bet was refused; whether rightly, only a witness can see."""
    st.betting.refuse(data)


def passed(st: State, data: BetPassed) -> None:
    """Judge a pass: of somebody who sits, it belongs to a round's betting."""
    betting = st.betting
    if data.bettor not in betting.seats:
        if not st.lost:
            st.find("out-of-place", "a seated bettor", f"{data.bettor} passed", f"{ROUND}/2")
        betting.adopt(data.bettor)
    betting.speak(data.round, data.bettor)
    playing = st.round
    out = playing is None or playing.number != data.round or playing.phase != BETTING
    if out or (playing is not None and playing.dummy):
        if playing is None and st.hole:
            st.adopt(data.round, BETTING)
            return
        st.doubt("out-of-place", "a round open for bets", f"{data.bettor} passed", f"{ROUND}/2")


def command_refused(st: State, data: CommandRefused) -> None:
    """Remember who passed though it was refused: before he sat, or for a later round."""
    said = None if data.command is None else parse_command_id(data.command)
    if said is not None and said.kind == "bet.pass":
        betting = st.betting
        betting.speak(said.n, said.who)
        betting.speak(betting.round if betting.open else betting.settled + 1, said.who)


def dealer_changed(st: State, data: DealerChanged) -> None:
    """Note who deals from here on."""
    st.dealer = data.dealer


def adjusted(st: State, data: MoneyAdjusted) -> None:
    """Judge money moved after a settlement: with a reason, a name and a round that there was."""
    betting = st.betting
    seat = betting.seats.get(data.bettor)
    covered = True
    if seat is not None:
        seat.bankroll += data.amount
        playing = st.round is not None and not st.round.settled
        covered = seat.bankroll >= (betting.staked(data.bettor) if playing else 0)
        if not covered:
            seat.bankroll = UNKNOWN
    try:
        table, shoe, number = RoundAddress.parse(data.at)
    except InputError:
        table, shoe, number = "", 0, 0
    known = table == st.table and min(shoe, number) > 0
    if shoe == st.shoe:
        known = known and number <= betting.settled
        known = known and (st.lost or data.bettor in betting.known)
    else:
        known = known and shoe < st.shoe
    if not covered:
        st.find("adjustment-unexplained", "no more than he has", str(data.amount), MONEY,
                amount=-data.amount)  # fmt: skip
    elif not (data.reason.strip() and data.by.strip() and known):
        said = f"reason {data.reason.strip() or 'none'}, by {data.by.strip() or 'nobody'}"
        st.find("adjustment-unexplained", f"a reason, a name and a round of {st.table}",
                f"{said}, of {data.at}", MONEY, amount=-data.amount)  # fmt: skip
    else:
        disputed.explained(st, data)
    disputed.note(st, data)
