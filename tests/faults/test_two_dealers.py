"""Two dealers at one table: the one that fell asleep is refused, and nobody's command is lost."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from structlog.testing import capture_logs

from schemas import commands as co
from schemas import events as ev
from schemas.address import Streams
from schemas.envelope import decode_event
from schemas.errors import Conflict
from services.auditor.offline import audit_paths
from tests.support.crew import Crew
from tests.support.floor import Floor, alarms, desk_of, until

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from schemas.address import EntryId
    from services.journal import Entry, Journal, ShoeStart

pytestmark = [pytest.mark.faults, pytest.mark.integration]

T1, T2 = Streams("T1"), Streams("T2")


class Sleep:
    """Has a dealer fall asleep at T1 with what he was about to say on his lips."""

    def __init__(self, journal: Journal) -> None:
        self.asleep = asyncio.Event()
        self.awake = asyncio.Event()
        self.due = False
        self.on_his_lips: list[Entry] = []
        self._append = journal.append_until_said
        journal.append_until_said = self._say  # type: ignore[method-assign]

    async def _say(self, stream: str, after: EntryId | ShoeStart, entries: Sequence[Entry]) -> int:
        if self.due and stream == T1.events:
            self.due = False
            self.on_his_lips = list(entries)
            self.asleep.set()
            await self.awake.wait()
        return await self._append(stream, after, entries)


async def bet(floor: Floor, table: str, number: int, bettor: str, *, last: bool = True) -> None:
    name = str(co.BetId(1, number, bettor, "player", 1))
    await floor.send(table, name, co.BetPlace(number, bettor, "player", 2500, last=last))


async def sit(floor: Floor, table: str, *bettors: str) -> None:
    for bettor in bettors:
        await floor.send(
            table, co.command_id(1, "bettor.sit", bettor, 1), co.BettorSit(bettor, 1_000_000)
        )
    cut = co.Cut(bettors[0], "00ff")
    await floor.send(table, co.command_id(1, "shoe.cut", bettors[0], 1), cut)


def answered(events: Sequence[ev.Event]) -> Counter[str]:
    return Counter(event.command for event in events if event.command is not None)


@pytest.mark.asyncio
async def test_stale_and_waking_up_in_mid_round_he_is_refused(floor: Floor) -> None:
    await floor.resolver()
    await floor.auditor()
    for table in ("T1", "T2"):
        await sit(floor, table, "alice", "bob")
    seats = ("alice", "bob")
    journal = floor.connect()
    sleep = Sleep(journal)
    stale = await floor.dealer("T1", "T2", seats=seats, window=60, simulation=None, journal=journal)
    await until(lambda: _betting(floor, "T1", 1), "the first round")
    await bet(floor, "T1", 1, "alice")
    await until(lambda: _placed(floor, "T1", 1), "alice's bet")
    sleep.due = True
    await bet(floor, "T1", 1, "bob")
    await sleep.asleep.wait()
    before = await floor.entries(T1.events)

    other = await floor.dealer("T1", seats=seats, window=60, simulation=None)
    await until(lambda: _betting(floor, "T1", 2), "the other to have dealt the round")
    await bet(floor, "T1", 2, "alice", last=False)
    await until(lambda: _placed(floor, "T1", 3), "alice's second bet")
    gone_on = await floor.entries(T1.events)
    with capture_logs() as logs:
        sleep.awake.set()
        await until(lambda: desk_of(stale, "T1").trouble, "the refusal")
        await asyncio.sleep(0.2)
    assert isinstance(desk_of(stale, "T1").trouble, Conflict)
    (alarm,) = alarms(logs)
    assert (alarm["service"], alarm["table"], alarm["reason"]) == ("dealer", "T1", "Conflict")
    assert sleep.on_his_lips
    assert gone_on[: len(before)] == before
    said = await floor.entries(T1.events)
    assert said == gone_on
    assert not set(sleep.on_his_lips) & set(said)

    # What he heard after that he does not answer; the other one does.
    await bet(floor, "T1", 2, "bob")
    await floor.send("T1", "1/bet.pass/alice/2", co.BetPass(2, "alice"))
    await floor.send("T1", "1/shoe.close/test/1", co.ShoeClose("test"))
    await floor.audited("T1")
    assert desk_of(other, "T1").trouble is None
    events = await floor.events("T1")
    commands = [json.loads(entry.data)["id"] for entry in await floor.entries(T1.commands)]
    assert answered(events) == Counter(commands)
    assert [entry.id.minor for entry in await floor.entries(T1.events)] == list(range(len(events)))
    assert audit_paths([floor.log("T1")]).verdict == "pass"

    # His other table is none of this trouble's business.
    await bet(floor, "T2", 1, "alice")
    await bet(floor, "T2", 1, "bob")
    await until(lambda: _betting(floor, "T2", 2), "the other table's second round")
    assert desk_of(stale, "T2").trouble is None


@pytest.mark.asyncio
async def test_two_who_open_the_same_shoe_at_once(floor: Floor) -> None:
    """One of them opens it, deals it and can reveal what was committed to; the other stops."""
    await floor.close_after("T1", 5)
    await floor.all_but_dealer()
    journals = [floor.connect(), floor.connect()]
    sleeps = [Sleep(journal) for journal in journals]
    for sleep in sleeps:
        sleep.due = True
    starting = [
        asyncio.ensure_future(floor.dealer("T1", simulation=None, journal=journal))
        for journal in journals
    ]
    for sleep in sleeps:
        await sleep.asleep.wait()
    for sleep in sleeps:
        sleep.awake.set()
    dealers = await asyncio.gather(*starting)
    await floor.bettors("T1", simulated=False)
    log = await floor.audited("T1")
    troubles = [desk_of(dealer, "T1").trouble for dealer in dealers]
    assert [trouble for trouble in troubles if trouble is None] == [None]
    assert any(isinstance(trouble, Conflict) for trouble in troubles)
    assert audit_paths([log]).verdict == "pass"


async def _placed(floor: Floor, table: str, count: int) -> bool:
    events = await floor.events(table)
    return sum(isinstance(event, ev.BetPlaced) for event in events) == count


async def _betting(floor: Floor, table: str, number: int) -> bool:
    events = await floor.events(table)
    return any(isinstance(event, ev.RoundOpened) and event.round == number for event in events)


@pytest.mark.slow
def test_a_process_that_was_stopped_and_goes_on_is_refused(tmp_path: Path) -> None:
    """The same with processes: SIGSTOP within an open betting window, SIGCONT a round later."""
    with Crew(tmp_path) as crew, crew.client() as client:

        def events() -> list[ev.Event]:
            rows = client.xrange(T1.events)
            return [decode_event(fields[b"__data__"]).data for _, fields in rows]

        def opened(number: int) -> bool:
            return any(isinstance(one, ev.RoundOpened) and one.round == number for one in events())

        work = ("dealer", "--tables", "T1", "--rules", "punto-banco", "--seats", "alice,bob")
        window = ("--shoes", "1", "--window", "60")
        stale = crew.hire("stale", *work, *window)
        crew.hire("resolver", "resolver")
        crew.hire("auditor", "auditor")
        crew.tell("T1", "1/bettor.sit/alice/1", co.BettorSit("alice", 100_000))
        crew.tell("T1", "1/bettor.sit/bob/1", co.BettorSit("bob", 100_000))
        crew.tell("T1", "1/shoe.cut/alice/1", co.Cut("alice", "00ff"))
        crew.until(lambda: opened(1), "the first round")
        crew.until_at_work(stale)
        crew.tell("T1", "1-1/alice/player/1", co.BetPlace(1, "alice", "player", 2500, last=True))
        crew.until(lambda: answered(events())["1-1/alice/player/1"], "alice's bet")
        stale.pause()
        crew.tell("T1", "1-1/bob/tie/1", co.BetPlace(1, "bob", "tie", 500, last=True))
        other = crew.hire("other", *work, *window)
        crew.until(lambda: opened(2), "the other dealer to deal and go on")
        crew.may_stop = True
        before = client.xrange(T1.events)
        stale.go_on()
        crew.until(lambda: stale.table_stopped, "the stale dealer to be refused")
        assert b'"reason":"Conflict"' in stale.said.read_bytes()
        assert client.xrange(T1.events) == before
        crew.tell("T1", "1/shoe.close/test/1", co.ShoeClose("test", after_round=2))
        crew.tell("T1", "1/bet.pass/alice/2", co.BetPass(2, "alice"))
        crew.tell("T1", "1/bet.pass/bob/2", co.BetPass(2, "bob"))
        crew.until(lambda: isinstance(events()[-1], ev.ShoeClosed), "the shoe's end")
        log = crew.log_dir / "T1" / "1.jsonl"
        crew.until(lambda: client.xlen("shoetrail:closed"), "the shoe to be audited")
        commands = [
            json.loads(fields[b"__data__"])["id"] for _, fields in client.xrange(T1.commands)
        ]
        assert len(commands) == 8
        assert answered(events()) == Counter(commands)
        assert not other.table_stopped
        assert audit_paths([log]).verdict == "pass"
        assert stale.is_alive
