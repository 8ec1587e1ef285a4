"""The sample of disputes: two opened, one of them rejected, one resolved with money at the table.

The services play a shoe; the desk works on the same Redis; the next shoe begins with the money.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Final

from schemas.address import Shoe, Sources
from schemas.commands import ShoeClose, ShoeOpen, command_id
from schemas.disputes import Adjustment, Clip, DisputeOpened, DisputeResolved
from schemas.envelope import encode
from schemas.instant import parse, spell
from services.bettors.config import parse_flat
from services.cli.whole_shoe import play_shoe
from services.cli.wiring import Simulation
from services.dealer.opening import House
from services.disputes import DisputeDesk, adjust
from services.journal import connect
from services.runtime.clocks import SimulatedClock
from services.runtime.process import run_async
from services.runtime.redis_server import EmbeddedRedis
from services.runtime.settings import Settings

TABLE: Final = "DISPUTED"
START: Final = parse("2026-01-01T20:00:00.000000Z")
#: The desk's first entry and the time between them: the last comes when shoe 1 is closed, and
#: before shoe 2 is opened.
DESK: Final = parse("2026-01-01T20:00:33.500000Z")
STEP: Final = 20_000_000
BETTORS: Final = "alice=player:2500,bob=banker:2500,carol=tie:500"
#: How many rounds each of the two shoes has.
ROUNDS: Final = (8, 4)

#: Round 1: the player won. One chip of 25 was read where the clip shows two: 25 more are won.
STAKE = DisputeOpened(
    at=f"{TABLE}/1#1",
    by="alice",
    claim="I had two chips of 25 on player, and was paid on one",
    bettor="alice",
    bet="1-1/alice/player/1",
    spot=None,
    stake=5000,
    clips=(
        Clip(
            name="camera 4, 20.00.mp4",
            sha256=sha256(b"kept by surveillance").hexdigest(),
            size=18_350_412,
        ),
    ),
)
#: Round 2: a bet on a tie that nobody saw.
TIE = DisputeOpened(
    at=f"{TABLE}/1#2",
    by="bob",
    claim="5 on tie were down before the call",
    bettor="bob",
    bet=None,
    spot="tie",
    stake=500,
    clips=(),
)
REJECTED = DisputeResolved(2, "Sue Stone, pit", "camera 4 shows no chip on tie", None, ())
PAID = DisputeResolved(
    dispute=1,
    by="Sue Stone, pit",
    finding="camera 4 shows two chips before the call: the second is paid",
    adjustment=Adjustment("alice", "1-1/alice/player/1", 2500),
    clips=(),
)


def make(folder: Path) -> None:
    """Write the logs and the record into a folder."""
    with EmbeddedRedis(appendfsync="no") as server:
        settings = Settings.read({"SHOETRAIL_REDIS_URL": server.url})
        _play(settings, folder, 1)
        run_async(lambda: _dispute(server.url, folder))
        _play(settings, folder, 2)
    for lock in (".lock", ".disputes.lock"):
        (folder / TABLE / lock).unlink()


def _play(settings: Settings, folder: Path, shoe: int) -> None:
    names = tuple(seat.name for seat in parse_flat(BETTORS, 1))
    asks = ShoeClose("desk", after_round=ROUNDS[shoe - 1])
    name = command_id(shoe, "shoe.close", "desk", 1)
    run_async(
        lambda: play_shoe(
            settings,
            Shoe(TABLE, shoe),
            House("dora", "shoetrail 0.1.0", ShoeOpen("punto-banco", seats=names), shoe),
            lambda: parse_flat(BETTORS, 1_000_000),
            folder,
            simulation=Simulation(TABLE.encode().ljust(32, b"."), START),
            commands=[encode(name, Sources(TABLE).commands, spell(START), asks)],
        )
    )


async def _dispute(url: str, folder: Path) -> None:
    journal = connect(url)
    try:
        clock = SimulatedClock(DESK, STEP)
        desk = DisputeDesk(folder, TABLE, clock, journal)
        for said in (STAKE, TIE):
            await desk.open(said)
        await desk.resolve(REJECTED)
        paid = await desk.resolve(PAID)
        await adjust(journal, folder, paid.dispute, clock, wait=0)
    finally:
        await journal.aclose()
