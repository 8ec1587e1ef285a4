"""On the wall's clock, with two resolvers and two auditors: whatever dies is made up for."""

from __future__ import annotations

import random
import time
from collections import Counter
from typing import TYPE_CHECKING, Any, cast

import pytest

from schemas import commands as co
from schemas import events as ev
from schemas.address import Streams
from schemas.envelope import decode_event, decode_outcome
from services.auditor.offline import audit_paths
from tests.support.crew import Crew
from tests.support.floor import FLAT, names_in

if TYPE_CHECKING:
    from pathlib import Path

    from redis import Redis

pytestmark = [pytest.mark.faults, pytest.mark.slow, pytest.mark.integration]

TABLES = ("T1", "T2")
ROUNDS, SHOES = 30, 2
LONGEST_S = 15.0


def read(client: Redis, stream: str) -> list[bytes]:
    rows = cast("list[tuple[bytes, dict[bytes, bytes]]]", client.xrange(stream))
    return [fields[b"__data__"] for _, fields in rows]


def is_over(client: Redis, table: str) -> bool:
    found = cast("list[Any]", client.xrevrange(Streams(table).verdicts, count=1))
    if not found:
        return False
    at, fields = found[0]
    return at.startswith(b"%d-" % SHOES) and b'"shoe.audited"' in fields[b"__data__"]


@pytest.mark.timeout(240)
def test_whatever_dies_no_bet_is_lost_or_paid_twice(tmp_path: Path) -> None:
    chance = random.Random(11)  # noqa: S311
    tables = ("--tables", ",".join(TABLES))
    with Crew(tmp_path) as crew, crew.client() as client:
        for table in TABLES:
            for shoe in range(1, SHOES + 1):
                name = co.command_id(shoe, "shoe.close", "test", 1)
                crew.tell(table, name, co.ShoeClose("test", after_round=ROUNDS))
        workers = [
            crew.hire("auditor", "auditor"),
            crew.hire("auditor-2", "auditor"),
            crew.hire("resolver", "resolver"),
            crew.hire("resolver-2", "resolver"),
            crew.hire("bettors", "bettors", *tables, "--flat", FLAT),
            crew.hire(
                "dealer", "dealer", *tables, "--rules", "punto-banco", "--pace", "0.2",
                "--seats", ",".join(names_in(FLAT)), "--shoes", str(SHOES),
            ),
        ]  # fmt: skip
        crew.until_at_work(*workers)
        end = time.monotonic() + LONGEST_S
        kills: Counter[str] = Counter()
        while time.monotonic() < end and not all(is_over(client, table) for table in TABLES):
            time.sleep(chance.uniform(0.0, 0.8))
            victim = chance.choice([*workers, None])
            if victim is None:
                crew.redis.restart()
            else:
                victim.kill()
                victim.start()
            kills["redis" if victim is None else victim.name] += 1
        assert kills.total() >= 10
        crew.until(lambda: all(is_over(client, table) for table in TABLES), "the last shoe's end")
        for table in TABLES:
            _check(client, table)
        audit = audit_paths([crew.log_dir])
        assert (audit.shoes, audit.verdict) == (SHOES * len(TABLES), "pass")
        assert audit.rounds == ROUNDS * SHOES * len(TABLES)


def _check(client: Redis, table: str) -> None:
    streams = Streams(table)
    events = [decode_event(data).data for data in read(client, streams.events)]
    said: list[Any] = [decode_outcome(data).data for data in read(client, streams.outcomes)]
    bets = Counter(event.bet for event in events if isinstance(event, ev.BetPlaced))
    assert len(bets) == 3 * ROUNDS * SHOES
    assert Counter(paid.bet for outcome in said for paid in outcome.settlements) == bets
    assert set(bets.values()) == {1}
    refused = [event for event in events if isinstance(event, ev.BetRefused | ev.CommandRefused)]
    assert refused == []
