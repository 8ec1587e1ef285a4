"""The samples of cards drawn in error: one stacked deck by three policies, and each policy broken.

The clean ones come from the real services. The disputed ones come from a naive table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from schemas.address import Shoe, Sources
from schemas.commands import AskFixed, CardMisdraw, ShoeOpen, command_id
from schemas.envelope import encode
from schemas.instant import parse, spell
from services.bettors.config import parse_flat
from services.cli.whole_shoe import play_shoe
from services.cli.wiring import Simulation
from services.dealer.opening import House
from services.runtime.process import run_async
from services.runtime.settings import Settings
from tests.unit.auditor.table import BETS, Entry, Table, cards

START: Final = parse("2026-01-01T20:00:00.000000Z")
BETTORS: Final = "alice=player:2500,bob=banker:2500,carol=tie:500"
#: The burn; nine against two; six, and a banker who draws the next card when the player stood.
DECK: Final = """
AS 9H  9D 2S KD KC  6C 3S TD TC 2C  6D 7S JD JC  5H 4D KH 4S  2D 3C 3D KS 4H 5C
9S 2H QH 5D  7H 6H QD QS  8C 7C JS TS  AH  6S 7D KC QC  9C 8S TH
"""


class Sample(NamedTuple):
    """A table: its rule set, and the rounds in which a card is drawn in error."""

    rules: str
    misdraws: Sequence[int]


CLEAN: Final[dict[str, Sample]] = {
    "MISDRAW-HAND": Sample("punto-banco", (2, 3, 5, 8)),
    "MISDRAW-ANNUL": Sample("casino-france-1959", (2, 4, 8)),
    "MISDRAW-DUMMY": Sample("punto-banco-dummy", (2, 4, 8)),
}


def played(folder: Path, table: str) -> None:
    """Let the services play the deck, told ahead where to err."""
    sample = CLEAN[table]
    names = tuple(seat.name for seat in parse_flat(BETTORS, 1))
    opens = ShoeOpen(sample.rules, AskFixed("misdraw"), names)
    run_async(
        lambda: play_shoe(
            Settings.read({}),
            Shoe(table, 1),
            House("dora", "shoetrail 0.1.0", opens, 1),
            lambda: parse_flat(BETTORS, 1_000_000),
            folder,
            decks={"misdraw": tuple(cards(DECK))},
            simulation=Simulation(table.encode().ljust(32, b"."), START),
            commands=[misdraw(table, number) for number in sample.misdraws],
        )
    )
    (folder / table / ".lock").unlink()


def misdraw(table: str, number: int) -> bytes:
    """Ask for a card in error in this round of shoe 1."""
    name = command_id(1, "card.misdraw", "desk", number)
    return encode(name, Sources(table).commands, spell(START), CardMisdraw(number))


def erring(table: str, rules: str) -> tuple[Table, Entry]:
    """Open a naive table, and draw a card in error in round 2: the banker has to draw on 3."""
    naive = begun(table, rules)
    naive.round(*BETS)
    naive.open_round()
    for bet in BETS:
        naive.bet(*bet)
    naive.close_bets()
    naive.first_four()
    return naive, naive.draw("error")


def begun(table: str, rules: str) -> Table:
    """Open a naive table's shoe."""
    deck = " ".join(DECK.split())
    naive = Table(rules, table=table, shoe=1, stacked=deck, software="naive table", dealer="dora")
    return naive.begin()


def another_for_the_banker(table: str) -> Table:
    """The card goes nowhere, and the banker draws the next one: he wins with it."""
    naive, _ = erring(table, "punto-banco")
    naive.draw("banker")
    naive.dealt()
    naive.settle()
    return naive.play()


def annulled_without_an_error(table: str) -> Table:
    """Round 3, which the bettors won, is annulled for a wrong draw, and there was none."""
    naive = begun(table, "casino-france-1959").play(rounds=2)
    naive.open_round()
    for bet in BETS:
        naive.bet(*bet)
    naive.close_bets()
    naive.first_four()
    naive.void("misdraw", "rules")
    naive.settle(void=True)
    return naive.play()


def no_dummy_hand(table: str) -> Table:
    """The card is put aside and the next hand, bet on as any, begins behind it."""
    naive, error = erring(table, "punto-banco-dummy")
    naive.draw("banker")
    naive.dealt()
    naive.settle()
    naive.discard(error.data.position, "misdraw")
    return naive.play()


#: Each disputed sample: how it is made; the code that its audit finds, its round and its amount.
DISPUTED: Final[dict[str, tuple[Callable[[str], Table], tuple[str, int, int]]]] = {
    # ann's 10,000 on the banker and bob's 2,500 on the player: -7,500 had to be, +7,000 is
    "DISPUTE-MISDRAW-HAND": (another_for_the_banker, ("draw-extra", 2, -14_500)),
    # ann's 10,000 at 19 to 20, less bob's 2,500 and cyd's 1,000 on a tie
    "DISPUTE-MISDRAW-ANNUL": (annulled_without_an_error, ("void-after-card", 3, 6_000)),
    "DISPUTE-MISDRAW-DUMMY": (no_dummy_hand, ("draw-extra", 2, 0)),
}


def make(folder: Path) -> None:
    """Write the logs into a folder."""
    for table in CLEAN:
        played(folder, table)
    for table, (made, _) in DISPUTED.items():
        path = folder / table / "1.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"".join(line + b"\n" for line in made(table).close().lines()))
