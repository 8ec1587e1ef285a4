"""One who follows: woken, stopped and failing at awkward times, he holds up nobody else."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from schemas.address import START, EntryId
from schemas.errors import Lost
from services.journal.follower import Follower, HandlerFailed
from services.journal.rows import Entry

if TYPE_CHECKING:
    from services.journal.follower import Handler


def entries(first: int, count: int = 1) -> list[Entry]:
    return [Entry(EntryId(1, number), b"x") for number in range(first, first + count)]


class Heard:
    """What a follower's handler was given, and what was said of him."""

    def __init__(self, handler: Handler | None = None) -> None:
        self.got: list[int] = []
        self.lost: list[Lost] = []
        self.failed: list[Exception] = []
        self.left = 0
        self._then = handler
        self.follower = Follower("s", START, self._take, self._lost, self._failed, self._leave)

    async def _take(self, batch: list[Entry]) -> None:
        self.got += [one.id.minor for one in batch]
        if self._then is not None:
            await self._then(batch)

    async def _lost(self, lost: Lost) -> None:
        self.lost.append(lost)

    async def _failed(self, error: Exception) -> None:
        self.failed.append(error)

    async def _leave(self, _follower: Follower) -> None:
        self.left += 1


async def turns(count: int = 5) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


def test_batches_that_come_while_he_is_woken_are_all_heard_once() -> None:
    async def work() -> None:
        heard = Heard()
        heard.follower.put(entries(1))  # before his task began
        for number in range(2, 200, 2):
            heard.follower.put(entries(number))
            await turns(number % 3)
            heard.follower.put(entries(number, 2))  # the first was put already
        await turns()
        assert heard.got == list(range(1, 200))
        assert heard.follower.position == EntryId(1, 199)
        await heard.follower.stop()

    asyncio.run(work())


def test_stopped_or_lost_while_he_waits_nothing_is_left() -> None:
    async def work() -> None:
        before = len(asyncio.all_tasks())
        for end in ("stop", "lost", "cancel"):
            heard = Heard()
            heard.follower.put(entries(1))
            await turns()
            if end == "lost":
                heard.follower.lost(Lost("gone"))
                heard.follower.put(entries(2))
                await heard.follower.said()
                assert len(heard.lost) == 1
            elif end == "cancel":
                heard.follower._task.cancel()
                await turns()
                heard.follower.put(entries(2))  # the bell is cancelled: no error
            await heard.follower.stop()
            await heard.follower.said()
            await turns()
            assert heard.got == [1]
            assert heard.left
            assert heard.follower.ended
            await asyncio.wait_for(heard.follower.taken(), 1)
        assert len(asyncio.all_tasks()) == before

    asyncio.run(work())


def test_stopped_from_within_his_handler_he_hears_nothing_more() -> None:
    async def work() -> None:
        async def stop(_batch: list[Entry]) -> None:
            await heard.follower.stop()
            heard.follower.put(entries(5))

        heard = Heard(stop)
        heard.follower.put(entries(1))
        heard.follower.put(entries(2, 500))
        await turns(20)
        assert heard.got == [1]
        assert heard.follower._task.done()
        assert not heard.failed

    asyncio.run(work())


def test_a_handler_that_raises_ends_him_and_frees_who_waits_for_room() -> None:
    async def work() -> None:
        for error, kind in (
            (ValueError("x"), ValueError),
            (Lost("of another"), HandlerFailed),
            (asyncio.CancelledError(), HandlerFailed),  # what it waited for was cancelled
        ):

            async def fail(_batch: list[Entry], error: BaseException = error) -> None:
                await asyncio.sleep(0)
                raise error

            heard = Heard(fail)
            heard.follower.put(entries(1, 400))
            await turns(1)
            heard.follower.put(entries(401, 400))
            heard.follower.put(entries(801, 400))
            await asyncio.wait_for(heard.follower.taken(), 1)
            await heard.follower.said()
            assert [type(one) for one in heard.failed] == [kind]
            assert heard.follower.position == START
            assert not heard.lost

    asyncio.run(work())


def test_a_cancelled_handler_of_one_who_is_stopped_is_no_failure() -> None:
    async def work() -> None:
        async def wait(_batch: list[Entry]) -> None:
            await asyncio.sleep(60)

        heard = Heard(wait)
        heard.follower.put(entries(1))
        await turns()
        await heard.follower.stop()
        await heard.follower.said()
        assert heard.follower._task.done()
        assert not heard.failed

    asyncio.run(work())
