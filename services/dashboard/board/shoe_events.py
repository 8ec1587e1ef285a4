"""What each event changes of a shoe as the board folds it. Pure; pays nothing.

Each handler gives the names of the fields of ``TableView`` that it changed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from schemas import events as ev
from schemas.address import RoundAddress, Shoe
from schemas.errors import InputError
from services.baccarat.game import game_of
from services.dashboard.board.order_board import public_order, told_order
from services.dashboard.board.round_board import RoundBoard
from services.dashboard.board.shapes import AdjustmentShape

if TYPE_CHECKING:
    from services.dashboard.board.shoe_fold import ShoeFold

Fields = tuple[str, ...]
#: Of the shoe, the event's number in it and time, and what it says.
Handler = Callable[["ShoeFold", int, str, Any], Fields]

_NOTHING: Final = ()
#: What a new shoe changes.
ALL: Final = (
    "shoe", "round", "results", "roads", "tally", "left", "seats", "findings", "adjustments",
    "disputes", "updated", "seats_more", "findings_more", "adjustments_more",
)  # fmt: skip


def _open(shoe: ShoeFold, _seq: int, time: str, said: ev.ShoeOpened) -> Fields:
    if shoe.opened is not None:
        return _NOTHING
    shoe.opened = said
    shoe.opened_at = time
    shoe.dealer = said.dealer
    shoe.game = game_of(said.rules)
    if isinstance(said.origin, ev.Ktane):
        shoe.cards.decks = 1
        shoe.cards.order = public_order(said)
    elif isinstance(said.origin, ev.Seeded):
        shoe.cards.decks = said.decks
    taken = None if shoe.game is None else shoe.game.rules.commission
    shoe.seats.marked = taken is not None and taken.collected == "shoe-end"
    return ALL


def _cut(shoe: ShoeFold, _seq: int, _time: str, said: ev.ShoeCut) -> Fields:
    shoe.cut = shoe.cut or said
    return _NOTHING


def _sit(shoe: ShoeFold, seq: int, _time: str, said: ev.BettorSeated) -> Fields:
    shoe.seats.sit(said, seq, shoe.results.outcomes())
    return ("seats",)


def _leave(shoe: ShoeFold, _seq: int, _time: str, said: ev.BettorLeft) -> Fields:
    return ("seats",) if shoe.seats.leave(said.bettor) else _NOTHING


def _taken(shoe: ShoeFold, _seq: int, _time: str, said: ev.CardBurned | ev.CardDiscarded) -> Fields:
    return ("shoe", "left") if shoe.cards.take(said) else _NOTHING


def _round_opened(shoe: ShoeFold, _seq: int, time: str, said: ev.RoundOpened) -> Fields:
    if said.round in shoe.rounds:
        return _NOTHING
    one = RoundBoard(said.round, shoe.name.round(said.round), time, shoe.game)
    one.told = shoe.results.told(said.round)
    shoe.rounds[said.round] = one
    shoe.opened_last = one
    shoe.cards.begun = True
    return ("round",)


def _bets_closed(shoe: ShoeFold, _seq: int, time: str, said: ev.BetsClosed) -> Fields:
    return _of_round(shoe, said.round, time, RoundBoard.closed)


def _dealt(shoe: ShoeFold, _seq: int, time: str, said: ev.RoundDealt) -> Fields:
    return _of_round(shoe, said.round, time, RoundBoard.dealt)


def _voided(shoe: ShoeFold, _seq: int, time: str, said: ev.RoundVoided) -> Fields:
    return _of_round(shoe, said.round, time, lambda one: one.void(said))


def _placed(shoe: ShoeFold, _seq: int, time: str, said: ev.BetPlaced) -> Fields:
    return _of_round(shoe, said.round, time, lambda one: one.bets.place(said))


def _refused(shoe: ShoeFold, _seq: int, time: str, said: ev.BetRefused) -> Fields:
    return _of_round(shoe, said.round, time, lambda one: one.bets.refuse(said))


def _withdrawn(shoe: ShoeFold, _seq: int, time: str, said: ev.BetWithdrawn) -> Fields:
    return _of_round(shoe, said.round, time, lambda one: one.bets.withdraw(said))


def _drawn(shoe: ShoeFold, seq: int, time: str, said: ev.CardDrawn) -> Fields:
    at = shoe.name.event(seq)
    fields = _of_round(shoe, said.round, time, lambda one: one.draw(said, at))
    return (*fields, "shoe", "left") if shoe.cards.take(said) else fields


def _of_round(shoe: ShoeFold, number: int, time: str, take: Callable[[RoundBoard], None]) -> Fields:
    one = shoe.rounds.get(number)
    if one is None:
        return _NOTHING
    one.touch(time)
    take(one)
    return ("round",) if one is shoe.current else _NOTHING


def _cut_card(shoe: ShoeFold, _seq: int, _time: str, said: ev.CutCardOut) -> Fields:
    if shoe.cut_card_out is not None:
        return _NOTHING
    shoe.cut_card_out = said.position
    return ("shoe",)


def _people(shoe: ShoeFold, _seq: int, _time: str, said: ev.DealerChanged) -> Fields:
    shoe.dealer, shoe.supervisor = said.dealer, said.supervisor
    return ("shoe",)


def _collected(shoe: ShoeFold, _seq: int, _time: str, said: ev.CommissionCollected) -> Fields:
    return ("seats",) if shoe.seats.collect(said) else _NOTHING


def _adjusted(shoe: ShoeFold, seq: int, _time: str, said: ev.MoneyAdjusted) -> Fields:
    shoe.adjustments.append(
        AdjustmentShape(
            shoe.name.event(seq), said.at, said.bettor, said.amount, said.reason, said.dispute
        )
    )
    about = round_in(said.at, shoe.name)
    if about is not None:
        shoe.results.corrected.add(about.round)
        shoe.rows = shoe.results.mark(about.round)
    return ("adjustments", "seats") if shoe.seats.adjust(said) else ("adjustments",)


def _closed(shoe: ShoeFold, _seq: int, time: str, said: ev.ShoeClosed) -> Fields:
    if shoe.closed is not None:
        return _NOTHING
    shoe.closed, shoe.closed_at = said, time
    order = told_order(said)
    if not order:
        return ("shoe",)
    shoe.cards.order = order
    return ("shoe", "left")


def round_in(address: str, shoe: Shoe) -> RoundAddress | None:
    """Read the address of a round of this shoe; None of any other, and of none."""
    try:
        about = RoundAddress.parse(address)
    except InputError:
        return None
    return about if (about.table, about.shoe) == shoe else None


#: What each event changes.
EVENTS: Final[dict[type, Handler]] = {
    ev.ShoeOpened: _open,
    ev.ShoeCut: _cut,
    ev.BettorSeated: _sit,
    ev.BettorLeft: _leave,
    ev.CardBurned: _taken,
    ev.CardDiscarded: _taken,
    ev.RoundOpened: _round_opened,
    ev.BetsClosed: _bets_closed,
    ev.RoundDealt: _dealt,
    ev.RoundVoided: _voided,
    ev.BetPlaced: _placed,
    ev.BetRefused: _refused,
    ev.BetWithdrawn: _withdrawn,
    ev.CardDrawn: _drawn,
    ev.CutCardOut: _cut_card,
    ev.DealerChanged: _people,
    ev.CommissionCollected: _collected,
    ev.MoneyAdjusted: _adjusted,
    ev.ShoeClosed: _closed,
}
