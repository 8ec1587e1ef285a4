"""``shoetrail autoplay``: a betting system at length, through the services. Settles nothing."""

from __future__ import annotations

import hashlib
import secrets
from pathlib import Path
from typing import Annotated, Final

import typer

from schemas.commands import ShoeOpen
from schemas.errors import InputError
from schemas.instant import parse as parse_time
from schemas.instant import spell
from schemas.ruleset import named, parse
from services.bettors.nine import KINDS, make, settle
from services.cli import output
from services.cli.autoplay_asked import Asked, Done
from services.cli.autoplay_run import autoplay_hands
from services.cli.autoplay_screen import Shown
from services.cli.autoplay_terms import DOLLAR, bankroll_for, check_limits, in_cents
from services.cli.autoplay_told import Ended, Played, Sessions, show
from services.cli.figures import Figures
from services.cli.options import at_least, hex_bytes, settings_for
from services.cli.score_rows import player_name
from services.cli.terms import read_terms
from services.cli.wiring import Simulation
from services.runtime.clocks import wall_microseconds
from services.runtime.process import run_async

#: "The maximum allowable hands that may be dealt are 200,000."
MOST_HANDS: Final = 200_000
_BETTOR: Final = "gambler"
_INTERRUPTED: Final = 130


def autoplay(
    system: Annotated[str, typer.Option(help=f"One of {', '.join(KINDS)}.")],
    hands: Annotated[int, typer.Option(help="How many hands, up to 200,000.")],
    seed: Annotated[
        str | None, typer.Option(help="First server seed, 64 hex digits; else a random one.")
    ] = None,
    pace: Annotated[float, typer.Option(help="Seconds of rest before each next hand.")] = 0.0,
    unit: Annotated[str | None, typer.Option(help="One unit in whole dollars.")] = None,
    least: Annotated[str | None, typer.Option("--min", help="The smallest bet, 5.")] = None,
    most: Annotated[str | None, typer.Option("--max", help="The largest bet, 500 or 5.")] = None,
    restart: Annotated[
        str,
        typer.Option(help="yes: start over when the next bet is above the maximum; no: bet it."),
    ] = "yes",
    side: Annotated[str | None, typer.Option(help="player or banker.")] = None,
    series: Annotated[str | None, typer.Option(help='A cancellation\'s numbers: "1 2 3".')] = None,
    start_count: Annotated[
        str | None, typer.Option(help="Card count: the count of a new shoe, 14.")
    ] = None,
    rules: Annotated[str, typer.Option(help="The table's rule set.")] = "buti-1990",
    start: Annotated[
        str | None, typer.Option(help="Time of the first event: a run that can be repeated.")
    ] = None,
    name: Annotated[str | None, typer.Option(help="Your name, for the high scores.")] = None,
    marks: Annotated[str, typer.Option(help="Mark the score card with x or with numbers.")] = "x",
    hide_hands: Annotated[bool, typer.Option(help="Show totals only, no cards.")] = False,
    log_dir: Annotated[Path | None, typer.Option(help="Where the replay logs go.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Play a betting system for many hands.

    Each hand goes through dealer, Redis, resolver and auditor. On a terminal it shows the score
    card and the count while it plays, and takes keys: p or Esc pauses, g goes on, q quits; + and -
    change the speed, h c s m what is shown. The logs take about 4 KB a hand.

    For example:

      shoetrail autoplay --system martingale --hands 1000

      shoetrail autoplay --system thirty-one --hands 200000 --side banker --name Raymond --json
    """
    if not 1 <= hands <= MOST_HANDS:
        raise InputError(f"{hands} hands cannot be", "--hands", f"give 1 to {MOST_HANDS}")
    at_least(pace, 0, "--pace", most=3600)
    if marks not in {"x", "numbers"}:
        raise InputError(f"{marks[:40]!r} is no mark", "--marks", "use x or numbers")
    if name is not None:
        name = player_name(name)
    told = read_terms(unit, least, most, restart, side, series, start_count)
    terms = in_cents(system, told)
    player = make(system, terms, dollar=DOLLAR)
    settled = settle(system, terms, dollar=DOLLAR)
    played_by = parse(named(rules).text)
    check_limits(played_by, terms, system)
    # Nobody goes broke: the document has no bankroll.
    bankroll = bankroll_for(hands, settled.limits.maximum, played_by.currency)
    first, begins = _simulation(seed, start)
    settings = settings_for(log_dir)
    asked = Asked(
        table="AUTO-" + hashlib.sha256(b"shoetrail table" + first).hexdigest()[:8],
        opens=ShoeOpen(rules, seats=(_BETTOR,)),
        system=player,
        bankroll=bankroll,
        hands=hands,
        pace=pace,
        simulation=Simulation(first, begins),
        time=spell(wall_microseconds() if begins is None else begins),
        start_count=settled.start_count,
        title=f"{KINDS[system].title} at {played_by.title}",
        currency=played_by.currency,
    )
    shown = Shown(hands=not hide_hands, marking="x" if marks == "x" else "numbers")
    sessions = Sessions(
        settings.state_dir, asked.table, system, rules, asked.currency, str(settled)
    )

    def keep(figures: Figures, commitment: str) -> None:
        figures.restarts = player.restarts
        sessions.keep(figures, commitment)

    done = run_async(lambda: autoplay_hands(settings, asked, shown, keep, hidden=json))
    done.figures.restarts = player.restarts
    place = _kept(sessions, done, name, asks=not json)
    played = Played(
        asked.table,
        str(settings.log_dir / asked.table),
        system,
        rules,
        asked.currency,
        hands,
        done.figures,
        _ended(done, hands),
        done.verdict,
        done.faults,
        round(done.seconds, 3),
        round(done.figures.hands / done.seconds, 1) if done.seconds else 0.0,
        place,
    )
    _tell(played, done, json=json)


def _simulation(seed: str | None, start: str | None) -> tuple[bytes, int | None]:
    """Read the first server seed, a random one unless given, and the first event's time."""
    if seed is None and start is not None:
        raise InputError("a start without a seed", "--start", "give --seed too")
    first = secrets.token_bytes(32) if seed is None else hex_bytes(seed, "--seed", exactly=32)
    if start is None:
        return first, None
    try:
        return first, parse_time(start)
    except InputError as wrong:
        raise InputError(wrong.what, "--start", wrong.mend) from None


def _kept(sessions: Sessions, done: Done, name: str | None, *, asks: bool) -> int | None:
    """Keep the session, whatever ended it; give its place among the fifteen.

    It is kept before anybody is asked for a name, and without one where the audit found a fault.
    """
    if not done.figures.hands:
        return None
    named_now = None if done.faults else name
    place = sessions.keep(done.figures, done.commitment, named_now)
    well = not (done.faults or done.interrupted or done.trouble)
    if asks and well and name is None:
        told = sessions.ask_name(done.figures.net)
        if told is not None:
            place = sessions.keep(done.figures, done.commitment, told)
    return place


def _ended(done: Done, hands: int) -> Ended:
    if done.faults:
        return "faults"
    if done.interrupted:
        return "interrupted"
    return "quit" if done.figures.hands < hands else "played"


def _tell(played: Played, done: Done, *, json: bool) -> None:
    """Tell what came of it, by the exit code too."""
    if done.trouble is not None:
        if done.figures.hands and not json:
            output.note(f"{done.figures.hands:,} hands were played, and are kept in the statistics")
        raise done.trouble
    if json:
        output.document(played)
    else:
        show(played)
    if done.faults:
        raise typer.Exit(1)
    if done.interrupted:
        raise typer.Exit(_INTERRUPTED)
