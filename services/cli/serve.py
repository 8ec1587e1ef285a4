"""``shoetrail serve``: everything in one process, with the live board. Decides nothing."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from schemas.commands import ShoeOpen
from schemas.errors import InputError
from schemas.ruleset import named, parse, published
from services.bettors.config import parse_seats
from services.bettors.table import Seat
from services.cli import wiring
from services.cli.options import at_least, names, settings_for, software
from services.cli.sealing import sealer_for
from services.cli.until_told import check_port, ended
from services.dealer.app import DealerService
from services.dealer.opening import House
from services.journal import Journal, TableService
from services.runtime.process import Service, run_async
from services.runtime.redis_server import redis_at


def serve(
    tables: Annotated[str, typer.Option(help="Tables to work, parted by commas.")] = "T1",
    rules: Annotated[str, typer.Option(help="The rule set of their shoes.")] = "punto-banco",
    flat: Annotated[
        str | None, typer.Option(help="Bettors that play by themselves: NAME=SPOT:STAKE,…")
    ] = None,
    systems: Annotated[
        str | None, typer.Option(help="Bettors that play a system: NAME=SYSTEM[:unit=500…],…")
    ] = None,
    seats: Annotated[str, typer.Option(help="Bettors to wait for before the cut.")] = "",
    window: Annotated[
        int | None, typer.Option(help="Betting window in seconds; else until all have spoken.")
    ] = None,
    pace: Annotated[float, typer.Option(help="Seconds to wait between rounds.")] = 0.0,
    bankroll: Annotated[int, typer.Option(help="A bettor's money, minor units.")] = 10_000_000,
    shoes: Annotated[int | None, typer.Option(help="Open no shoe numbered above this.")] = None,
    host: Annotated[str, typer.Option(help="Where the board listens.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Its port.")] = 8080,
    log_dir: Annotated[Path | None, typer.Option(help="Where replay logs lie.")] = None,
) -> None:
    """Run all services in one process.

    Dealer, resolver, auditor, worker and the live board, with /healthz and /readyz. The logs are
    signed with the key that SHOETRAIL_KEY names, else with one that is made in the state folder at
    first use.

    Where SHOETRAIL_DASHBOARD_TOKEN is set, everything needs it (/metrics too) but /healthz,
    /readyz, /signin, /static and /public; without it anybody who reaches the port may look. The
    board listens on loopback unless told; speak TLS in front of it.

    An embedded Redis is started unless SHOETRAIL_REDIS_URL names one.

    For example:

      shoetrail serve --tables T1,T2 --flat alice=player:1000,bob=banker:1000 --pace 2

      shoetrail serve --systems carol=martingale:unit=1000:max=50000,dora=follow-the-shoe

      SHOETRAIL_REDIS_URL=redis://127.0.0.1:6379/0 shoetrail serve --tables T7 --window 20
    """
    settings = settings_for(log_dir, quiet=False)
    chosen = parse(named(rules).text)
    at_least(pace, 0, "--pace", most=86_400)
    at_least(shoes, 1, "--shoes")
    at_least(bankroll, 1, "--bankroll")
    at_least(window, 1, "--window", most=86_400)
    at_least(port, 0, "--port", most=65_535)
    worked = names(tables, "--tables", "table")
    if not worked:
        raise InputError("no table is named", "--tables", "write --tables T1")
    players = parse_seats(flat, systems, bankroll, chosen)
    awaited = names(seats, "--seats", "bettor") or [seat.name for seat in players]

    def seated() -> list[Seat]:
        return parse_seats(flat, systems, bankroll)

    house = House("house", software(), ShoeOpen(rules, seats=tuple(awaited), window=window), shoes)

    check_port(host, port)
    sealer = sealer_for(settings, make=True)

    def build(journal: Journal) -> Sequence[Service]:
        dealer = wiring.dealer(journal, worked, house, settings.state_dir, pace=pace)
        parts: list[TableService] = [
            wiring.resolver(journal, worked),
            wiring.auditor(journal, settings.log_dir, published(), worked, sealer=sealer),
        ]
        if players:
            parts.append(wiring.bettors(journal, worked, seated, simulated=False))
        worked_by: list[TableService | DealerService] = [dealer, *parts]

        def ready() -> dict[str, bool]:
            return {
                f"{part.name} {table}": getattr(desk, "trouble", None) is None
                for part in worked_by
                for table, desk in part.desks.items()
            }

        page = wiring.dashboard(journal, settings, (host, port), worked, also_ready=ready)
        work = wiring.worker(journal, settings.log_dir, "serve")
        return [page, *parts, work, dealer]

    # The tables go on where they were when this is started again: their Redis is kept.
    with redis_at(settings, data_dir=settings.state_dir / "redis") as url:
        note = f"shoetrail: tables {tables}, http://{host}:{port}/, logs in {settings.log_dir}"
        typer.echo(f"{note}; Ctrl-C ends it", err=True)
        if sealer is not None:
            typer.echo(f"shoetrail: logs are signed by {sealer.signer.verifier.vkey}", err=True)
        run_async(lambda: wiring.work(url, build))
    ended("ended; start it again, and the tables go on")
