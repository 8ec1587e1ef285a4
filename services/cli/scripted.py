"""What a scripted game came to: its answers, read from its log. Plays and judges nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from schemas.events import Refusal
from schemas.money import LARGEST
from schemas.outcomes import HandResult, RoundResolved
from services.baccarat import net
from services.bettors.deciding import deciding_card
from services.bettors.systems import Coup, View
from services.cli import output
from services.cli.compared_shown import hand as spelled

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from schemas.outcomes import Settlement
    from services.bettors.scenario import Scenario
    from services.cli.log_view import LogView, RoundView


class Hand(msgspec.Struct, frozen=True):
    """A hand of the game and what the bettor has after it; ``round`` is its number in the log.

    A hand whose winner is ``void`` does not count: its stake came back.
    """

    round: int
    player: HandResult
    banker: HandResult
    winner: str
    spot: str | None
    stake: int
    net: int
    bankroll: int


class Refused(msgspec.Struct, frozen=True):
    """A bet that the table did not take; ``stake`` is null where it was no amount."""

    round: int
    spot: str
    stake: int | None
    reason: Refusal


class Stopped(msgspec.Struct, frozen=True):
    """Where the betting stopped: the stake that was due is more than the bankroll."""

    round: int
    stake: int
    bankroll: int


class Deciding(msgspec.Struct, frozen=True):
    """The card after which the goal was decided."""

    at: str
    round: int
    position: int
    card: str


class Played(msgspec.Struct, frozen=True):
    """A played scenario: its answers to the document's questions.

    ``dealt`` hands count towards the goal. Without a ``deciding`` card the deck ended before
    anything was decided. Money is minor units of ``currency``.
    """

    scenario: str
    log: str
    currency: str
    hands: tuple[Hand, ...]
    dealt: int
    wins: int
    goal: bool
    handed_back: int
    deciding: Deciding | None
    refused: tuple[Refused, ...]
    stopped: Stopped | None
    verdict: str


def played(game: Scenario, view: LogView, log: Path, verdict: str) -> Played:
    """Answer the questions of a game from its log."""
    resolved = [
        (one, one.outcome) for one in view.rounds.values() if isinstance(one.outcome, RoundResolved)
    ]
    bankroll = game.bankroll
    hands: list[Hand] = []
    for one, told in resolved:
        mine = _mine(game, told)
        made = sum(map(net, mine))
        bankroll += made
        spot = mine[0].spot if mine else None
        stake = sum(paid.stake for paid in mine)
        hands.append(
            Hand(one.number, told.player, told.banker, told.winner, spot, stake, made, bankroll)
        )
    counted = [one for one, told in resolved if told.winner != "void"][: game.hands]
    numbers = {one.number for one in counted}
    wins = sum(hand.round in numbers and hand.winner == game.goal.side for hand in hands)
    return Played(
        scenario=game.name,
        log=str(log),
        currency=view.currency,
        hands=tuple(hands),
        dealt=len(counted),
        wins=wins,
        goal=wins >= game.goal.wins,
        handed_back=bankroll,
        deciding=_deciding(game, view, counted),
        refused=tuple(Refused(bet.round, bet.spot, bet.stake, bet.reason) for bet in view.refused),
        stopped=_stopped(game, [told for _, told in resolved]),
        verdict=verdict,
    )


def _mine(game: Scenario, told: RoundResolved) -> tuple[Settlement, ...]:
    return tuple(paid for paid in told.settlements if paid.bettor == game.bettor)


def _deciding(game: Scenario, view: LogView, dealt: Sequence[RoundView]) -> Deciding | None:
    found = deciding_card(
        view.game,
        [[card.card for card in one.cards] for one in dealt],
        side=game.goal.side,
        wins=game.goal.wins,
        hands=game.hands,
    )
    if found is None:
        return None
    one = dealt[found.hand - 1]
    card = one.cards[found.card]
    return Deciding(view.taken_at[card.position], one.number, card.position, card.card)


def _stopped(game: Scenario, rounds: Sequence[RoundResolved]) -> Stopped | None:
    """Ask the ladder again, with all the money there is, for the stake that could not be bet."""
    ladder = game.seat().system
    bankroll = game.bankroll
    for told in rounds:
        wishes = ladder.bet(View(1, told.round, LARGEST))
        for wish in wishes if isinstance(wishes, tuple) else ():
            if wish.stake > bankroll:
                return Stopped(told.round, wish.stake, bankroll)
        mine = _mine(game, told)
        bankroll += sum(map(net, mine))
        ladder.coup(Coup(told.round, told.winner, mine))
    return None


def show(game: Scenario, done: Played) -> None:
    """Print the hands, whatever went otherwise than written down, and the answers."""
    rows = [
        [
            str(hand.round),
            spelled(hand.player),
            spelled(hand.banker),
            hand.winner,
            hand.spot or "-",
            output.money(hand.stake, done.currency),
            output.money(hand.net, done.currency),
            output.money(hand.bankroll, done.currency),
        ]
        for hand in done.hands
    ]
    head = ["hand", "player", "banker", "winner", "bet on", "stake", "net", "bankroll"]
    output.table(game.title, head, rows)
    for line in _notes(game, done):
        output.note(line)
    card = done.deciding
    decided = (
        "none: the deck ended first"
        if card is None
        else f"{card.card}, round {card.round}, position {card.position} ({card.at})"
    )
    reached = "reached" if done.goal else "open" if card is None else "missed"
    answers = {
        "which card decided": decided,
        "money handed back": output.money(done.handed_back, done.currency),
        f"{game.goal.wins} {game.goal.side} wins": f"{done.wins}, {reached}",
    }
    if game.goal.asks:
        answers[game.goal.asks] = {
            "reached": game.goal.met,
            "missed": game.goal.missed,
            "open": "open",
        }[reached]
    output.facts("The questions", {**answers, "audit": done.verdict, "log": done.log})


def _notes(game: Scenario, done: Played) -> list[str]:
    currency = done.currency
    notes = []
    for bet in done.refused:
        stake = "no amount" if bet.stake is None else output.money(bet.stake, currency)
        notes.append(f"hand {bet.round}: {stake} on {bet.spot} was refused: {bet.reason}")
    if done.stopped is not None:
        stake = output.money(done.stopped.stake, currency)
        left = output.money(done.stopped.bankroll, currency)
        notes.append(
            f"hand {done.stopped.round}: betting stopped, the stake of {stake} is above the "
            f"bankroll of {left}; the hands are dealt all the same"
        )
    notes += [
        f"hand {hand.round}: the deck ran out, the hand is void and its stake came back"
        for hand in done.hands
        if hand.winner == "void"
    ]
    if done.dealt < game.hands:
        notes.append(f"the deck ended after {done.dealt} of {game.hands} hands")
    return notes
