"""``shoetrail play ktane``: a bomb's Baccarat module, its decks and rounds. Computes neither."""

from __future__ import annotations

import hashlib
import re
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from schemas.address import Shoe
from schemas.envelope import dump
from schemas.errors import InputError
from schemas.events import Ktane
from schemas.instant import parse as parse_time
from schemas.instant import spell
from schemas.plain_text import clean
from schemas.ruleset import named, parse
from services.baccarat import check_bomb
from services.bettors.bets_file import parse_bets
from services.bettors.defuser import DefuserFold
from services.cli import output, wiring
from services.cli.files import text_of
from services.cli.ktane_told import Told, decks_of, played, show, show_decks
from services.cli.options import settings_for, software
from services.cli.progress import bar
from services.cli.sealing import say_refused, sealer_for
from services.cli.whole_shoe import play_shoe
from services.cli.wiring import Simulation
from services.dealer.opening import House
from services.runtime.process import run_async

if TYPE_CHECKING:
    from collections.abc import Sequence

    from services.bettors.bets_file import Action

RULES = "ktane"
START = "2026-01-01T00:00:00.000000Z"
_DOLLAR = 100
_MOST_DECKS = 100
_COUNT = re.compile(r"[0-9]{1,9}", re.ASCII)


def ktane(
    serial: Annotated[str, typer.Option(help="The bomb's serial number.")],
    minimum: Annotated[int, typer.Option("--min", help="The table's minimum: 5 10 25 50 100.")],
    maximum: Annotated[int, typer.Option("--max", help="The table's maximum, dollars.")],
    ports: Annotated[
        str,
        typer.Option(help="Its ports: DVI-D, Parallel, PS/2, RJ-45, Serial, Stereo RCA; or none."),
    ] = "",
    lit: Annotated[str, typer.Option(help="Its lit indicators, like BOB,FRK; or none.")] = "",
    solved: Annotated[
        str, typer.Option(help="How many modules were solved as each deck appeared.")
    ] = "0",
    colours: Annotated[
        str, typer.Option(help="The decks' colours, in order: red, blue, green, silver.")
    ] = "red",
    bets: Annotated[
        Path | None, typer.Option(help="What is bet, a text file; without it: the decks alone.")
    ] = None,
    start: Annotated[str, typer.Option(help="Time of the first event.")] = START,
    log_dir: Annotated[Path | None, typer.Option(help="Where the replay logs go.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Play the Baccarat module of a bomb-defusal game, or only compute its decks.

    Each deck is a shoe of its own, replaced when 26 cards or fewer are left at a round's end. It
    goes through dealer, Redis, resolver and auditor like any other.

    A bets file has a word or a bet a line, and a # before what is only a note. Spots are player,
    banker, tie, player-pair and banker-pair.

      player 100           a bet in dollars

      banker 500+25+5      a stack of chips, the bottom one first (or 5k)

      withdraw banker      the bet there is taken back

      play                 the deck is pressed: bets are judged, cards dealt

    A profit solves the module, a loss is a strike, and so are an invalid set of bets (nothing is
    dealt then) and a larger chip on a smaller one (the dealer sorts the stack, and deals).

    Play ends when the module is solved, the bets are used up, or the last deck given is. In JSON a
    round's profit is in cents.

    For example:

      shoetrail play ktane --serial AB3CD7 --min 10 --max 1000 --ports PS/2

      shoetrail play ktane --serial AB3CD7 --min 10 --max 1000 --bets my.bets

      … --lit BOB --solved 3,5 --colours red,blue --bets my.bets --json
    """
    settings = settings_for(log_dir)
    decks = _decks(serial, minimum, maximum, _words(ports), _words(lit), solved, colours)
    if bets is None:
        alone = decks_of(decks)
        output.document(alone) if json else show_decks(alone.decks)
        return
    begins = parse_time(start)
    text, spots = text_of(bets, "a text file of bets"), parse(named(RULES).text).spots
    written = parse_bets(text, spots, str(bets))
    shoe = Shoe(f"KTANE-{_digest(decks, written).hex()[:8]}", 1)
    fold = DefuserFold(shoe.table, RULES, decks, written)
    sealer = sealer_for(settings, make=True)
    with bar("Playing", len(written), hidden=json) as progress:
        path = run_async(
            lambda: play_shoe(
                settings,
                shoe,
                House("dealer", software()),
                list,
                settings.log_dir,
                simulation=Simulation(_digest(decks, written), begins),
                commands=[fold.open_deck(1, spell(begins))],
                progress=lambda _rounds: progress(len(fold.module.rounds)),
                player=lambda journal: wiring.one_table(journal, fold, shoe.table),
                last=lambda: fold.last_shoe,
                sealer=sealer,
            )
        )
    say_refused(sealer)
    shoes = range(1, (fold.last_shoe or 1) + 1)
    told = Told([path.with_name(f"{number}.jsonl") for number in shoes])
    done = played(decks, told, len(written))
    output.document(done) if json else show(done, told, len(written))
    left = len(written) - len(done.rounds)
    if done.ended == "decks-used-up":
        what = f"{left} of {len(written)} rounds were not played: they need another deck"
        line = f"{bets}: {what}; give one more colour and solved count"
        typer.echo(f"shoetrail: {clean(line)}", err=True)
    if done.verdict == "fail":
        raise typer.Exit(1)


def _decks(
    serial: str,
    minimum: int,
    maximum: int,
    ports: tuple[str, ...],
    lit: tuple[str, ...],
    solved: str,
    colours: str,
) -> list[Ktane]:
    """Read what is seen on the bomb and the module as each deck appears."""
    counts, named_colours = _words(solved), _words(colours)
    for count in counts:
        if _COUNT.fullmatch(count) is None:
            raise InputError(f"{count[:40]!r} is no number of modules", "--solved", "count from 0")
    if not 1 <= len(named_colours) <= _MOST_DECKS:
        mend = f"name 1 to {_MOST_DECKS}, like red,blue"
        raise InputError(f"{len(named_colours)} decks", "--colours", mend)
    if len(counts) != len(named_colours):
        what = f"for {len(named_colours)} deck(s) there are {len(counts)} count(s)"
        raise InputError(what, "--solved", "give one count for each colour")
    for before, after in pairwise(named_colours):
        if before == after:
            what = f"a {before} deck after a {before} one"
            raise InputError(what, "--colours", "a new deck is of another colour")
    decks = [
        Ktane(serial, _DOLLAR * minimum, _DOLLAR * maximum, ports, lit, int(count), colour)
        for count, colour in zip(counts, named_colours, strict=True)
    ]
    for deck in decks:
        try:
            check_bomb(deck)
        except InputError as wrong:
            raise InputError(wrong.what, f"--{wrong.where}", wrong.mend) from None
    return decks


def _words(text: str) -> tuple[str, ...]:
    """Read words parted by commas; nothing at all is none."""
    return tuple(word.strip() for word in text.split(",")) if text.strip() else ()


def _digest(decks: Sequence[Ktane], written: Sequence[Sequence[Action]]) -> bytes:
    """Tell one play from another: a table's name comes from it, so that each has its own logs."""
    plain = [decks, [[(type(one).__name__, *one) for one in actions] for actions in written]]
    return hashlib.sha256(b"shoetrail play ktane " + dump(plain)).digest()
