"""``shoetrail run SERVICE``: one service against a Redis, as compose does. Decides nothing."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

import typer

from schemas.cards import Card
from schemas.commands import AskFixed, AskOrigin, AskSeeded, ShoeOpen
from schemas.errors import InputError
from schemas.instant import parse as parse_time
from schemas.ruleset import named, parse, published
from services.bettors.config import parse_seats
from services.bettors.decks import read_deck
from services.bettors.scenario import load_scenario
from services.bettors.table import Seat
from services.cli import wiring
from services.cli.options import at_least, hex_bytes, names, settings_for, software
from services.cli.sealing import sealer_for
from services.cli.until_told import check_port, ended
from services.cli.wiring import Simulation
from services.dealer.opening import House
from services.journal import Journal
from services.runtime.process import Service, run_async
from services.runtime.settings import Settings

_YEAR_S = 31_536_000

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    add_completion=False,
    help=(
        "Run one service, as compose does.\n\n"
        "It works with the Redis that SHOETRAIL_REDIS_URL names, until SIGTERM."
    ),
)

Tables = Annotated[
    str | None, typer.Option("--tables", help="Only these tables, parted by commas; else all.")
]
Needed = Annotated[str, typer.Option("--tables", help="Tables to work, parted by commas.")]
Seed = Annotated[str | None, typer.Option("--seed", help="Simulated run: first seed, 64 digits.")]
Start = Annotated[str | None, typer.Option("--start", help="Simulated run: first event's time.")]
StepS = Annotated[float, typer.Option("--step", help="Simulated run: seconds between events.")]
LogDir = Annotated[Path | None, typer.Option("--log-dir", help="Where replay logs lie.")]


def _run(settings: Settings, build: Callable[[Journal], Sequence[Service]]) -> None:
    url = settings.redis_url
    if url is None:
        mend = "set it to the Redis that all services share, or use `shoetrail serve`"
        raise InputError("SHOETRAIL_REDIS_URL is not set", mend=mend)

    run_async(lambda: wiring.work(url, build))
    ended("ended")


def simulation_of(seed: str | None, start: str | None, step: float) -> Simulation | None:
    """Read the options of a simulated run; None where there are none."""
    if seed is None and start is None:
        return None
    if seed is None:
        raise InputError("a start without a seed", "--start", "give --seed too")
    first = hex_bytes(seed, "--seed", exactly=32)
    at_least(step, 0, "--step", most=86_400)
    begins = None if start is None else parse_time(start)
    return Simulation(first, begins, round(step * 1_000_000))


@app.command("dealer")
def dealer(
    tables: Needed,
    rules: Annotated[
        str | None, typer.Option(help="Open shoes by this rule set where none is open.")
    ] = None,
    seats: Annotated[str, typer.Option(help="Bettors to wait for before the cut.")] = "",
    shoes: Annotated[
        int | None, typer.Option(help="Open no shoe numbered above this; else go on and on.")
    ] = None,
    window: Annotated[
        int | None, typer.Option(help="Betting window in seconds; else until all have spoken.")
    ] = None,
    deck: Annotated[
        list[str] | None,
        typer.Option(help="A stacked deck, NAME=FILE; the first is what shoes are opened with."),
    ] = None,
    dealer_name: Annotated[str, typer.Option("--dealer", help="Who deals.")] = "dealer",
    pace: Annotated[float, typer.Option(help="Seconds to wait between rounds.")] = 0.0,
    seed: Seed = None,
    start: Start = None,
    step: StepS = 1.0,
) -> None:
    """Open shoes, take bets and deal.

    Example: shoetrail run dealer --tables T1,T2 --rules punto-banco --seats alice,bob
    """
    settings = settings_for(None, quiet=False)
    decks: dict[str, tuple[Card, ...]] = {}
    chosen = None if rules is None else parse(named(rules).text)
    for item in deck or []:
        name, _, file = item.partition("=")
        path = Path(file)
        if not name or not path.is_file():
            raise InputError(f"{item[:60]!r} is no deck", "--deck", "write NAME=FILE")
        most = 8 if chosen is None else chosen.decks
        decks[name] = read_deck(path.read_text("utf-8", "replace"), decks=most, where=file)
    origin: AskOrigin = AskFixed(next(iter(decks))) if decks else AskSeeded()
    awaited = tuple(names(seats, "--seats", "bettor"))
    at_least(shoes, 1, "--shoes")
    at_least(window, 1, "--window", most=86_400)
    at_least(pace, 0, "--pace", most=86_400)
    opens = None if rules is None else ShoeOpen(rules, origin, awaited, window=window)
    house = House(dealer_name, software(), opens, shoes)
    simulation = simulation_of(seed, start, step)
    worked = names(tables, "--tables", "table")
    _run(
        settings,
        lambda journal: [
            wiring.dealer(
                journal,
                worked,
                house,
                settings.state_dir,
                decks=decks,
                simulation=simulation,
                pace=pace,
            )
        ],
    )


@app.command("bettors")
def bettors(
    tables: Needed,
    flat: Annotated[
        str | None,
        typer.Option(help="Flat bettors: NAME=SPOT:STAKE[+SPOT:STAKE],… in minor units."),
    ] = None,
    systems: Annotated[
        str | None,
        typer.Option(help="Those who play a system: NAME=SYSTEM[:unit=500][:restart=no]…,…"),
    ] = None,
    ladder: Annotated[
        Path | None, typer.Option(help="A scenario's ladder, from a TOML file.")
    ] = None,
    bankroll: Annotated[int, typer.Option(help="A bettor's money, minor units.")] = 10_000_000,
    seed: Seed = None,
) -> None:
    """Seat bettors and bet for them.

    `shoetrail systems` lists the systems; a series is written 1-2-3.

    For example:

      shoetrail run bettors --tables T1 --flat alice=player:1000,bob=banker:1000+tie:500

      shoetrail run bettors --tables T1 --systems al=cancellation:series=1-2-3
    """
    settings = settings_for(None, quiet=False)
    at_least(bankroll, 1, "--bankroll")
    if (flat is None and systems is None) == (ladder is None):
        mend = "give --flat, --systems or both; or --ladder"
        raise InputError("no bettors, or two kinds", mend=mend)

    def seated() -> list[Seat]:
        if ladder is not None:
            text = ladder.read_text("utf-8", "replace")
            return [load_scenario(text, str(ladder)).seat()]
        return parse_seats(flat, systems, bankroll)

    if ladder is not None and not ladder.is_file():
        raise InputError("there is no such file", str(ladder), "name a scenario's TOML file")
    seated()
    worked = names(tables, "--tables", "table")
    simulated = seed is not None
    _run(settings, lambda journal: [wiring.bettors(journal, worked, seated, simulated=simulated)])


@app.command("resolver")
def resolver(tables: Tables = None) -> None:
    """Fold events into outcomes; two resolvers may run hot-hot.

    Example: shoetrail run resolver
    """
    settings = settings_for(None, quiet=False)
    only = None if tables is None else names(tables, "--tables", "table")
    _run(settings, lambda journal: [wiring.resolver(journal, only)])


@app.command("auditor")
def auditor(
    tables: Tables = None,
    log_dir: LogDir = None,
    keep_shoes: Annotated[
        int | None, typer.Option(help="Trim all but so many shoes of each table from Redis.")
    ] = None,
    simulated: Annotated[
        bool, typer.Option("--simulated", help="The tables' times are no clock's.")
    ] = False,
    unsealed: Annotated[
        bool, typer.Option("--unsealed", help="Sign nothing, though there is a key.")
    ] = False,
) -> None:
    """Check every round as it falls, write the replay log, say verdicts.

    It signs its logs with the key that SHOETRAIL_KEY names, else with signing.key in the state
    folder; without a key they stay unsealed.

    Example: shoetrail run auditor --log-dir replay_logs
    """
    settings = settings_for(log_dir, quiet=False)
    at_least(keep_shoes, 1, "--keep-shoes")
    only = None if tables is None else names(tables, "--tables", "table")
    sealer = None if unsealed else sealer_for(settings)
    _run(
        settings,
        lambda journal: [
            wiring.auditor(
                journal,
                settings.log_dir,
                published(),
                only,
                keep_shoes,
                sealer=sealer,
                simulated=simulated,
            )
        ],
    )


@app.command("worker")
def worker(
    log_dir: LogDir = None,
    name: Annotated[str | None, typer.Option(help="This worker's name among the others.")] = None,
    claim_after: Annotated[
        float, typer.Option(help="Seconds after which a shoe is taken over from another worker.")
    ] = 60.0,
) -> None:
    """Audit the log of each closed shoe whole, and keep the result beside it.

    Example: shoetrail run worker --log-dir replay_logs
    """
    settings = settings_for(log_dir, quiet=False)
    consumer = name or f"{socket.gethostname()}-{os.getpid()}"
    if not 0 < claim_after <= _YEAR_S:
        mend = f"give more than 0, at most {_YEAR_S}"
        raise InputError(f"{claim_after} seconds", "--claim-after", mend)
    idle_ms = max(round(claim_after * 1000), 1)
    _run(settings, lambda journal: [wiring.worker(journal, settings.log_dir, consumer, idle_ms)])


@app.command("dashboard")
def dashboard(
    tables: Tables = None,
    host: Annotated[str, typer.Option(help="Where the board listens.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(help="Its port; 0: any free one, which the log tells.")
    ] = 8080,
    viewers: Annotated[
        int | None, typer.Option(help="So many streams at once at most; else 2000, 1000 of one.")
    ] = None,
    log_dir: LogDir = None,
) -> None:
    """Show all tables in a browser, live and from their logs. It writes nothing.

    Where SHOETRAIL_DASHBOARD_TOKEN is set, everything needs it (/metrics too) but /healthz,
    /readyz, /signin, /static and /public; without it anybody who reaches the port may look. It
    listens on loopback unless told; speak TLS in front of it.

    Example: shoetrail run dashboard --host 0.0.0.0 --log-dir replay_logs
    """
    settings = settings_for(log_dir, quiet=False)
    at_least(port, 0, "--port", most=65_535)
    at_least(viewers, 1, "--viewers", most=100_000)
    only = None if tables is None else names(tables, "--tables", "table")
    if settings.redis_url is not None:
        check_port(host, port)
    _run(
        settings,
        lambda journal: [wiring.dashboard(journal, settings, (host, port), only, viewers=viewers)],
    )
