"""Logs as three tables that other programs can ask: rounds, bets and cards. Writes nothing.

Money is minor units of the row's ``currency``, a round is named by its address in ``at``, which
joins the tables, and times are UTC. The bettor's ``net`` is returned + won - commission - stake.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from schemas import events as ev
from schemas.address import EntryId, Shoe
from schemas.outcomes import RoundResolved
from services.baccarat import net

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from schemas.envelope import Message, Said
    from services.office.reading import Round
    from services.office.reading import Shoe as ReadShoe

Name = Literal["rounds", "bets", "cards"]
NAMES: Final[tuple[Name, ...]] = ("rounds", "bets", "cards")
Value = str | int | bool | None
Row = tuple[Value, ...]


class Column(NamedTuple):
    """A column; ``time`` is text in the one spelling that our events have."""

    name: str
    kind: Literal["text", "number", "flag", "time"]


def _columns(**kinds: Literal["text", "number", "flag", "time"]) -> tuple[Column, ...]:
    return tuple(Column(name, kind) for name, kind in kinds.items())


#: A round's ``outcome`` is ``resolved``, ``void`` or ``halted``, and ``reason`` says why not the
#: first. A card's ``hand`` is player, banker or error, or it was burned or discarded; ``card`` is
#: null where it stayed face down.
COLUMNS: Final[Mapping[Name, tuple[Column, ...]]] = {
    "rounds": _columns(
        at="text", table="text", shoe="number", round="number", rules="text", currency="text",
        dealer="text", opened="time", settled="time", outcome="text", reason="text",
        winner="text", natural="flag", player_cards="text", player_total="number",
        banker_cards="text", banker_total="number", cards="number", bets="number",
        staked="number", returned="number", won="number", commission="number", house="number",
    ),
    "bets": _columns(
        at="text", table="text", shoe="number", round="number", rules="text", currency="text",
        dealer="text", settled="time", bet="text", bettor="text", spot="text", stake="number",
        result="text", odds="text", won="number", commission="number", returned="number",
        net="number",
    ),
    "cards": _columns(
        event="text", table="text", shoe="number", at="text", round="number", time="time",
        position="number", card="text", rank="text", suit="text", hand="text",
    ),
}  # fmt: skip


def round_row(done: Round) -> Row:
    """Give a settled round."""
    said, shoe = done.outcome, done.shoe
    hands: Row = (None, None, None, None, None, None)
    outcome, winner = "halted", None
    if isinstance(said, RoundResolved):
        player, banker = said.player, said.banker
        counts = len(player.cards) + len(banker.cards)
        hands = (
            said.natural, " ".join(player.cards), player.total, " ".join(banker.cards),
            banker.total, counts,
        )  # fmt: skip
        outcome, winner = ("void", None) if said.winner == "void" else ("resolved", said.winner)
    settled = said.settlements
    return (
        done.address, shoe.table, shoe.number, done.number, shoe.rules_name, shoe.currency,
        done.dealer, done.opened, done.settled, outcome, done.void, winner, *hands, len(settled),
        sum(paid.stake for paid in settled), sum(paid.returned for paid in settled),
        sum(paid.won for paid in settled), sum(paid.commission for paid in settled), said.house,
    )  # fmt: skip


def bet_rows(done: Round) -> Iterator[Row]:
    """Give a settled round's bets, in the order in which they were placed."""
    shoe = done.shoe
    for paid in done.outcome.settlements:
        yield (
            done.address, shoe.table, shoe.number, done.number, shoe.rules_name, shoe.currency,
            done.dealer, done.settled, paid.bet, paid.bettor, paid.spot, paid.stake, paid.result,
            paid.odds, paid.won, paid.commission, paid.returned, net(paid),
        )  # fmt: skip


def card_row(shoe: ReadShoe, message: Message[Said]) -> Row | None:
    """Give a card that left the shoe, or None for any other line.

    A card drawn in error and played later has a row for each.
    """
    said = message.data
    if not isinstance(said, ev.CardDrawn | ev.CardBurned | ev.CardDiscarded):
        return None
    at: str | None = None
    number: int | None = None
    hand = "burned" if isinstance(said, ev.CardBurned) else "discarded"
    if isinstance(said, ev.CardDrawn):
        at, number, hand = shoe.round(said.round), said.round, said.hand
    event = Shoe(shoe.table, shoe.number).event(EntryId.parse(message.id).minor)
    rank, suit = said.card or (None, None)
    return (
        event, shoe.table, shoe.number, at, number, message.time, said.position, said.card, rank,
        suit, hand,
    )  # fmt: skip
