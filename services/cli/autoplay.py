"""``shoetrail autoplay``: a betting system at length, through the services. Settles nothing."""

from __future__ import annotations

import hashlib
import secrets
import sys
from pathlib import Path
from typing import Annotated, Final

import msgspec
import typer

from schemas.commands import ShoeOpen
from schemas.errors import InputError
from schemas.instant import parse as parse_time
from schemas.instant import spell
from schemas.ruleset import RuleSet, named, parse
from services.bettors.nine import KINDS, Terms, make, settle, spelling
from services.cli import output
from services.cli.autoplay_run import Asked, autoplay_hands
from services.cli.autoplay_screen import Shown
from services.cli.figures import Figures
from services.cli.options import at_least, hex_bytes, settings_for
from services.cli.score_book import FILE, ScoreBook
from services.cli.score_rows import Session, player_name, session_id
from services.cli.wiring import Simulation
from services.runtime.clocks import wall_microseconds
from services.runtime.process import run_async

#: "The maximum allowable hands that may be dealt are 200,000."
MOST_HANDS: Final = 200_000
_BETTOR: Final = "gambler"
#: The systems speak of whole dollars; the table's money is in hundredths.
_DOLLAR: Final = 100


class Played(msgspec.Struct, frozen=True):
    """What a run came to; money in minor units."""

    table: str
    logs: str
    system: str
    rules: str
    currency: str
    figures: Figures
    verdict: str
    seconds: float
    hands_per_s: float
    place: int | None


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
    card and the count while it plays, and takes keys: p pauses, g goes on, q quits.

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
    terms = _terms(unit, least, most, restart, side, series, start_count)
    player = make(system, terms, dollar=_DOLLAR)
    largest = settle(system, terms, dollar=_DOLLAR).limits.maximum
    played_by = parse(named(rules).text)
    _check_limits(played_by, terms, system)
    first = secrets.token_bytes(32) if seed is None else hex_bytes(seed, "--seed", exactly=32)
    begins = None if start is None else parse_time(start)
    settings = settings_for(log_dir)
    asked = Asked(
        table="AUTO-" + hashlib.sha256(b"shoetrail table" + first).hexdigest()[:8],
        opens=ShoeOpen(rules, seats=(_BETTOR,)),
        system=player,
        bankroll=hands * largest,
        hands=hands,
        pace=pace,
        simulation=Simulation(first, begins),
        time=spell(begins or wall_microseconds()),
        start_count=settle(system, terms, dollar=_DOLLAR).start_count,
        title=f"{KINDS[system].title} at {played_by.title}",
        currency=played_by.currency,
    )
    shown = Shown(hands=not hide_hands, marking="x" if marks == "x" else "numbers")
    with ScoreBook(settings.state_dir / FILE, wall_microseconds) as book:  # before, not after
        done = run_async(lambda: autoplay_hands(settings, asked, shown, hidden=json))
        figures = done.figures
        figures.restarts = player.restarts
        place = None
        if figures.hands:
            if name is None and not json:
                name = _ask_name(book, figures.net, played_by.currency)
            session = Session(
                id=session_id(asked.table, done.commitment, system),
                system=system,
                rules=rules,
                currency=played_by.currency,
                figures=figures,
                name=name,
            )
            place = book.keep(session)
    played = Played(
        asked.table,
        str(settings.log_dir / asked.table),
        system,
        rules,
        played_by.currency,
        figures,
        done.verdict,
        round(done.seconds, 3),
        round(figures.hands / done.seconds, 1) if done.seconds else 0.0,
        place,
    )
    if json:
        output.document(played)
    else:
        _show(played, hands)
    if done.verdict == "fail":
        for shoe in done.failed:
            output.note(f"the audit found faults in {shoe}")
        raise typer.Exit(1)


def _terms(
    unit: str | None,
    least: str | None,
    most: str | None,
    restart: str,
    side: str | None,
    series: str | None,
    start_count: str | None,
) -> Terms:
    def money(text: str | None, where: str) -> int | None:
        return None if text is None else spelling.amount(text, where) * _DOLLAR

    return Terms(
        unit=money(unit, "--unit"),
        minimum=money(least, "--min"),
        maximum=money(most, "--max"),
        restart=spelling.restart(restart, "--restart"),
        side=None if side is None else spelling.side(side, "--side"),
        series=None if series is None else spelling.series(series, "--series"),
        start_count=None if start_count is None else spelling.integer(start_count, "--start-count"),
    )


def _check_limits(rules: RuleSet, terms: Terms, system: str) -> None:
    """Refuse a system whose bets the table would refuse."""
    limits = settle(system, terms, dollar=_DOLLAR).limits
    for spot, of in rules.spots.items():
        if not of.main or of.maximum is None:
            continue
        if limits.minimum < of.minimum or limits.maximum > of.maximum:
            bounds = f"${of.minimum // _DOLLAR} to ${of.maximum // _DOLLAR}"
            what = f"the table takes {bounds} on {spot}"
            raise InputError(what, rules.name, "give --min and --max within that")
        if limits.minimum % of.step or limits.maximum % of.step:
            what = f"the table takes multiples of {output.money(of.step, rules.currency)} on {spot}"
            raise InputError(what, rules.name, "give --min and --max so")


def _ask_name(book: ScoreBook, score: int, currency: str) -> str | None:
    """Ask for the player's name where the score is high enough and somebody is there."""
    place = book.place_of(score, currency)
    if place is None or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return None
    while True:
        told = typer.prompt(
            f"{output.money(score, currency)} is high score number {place}. Your name", default=""
        )
        if not told.strip():
            return None
        try:
            return player_name(told)
        except InputError as wrong:
            output.note(str(wrong))


def _show(played: Played, asked: int) -> None:
    figures, money = played.figures, output.money
    currency = played.currency
    output.facts(
        f"{KINDS[played.system].title}, {figures.hands:,} hands",
        {
            "banker · player · tie": f"{figures.banker} · {figures.player} · {figures.ties}",
            "bets won · lost": f"{figures.won} · {figures.lost}",
            "staked": money(figures.staked, currency),
            "commission": money(figures.commission, currency),
            "profit": money(figures.net, currency),
            "best · worst": f"{money(figures.best, currency)} · {money(figures.worst, currency)}",
            "restarts at the maximum": str(figures.restarts),
            "hands a second": f"{played.hands_per_s:,.0f}",
            "audit": f"{played.verdict}, {figures.shoes} shoes",
            "logs": played.logs,
        },
    )
    if figures.hands < asked:
        output.note(f"ended after {figures.hands:,} of {asked:,} hands, as asked")
    if played.place is not None:
        output.note(f"high score number {played.place}: see shoetrail scores")
