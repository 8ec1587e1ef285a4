"""A table's disputes: each is decided once, and the oldest are forgotten."""

from __future__ import annotations

from schemas.disputes import DisputeOpened, DisputeResolved
from services.dashboard.board.disputes_board import MOST, DisputesBoard


def opened(at: str) -> DisputeOpened:
    return DisputeOpened(at, "bob", "short", None, None, None, None, ())


def resolved(number: int, finding: str) -> DisputeResolved:
    return DisputeResolved(number, "pit", finding, None, ())


def test_a_dispute_is_decided_once() -> None:
    board = DisputesBoard("T7")
    assert board.take(1, opened("T7/12#1"), "a") == "T7/12#1"
    assert board.state("T7/12#1") == "open"
    assert board.take(2, resolved(1, "paid"), "b") == "T7/12#1"
    assert board.take(3, resolved(1, "not paid"), "c") is None
    assert board.state("T7/12#1") == "resolved"
    (one,) = board.shape()
    assert (one.dispute, one.opened, one.resolved, one.finding) == ("T7:1", "a", "b", "paid")
    assert board.undecided == 0


def test_a_round_is_disputed_while_any_of_its_disputes_is_open() -> None:
    board = DisputesBoard("T7")
    board.take(1, opened("T7/12#1"), "a")
    board.take(2, opened("T7/12#1"), "a")
    board.take(3, resolved(2, "paid"), "b")
    assert (board.state("T7/12#1"), board.undecided) == ("open", 1)
    assert board.state("T7/12#2") is None


def test_what_nobody_opened_is_not_resolved() -> None:
    board = DisputesBoard("T7")
    assert board.take(2, resolved(1, "paid"), "b") is None
    assert board.take(3, "something else", "b") is None
    assert board.shape() == ()


def test_the_oldest_are_forgotten() -> None:
    board = DisputesBoard("T7")
    for number in range(1, MOST + 3):
        board.take(number, opened(f"T7/12#{number}"), "a")
    assert len(board.shape()) == MOST
    assert board.shape()[0].dispute == "T7:3"
    assert (board.state("T7/12#2"), board.state("T7/12#3")) == (None, "open")
    assert board.take(MOST + 9, resolved(1, "late"), "b") is None
