"""The ladder, line by line, as 000_d744afdfeb946d00.txt writes it down; amounts in dollars."""

from __future__ import annotations

import pytest

from schemas.outcomes import Result, Winner
from services.bettors import Coup, View, Wish, shipped
from services.bettors.ladder import Ladder
from tests.unit.bettors.stage import settled

BANKROLL = 76_000
NET = {"win": 1, "lose": -1, "push": 0, "void": 0}


def climb(winners: str, bankroll: int = BANKROLL) -> tuple[list[str], list[int]]:
    """Play winners (P, B, T, or V for a void round); the bets, and the bankroll after each round.

    One bet more than rounds is given: the next.
    """
    ladder = shipped("yaba4").seat().system
    assert isinstance(ladder, Ladder)
    bets, bankrolls = [], []
    for number, letter in enumerate(winners, start=1):
        wishes = ladder.bet(View(1, number, bankroll * 100))
        winner: Winner = {"P": "player", "B": "banker", "T": "tie", "V": "void"}[letter]  # type: ignore[assignment]
        settlements = []
        for wish in wishes:
            result: Result = "win" if winner == wish.spot else "lose"
            if winner in {"tie", "void"}:
                result = "push" if winner == "tie" else "void"
            settlements.append(settled("bond", wish.spot, wish.stake, result))
            bankroll += NET[result] * wish.stake // 100
        bets.append(spelled(wishes))
        bankrolls.append(bankroll)
        ladder.coup(Coup(number, winner, tuple(settlements)))
    bets.append(spelled(ladder.bet(View(1, len(winners) + 1, bankroll * 100))))
    return bets, bankrolls


def spelled(wishes: tuple[object, ...]) -> str:
    return "+".join(f"{w.stake // 100_000} {w.spot[0].upper()}" for w in wishes) or "-"  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("winners", "bets", "bankrolls"),
    [
        # All won: 5 P, 5 P, 10 Z, 20 P, 30 Z, 15 P, 10 Z, and then there is no rung left.
        (
            "PPBPBPB",
            ["5 P", "5 P", "10 B", "20 P", "30 B", "15 P", "10 B", "-"],
            [81, 86, 96, 116, 146, 161, 171],
        ),
        # Five losses leave 6,000 for a stake of 15,000: betting stops, though 10,000 would come.
        (
            "BPBPBPB",
            ["5 P", "5 B", "10 P", "20 B", "30 P", "-", "-", "-"],
            [71, 66, 56, 36, 6, 6, 6],
        ),
        # Won and lost by turns.
        (
            "PBPBPBP",
            ["5 P", "5 P", "10 P", "20 P", "30 P", "15 P", "10 P", "-"],
            [81, 76, 86, 66, 96, 81, 91],
        ),
        (
            "PPPBPBP",
            ["5 P", "5 P", "10 B", "20 B", "30 B", "15 B", "10 B", "-"],
            [81, 86, 76, 96, 66, 81, 71],
        ),
        # A tie first: no bet is decided yet, so as after a win.
        ("TB", ["5 P", "5 P", "10 P"], [76, 71]),
        # Ties after a loss, after a win: the stake by the hand, the side by the last decided bet.
        ("BTT", ["5 P", "5 B", "10 P", "20 B"], [71, 71, 71]),
        ("PTTT", ["5 P", "5 P", "10 B", "20 P", "30 B"], [81, 81, 81, 81]),
        ("TTTTTTT", ["5 P", "5 P", "10 B", "20 P", "30 B", "15 P", "10 B", "-"], [76] * 7),
        # A void round is no hand: the same rung again.
        ("VPVVB", ["5 P", "5 P", "5 P", "5 P", "5 P", "10 P"], [76, 81, 81, 81, 76]),
    ],
)
def test_worked_sequences(winners: str, bets: list[str], bankrolls: list[int]) -> None:
    assert climb(winners) == (bets, [thousand * 1000 for thousand in bankrolls])


def test_a_stake_of_the_whole_bankroll_is_bet() -> None:
    assert climb("BP", bankroll=10_000) == (["5 P", "5 B", "-"], [5_000, 0])
    assert climb("", bankroll=5_000)[0] == ["5 P"]
    assert climb("", bankroll=4_999)[0] == ["-"]


def test_betting_that_stopped_stays_stopped_in_this_shoe_only() -> None:
    ladder = shipped("yaba4").seat().system
    assert ladder.bet(View(1, 1, 1)) == ()
    assert ladder.bet(View(1, 2, 99_999_999)) == ()
    ladder.shoe()
    assert ladder.bet(View(2, 1, 99_999_999)) != ()


def test_a_refused_bet_decides_nothing_and_the_hand_counts() -> None:
    ladder = shipped("yaba4").seat().system
    ladder.bet(View(1, 1, 7_600_000))
    ladder.coup(Coup(1, "banker"))
    ladder.coup(Coup(2, "banker"))
    assert ladder.bet(View(1, 3, 7_600_000)) == (Wish("banker", 1_000_000),)
