"""A tampered log of the scripted game: the naive table deals it, and keeps a tie's stake."""

from __future__ import annotations

from pathlib import Path

from schemas.outcomes import RoundResolved
from tests.unit.auditor.table import Table

TABLE = "DISPUTE-YABA4"
#: The hand that is a tie, and is settled as if Bond had lost it.
AT = 5
#: Bond wins hands 1, 3, 4 and 7. The cards lie in the order they are dealt: P B P B, then thirds.
DECK = """
9D 2S KD KC     3H 7D 2H JC 8C  4C 3D 4H 2C     JD 5S 6C KH KS
7S 7H TC QD     2D 9H 4S TS     4D 3S 5C QS
"""
#: His bets by the ladder, in dollars; after the tie the side goes by the last bet that was decided.
BETS = (
    ("player", 5_000), ("player", 5_000), ("player", 10_000), ("player", 20_000),
    ("banker", 30_000), ("player", 15_000), ("player", 10_000),
)  # fmt: skip
BANKROLL = 76_000


def tie_kept(table: str) -> Table:
    """The stake on Zeus in hand 5, a tie, is kept by the house."""
    cards = " ".join(DECK.split())
    naive = Table(
        "yaba4", table=table, shoe=1, stacked=cards, seats=[("bond", 1, BANKROLL * 100)],
        software="naive table",
    ).begin()  # fmt: skip
    for number, (spot, stake) in enumerate(BETS, start=1):
        told = naive.round(("bond", spot, stake * 100))
        if number == AT:
            assert isinstance(told.data, RoundResolved)
            assert told.data.winner == "tie"
            told.settlement(0, result="lose", returned=0)
            told.set(house=told.data.house + stake * 100)
    return naive


def make(folder: Path) -> None:
    """Write the log into a folder."""
    path = folder / TABLE / "1.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(line + b"\n" for line in tie_kept(TABLE).close().lines()))
