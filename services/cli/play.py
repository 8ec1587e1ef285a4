"""``shoetrail play``: a scripted game from the source documents, through the real services."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from schemas.address import Shoe
from schemas.cards import order_text
from schemas.commands import AskFixed, ShoeOpen
from schemas.errors import InputError
from schemas.instant import parse as parse_time
from schemas.outcomes import RoundResolved
from schemas.ruleset import named, parse
from services.auditor.offline import audit_paths
from services.bettors.deciding import deciding_card
from services.bettors.decks import read_deck
from services.bettors.scenario import Scenario, load_scenario, shipped, shipped_deck
from services.cli import output
from services.cli.log_view import LogView, read_log
from services.cli.options import hex_bytes, settings_for, software
from services.cli.progress import bar
from services.cli.whole_shoe import play_shoe
from services.cli.wiring import Simulation
from services.dealer.opening import House
from services.runtime.process import run_async

START = "2026-01-01T00:00:00.000000Z"


class Hand(msgspec.Struct, frozen=True):
    """A hand of the game and what the bettor has after it."""

    round: int
    winner: str
    spot: str | None
    stake: int
    net: int
    bankroll: int


class Deciding(msgspec.Struct, frozen=True):
    """The card after which the goal was decided."""

    at: str
    round: int
    position: int
    card: str


class Played(msgspec.Struct, frozen=True):
    """A played scenario: its answers to the document's questions."""

    scenario: str
    log: str
    hands: tuple[Hand, ...]
    wins: int
    goal: bool
    handed_back: int
    deciding: Deciding | None
    refused: tuple[str, ...]
    verdict: str


def play(
    name: Annotated[str, typer.Argument(metavar="SCENARIO", help="yaba4.")],
    deck: Annotated[
        Path | None, typer.Option(help="The stacked deck, a text file of cards in order.")
    ] = None,
    scenario: Annotated[
        Path | None, typer.Option(help="Another ladder, bankroll and goal, a TOML file.")
    ] = None,
    start: Annotated[str, typer.Option(help="Time of the first event.")] = START,
    seed: Annotated[
        str | None, typer.Option(help="What the salt is derived from; else from the deck.")
    ] = None,
    log_dir: Annotated[Path | None, typer.Option(help="Where the replay log goes.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Play a scripted game.

    It goes through dealer, Redis, resolver and auditor like any other.

    For example:

      shoetrail play yaba4

      shoetrail play yaba4 --deck my.deck --json
    """
    settings = settings_for(log_dir)
    game = shipped(name) if scenario is None else _scenario(scenario)
    rules = parse(named(game.rules).text)
    if deck is not None:
        if not deck.is_file():
            raise InputError("there is no such file", str(deck), "name a text file of cards")
        order = read_deck(deck.read_text("utf-8", "replace"), decks=rules.decks, where=str(deck))
    elif game.decks:
        order = shipped_deck(game.decks[0], rules.decks)
    else:
        raise InputError("this scenario comes without a deck", game.name, "give --deck FILE")
    text = order_text(order)
    digest = hashlib.sha256(f"shoetrail play {text}".encode()).digest()
    first = digest if seed is None else hex_bytes(seed, "--seed", exactly=32)
    shoe = Shoe(f"{game.name.upper()[:23]}-{digest.hex()[:8]}", 1)
    opens = ShoeOpen(game.rules, AskFixed("stacked"), seats=(game.bettor,))
    with bar("Playing", game.hands, hidden=json) as progress:
        path = run_async(
            lambda: play_shoe(
                settings,
                shoe,
                House("dealer", software(), opens, 1),
                lambda: [game.seat()],
                settings.log_dir,
                decks={"stacked": order},
                simulation=Simulation(first, parse_time(start)),
                progress=progress,
            )
        )
    played = _played(game, path)
    if json:
        output.document(played)
    else:
        _show(game, played)
    if played.verdict == "fail":
        raise typer.Exit(1)


def _scenario(path: Path) -> Scenario:
    if not path.is_file():
        raise InputError("there is no such file", str(path), "name a scenario's TOML file")
    return load_scenario(path.read_text("utf-8", "replace"), str(path))


def _played(game: Scenario, path: Path) -> Played:
    view = read_log(path)
    bankroll = game.bankroll
    hands: list[Hand] = []
    for one in view.rounds.values():
        told = one.outcome
        if not isinstance(told, RoundResolved):
            continue
        mine = [paid for paid in told.settlements if paid.bettor == game.bettor]
        net = sum(paid.returned + paid.won - paid.commission - paid.stake for paid in mine)
        bankroll += net
        spot = mine[0].spot if mine else None
        stake = sum(paid.stake for paid in mine)
        hands.append(Hand(one.number, told.winner, spot, stake, net, bankroll))
    wins = sum(hand.winner == game.goal.side for hand in hands)
    return Played(
        scenario=game.name,
        log=str(path),
        hands=tuple(hands),
        wins=wins,
        goal=wins >= game.goal.wins,
        handed_back=bankroll,
        deciding=_deciding(game, view),
        refused=tuple(
            f"{bet.bet}: {bet.stake} on {bet.spot}: {bet.reason}" for bet in view.refused
        ),
        verdict=audit_paths([path]).verdict,
    )


def _deciding(game: Scenario, view: LogView) -> Deciding | None:
    dealt = [
        one
        for one in view.rounds.values()
        if isinstance(one.outcome, RoundResolved) and one.outcome.winner != "void"
    ]
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


def _show(game: Scenario, played: Played) -> None:
    rows = [
        [
            str(hand.round),
            hand.winner,
            hand.spot or "-",
            output.money(hand.stake, "USD"),
            output.money(hand.net, "USD"),
            output.money(hand.bankroll, "USD"),
        ]
        for hand in played.hands
    ]
    output.table(game.title, ["hand", "winner", "bet on", "stake", "net", "bankroll"], rows)
    for line in played.refused:
        output.note(line)
    if len(played.hands) < game.hands:
        output.note(f"the deck ended after {len(played.hands)} of {game.hands} hands")
    card = played.deciding
    decided = (
        "none"
        if card is None
        else f"{card.card}, round {card.round}, position {card.position} ({card.at})"
    )
    goal = "reached" if played.goal else "missed"
    output.facts(
        "The questions",
        {
            "which card decided": decided,
            "money handed back": output.money(played.handed_back, "USD"),
            f"{game.goal.wins} {game.goal.side} wins": f"{played.wins}, {goal}",
            "audit": played.verdict,
            "log": played.log,
        },
    )
