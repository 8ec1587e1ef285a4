"""Two resolvers at once: the same outcomes once, or an alarm and nothing written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from structlog.testing import capture_logs

from schemas.address import EntryId, Streams
from schemas.errors import Conflict, InputError
from services.journal import Entry, TableService
from services.ledger.lines import interleave
from services.resolver.app import ResolverDesk
from services.resolver.fold import Said, TableFold
from tests.support.floor import Floor, alarms, desk_of, until

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from services.journal import Journal

    Change = Callable[[Said], Said]

pytestmark = [pytest.mark.faults, pytest.mark.integration, pytest.mark.asyncio]

T1, T2 = Streams("T1"), Streams("T2")


class Tampered(TableFold):
    """A resolver that changes what it says at T1."""

    __slots__ = ("_change",)

    def __init__(self, table: str, change: Change) -> None:
        super().__init__(table)
        self._change = change

    def run(self, first: EntryId, lines: Sequence[bytes]) -> list[Said]:
        said = super().run(first, lines)
        return [self._change(one) for one in said] if self._table == "T1" else said


def tampered(journal: Journal, change: Change) -> TableService:
    def open_desk(table: str) -> ResolverDesk:
        desk = ResolverDesk(journal, table)
        desk._fold = Tampered(table, change)
        return desk

    return TableService("resolver", journal, open_desk)


def pays_more(said: Said) -> Said:
    """Add to what was won in round 3."""
    return Said(said.id, said.data.replace(b'"won":', b'"won":1')) if said.id.minor == 3 else said


def misnumbers(said: Said) -> Said:
    """Give round 5 an id that was given before."""
    return Said(EntryId(1, 3), said.data) if said.id.minor == 5 else said


async def folded(floor: Floor, table: str) -> list[Entry]:
    """What one honest resolver says of the events that are there."""
    fold = TableFold(table)
    entries = await floor.entries(Streams(table).events)
    return [Entry(*said) for said in fold.events(entries)]


async def test_hot_hot_both_say_the_same_and_nothing_is_doubled(floor: Floor) -> None:
    await floor.close_after("T1", 40)
    first, second = await floor.resolver(), await floor.resolver()
    await floor.auditor()
    await floor.bettors("T1")
    await floor.dealer("T1")
    log = await floor.audited("T1")
    for service in (first, second):
        desk = desk_of(service, "T1")
        assert isinstance(desk, ResolverDesk)
        await until(lambda desk=desk: desk.last == EntryId(1, 40), "both to have said all")  # type: ignore[misc]
        assert desk.trouble is None
    events = [entry.data for entry in await floor.entries(T1.events)]
    outcomes = await floor.entries(T1.outcomes)
    assert [entry.id for entry in outcomes] == [EntryId(1, number) for number in range(1, 41)]
    assert outcomes == await folded(floor, "T1")
    lines = list(interleave(events, [entry.data for entry in outcomes]))
    assert log.read_bytes().splitlines() == lines
    bets = [paid.bet for outcome in await floor.outcomes("T1") for paid in outcome.settlements]
    assert len(bets) == len(set(bets)) == 120


async def test_one_that_says_something_else_raises_the_alarm_and_writes_nothing(
    floor: Floor,
) -> None:
    """It comes later, so that what it says first meets what is there already."""
    await floor.close_after("T1", 12)
    await floor.close_after("T2", 60)
    honest = await floor.resolver()
    await floor.auditor()
    await floor.bettors("T1", "T2")
    await floor.dealer("T1", "T2", pace=0.02)
    await until(lambda: floor.has(T1.outcomes, 4), "four outcomes")
    with capture_logs() as logs:
        liar = await floor.start(tampered(floor.connect(), pays_more))
        await until(lambda: "T1" in liar.desks and desk_of(liar, "T1").trouble, "the alarm")
    assert isinstance(desk_of(liar, "T1").trouble, Conflict)
    (alarm,) = alarms(logs)
    assert alarm["service"] == "resolver"
    assert alarm["table"] == "T1"
    assert alarm["reason"] == "Conflict"
    assert "1-3 is there already, and says something else" in alarm["what"]
    await floor.audited("T1")
    await floor.audited("T2")
    assert desk_of(honest, "T1").trouble is None
    assert await floor.entries(T1.outcomes) == await folded(floor, "T1")
    assert await floor.entries(T2.outcomes) == await folded(floor, "T2")
    last = desk_of(liar, "T2")
    assert isinstance(last, ResolverDesk)
    await until(lambda: last.last == EntryId(1, 60), "the other table to go on")
    assert last.trouble is None


async def test_only_what_is_missing_is_added_where_batches_overlap(floor: Floor) -> None:
    """A resolver that died within a batch left its first six outcomes, and four verdicts follow."""
    await floor.close_after("T1", 15)
    await floor.all_but_dealer("T1")
    await floor.dealer("T1")
    log = await floor.audited("T1")
    await floor.stop()
    written = log.read_bytes()
    outcomes = await floor.entries(T1.outcomes)
    verdicts = await floor.entries(T1.verdicts)
    for stream, entries in ((T1.outcomes, outcomes[:6]), (T1.verdicts, verdicts[:4])):
        await floor.journal.client.delete(stream)
        await floor.journal.append(stream, EntryId(0, 0), entries)
    log.write_bytes(b"".join(written.splitlines(keepends=True)[:50]) + b'{"torn":')
    await floor.resolver()
    await floor.auditor()
    await floor.audited("T1")
    assert await floor.entries(T1.outcomes) == outcomes
    assert await floor.entries(T1.verdicts) == verdicts
    assert log.read_bytes() == written


async def test_a_bad_id_in_mid_batch_writes_nothing_of_the_batch(floor: Floor) -> None:
    await floor.close_after("T1", 15)
    await floor.all_but_dealer("T1")
    await floor.dealer("T1")
    await floor.audited("T1")
    await floor.stop()
    outcomes = await floor.entries(T1.outcomes)
    await floor.journal.client.delete(T1.outcomes)
    with capture_logs() as logs:
        wrong = await floor.start(tampered(floor.connect(), misnumbers))
        await until(lambda: "T1" in wrong.desks and desk_of(wrong, "T1").trouble, "the alarm")
    assert isinstance(desk_of(wrong, "T1").trouble, InputError)
    assert [alarm["table"] for alarm in alarms(logs)] == ["T1"]
    assert await floor.entries(T1.outcomes) == []
    await floor.stop(wrong)
    await floor.resolver()
    await until(lambda: floor.has(T1.outcomes, 15), "an honest one to say all")
    assert await floor.entries(T1.outcomes) == outcomes
