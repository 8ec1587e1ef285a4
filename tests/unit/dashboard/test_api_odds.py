"""The odds' desk: counted once a round, in a process of their own, and refused when too busy."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING

import msgspec
import pytest

from services.dashboard.board.asked_shapes import OddsShape, SpotOddsShape
from services.dashboard.board.next_odds import NextRound, next_round, odds_of
from services.dashboard.board.reading import fold_log
from services.dashboard.board.shoe_board import ShoeBoard
from services.dashboard.web.odds_desk import OddsDesk
from services.dashboard.web.odds_worker import OddsWorker, answer
from services.dashboard.web.respond import Refusal
from tests.support.boards import LOGS, board_of

if TYPE_CHECKING:
    from collections.abc import Callable

CLEAN = (LOGS / "CLEAN" / "1.jsonl").read_bytes().split(b"\n")


def _until(says: str, *, times: int) -> ShoeBoard:
    """Fold a log through the line that says this for the ``times``-th time."""
    at = [n for n, line in enumerate(CLEAN) if f'"{says}"'.encode() in line][times - 1]
    return fold_log("CLEAN", 1, b"\n".join(CLEAN[: at + 1]) + b"\n")


LATE = _until("round.resolved", times=70)


class _Counts:
    """Counts questions; answers when it is let."""

    def __init__(self) -> None:
        self.asked: list[NextRound] = []
        self.let = threading.Event()
        self.let.set()

    def ask(self, asked: NextRound, /) -> OddsShape | None:
        self.asked.append(asked)
        self.let.wait(5)
        spot = SpotOddsShape("player", "1/2", 0.5)
        return OddsShape(asked.shoe, asked.after, 52, 0.5, 0.4, 0.1, (spot,))

    def stop(self) -> None:
        self.let.set()


def _refusal(asked: Callable[[], object]) -> Refusal:
    with pytest.raises(Refusal) as refused:
        asked()
    return refused.value


def test_odds_are_counted_once_a_round() -> None:
    worker = _Counts()

    async def asked() -> None:
        desk = OddsDesk(worker)
        first, second = await asyncio.gather(desk.odds("T", LATE), desk.odds("T", LATE))
        assert first is second is await desk.odds("T", LATE)
        assert len(worker.asked) == 1
        assert (await desk.odds("T", _until("round.resolved", times=71))).after == 71
        assert len(worker.asked) == 2
        await desk.stop()

    asyncio.run(asked())


def test_while_a_round_is_dealt_they_are_those_of_before() -> None:
    worker = _Counts()
    dealing = _until("card.drawn", times=300)
    assert dealing.tile().phase == "dealing"

    async def asked() -> None:
        desk = OddsDesk(worker)
        with pytest.raises(Refusal) as refused:
            await desk.odds("T", dealing)
        assert (refused.value.status, refused.value.again_after) == (503, 2)
        before = await desk.odds("T", LATE)
        assert await desk.odds("T", dealing) is before
        await desk.stop()

    asyncio.run(asked())


def test_too_many_are_told_to_come_again() -> None:
    worker = _Counts()
    worker.let.clear()

    async def asked() -> None:
        desk = OddsDesk(worker)
        tasks = [asyncio.create_task(desk.odds(f"T{n}", LATE)) for n in range(12)]
        done, _ = await asyncio.wait(tasks, timeout=1)
        assert [one.exception().status for one in done] == [503] * 3  # type: ignore[union-attr]
        worker.let.set()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert len(worker.asked) == 9
        await desk.stop()

    asyncio.run(asked())


def test_a_closed_shoe_has_no_next_round() -> None:
    refused = _refusal(lambda: asyncio.run(OddsDesk(_Counts()).odds("T", board_of("CLEAN", 1))))
    assert refused.status == 404


def test_a_process_of_its_own_counts_the_same() -> None:
    question = next_round(LATE)
    assert question is not None
    worker = OddsWorker()
    try:
        assert worker.ask(question) == odds_of(question)
        assert worker.ask(msgspec.structs.replace(question, rules="nonsense")) is None
        process = worker._process
        assert process is not None
        process.kill()
        process.wait()
        assert worker.ask(question) is not None
    finally:
        worker.stop()


def test_one_that_is_stuck_is_ended() -> None:
    question = next_round(LATE)
    assert question is not None
    worker = OddsWorker(patience_s=0.01)
    assert worker.ask(question) is None
    assert worker._process is None


def test_nonsense_is_answered_too() -> None:
    assert answer(b"{}") == b"null"
    assert answer(b"\xff") == b"null"
