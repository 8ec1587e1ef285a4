"""Every process of a table, and Redis, is killed again and again: the same shoe is on record."""

from __future__ import annotations

import hashlib
import random
import time
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import pytest

from schemas import events as ev
from schemas.address import Streams
from schemas.commands import BetPlace, parse_bet_id
from schemas.envelope import decode_command, decode_event, decode_outcome
from services.auditor.offline import audit_paths
from services.ledger.lines import log_root
from tests.support.crew import Crew

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from schemas.outcomes import RoundResolved

pytestmark = [pytest.mark.faults, pytest.mark.slow, pytest.mark.integration]

SEED = "5eed" * 16
START = "2026-01-01T00:00:00.000000Z"
STREAMS = Streams("T7")
BANKROLL = 1_000_000
FLAT = "alice=player:2500,bob=banker:2500,carol=tie:500"
SEATS = ("alice", "bob", "carol")
KILLS = 50
PACE = 0.3

Rows = list[tuple[bytes, dict[bytes, bytes]]]


class Shoe(NamedTuple):
    """What a run left: the log's bytes, and each stream up to the second shoe's start."""

    log: Path
    streams: dict[str, list[tuple[bytes, bytes]]]
    #: The bets that were asked for, however often.
    asked: set[str]

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.log.read_bytes()).hexdigest()

    @property
    def events(self) -> list[ev.Event]:
        return [decode_event(data).data for _, data in self.streams[STREAMS.events]]


class Moment(NamedTuple):
    """When to kill whom: after this event is there, and then so many seconds."""

    seq: int
    wait: float
    victim: str


def play(folder: Path, pace: float, disturb: Callable[[Crew, Table], None] | None = None) -> Shoe:
    with Crew(folder) as crew:
        table = Table(crew, pace)
        if disturb is not None:
            disturb(crew, table)
        crew.until(lambda: table.last_seq(2) is not None and table.is_audited(), "the shoe's end")
        return Shoe(crew.log_dir / "T7" / "1.jsonl", table.streams(), table.asked())


class Table:
    """The services of one table, each in its process, and a look at its streams."""

    def __init__(self, crew: Crew, pace: float) -> None:
        self.client = crew.client()
        simulated = ("--seed", SEED)
        self.workers = {
            "auditor": crew.hire("auditor", "auditor"),
            "resolver": crew.hire("resolver", "resolver"),
            "bettors": crew.hire(
                "bettors", "bettors", "--tables", "T7", "--flat", FLAT,
                "--bankroll", str(BANKROLL), *simulated,
            ),
            "dealer": crew.hire(
                "dealer", "dealer", "--tables", "T7", "--rules", "punto-banco",
                "--seats", ",".join(SEATS), "--shoes", "2", "--pace", str(pace),
                "--start", START, *simulated,
            ),
        }  # fmt: skip

    def rows(self, stream: str, first: str = "-", last: str = "+") -> Rows:
        return cast("Rows", self.client.xrange(stream, first, last))

    def last_seq(self, shoe: int) -> int | None:
        found = cast(
            "Rows", self.client.xrevrange(STREAMS.events, f"({shoe + 1}-0", f"{shoe}-0", 1)
        )
        return int(found[0][0].split(b"-")[1]) if found else None

    def wait_for(self, seq: int) -> None:
        """Return as soon as the first shoe's event ``seq`` is there."""
        end = time.monotonic() + 60
        while not self.client.xread({STREAMS.events: f"1-{seq - 1}"}, 1, block=1000):
            assert time.monotonic() < end, f"1-{seq} never came"

    def is_audited(self) -> bool:
        found = cast("Rows", self.client.xrevrange(STREAMS.verdicts, "(2-0", "1-0", 1))
        return bool(found) and b'"shoe.audited"' in found[0][1][b"__data__"]

    def asked(self) -> set[str]:
        commands = [
            decode_command(fields[b"__data__"]) for _, fields in self.rows(STREAMS.commands)
        ]
        return {one.id for one in commands if isinstance(one.data, BetPlace)}

    def streams(self) -> dict[str, list[tuple[bytes, bytes]]]:
        """Read the first shoe, and how the second one began."""
        names = (STREAMS.events, STREAMS.outcomes, STREAMS.verdicts)
        found = {name: self.rows(name, "1-0", "(2-0") for name in names}
        found[STREAMS.events] += self.rows(STREAMS.events, "2-0", f"2-{len(SEATS)}")
        return {
            name: [(at, fields[b"__data__"]) for at, fields in rows] for name, rows in found.items()
        }


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Shoe:
    return play(tmp_path_factory.mktemp("undisturbed"), 0.0)


def moments(events: int) -> list[Moment]:
    """Spread the kills over a shoe of so many events, ten for each of the five victims."""
    chance = random.Random(20261130)  # noqa: S311
    victims: list[str] = []
    for _ in range(KILLS // 5):
        five = ["dealer", "bettors", "resolver", "auditor", "redis"]
        chance.shuffle(five)
        victims += five
    seqs = sorted(chance.sample(range(3, events * 19 // 20), KILLS))
    waits = [0.0, 0.0, 0.001, 0.003, 0.01, 0.03, 0.1, PACE]
    return [
        Moment(seq, chance.choice(waits), victim) for seq, victim in zip(seqs, victims, strict=True)
    ]


@pytest.mark.timeout(540)
def test_killed_fifty_times_the_shoe_is_the_same(undisturbed: Shoe, tmp_path: Path) -> None:
    hits: Counter[str] = Counter()

    def disturb(crew: Crew, table: Table) -> None:
        for moment in moments(len(undisturbed.streams[STREAMS.events])):
            table.wait_for(moment.seq)
            worker = table.workers.get(moment.victim)
            if worker is not None:
                crew.until_at_work(worker)
            time.sleep(moment.wait)
            assert table.last_seq(2) is None, f"over after {hits}"
            if worker is None:
                assert crew.redis.pid is not None
                crew.redis.restart()
            else:
                assert worker.is_alive
                worker.kill()
                worker.start()
            hits[moment.victim] += 1

    shoe = play(tmp_path / "killed", PACE, disturb)
    assert hits.total() == KILLS
    assert min(hits.values()) == KILLS // 5
    assert shoe.streams == undisturbed.streams
    assert shoe.sha256 == undisturbed.sha256
    check(shoe)


def test_undisturbed(undisturbed: Shoe) -> None:
    assert sum(isinstance(event, ev.RoundDealt) for event in undisturbed.events) >= 60
    check(undisturbed)


def check(shoe: Shoe) -> None:
    """The record is whole and passes; no bet is paid twice or lost; the bankrolls add up."""
    assert audit_paths([shoe.log]).verdict == "pass"
    for name in (STREAMS.events, STREAMS.outcomes, STREAMS.verdicts):
        first = 0 if name == STREAMS.events else 1
        ids = [at for at, _ in shoe.streams[name] if at.startswith(b"1-")]
        assert ids == [b"1-%d" % seq for seq in range(first, first + len(ids))], name
    events = shoe.events
    placed = [event for event in events if isinstance(event, ev.BetPlaced)]
    said: list[Any] = [decode_outcome(data).data for _, data in shoe.streams[STREAMS.outcomes]]
    outcomes: list[RoundResolved] = said
    settled = [paid for outcome in outcomes for paid in outcome.settlements]
    assert Counter(paid.bet for paid in settled) == Counter(bet.bet for bet in placed)
    assert len({bet.bet for bet in placed}) == len(placed) >= 3 * 60
    last = max(bet.round for bet in placed)
    asked = {parse_bet_id(bet) for bet in shoe.asked}
    in_time = {str(bet) for bet in asked if bet and bet.shoe == 1 and bet.round <= last}
    assert in_time == {bet.bet for bet in placed}
    net: Counter[str] = Counter()
    for paid in settled:
        net[paid.bettor] += paid.returned + paid.won - paid.commission - paid.stake
    assert net.total() == -sum(outcome.house for outcome in outcomes)
    seated = [event for event in events if isinstance(event, ev.BettorSeated)]
    again = {event.bettor: event.bankroll for event in seated[len(SEATS) :]}
    assert again == {name: BANKROLL + net[name] for name in SEATS}
    opened = [event for event in events if isinstance(event, ev.ShoeOpened)]
    root = log_root(shoe.log.read_bytes().splitlines()).hex()
    assert [event.previous_root for event in opened] == [None, root]
