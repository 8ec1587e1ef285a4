"""``shoetrail replay``: a logged round again, card by card, with the reason for each draw."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
import typer

from schemas.address import Shoe
from schemas.errors import InputError
from schemas.outcomes import HandResult, Settlement
from schemas.ruleset import named
from services.baccarat import net
from services.baccarat.course import Unseen
from services.baccarat.redeal import Drawn, Played, same_coup
from services.cli import compared_shown, output
from services.cli.compared_shown import hand
from services.cli.log_view import LogView, RoundView, read_log
from services.cli.options import settings_for
from services.cli.readings import Side, as_dealt, compared, redealt, side_of, why_not


class Replayed(msgspec.Struct, frozen=True):
    """A round as it was dealt and settled, and by other rules where they were asked for.

    ``other`` is the same coup by them, ``redealt`` the round of this number where the whole shoe is
    dealt again; null where it cannot be known or is not dealt.
    """

    at: str
    rules: str
    cards: tuple[Drawn, ...]
    player: HandResult
    banker: HandResult
    winner: str
    settlements: tuple[Settlement, ...]
    other: Played | None
    redealt: Played | None


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

    With the reason for each draw, and what other rules would have paid: for one round card by card,
    for all of them the rounds whose cards or money would differ.

    For example:

      shoetrail replay replay_logs/CLEAN/1.jsonl

      shoetrail replay replay_logs/CLEAN/1.jsonl --round 17 --rules fun-casino-as-printed

      shoetrail replay replay_logs/CLEAN/1.jsonl --rules fun-casino-as-printed
    """
    settings_for(None)
    if rules is not None:
        named(rules)
    view = read_log(log)
    other = None if rules is None else side_of(view, rules)
    chosen = list(view.rounds.values())
    if number is not None:
        if number not in view.rounds:
            mend = f"it holds rounds 1 to {len(view.rounds)}"
            raise InputError(f"there is no round {number}", str(log), mend)
        chosen = [view.rounds[number]]
    if other is not None and number is None and not json:
        compared_shown.show(compared(view, None, other))
        return
    again: dict[int, Played] = {}
    if other is not None and view.order:
        again = {one.round: one for one in redealt(view, other)}
    replays = [_replay(view, one, other, again, strict=number is not None) for one in chosen]
    if json:
        output.document(replays[0] if number is not None else replays)
    elif number is not None:
        _show(replays[0], view, other)
    else:
        _list(view, replays)


def _replay(
    view: LogView, one: RoundView, other: Side | None, again: dict[int, Played], *, strict: bool
) -> Replayed:
    dealt = as_dealt(view, one)
    return Replayed(
        at=Shoe(view.table, view.shoe).round(one.number),
        rules=view.rules.name,
        cards=dealt.cards,
        player=dealt.player,
        banker=dealt.banker,
        winner=dealt.winner,
        settlements=dealt.settlements,
        other=None if other is None else _by_other(view, one, other, strict=strict),
        redealt=again.get(one.number),
    )


def _by_other(view: LogView, one: RoundView, other: Side, *, strict: bool) -> Played | None:
    """Deal the same coup by other rules; a card not known yet is an error where ``strict``."""
    try:
        return same_coup(other.game, one.logged(), view.known)
    except Unseen:
        if strict:
            raise
        return None


def _list(view: LogView, replays: list[Replayed]) -> None:
    head = ["round", "player", "banker", "winner", "bettors' net"]
    rows = [
        [
            one.at,
            hand(one.player),
            hand(one.banker),
            one.winner,
            output.money(sum(map(net, one.settlements)), view.currency),
        ]
        for one in replays
    ]
    output.table(f"{view.table}/{view.shoe} by {view.rules.name}", head, rows)


def _show(one: Replayed, view: LogView, other: Side | None) -> None:
    _round(f"{one.at} by {one.rules}", one, view.currency)
    if one.other is not None:
        _round(f"The same coup by {one.other.rules}", one.other, view.currency)
    if one.redealt is not None:
        _round(f"The shoe dealt again by {one.redealt.rules}", one.redealt, view.currency)
    elif other is not None:
        why = f"{other.name} ends the shoe before it" if view.order else why_not(view)
        output.note(f"The shoe dealt again by {other.name} has no such round: {why}")


def _round(title: str, one: Replayed | Played, currency: str) -> None:
    _cards(title, one.cards)
    output.facts(
        "Result", {"player": hand(one.player), "banker": hand(one.banker), "winner": one.winner}
    )
    _money("Settlement", one.settlements, currency)
    for bet in one.unplaceable if isinstance(one, Played) else ():
        output.note(f"{bet}: unplaceable, {one.rules} does not offer this spot")


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
