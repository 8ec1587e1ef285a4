"""A round of very many bets: shown in part while it goes on, and whole where it is asked for."""

from __future__ import annotations

from schemas import events as ev
from schemas.outcomes import Settlement
from services.dashboard.board.bets_board import MOST, BetsBoard


def placed(number: int) -> ev.BetPlaced:
    return ev.BetPlaced(
        round=1, bet=f"b{number}", bettor="bo", spot="tie", stake=5, chips=None, command=None
    )


def refused(name: str) -> ev.BetRefused:
    return ev.BetRefused(
        round=1, bet=name, bettor="eve", spot="tie", stake=5, chips=None, reason="late",
        command=None,
    )  # fmt: skip


def lost(bet: str) -> Settlement:
    return Settlement(bet, "bo", "tie", 5, "lose", None, 0, 0, 0)


def test_the_newest_are_shown_and_refused_ones_hide_no_others() -> None:
    bets = BetsBoard()
    for number in range(300):
        bets.place(placed(number))
        bets.refuse(refused(f"r{number}"))
    for number in range(300, 5_000):
        bets.refuse(refused(f"r{number}"))
    bets.withdraw(ev.BetWithdrawn(round=1, bet="b299", command=None))
    shown, more = bets.shape((), whole=False)
    assert [one.bet for one in shown] == [
        *(f"b{number}" for number in range(100, 300)),
        *(f"r{number}" for number in range(4_950, 5_000)),
    ]
    assert (more, shown[MOST - 1].status) == (5_300 - 250, "withdrawn")
    everything, none = bets.shape((), whole=True)
    assert (len(everything), none) == (5_300, 0)
    assert [one.bet for one in everything[:5]] == ["b0", "r0", "b1", "r1", "b2"]


def test_few_are_shown_whole_in_their_order_and_as_they_came_out() -> None:
    bets = BetsBoard()
    bets.refuse(refused("b1"))
    for number in (1, 2):
        bets.place(placed(number))
    bets.refuse(refused("b2"))  # the id of one that stands: it stays refused
    told = [lost("b1"), lost("b2"), lost("unsaid")]
    for whole in (True, False):
        shown, more = bets.shape(told, whole=whole)
        assert [(one.bet, one.status) for one in shown] == [
            ("b1", "refused"), ("b1", "settled"), ("b2", "settled"), ("b2", "refused"),
            ("unsaid", "settled"),
        ]  # fmt: skip
        assert more == 0
    many = [lost(f"x{number}") for number in range(1_000)]
    shown, more = bets.shape(many, whole=False)
    assert (len(shown), more) == (4 + MOST, 1_000 - MOST)
