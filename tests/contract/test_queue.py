from __future__ import annotations

import asyncio
from itertools import chain
from typing import Any, cast

import pytest

from schemas.address import CLOSED
from services.journal import Job, Journal, WorkQueue
from tests.contract.tools import until

pytestmark = pytest.mark.asyncio


def worker(journal: Journal, name: str, claim_after_ms: int = 60_000) -> WorkQueue:
    return WorkQueue(journal.client, consumer=name, claim_after_ms=claim_after_ms, max_deliveries=3)


async def buried(journal: Journal, queue: WorkQueue) -> dict[bytes, bytes]:
    """Give the fields of the one dead letter."""
    (row,) = cast("list[Any]", await journal.client.xrange(queue.dead))
    return cast("dict[bytes, bytes]", row[1])


async def test_what_was_sent_before_any_worker_came_is_taken(journal: Journal) -> None:
    await journal.send(CLOSED, [b"one", b"two"])
    queue = worker(journal, "a")
    for data in (b"one", b"two"):
        job = await queue.take(0)
        assert job is not None
        assert (job.data, job.deliveries) == (data, 1)
        await queue.done(job)
    assert await queue.take(0) is None
    assert await queue.take(20) is None


async def test_a_waiting_worker_gets_what_comes(journal: Journal) -> None:
    waiting = asyncio.ensure_future(worker(journal, "a").take(5_000))
    await asyncio.sleep(0.1)
    await journal.send(CLOSED, [b"late"])
    job = await waiting
    assert job is not None
    assert job.data == b"late"


async def test_workers_share_the_work(journal: Journal) -> None:
    await journal.send(CLOSED, [b"%d" % n for n in range(100)])
    done: dict[str, list[bytes]] = {"a": [], "b": [], "c": []}

    async def work(name: str) -> None:
        queue = worker(journal, name)
        while job := await queue.take(0):
            done[name].append(job.data)
            await queue.done(job)

    await asyncio.gather(*map(work, done))
    assert sorted(chain.from_iterable(done.values()), key=int) == [b"%d" % n for n in range(100)]
    assert all(done.values())


async def test_the_job_of_a_killed_worker_is_taken_over(journal: Journal) -> None:
    await journal.send(CLOSED, [b"job"])
    assert await worker(journal, "killed").take(0) is not None
    assert await worker(journal, "b").take(0) is None
    queue = worker(journal, "b", claim_after_ms=100)
    await asyncio.sleep(0.15)
    job = await queue.take(0)
    assert job is not None
    assert (job.data, job.deliveries) == (b"job", 2)
    await queue.done(job)
    await asyncio.sleep(0.15)
    assert await queue.take(0) is None


async def test_what_fails_again_and_again_goes_to_the_dead_with_the_reason(
    journal: Journal,
) -> None:
    await journal.send(CLOSED, [b"poison", b"good"])
    taken: list[Job] = []
    queue = worker(journal, "a", claim_after_ms=1)

    async def work() -> None:
        while True:
            job = await queue.take(0)
            if job is None:
                await asyncio.sleep(0.002)
            elif job.data == b"good":
                await queue.done(job)
            else:
                taken.append(job)
                await asyncio.sleep(0.005)

    working = asyncio.ensure_future(work())
    dead: list[object] = []
    while not dead:
        await asyncio.sleep(0.01)
        dead = await journal.read(queue.dead)  # type: ignore[assignment]
    working.cancel()
    await asyncio.wait([working])
    assert [job.deliveries for job in taken] == [1, 2, 3]
    assert len(dead) == 1
    assert (await buried(journal, queue))[b"__data__"] == b"poison"
    assert b"handed out 3 times" in (await buried(journal, queue))[b"reason"]
    rest = await queue.take(0)
    assert rest is None or rest.data == b"good"  # the worker may have been cancelled with it


async def test_a_worker_may_bury_a_job_at_once(journal: Journal) -> None:
    await journal.send(CLOSED, [b"job"])
    queue = worker(journal, "a", claim_after_ms=1)
    job = await queue.take(0)
    assert job is not None
    await queue.bury(job, "the file is torn")
    await asyncio.sleep(0.01)
    assert await queue.take(0) is None
    assert b"the file is torn" in (await buried(journal, queue))[b"reason"]


async def test_a_deleted_job_is_not_handed_out(journal: Journal) -> None:
    await journal.send(CLOSED, [b"job", b"next"])
    queue = worker(journal, "a", claim_after_ms=50)
    job = await queue.take(0)
    assert job is not None
    await journal.client.xdel(CLOSED, job.id)
    await asyncio.sleep(0.1)
    follower = await queue.take(0)
    assert follower is not None
    assert follower.data == b"next"


async def test_a_queue_deleted_under_a_worker_is_made_again(journal: Journal) -> None:
    queue = worker(journal, "a")
    assert await queue.take(0) is None
    await journal.client.delete(CLOSED)
    await journal.send(CLOSED, [b"job"])
    job = await queue.take(0)
    assert job is not None
    await until(lambda: job)
    assert job.data == b"job"
