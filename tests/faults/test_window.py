"""A betting window on the wall's clock: in time, late, and a dealer who dies within it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple, TypeVar, cast

import pytest

from schemas import commands as co
from schemas import events as ev
from schemas.address import Streams
from schemas.envelope import decode_event
from schemas.instant import parse as parse_time
from services.auditor.offline import audit_paths
from services.cli import wiring
from services.dealer.opening import House
from services.runtime.clocks import wall_microseconds
from tests.support.crew import Crew
from tests.support.floor import Floor, until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    Told = TypeVar("Told", bound=ev.Event)

pytestmark = [pytest.mark.faults, pytest.mark.integration]

T1 = Streams("T1")
WINDOW = 1


class At(NamedTuple):
    """An event and its time in microseconds."""

    time: int
    event: ev.Event


class Table:
    """The table's events so far, and bets by hand."""

    def __init__(self, crew: Crew) -> None:
        self._crew = crew
        self._client = crew.client()

    def close(self) -> None:
        self._client.close()

    def said(self) -> Iterator[At]:
        rows = cast("list[tuple[bytes, dict[bytes, bytes]]]", self._client.xrange(T1.events))
        for _, fields in rows:
            message = decode_event(fields[b"__data__"])
            yield At(parse_time(message.time), message.data)

    def all(self, kind: type[Told]) -> list[Told]:
        return [one.event for one in self.said() if isinstance(one.event, kind)]

    def time_of(self, kind: type[ev.RoundOpened | ev.BetsClosed], number: int) -> int:
        (time,) = (
            one.time
            for one in self.said()
            if isinstance(one.event, kind) and one.event.round == number
        )
        return time

    def bet(self, number: int, bettor: str, spot: str = "player", *, last: bool = True) -> None:
        name = str(co.BetId(1, number, bettor, spot, 1))
        self._crew.tell("T1", name, co.BetPlace(number, bettor, spot, 2500, last=last))

    def bet_in_time(self, *bettors: str) -> int:
        """Bet in the next round that opens, and again if we were too slow; give its number."""
        while True:
            rounds = self.all(ev.RoundOpened)
            number = rounds[-1].round + 1 if rounds else 1
            self._crew.until(lambda number=number: self.opened(number), f"round {number}")  # type: ignore[misc]
            for bettor in bettors:
                self.bet(number, bettor)
                self._crew.until(
                    lambda number=number, bettor=bettor: self.answered(number, bettor),  # type: ignore[misc]
                    f"the answer to {bettor}'s bet",
                )
            if self.taken(number) == list(bettors):
                return number

    def answered(self, number: int, bettor: str) -> bool:
        answers: list[ev.BetPlaced | ev.BetRefused]
        answers = [*self.all(ev.BetPlaced), *self.all(ev.BetRefused)]
        return any((event.round, event.bettor) == (number, bettor) for event in answers)

    def opened(self, number: int) -> bool:
        return any(event.round == number for event in self.all(ev.RoundOpened))

    def closed(self, number: int) -> list[str]:
        return [event.reason for event in self.all(ev.BetsClosed) if event.round == number]

    def taken(self, number: int) -> list[str]:
        return [event.bettor for event in self.all(ev.BetPlaced) if event.round == number]


@pytest.mark.slow
def test_bets_in_time_are_taken_later_ones_refused_and_a_dead_dealer_is_replaced(
    tmp_path: Path,
) -> None:
    with Crew(tmp_path) as crew:
        table = Table(crew)
        dealer = crew.hire(
            "dealer", "dealer", "--tables", "T1", "--rules", "punto-banco", "--shoes", "1",
            "--seats", "alice,bob", "--window", str(WINDOW),
        )  # fmt: skip
        crew.hire("resolver", "resolver")
        crew.hire("auditor", "auditor")
        crew.until_at_work(dealer)
        for bettor in ("alice", "bob"):
            name = co.command_id(1, "bettor.sit", bettor, 1)
            crew.tell("T1", name, co.BettorSit(bettor, 1_000_000))
        crew.tell("T1", "1/shoe.cut/alice/1", co.Cut("alice", "00ff"))

        # One bets in time, and the window ends by itself; what comes after it is late.
        number = table.bet_in_time("alice")
        crew.until(lambda: table.closed(number), "the window's end")
        table.bet(number, "bob")
        crew.until(lambda: table.answered(number, "bob"), "the late bet's answer")
        assert table.closed(number) == ["window"]
        late = [event for event in table.all(ev.BetRefused) if event.bettor == "bob"]
        assert [(event.round, event.reason) for event in late] == [(number, "late")]
        open_for = table.time_of(ev.BetsClosed, number) - table.time_of(ev.RoundOpened, number)
        assert open_for >= WINDOW * 1_000_000

        # All have spoken before it ends.
        number = table.bet_in_time("alice", "bob")
        crew.until(lambda: table.closed(number), "all to have spoken")
        assert table.closed(number) == ["all-spoke"]

        # The dealer is killed within an open one.
        number = table.bet_in_time("bob")
        dealer.kill()
        while table.closed(number):  # we were too slow
            dealer.start()
            number = table.bet_in_time("bob")
            dealer.kill()
        time.sleep(WINDOW)
        assert table.closed(number) == []
        dealer.start()
        crew.until(lambda: table.closed(number), "the new dealer to close the betting")
        assert table.closed(number) == ["window"]
        assert table.taken(number) == ["bob"]

        crew.tell("T1", "1/shoe.close/test/1", co.ShoeClose("test"))
        crew.until(lambda: table.all(ev.ShoeClosed), "the shoe's end")
        log = crew.log_dir / "T1" / "1.jsonl"
        crew.until(lambda: log.is_file() and b'"shoe.closed"' in log.read_bytes(), "the log")
        audit = audit_paths([log])
        assert audit.verdict == "pass"
        assert [finding.code for finding in audit.findings] == ["closed-early"]
        table.close()


@pytest.mark.asyncio
async def test_a_timer_that_comes_early_does_not_close_the_betting(floor: Floor) -> None:
    """Timers are coarse: the clock has the last word."""
    house = House("dora", "test", co.ShoeOpen("punto-banco", seats=("alice",), window=WINDOW), 1)
    dealer = wiring.dealer(floor.connect(), ["T1"], house, floor.state_dir)
    ahead = iter([100_000, 50_000])
    dealer.desks["T1"]._now = lambda: wall_microseconds() + next(ahead, 0)
    await floor.start(dealer)
    await floor.send("T1", "1/bettor.sit/alice/1", co.BettorSit("alice", 1_000_000))
    await floor.send("T1", "1/shoe.cut/alice/1", co.Cut("alice", "00ff"))
    await until(lambda: floor.has_said("T1", ev.RoundDealt), "the round")
    times = {}
    for entry in await floor.entries(T1.events):
        message = decode_event(entry.data)
        times[type(message.data)] = parse_time(message.time)
    assert next(ahead, None) is None
    assert times[ev.BetsClosed] - times[ev.RoundOpened] >= WINDOW * 1_000_000
