"""Makes the committed sample logs again: ``python -m tests.support.samples [FOLDER]``.

The clean ones come from the real services. The disputed ones come from a naive table that shares
nothing with them, goes wrong once, and goes on as such a table would.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from schemas.address import Shoe
from schemas.commands import AskFixed, ShoeOpen
from schemas.instant import parse
from schemas.outcomes import RoundResolved
from services.bettors.config import parse_flat
from services.bettors.scenario import shipped, shipped_deck
from services.cli.whole_shoe import play_shoe
from services.cli.wiring import Simulation
from services.dealer.opening import House
from services.runtime.logging import configure
from services.runtime.process import run_async
from services.runtime.settings import Settings
from tests.support import (
    samples_buti,
    samples_dispute,
    samples_ktane,
    samples_misdraw,
    samples_rules,
    samples_scripted,
)
from tests.unit.auditor.table import BETS, Table

ROOT = Path(__file__).parents[2] / "replay_logs"
START = parse("2026-01-01T20:00:00.000000Z")
SOFTWARE = "shoetrail 0.1.0"
BETTORS = "alice=player:2500,bob=banker:2500,carol=tie:500"
AT = 17


def clean(folder: Path) -> None:
    """A clean eight-deck shoe, to its cut card."""
    names = tuple(seat.name for seat in parse_flat(BETTORS, 1))
    house = House("dora", SOFTWARE, ShoeOpen("punto-banco", seats=names), 1)
    _play(folder, "CLEAN", house, "clean", deck=None)


def yaba4(folder: Path, deck: str) -> None:
    """The scripted game over a deck of ours."""
    game = shipped("yaba4")
    house = House("dora", SOFTWARE, ShoeOpen(game.rules, AskFixed(deck), (game.bettor,)), 1)
    _play(folder, deck.upper(), house, deck, deck=deck)


def _play(folder: Path, table: str, house: House, seed: str, *, deck: str | None) -> None:
    game = shipped("yaba4")
    simulation = Simulation(seed.encode().ljust(32, b"."), START)
    decks = {} if deck is None else {deck: shipped_deck(deck, 8)}
    run_async(
        lambda: play_shoe(
            Settings.read({}),
            Shoe(table, 1),
            house,
            lambda: parse_flat(BETTORS, 1_000_000) if deck is None else [game.seat()],
            folder,
            decks=decks,
            simulation=simulation,
        )
    )
    (folder / table / ".lock").unlink()


def disputed(table: str) -> Table:
    """Open a naive table's shoe, to be played up to the round that goes wrong."""
    seed = table.encode().ljust(32, b".")
    return Table(table=table, shoe=1, seed=seed, software="naive table", dealer="dora").begin()


def wrong_card(table: str) -> Table:
    """In round 17 the banker's second card is not the one that the shoe holds there."""
    naive = disputed(table).play(rounds=AT - 1)
    naive.open_round()
    for bet in BETS:
        naive.bet(*bet)
    naive.close_bets()
    for hand in ("player", "banker", "player"):
        naive.draw(hand)
    held = naive.order[naive.position]
    naive.draw("banker", "9H" if held != "9H" else "8H")
    if naive.player_draws():
        naive.draw("player")
    if naive.banker_draws():
        naive.draw("banker")
    naive.dealt()
    naive.settle()
    return naive.play()


def wrong_commission(table: str) -> Table:
    """The first banker win after round 17 is charged 4% instead of 5%."""
    naive = disputed(table).play(rounds=AT - 1)
    while True:
        told = naive.round(*BETS)
        assert isinstance(told.data, RoundResolved)
        for index, paid in enumerate(told.data.settlements):
            if paid.commission:
                less = paid.commission // 5
                told.settlement(index, commission=paid.commission - less)
                told.set(house=told.data.house - less)
                return naive.play()


def draw_missed(table: str) -> Table:
    """In the first such round from 17 on, the player stands although he has to draw."""
    naive = disputed(table).play(rounds=AT - 1)
    while True:
        naive.open_round()
        for bet in BETS:
            naive.bet(*bet)
        naive.close_bets()
        naive.first_four()
        missed = naive.player_draws()
        if naive.banker_draws():
            naive.draw("banker")
        naive.dealt()
        naive.settle()
        if missed:
            return naive.play()


def late_bet(table: str) -> Table:
    """In round 17 a bet is taken after the close."""
    naive = disputed(table).play(rounds=AT - 1)
    naive.open_round()
    for bet in BETS[:-1]:
        naive.bet(*bet)
    naive.close_bets()
    naive.bet(*BETS[-1])
    naive.deal()
    naive.settle()
    return naive.play()


def wrong_bettor(table: str) -> Table:
    """From round 17 on, the first bet that wins is settled with another bettor."""
    naive = disputed(table).play(rounds=AT - 1)
    while True:
        told = naive.round(*BETS)
        assert isinstance(told.data, RoundResolved)
        for index, paid in enumerate(told.data.settlements):
            if paid.result == "win":
                other = next(bettor for bettor, _, _ in BETS if bettor != paid.bettor)
                told.settlement(index, bettor=other)
                return naive.play()


#: Each disputed sample: how it is made, and the codes that an audit of it finds.
DISPUTED: dict[str, tuple[Callable[[str], Table], set[str]]] = {
    "DISPUTE-CARD": (wrong_card, {"card-order"}),
    "DISPUTE-COMMISSION": (wrong_commission, {"commission"}),
    "DISPUTE-DRAW": (draw_missed, {"draw-missing"}),
    "DISPUTE-LATE-BET": (late_bet, {"bet-late"}),
    "DISPUTE-BETTOR": (wrong_bettor, {"settlement-bet"}),
}


def make(folder: Path) -> None:
    """Write all samples into a folder."""
    configure(Settings.read({"SHOETRAIL_LOG_LEVEL": "critical"}))
    clean(folder)
    yaba4(folder, "yaba4-won")
    yaba4(folder, "yaba4-lost")
    for table, (made, _) in DISPUTED.items():
        path = folder / table / "1.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"".join(line + b"\n" for line in made(table).close().lines()))
    samples_buti.make(folder)
    samples_ktane.make(folder)
    samples_rules.make(folder)
    samples_misdraw.make(folder)
    samples_scripted.make(folder)
    samples_dispute.make(folder)


if __name__ == "__main__":
    make(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT)
