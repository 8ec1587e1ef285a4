"""Disputes at a table that is played: frozen evidence, money at the table, verdicts on both."""

from __future__ import annotations

import asyncio
import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from schemas import commands as co
from schemas import events as ev
from schemas.address import Streams
from schemas.disputes import Adjustment, DisputeOpened, DisputeResolved
from schemas.outcomes import RoundResolved
from schemas.verdicts import RoundAudited, ShoeAudited
from services.auditor.offline import audit_paths
from services.disputes import Adjusted, DisputeDesk, adjust
from services.runtime.clocks import WallClock
from tests.support.floor import desk_of, until
from tests.support.nursery import Command

if TYPE_CHECKING:
    from services.journal import Journal
    from services.ledger.disputes import Dispute
    from tests.support.floor import Floor

pytestmark = [pytest.mark.asyncio, pytest.mark.integration]
T1 = Streams("T1")
BET = "1-2/alice/player/1"


async def command(floor: Floor, *words: str, code: int = 0) -> Any:  # noqa: ANN401
    """Run the command as its users do; give its JSON."""
    env = {key: value for key, value in os.environ.items() if not key.startswith("SHOETRAIL_")}
    env |= {
        "SHOETRAIL_REDIS_URL": floor._url,
        "SHOETRAIL_LOG_DIR": str(floor.log_dir),
        "SHOETRAIL_STATE_DIR": str(floor.state_dir),
    }
    done = Command(["dispute", *words, "--json"], env)
    ended, out, err = await asyncio.to_thread(done.ends)
    assert ended == code, (out, err)
    return json.loads(out) if code == 0 else err


def desk(floor: Floor, journal: Journal | None) -> DisputeDesk:
    return DisputeDesk(floor.log_dir, "T1", WallClock(), journal)


def claim(at: str = "T1/1#2") -> DisputeOpened:
    return DisputeOpened(at, "alice", "it was 50", "alice", BET, None, None, ())


def finding(number: int, amount: int | None) -> DisputeResolved:
    money = None if amount is None else Adjustment("alice", BET, amount)
    return DisputeResolved(number, "sue", "two chips on the clip", money, ())


async def resolved(floor: Floor, amount: int) -> Dispute:
    """Open a dispute and resolve it with money."""
    journal = floor.journal
    one = (await desk(floor, journal).open(claim())).dispute
    return (await desk(floor, journal).resolve(finding(one.number, amount))).dispute


async def ask(floor: Floor, one: Dispute, wait: float = 10.0) -> Adjusted:
    return await adjust(floor.journal, floor.log_dir, one, WallClock(), wait=wait)


async def held(floor: Floor) -> set[int]:
    return {int(one) for one in await floor.journal.client.smembers(T1.held)}


async def begins_at(floor: Floor) -> int | None:
    first = await floor.journal.first_id(T1.events)
    return None if first is None else first.major


async def test_a_round_is_disputed_and_resolved_while_the_table_is_played(floor: Floor) -> None:
    await floor.resolver(), await floor.bettors("T1")
    auditor = await floor.auditor(keep_shoes=1)
    dealer = await floor.dealer("T1", shoes=3, pace=0.2)
    await until(lambda: floor.has(T1.outcomes, 2), "round 2")

    made = await command(floor, "open", "T1/1#2", "--by", "alice", "--claim", "it was 50",
                         "--bet", BET, "--stake", "5000")  # fmt: skip
    assert (made["stream"], made["dispute"]["id"]) == (True, "T1:1")
    assert await held(floor) == {1}
    await floor.close_after("T1", 1, 1)
    await floor.audited("T1", 2)
    assert await begins_at(floor) == 1
    await until(lambda: floor.has(T1.outcomes, 1, 3), "round 1 of shoe 3")
    made = await command(floor, "resolve", "T1:1", "--by", "sue", "--finding", "two chips",
                         "--adjust", "2500", "--wait", "20")  # fmt: skip
    moved = made["adjusted"]
    assert (moved["state"], moved["command"]) == ("said", "3/money.adjust/disputes/1")
    assert await held(floor) == set()
    (event,) = [one for one in await floor.events("T1", 3) if isinstance(one, ev.MoneyAdjusted)]
    assert (event.at, event.bet, event.bettor, event.amount) == ("T1/1#2", BET, "alice", 2500)
    assert (event.reason, event.by, event.dispute) == ("two chips", "sue", "T1:1")
    await floor.send("T1", "3/shoe.close/test/1", co.ShoeClose("test"))
    await floor.audited("T1", 3)
    await until(lambda: _begins(floor, 3), "what was held to be trimmed")
    assert desk_of(auditor, "T1").trouble is None
    assert desk_of(dealer, "T1").trouble is None
    said = await floor.verdicts("T1", 3)
    assert isinstance(said[-1], ShoeAudited)
    assert said[-1].verdict == "pass"
    audit = audit_paths([floor.log_dir])
    assert (audit.shoes, audit.verdict) == (3, "pass")
    again = await command(floor, "resolve", "T1:1", "--by", "sue", "--finding", "two chips",
                          "--adjust", "2500", code=2)  # fmt: skip
    assert "T1:1 is resolved already, on 20" in again


async def _begins(floor: Floor, shoe: int) -> bool:
    return await begins_at(floor) == shoe


async def played(floor: Floor, rounds: int = 3, shoes: int = 1) -> None:
    """Play one shoe to its verdict; the dealer leaves then."""
    await floor.all_but_dealer("T1")
    await floor.close_after("T1", rounds)
    dealer = await floor.dealer("T1", shoes=shoes)
    await floor.audited("T1", 1)
    await floor.stop(dealer)


async def test_money_waits_for_the_next_shoe_and_is_said_right_after_its_opening(
    floor: Floor,
) -> None:
    await played(floor)
    one = await resolved(floor, 2500)
    name = "2/money.adjust/disputes/1"
    for _ in range(2):
        assert await ask(floor, one, wait=0) == Adjusted("waiting", name)
    await floor.dealer("T1", shoes=2)
    moved = await ask(floor, one)
    assert moved == Adjusted("said", name, "T1/2-4")
    events = await floor.events("T1", 2)
    assert [type(one) for one in events[:5]] == [
        ev.ShoeOpened, ev.BettorSeated, ev.BettorSeated, ev.BettorSeated, ev.MoneyAdjusted,
    ]  # fmt: skip
    for _ in range(2):  # asking again moves nothing
        assert (await ask(floor, one)).at == "T1/2-4"
    await floor.send("T1", "2/shoe.close/test/1", co.ShoeClose("test", after_round=2))
    await floor.audited("T1", 2)
    assert await ask(floor, one) == moved  # by the log
    moved_events = [e for e in await floor.events("T1") if isinstance(e, ev.MoneyAdjusted)]
    assert len(moved_events) == 1
    assert audit_paths([floor.log_dir]).verdict == "pass"


async def test_a_dealer_who_was_away_answers_when_he_is_back(floor: Floor) -> None:
    await floor.all_but_dealer("T1")
    dealer = await floor.dealer("T1", pace=0.05)
    await until(lambda: floor.has(T1.outcomes, 3), "round 3")
    await floor.stop(dealer)
    one = await resolved(floor, 100)
    name = "1/money.adjust/disputes/1"
    assert await ask(floor, one, wait=0) == Adjusted("waiting", name)
    await floor.dealer("T1")
    moved = await ask(floor, one)
    assert (moved.state, moved.command) == ("said", name)


async def test_a_dealer_may_refuse_what_the_bettor_does_not_have(floor: Floor) -> None:
    await floor.all_but_dealer("T1")
    await floor.dealer("T1", pace=0.3)
    await until(lambda: floor.has(T1.outcomes, 2), "round 2")
    one = await resolved(floor, -5_000_000)
    moved = await ask(floor, one)
    assert (moved.state, moved.reason) == ("refused", "amount")
    words = ("resolve", "T1:1", "--by", "sue", "--finding", "two chips on the clip", "--bet", BET)
    says = await command(floor, *words, "--adjust=-5000000", code=2)
    assert "the dealer refused the adjustment: amount" in str(says)


async def test_a_verdict_on_money_is_by_the_record_whenever_it_is_worked_out(floor: Floor) -> None:
    parts = await floor.all_but_dealer("T1")
    await floor.dealer("T1", pace=0.05)
    await until(lambda: floor.has(T1.outcomes, 3), "round 3")
    one = await resolved(floor, 2500)
    good = await ask(floor, one)
    invented = co.MoneyAdjust("T1/1#2", "alice", 700, "because", "eve", BET, "T1:9")
    await floor.send("T1", "1/money.adjust/eve/1", invented)
    await until(lambda: _moved(floor, 2), "the other adjustment")
    rounds = len([one for one in await floor.outcomes("T1") if isinstance(one, RoundResolved)])
    await until(lambda: floor.has(T1.verdicts, rounds + 1), "the verdict after it")
    await floor.stop(parts["auditor"])
    again = await floor.auditor("T1")
    await floor.send("T1", "1/shoe.close/test/1", co.ShoeClose("test"))
    await floor.audited("T1")
    assert desk_of(again, "T1").trouble is None
    found = [
        finding
        for verdict in await floor.verdicts("T1")
        if isinstance(verdict, RoundAudited)
        for finding in verdict.findings
    ]
    assert [one.code for one in found] == ["adjustment-unexplained"]
    assert found[0].amount == -700
    assert found[0].at != good.at
    audit = audit_paths([floor.log_dir])
    assert [one.code for one in audit.findings if one.grade == "fault"] == [
        "adjustment-unexplained",
        "dispute-dropped",
    ]


async def _moved(floor: Floor, times: int) -> bool:
    moved = [one for one in await floor.events("T1") if isinstance(one, ev.MoneyAdjusted)]
    return len(moved) == times


async def test_a_dispute_that_is_in_the_file_alone_holds_its_shoe_too(floor: Floor) -> None:
    await floor.resolver(), await floor.bettors("T1")
    await floor.auditor(keep_shoes=1)
    await floor.close_after("T1", 2, 2, 2, 2)
    dealer = await floor.dealer("T1", shoes=1)
    await floor.audited("T1", 1)
    await floor.stop(dealer)
    one = (await desk(floor, None).open(claim())).dispute
    dealer = await floor.dealer("T1", shoes=3)
    await floor.audited("T1", 3)
    assert await held(floor) == set()
    assert await begins_at(floor) == 1
    await floor.stop(dealer)
    await desk(floor, None).resolve(finding(one.number, None))
    await floor.dealer("T1", shoes=4)
    await floor.audited("T1", 4)
    await until(lambda: _begins(floor, 4), "what was held to be trimmed")
