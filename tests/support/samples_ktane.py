"""The samples of a bomb's module: a clean play of two decks, and one said to be solved that is not.

The clean one comes from the real services. The disputed one comes from a naive table, which works
its deck out by itself.
"""

from __future__ import annotations

from pathlib import Path
from typing import cast

from msgspec.structs import replace

from schemas.address import Shoe
from schemas.cards import Card
from schemas.events import Ktane
from schemas.instant import parse, spell
from services.bettors.bets_file import parse_bets
from services.bettors.defuser import NAME, DefuserFold
from services.cli import wiring
from services.cli.whole_shoe import play_shoe
from services.cli.wiring import Simulation
from services.dealer.opening import House
from services.runtime.process import run_async
from services.runtime.settings import Settings
from tests.unit.auditor.table import Table

TABLE = "KTANE"
DISPUTED = "DISPUTE-KTANE"
START = parse("2026-01-01T20:00:00.000000Z")
#: The bomb of ``specs/sources.md`` C, and the module's second deck.
RED = Ktane("AB3CD7", 1000, 100_000, ("DVI-D", "Serial", "Serial"), (), 3, "red")
BLUE = replace(RED, colour="blue", solved=5)
SPOTS = ("player", "banker", "tie", "player-pair", "banker-pair")
#: Dollars, chips bottom first. The red deck's coups are the player's three times, two ties, then
#: the banker's, which leaves 23 cards; the blue one's first is the player's.
BETS = """
banker 19           # lost: a strike
play
player 10
withdraw player     # not so
banker 5+25         # a larger chip on a smaller one: the dealer sorts them, a strike; and lost
play
player 9            # below the table's minimum: a strike, and no deal
tie 1
play
banker 10           # lost
play
player 25+5+1       # a tie: neither
play
player 10
player-pair 100     # a tenth of the maximum, lost with three and queen
play
player 10           # lost, and the deck is replaced
play
player 100+25
tie 5               # lost, but not as much as is won: solved
play
"""
STRIKES = 7


def played(folder: Path, table: str = TABLE) -> None:
    """Play both decks, to solved."""
    shoe = Shoe(table, 1)
    fold = DefuserFold(table, "ktane", (RED, BLUE), parse_bets(BETS, SPOTS, "sample"))
    run_async(
        lambda: play_shoe(
            Settings.read({}),
            shoe,
            House("dora", "shoetrail 0.1.0"),
            list,
            folder,
            simulation=Simulation(table.encode().ljust(32, b"."), START),
            commands=[fold.open_deck(1, spell(START))],
            player=lambda journal: wiring.one_table(journal, fold, table),
            last=lambda: fold.last_shoe,
        )
    )
    (folder / table / ".lock").unlink()


def order_of(first: int, multiplier: int) -> list[Card]:
    """A deck by its first position and multiplier, as anybody works it out from the table."""
    up, down = "A23456789TJQK", "KQJT98765432A"
    new = [rank + suit for ranks, suit in zip((up, up, down, down), "HCDS", strict=True)
           for rank in ranks]  # fmt: skip
    order: list[str] = []
    at = first
    while len(order) < len(new):
        order.append(new[at - 1])
        at = at * multiplier % 53
    return cast("list[Card]", order)


def said_to_be_solved(table: str = DISPUTED) -> Table:
    """Three rounds are lost and one is a tie; then the shoe is closed as if it had been won."""
    naive = Table(
        "ktane", table=table, shoe=1, origin=RED, order=order_of(31, 12),
        seats=[(NAME, 1, 10_000_000)], software="naive table", dealer="dora",
    ).begin()  # fmt: skip
    for _ in range(3):
        naive.round((NAME, "banker", 1000))
    naive.round((NAME, "player", 1000))
    return naive.close("solved", f"1/shoe.close/{NAME}/1", by=NAME)


def make(folder: Path) -> None:
    """Write the logs into a folder."""
    played(folder)
    path = folder / DISPUTED / "1.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(line + b"\n" for line in said_to_be_solved().lines()))
