"""``shoetrail replay``: a logged round again, card by card, with the reason for each draw."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
import typer

from schemas.address import Shoe
from schemas.cards import Card
from schemas.errors import InputError
from schemas.outcomes import HandResult, RoundResolved, Settlement
from schemas.ruleset import named, parse
from services.baccarat import Game, compile_rules
from services.cli import output
from services.cli.log_view import LogView, RoundView, read_log
from services.cli.options import settings_for


class Drawn(msgspec.Struct, frozen=True):
    """A card of a round: where it went, its position in the shoe, and why it was drawn."""

    hand: str
    card: Card
    position: int
    reason: str


class Other(msgspec.Struct, frozen=True):
    """The same coup by other rules; a bet on a spot they do not offer is unplaceable."""

    rules: str
    cards: tuple[Drawn, ...]
    player: HandResult
    banker: HandResult
    winner: str
    settlements: tuple[Settlement, ...]
    unplaceable: tuple[str, ...]


class Replayed(msgspec.Struct, frozen=True):
    """A round as it was dealt and settled, and by other rules where they were asked for."""

    at: str
    rules: str
    cards: tuple[Drawn, ...]
    player: HandResult
    banker: HandResult
    winner: str
    settlements: tuple[Settlement, ...]
    other: Other | None


def replay(
    log: Annotated[Path, typer.Argument(help="A replay log.")],
    number: Annotated[
        int | None, typer.Option("--round", help="Which round; all in a table unless told.")
    ] = None,
    rules: Annotated[
        str | None, typer.Option(help="Also by this published rule set, on the same cards.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Show logged rounds card by card.

    With the reason for each draw, and what other rules would have paid.

    For example:

      shoetrail replay replay_logs/CLEAN/1.jsonl

      shoetrail replay replay_logs/CLEAN/1.jsonl --round 17 --rules fun-casino-as-printed
    """
    settings_for(None)
    other = None if rules is None else compile_rules(parse(named(rules).text))
    view = read_log(log)
    chosen = list(view.rounds.values())
    if number is not None:
        if number not in view.rounds:
            mend = f"it holds rounds 1 to {len(view.rounds)}"
            raise InputError(f"there is no round {number}", str(log), mend)
        chosen = [view.rounds[number]]
    replays = [_replay(view, one, rules, other) for one in chosen]
    if json:
        output.document(replays[0] if number is not None else replays)
    elif number is not None:
        _show(replays[0], view.currency)
    else:
        _list(view, replays)


def _replay(view: LogView, one: RoundView, rules: str | None, other: Game | None) -> Replayed:
    told = one.outcome
    resolved = told if isinstance(told, RoundResolved) else None
    empty = HandResult((), 0)
    return Replayed(
        at=Shoe(view.table, view.shoe).round(one.number),
        rules=view.rules.name,
        cards=_reasons(view.game, one),
        player=empty if resolved is None else resolved.player,
        banker=empty if resolved is None else resolved.banker,
        winner="unsettled" if told is None else "halted" if resolved is None else resolved.winner,
        settlements=() if told is None else told.settlements,
        other=None if other is None or rules is None else _by_other(view, one, rules, other),
    )


def _reasons(game: Game, one: RoundView) -> tuple[Drawn, ...]:
    hands: dict[str, list[Card]] = {"player": [], "banker": [], "error": []}
    drawn: list[Drawn] = []
    for card in one.cards:
        due = game.next_draw(hands["player"], hands["banker"])
        reason = game.why(hands["player"], hands["banker"])
        if due != card.hand:
            reason = f"against the rules: {reason}"
        hands[card.hand].append(card.card)
        drawn.append(Drawn(card.hand, card.card, card.position, reason))
    return tuple(drawn)


def _by_other(view: LogView, one: RoundView, name: str, game: Game) -> Other | None:
    """Deal the same coup by other rules: from its first card on, as the shoe holds them."""
    if not one.cards:
        return None
    position = one.cards[0].position
    hands: dict[str, list[Card]] = {"player": [], "banker": []}
    drawn: list[Drawn] = []
    while (hand := game.next_draw(hands["player"], hands["banker"])) is not None:
        card = view.card_at(position)
        if card is None:
            what = f"the card at position {position} is not known from this log"
            raise InputError(what, mend="replay by other rules once the shoe is closed")
        reason = game.why(hands["player"], hands["banker"])
        drawn.append(Drawn(hand, card, position, reason))
        hands[hand].append(card)
        position += 1
    result = game.result(hands["player"], hands["banker"])
    placeable = [bet for bet in one.bets if bet.spot in game.rules.spots]
    return Other(
        rules=name,
        cards=tuple(drawn),
        player=HandResult(tuple(hands["player"]), result.player_total),
        banker=HandResult(tuple(hands["banker"]), result.banker_total),
        winner=result.winner,
        settlements=tuple(
            game.settle(bet.bet, bet.bettor, bet.spot, bet.stake, result) for bet in placeable
        ),
        unplaceable=tuple(bet.bet for bet in one.bets if bet not in placeable),
    )


def _net(settlements: tuple[Settlement, ...]) -> int:
    return sum(paid.returned + paid.won - paid.commission - paid.stake for paid in settlements)


def _list(view: LogView, replays: list[Replayed]) -> None:
    head = ["round", "player", "banker", "winner", "bettors' net"]
    other = replays and replays[0].other is not None
    if other:
        head += ["by other rules", "net"]
    rows = []
    for one in replays:
        row = [one.at, _hand(one.player), _hand(one.banker), one.winner]
        row.append(output.money(_net(one.settlements), view.currency))
        if one.other is not None:
            row += [one.other.winner, output.money(_net(one.other.settlements), view.currency)]
        rows.append(row)
    output.table(f"{view.table}/{view.shoe} by {view.rules.name}", head, rows)


def _hand(hand: HandResult) -> str:
    return f"{' '.join(hand.cards)} = {hand.total}" if hand.cards else "-"


def _show(one: Replayed, currency: str) -> None:
    _cards(f"{one.at} by {one.rules}", one.cards)
    output.facts(
        "Result",
        {"player": _hand(one.player), "banker": _hand(one.banker), "winner": one.winner},
    )
    _money("Settlement", one.settlements, currency)
    if one.other is not None:
        _cards(f"The same coup by {one.other.rules}", one.other.cards)
        winner = {
            "player": _hand(one.other.player),
            "banker": _hand(one.other.banker),
            "winner": one.other.winner,
        }
        output.facts("Result", winner)
        _money("Settlement", one.other.settlements, currency)
        for bet in one.other.unplaceable:
            output.note(f"{bet}: unplaceable, {one.other.rules} does not offer this spot")


def _cards(title: str, cards: tuple[Drawn, ...]) -> None:
    rows = [[card.hand, card.card, str(card.position), card.reason] for card in cards]
    output.table(title, ["hand", "card", "position", "reason"], rows)


def _money(title: str, settlements: tuple[Settlement, ...], currency: str) -> None:
    rows = [
        [
            paid.bettor,
            paid.spot,
            output.money(paid.stake, currency),
            paid.result,
            paid.odds or "-",
            output.money(paid.won, currency),
            output.money(paid.commission, currency),
            output.money(paid.returned, currency),
        ]
        for paid in settlements
    ]
    head = ["bettor", "spot", "stake", "result", "odds", "won", "commission", "returned"]
    if rows:
        output.table(title, head, rows)
