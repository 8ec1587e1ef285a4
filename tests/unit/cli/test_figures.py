"""A session's figures, added up by hand from a few rounds."""

from __future__ import annotations

from schemas.outcomes import HandResult, RoundHalted, RoundResolved, Settlement, Winner
from services.cli.figures import Figures
from tests.unit.bettors.stage import settled

NONE = HandResult((), 0)


def resolved(
    number: int, winner: Winner, *settlements: Settlement, natural: bool = False
) -> RoundResolved:
    return RoundResolved(
        number, "T1/1-0", "T1/1-9", NONE, NONE, winner, natural, settlements, house=0
    )


def test_by_hand() -> None:
    figures = Figures()
    commission = Settlement("b", "alice", "banker", 1000, "win", "1/1", 1000, 50, 1000)
    for said in (
        resolved(1, "banker", commission, natural=True),
        resolved(2, "player", settled("alice", "banker", 3000, "lose")),
        resolved(3, "tie", settled("alice", "banker", 6000, "push")),
        resolved(4, "void", settled("alice", "banker", 6000, "void")),
        resolved(5, "banker", settled("bob", "banker", 9000, "win")),
        RoundHalted(6, "T1/1-30", "rules", (settled("alice", "tie", 500, "void"),), 0),
        resolved(1, "player", settled("alice", "player", 2500, "win")),
    ):
        figures.outcome(said, "alice")
    assert figures == Figures(
        shoes=2,
        hands=5,
        banker=2,
        player=2,
        ties=1,
        naturals=1,
        bets=6,
        won=2,
        lost=1,
        staked=1000 + 3000 + 6000 + 6000 + 500 + 2500,
        paid=3500,
        commission=50,
        net=950 - 3000 + 2500,
        best=950,
        worst=950 - 3000,
        largest=6000,
    )
