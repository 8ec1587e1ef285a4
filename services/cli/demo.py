"""``shoetrail demo``: a seeded eight-deck shoe through every service, audited. Settles nothing."""

from __future__ import annotations

import hashlib
import secrets
from pathlib import Path
from typing import Annotated

import typer

from schemas.address import Shoe
from schemas.commands import ShoeOpen
from schemas.instant import parse as parse_time
from services.auditor.offline import audit_paths
from services.auditor.record import Record
from services.bettors.config import parse_flat
from services.cli import output
from services.cli.options import at_least, hex_bytes, settings_for, software
from services.cli.progress import bar
from services.cli.sealing import say_refused, sealer_for
from services.cli.summary import Summary, summarise
from services.cli.whole_shoe import close_after, play_shoe
from services.cli.wiring import Simulation
from services.dealer.opening import House
from services.ledger.seal import checkpoint_of
from services.runtime.clocks import wall_microseconds
from services.runtime.process import run_async

RULES = "punto-banco"
BETTORS = "alice=player:2500,bob=banker:2500,carol=tie:500"
BANKROLL = 1_000_000
#: About so many rounds are dealt before the cut card ends the shoe.
_ROUNDS = 82


def demo_table(seed: bytes) -> str:
    """Name the demo's table after its seed, without giving the seed away."""
    return "DEMO-" + hashlib.sha256(b"shoetrail table" + seed).hexdigest()[:8]


def demo(
    seed: Annotated[
        str | None, typer.Option(help="Server seed, 64 hex digits; a run with it can be repeated.")
    ] = None,
    start: Annotated[
        str | None, typer.Option(help="Time of the first event, as 2026-11-30T20:00:00.000000Z.")
    ] = None,
    rounds: Annotated[
        int | None, typer.Option(help="End the shoe after so many rounds, not at the cut card.")
    ] = None,
    log_dir: Annotated[
        Path | None, typer.Option(help="Where the replay log goes; ./replay_logs unless told.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Deal, resolve and audit a whole shoe.

    Eight decks, three bettors, through real Redis streams.

    An embedded Redis is started unless SHOETRAIL_REDIS_URL names one. Two runs with the same
    --seed, --start and --rounds leave the same bytes, and with the same key the same checkpoint.
    The key is SHOETRAIL_KEY's, else one that is made in the state folder at first use.

    For example:

      shoetrail demo

      shoetrail demo --seed $(printf 00%.0s $(seq 32)) --start 2026-01-01T00:00:00.000000Z --json
    """
    settings = settings_for(log_dir)
    first = secrets.token_bytes(32) if seed is None else hex_bytes(seed, "--seed", exactly=32)
    begins = None if start is None else parse_time(start)
    at_least(rounds, 1, "--rounds")
    shoe = Shoe(demo_table(first), 1)
    simulation = Simulation(first, begins)
    house = House(
        dealer="demo",
        software=software(),
        opens=ShoeOpen(RULES, seats=tuple(seat.name for seat in parse_flat(BETTORS, BANKROLL))),
        shoes=1,
    )
    sealer = sealer_for(settings, make=True)
    now = wall_microseconds() if begins is None else begins
    commands = [] if rounds is None else [close_after(shoe, rounds, "demo", now)]
    with bar("Dealing", rounds or _ROUNDS, hidden=json) as progress:
        path = run_async(
            lambda: play_shoe(
                settings,
                shoe,
                house,
                lambda: parse_flat(BETTORS, BANKROLL),
                settings.log_dir,
                simulation=simulation,
                commands=commands,
                progress=progress,
                sealer=sealer,
            )
        )
    say_refused(sealer)
    record = None
    if sealer is not None and not sealer.refused:
        record = Record((sealer.signer.verifier,))
    audit = audit_paths([path], record=record)
    summary = summarise(path, audit.verdict)
    if sealer is not None:
        summary.vkey = sealer.signer.verifier.vkey
        summary.checkpoint = None if sealer.refused else str(checkpoint_of(path))
    if json:
        output.document(summary)
    else:
        _show(summary)
    if audit.verdict == "fail":
        raise typer.Exit(1)


def _show(summary: Summary) -> None:
    money = output.money
    output.facts(
        "One shoe, dealt, resolved and audited",
        {
            "rounds": str(summary.rounds),
            "banker · player · tie": f"{summary.winners.banker} · {summary.winners.player} · "
            f"{summary.winners.tie}",
            "staked": money(summary.staked, "USD"),
            "won": money(summary.won, "USD"),
            "commission": money(summary.commission, "USD"),
            "house": money(summary.house, "USD"),
            "verdict": summary.verdict,
            "log": summary.log,
            "sha256": summary.sha256,
            "checkpoint": summary.checkpoint or "none: this log is not sealed",
            "vkey": summary.vkey or "",
        },
    )
