"""The dispute desk on a real Redis: two at once, and crashes between any two of its steps."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
import pytest_asyncio

from schemas.address import EntryId, Streams
from schemas.disputes import Adjustment, DisputeOpened, DisputeResolved
from schemas.errors import Conflict, InputError
from services.auditor.disputed import DisputeRecord, kept_in
from services.disputes import DisputeDesk
from services.journal import Entry, Journal, ShoeStart, connect
from services.ledger.checkpoint import open_checkpoint
from services.ledger.dispute_file import CHECKPOINT, NAME, DisputeFile, read_book
from services.ledger.lines import log_root
from services.ledger.note import Signer
from services.ledger.seal import Disagrees, Sealer
from services.runtime.clocks import SimulatedClock, WallClock

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
    from pathlib import Path

pytestmark = [pytest.mark.asyncio, pytest.mark.integration]
STREAMS = Streams("T7")
START_US = 1_796_073_300_000_000


@pytest_asyncio.fixture
async def journal(fresh_redis: str) -> AsyncIterator[Journal]:
    journal = connect(fresh_redis)
    yield journal
    await journal.aclose()


def desk(folder: Path, journal: Journal | None) -> DisputeDesk:
    return DisputeDesk(folder, "T7", SimulatedClock(START_US), journal)


def claim(at: str = "T7/12#17", words: str = "it was 5,000") -> DisputeOpened:
    return DisputeOpened(at, "ann", words, "ann", None, None, None, ())


def finding(number: int, amount: int | None = None) -> DisputeResolved:
    money = None if amount is None else Adjustment("ann", None, amount)
    return DisputeResolved(number, "sue", "as the clip shows", money, ())


async def held(journal: Journal) -> set[int]:
    members: Any = await journal.client.smembers(STREAMS.held)
    return {int(member) for member in members}


async def stream(journal: Journal) -> list[bytes]:
    return [entry.data for entry in await journal.read(STREAMS.disputes)]


def file(folder: Path) -> list[bytes]:
    path = folder / "T7" / NAME
    return path.read_bytes().split(b"\n")[:-1] if path.exists() else []


async def test_stream_and_file_say_the_same_bytes_and_the_shoe_is_held(
    journal: Journal, tmp_path: Path
) -> None:
    done = await desk(tmp_path, journal).open(claim())
    assert (done.dispute.address, done.fresh) == ("T7:1", True)
    assert file(tmp_path) == await stream(journal)
    (entry,) = await journal.read(STREAMS.disputes)
    assert entry.id == EntryId(1, 0)
    assert await held(journal) == {12}
    await desk(tmp_path, journal).open(claim("T7/12#18"))
    await desk(tmp_path, journal).resolve(finding(1))
    assert await held(journal) == {12}
    done = await desk(tmp_path, journal).resolve(finding(2, 500))
    assert (done.dispute.entry, done.dispute.is_open) == (4, False)
    assert await held(journal) == set()
    assert file(tmp_path) == await stream(journal)
    assert len(file(tmp_path)) == 4


async def test_while_it_is_open_nothing_from_its_shoe_on_is_trimmed(
    journal: Journal, tmp_path: Path
) -> None:
    for shoe in (12, 13, 14):
        await journal.append(STREAMS.events, ShoeStart(shoe), [Entry(EntryId(shoe, 0), b"e")])
        await journal.append(STREAMS.verdicts, ShoeStart(shoe), [Entry(EntryId(shoe, 1), b"v")])
    await desk(tmp_path, journal).open(claim())
    with pytest.raises(Conflict, match="shoe 12 is under dispute; see `shoetrail dispute list`"):
        await journal.trim(STREAMS, 13)
    assert await journal.client.xlen(STREAMS.events) == 3
    await desk(tmp_path, journal).resolve(finding(1))
    assert await journal.trim(STREAMS, 13) == 2


async def test_saying_it_again_is_saying_it_once(journal: Journal, tmp_path: Path) -> None:
    await desk(tmp_path, journal).open(claim())
    again = await desk(tmp_path, journal).open(claim())
    assert (again.dispute.number, again.fresh) == (1, False)
    await desk(tmp_path, journal).resolve(finding(1, 500))
    assert not (await desk(tmp_path, journal).resolve(finding(1, 500))).fresh
    with pytest.raises(InputError, match=r"T7:1 is resolved already, on 20.*; see `shoetrail disp"):
        await desk(tmp_path, journal).resolve(finding(1, 501))
    with pytest.raises(InputError, match="there is no dispute T7:2"):
        await desk(tmp_path, journal).resolve(finding(2))
    assert len(file(tmp_path)) == 2
    anew = await desk(tmp_path, journal).open(claim())
    assert (anew.dispute.number, anew.fresh) == (3, True)


async def test_without_a_redis_the_file_is_all_there_is(journal: Journal, tmp_path: Path) -> None:
    await desk(tmp_path, None).open(claim())
    await desk(tmp_path, None).open(claim("T7/13#1"))
    await desk(tmp_path, None).resolve(finding(2))
    assert await stream(journal) == []
    # the next desk that has one says it there, and holds what is to be held
    await desk(tmp_path, journal).open(claim("T7/14#1"))
    assert file(tmp_path) == await stream(journal)
    assert await held(journal) == {12, 14}


async def test_a_redis_that_lost_all_is_told_again(journal: Journal, tmp_path: Path) -> None:
    await desk(tmp_path, journal).open(claim())
    await desk(tmp_path, journal).open(claim("T7/13#1"))
    await journal.client.flushall()
    await desk(tmp_path, journal).resolve(finding(2))
    assert file(tmp_path) == await stream(journal)
    assert await held(journal) == {12}


async def test_file_and_stream_that_differ_are_left_alone(journal: Journal, tmp_path: Path) -> None:
    await desk(tmp_path / "a", journal).open(claim())
    await desk(tmp_path / "b", None).open(claim("T7/13#1"))
    with pytest.raises(InputError, match="this file and the stream say different things"):
        await desk(tmp_path / "b", journal).open(claim("T7/14#1"))
    assert len(await stream(journal)) == 1
    assert len(file(tmp_path / "b")) == 1


@pytest.mark.parametrize("apart", [False, True])
async def test_desks_at_once_do_not_clash(
    fresh_redis: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, apart: bool
) -> None:
    """Some share a folder and so a lock; some have folders of their own, and so only the stream."""
    monkeypatch.setattr("services.disputes.desk._PATIENCE_S", 60.0)  # as many as no house has
    journals = [connect(fresh_redis) for _ in range(4)]
    folders = [tmp_path / (str(place) if apart else "all") for place in range(4)]

    async def resolve_all(folder: Path, journal: Journal) -> None:
        for number in range(1, 21):
            await desk(folder, journal).resolve(finding(number))

    try:
        said = [
            DisputeDesk(folder, "T7", WallClock(), journal).open(claim(f"T7/{place}#{number}"))
            for place, (folder, journal) in enumerate(zip(folders, journals, strict=True), 1)
            for number in range(1, 6)
        ]
        done = await asyncio.gather(*said)
        assert sorted(one.dispute.number for one in done) == list(range(1, 21))
        assert {(one.dispute.at.shoe, one.dispute.at.round) for one in done} == {
            (shoe, number) for shoe in range(1, 5) for number in range(1, 6)
        }
        assert await held(journals[0]) == {1, 2, 3, 4}
        # each resolves the same ones at once: each is resolved once
        await asyncio.gather(*map(resolve_all, folders, journals))
        assert sum(b"dispute.resolved" in line for line in await stream(journals[0])) == 20
        assert await held(journals[0]) == set()
        for folder in folders:
            await desk(folder, journals[0]).open(claim(f"T7/9#{len(folder.name)}"))
            assert read_book(folder / "T7", "T7").held == {9}
        lines = await stream(journals[0])
        assert all(lines[: len(file(folder))] == file(folder) for folder in folders)
    finally:
        for one in journals:
            await one.aclose()


async def test_each_entry_is_signed_and_what_was_signed_has_to_be_there(tmp_path: Path) -> None:
    signer = Signer("casino.example", bytes(32))
    sealer = Sealer(signer, tmp_path / "memory")

    def sealed() -> DisputeDesk:
        return DisputeDesk(tmp_path, "T7", SimulatedClock(START_US), None, sealer)

    for number in (1, 2):
        await sealed().open(claim(f"T7/12#{number}"))
        note = (tmp_path / "T7" / CHECKPOINT).read_bytes()
        signed = open_checkpoint(note, [signer.verifier])
        assert signed.origin == "casino.example/T7/disputes"
        assert (signed.size, signed.root) == (number, log_root(file(tmp_path)))
    path = tmp_path / "T7" / NAME
    path.write_bytes(file(tmp_path)[0] + b"\n")
    with pytest.raises(Disagrees, match="the log ends after 1 lines, and 2 were signed"):
        await sealed().open(claim("T7/12#3"))
    assert len(file(tmp_path)) == 1
    (found,) = DisputeRecord(kept_in(tmp_path / "T7"), "T7").findings()
    assert (found.code, found.at) == ("dispute-dropped", "T7:2")


# ------------------------------------------------------------------------- crashes between steps


class Crash(BaseException):
    """A power cut: nothing that comes after it is done."""


class Mortal:
    """A journal and a file that die at the n-th step, before or after they did it."""

    def __init__(
        self, journal: Journal, monkeypatch: pytest.MonkeyPatch, step: int, *, done: bool
    ) -> None:
        self.left, self.done = step, done
        say, mark, write = journal.append_until_said, journal.append_and_mark, DisputeFile.append

        async def append(*args: Any) -> int:  # noqa: ANN401
            return await self._step(lambda: say(*args))

        async def append_and_mark(*args: Any) -> int:  # noqa: ANN401
            return await self._step(lambda: mark(*args))

        def put(file: DisputeFile, lines: Sequence[bytes]) -> None:
            self._count()
            write(file, lines)
            self._after()

        monkeypatch.setattr(journal, "append_until_said", append)
        monkeypatch.setattr(journal, "append_and_mark", append_and_mark)
        monkeypatch.setattr(DisputeFile, "append", put)

    async def _step(self, call: Callable[[], Awaitable[int]]) -> int:
        self._count()
        answer = await call()
        self._after()
        return answer

    def _count(self) -> None:
        self.left -= 1
        if self.left == 0 and not self.done:
            raise Crash

    def _after(self) -> None:
        if self.left == 0:
            raise Crash


@pytest.mark.faults
@pytest.mark.parametrize("done", [False, True])
@pytest.mark.parametrize("step", range(1, 6))
@pytest.mark.parametrize("asked", ["open", "resolve"])
async def test_a_crash_between_two_steps_leaves_it_held_and_is_made_good(
    journal: Journal,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    asked: str,
    step: int,
    *,
    done: bool,
) -> None:
    await desk(tmp_path, journal).open(claim("T7/20#1"))
    if asked == "resolve":
        await desk(tmp_path, journal).open(claim())

    async def ask() -> bool:
        now = desk(tmp_path, journal)
        return (await (now.open(claim()) if asked == "open" else now.resolve(finding(2)))).fresh

    with monkeypatch.context() as patch:
        Mortal(journal, patch, step, done=done)
        try:
            await ask()
        except Crash:
            crashed = True
        else:
            crashed = False
    said, written = await stream(journal), file(tmp_path)
    assert said[: len(written)] == written
    holding = await held(journal)
    if asked == "open" and len(said) > 1:
        assert holding == {12, 20}
    if asked == "resolve" and not (len(said) == len(written) == 3):
        assert 12 in holding  # what is not resolved everywhere is held
    assert 20 in holding
    await ask()
    assert await stream(journal) == file(tmp_path)
    assert len(file(tmp_path)) == (2 if asked == "open" else 3)
    assert await held(journal) == ({12, 20} if asked == "open" else {20})
    # agreeing takes two steps; then opening takes two, and resolving three
    assert crashed == (step <= (4 if asked == "open" else 5))
