"""``shoetrail play``: a scripted game from the source documents, through the real services."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Annotated

import typer

from schemas.address import Shoe
from schemas.cards import Card, order_text
from schemas.commands import AskFixed, ShoeOpen
from schemas.errors import InputError
from schemas.instant import parse as parse_time
from schemas.ruleset import Rounds, named, parse
from services.auditor.offline import audit_paths
from services.bettors.decks import read_deck
from services.bettors.scenario import Scenario, load_scenario, shipped, shipped_deck
from services.cli import output
from services.cli.files import text_of
from services.cli.log_view import read_log
from services.cli.options import hex_bytes, settings_for, software
from services.cli.progress import bar
from services.cli.scripted import played, show
from services.cli.sealing import say_refused, sealer_for
from services.cli.whole_shoe import close_after, play_shoe
from services.cli.wiring import Simulation
from services.dealer.opening import House
from services.runtime.process import run_async

START = "2026-01-01T00:00:00.000000Z"


def play(
    name: Annotated[
        str, typer.Argument(metavar="SCENARIO", help="yaba4, or ktane with options of its own.")
    ],
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

      shoetrail play yaba4 --scenario my.toml
    """
    settings = settings_for(log_dir)
    game = _game(name, scenario)
    order = _deck(game, deck)
    told = f"shoetrail play {order_text(order)}"
    if scenario is not None:  # another game over the same deck is another table's
        told += "\n" + text_of(scenario)
    digest = hashlib.sha256(told.encode()).digest()
    first = digest if seed is None else hex_bytes(seed, "--seed", exactly=32)
    begins = parse_time(start)
    shoe = Shoe(f"{game.name.upper()[:23]}-{digest.hex()[:8]}", 1)
    opens = ShoeOpen(game.rules, AskFixed("stacked"), seats=(game.bettor,))
    sealer = sealer_for(settings, make=True)
    with bar("Playing", game.hands, hidden=json) as progress:
        path = run_async(
            lambda: play_shoe(
                settings,
                shoe,
                House("dealer", software(), opens, 1),
                lambda: [game.seat()],
                settings.log_dir,
                decks={"stacked": order},
                simulation=Simulation(first, begins),
                commands=_ending(game, shoe, begins),
                progress=progress,
                sealer=sealer,
            )
        )
    say_refused(sealer)
    done = played(game, read_log(path), path, audit_paths([path]).verdict)
    if json:
        output.document(done)
    else:
        show(game, done)
    if done.verdict == "fail":
        raise typer.Exit(1)


def _game(name: str, path: Path | None) -> Scenario:
    if path is None:
        return shipped(name)
    game = load_scenario(text_of(path), str(path))
    if name != game.name:  # then it has to be the game of ours that the file changes
        shipped(name)
    return game


def _deck(game: Scenario, path: Path | None) -> tuple[Card, ...]:
    rules = parse(named(game.rules).text)
    if path is not None:
        order = read_deck(text_of(path), decks=rules.decks, where=str(path))
    elif game.decks:
        order = shipped_deck(game.decks[0], rules.decks)
    else:
        raise InputError("this scenario comes without a deck", game.name, "give --deck FILE")
    least = max(rules.round_needs, len(rules.drawing.deal))
    if len(order) < least:
        what = f"no hand can be dealt from {len(order)} cards"
        raise InputError(what, str(path), f"{rules.name} deals from {least} cards or more")
    return order


def _ending(game: Scenario, shoe: Shoe, time: int) -> list[bytes]:
    """Ask for the shoe to be closed after the game's hands, where its rules do not end it there."""
    ending = parse(named(game.rules).text).ending
    if isinstance(ending, Rounds) and ending.rounds == game.hands:
        return []
    return [close_after(shoe, game.hands, "play", time)]
