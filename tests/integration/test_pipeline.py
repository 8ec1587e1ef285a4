"""All services at work together, from the first command to the shoe's verdict."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from schemas import commands as co
from schemas import events as ev
from schemas.address import CLOSED, EntryId, Shoe, Streams
from schemas.outcomes import RoundHalted, RoundResolved
from schemas.ruleset import RuleSet, named, parse
from services.auditor.offline import audit_paths
from services.bettors.config import parse_flat
from services.bettors.scenario import shipped, shipped_deck
from services.cli.log_view import read_log
from services.cli.whole_shoe import play_shoe
from services.cli.wiring import Simulation
from services.dealer.opening import House
from services.journal import Entry
from services.ledger.lines import log_root
from services.runtime.settings import Settings
from tests.support.floor import (
    FLAT,
    SEED,
    START_US,
    Floor,
    desk_of,
    names_in,
    until,
)

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.integration, pytest.mark.asyncio]

T1 = Streams("T1")
SEEDED = (
    "punto-banco", "punto-banco-even", "fun-casino-as-printed", "fun-casino-simple",
    "ez-baccarat", "buti-1990",
)  # fmt: skip


def one_bettor_a_spot(rules: RuleSet) -> str:
    """Bet the minimum on each spot, and on the player beside it where a main bet is asked for."""
    bettors = []
    for number, (name, spot) in enumerate(rules.spots.items(), 1):
        bets = [f"{name}:{_least(rules, name)}"]
        if not spot.main and rules.together.exactly_one_main:
            bets.insert(0, f"player:{_least(rules, 'player')}")
        bettors.append(f"b{number}={'+'.join(bets)}")
    return ",".join(bettors)


def _least(rules: RuleSet, spot: str) -> int:
    least = rules.spots[spot].minimum
    return -(-least // rules.spots[spot].step) * rules.spots[spot].step


@pytest.mark.parametrize("rules", SEEDED)
async def test_a_whole_shoe_by_each_rule_set(fresh_redis: str, tmp_path: Path, rules: str) -> None:
    told = parse(named(rules).text)
    flat = one_bettor_a_spot(told)
    path = await play_shoe(
        Settings(redis_url=fresh_redis, state_dir=tmp_path / "state"),
        Shoe("T1", 1),
        House("dora", "test", co.ShoeOpen(rules, seats=names_in(flat)), 1),
        lambda: parse_flat(flat, 10_000_000),
        tmp_path,
        simulation=Simulation(SEED, START_US),
    )
    audit = audit_paths([path])
    assert (audit.verdict, audit.findings) == ("pass", ())
    view = read_log(path)
    outcomes = [one.outcome for one in view.rounds.values()]
    assert len(outcomes) >= 60
    assert view.refused == []
    settled = Counter(
        (paid.spot, paid.result)
        for outcome in outcomes
        if isinstance(outcome, RoundResolved)
        for paid in outcome.settlements
    )
    assert {spot for spot, _ in settled} == set(told.spots)
    for spot, rule in told.spots.items():
        assert settled[spot, "lose"] > 0
        assert settled[spot, "win"] > 0 or not rule.main


@pytest.mark.parametrize(("deck", "wins"), [("yaba4-won", True), ("yaba4-lost", False)])
async def test_the_scripted_game_on_a_stacked_shoe(
    fresh_redis: str, tmp_path: Path, deck: str, *, wins: bool
) -> None:
    game = shipped("yaba4")
    path = await play_shoe(
        Settings(redis_url=fresh_redis, state_dir=tmp_path / "state"),
        Shoe("T1", 1),
        House("dora", "test", co.ShoeOpen("yaba4", co.AskFixed("deck"), ("bond",)), 1),
        lambda: [game.seat()],
        tmp_path,
        decks={"deck": shipped_deck(deck, 8)},
        simulation=Simulation(SEED, START_US),
    )
    audit = audit_paths([path])
    assert (audit.verdict, audit.findings, audit.rounds) == ("pass", (), 7)
    view = read_log(path)
    winners = Counter(
        one.outcome.winner for one in view.rounds.values() if isinstance(one.outcome, RoundResolved)
    )
    assert (winners["player"] >= game.goal.wins) is wins


async def test_several_tables_at_once_are_apart(floor: Floor) -> None:
    """Each has bettors of its own account, and its shoe is what it would be alone."""
    tables = ("T1", "T2", "T3", "T4", "T5")
    for number, table in enumerate(tables):
        await floor.close_after(table, 20 + number)
    await floor.all_but_dealer(*tables)
    await floor.dealer(*tables)
    logs = [await floor.audited(table) for table in tables]
    audit = audit_paths([floor.log_dir])
    assert (audit.shoes, audit.rounds, audit.verdict) == (5, 20 + 21 + 22 + 23 + 24, "pass")
    shoes = {log.read_bytes() for log in logs}
    assert len(shoes) == 5
    for table in tables:
        assert await _ids(floor, Streams(table).outcomes) == list(
            range(1, 21 + tables.index(table))
        )


async def _ids(floor: Floor, stream: str, shoe: int = 1) -> list[int]:
    return [entry.id.minor for entry in await floor.entries(stream, shoe)]


async def test_each_shoe_names_the_root_of_the_last_and_restates_who_sits(floor: Floor) -> None:
    await floor.close_after("T1", 5, 6, 7)
    await floor.all_but_dealer("T1")
    await floor.dealer("T1", shoes=3)
    logs = [await floor.audited("T1", shoe) for shoe in (1, 2, 3)]
    roots = [log_root(log.read_bytes().splitlines()).hex() for log in logs]
    money = dict.fromkeys(names_in(FLAT), 1_000_000)
    for shoe in (1, 2, 3):
        events = await floor.events("T1", shoe)
        opened = events[0]
        assert isinstance(opened, ev.ShoeOpened)
        assert opened.previous_root == ([None, *roots][shoe - 1])
        seated = [event for event in events if isinstance(event, ev.BettorSeated)]
        assert {event.bettor: event.bankroll for event in seated} == money
        for outcome in await floor.outcomes("T1", shoe):
            for paid in outcome.settlements:
                money[paid.bettor] += paid.returned + paid.won - paid.commission - paid.stake
    audit = audit_paths([floor.log_dir])
    assert (audit.shoes, audit.rounds, audit.verdict) == (3, 18, "pass")
    assert [finding.code for finding in audit.findings] == ["closed-early"] * 3
    due = await floor.entries(CLOSED)
    assert [root in entry.data.decode() for root, entry in zip(roots, due, strict=True)] == [
        True,
        True,
        True,
    ]


@pytest.mark.parametrize("dealer_is_there", [True, False])
async def test_what_is_no_event_halts_the_shoe_and_the_next_is_sound(
    floor: Floor, *, dealer_is_there: bool
) -> None:
    """Somebody else writes to the events: the dealer, when he comes back, can only close."""
    await floor.auditor()
    await floor.resolver()
    bettors = await floor.bettors("T1")
    dealer = await floor.dealer("T1", shoes=2, pace=0.1)
    await until(lambda: floor.has(T1.outcomes, 3), "three rounds")
    if not dealer_is_there:
        await floor.stop(dealer)
    end = await _write_rubbish(floor)
    if dealer_is_there:
        await until(lambda: desk_of(dealer, "T1").trouble, "the dealer to be refused")
        await floor.stop(dealer)
    await until(lambda: _is_halted(floor), "the resolver to halt the shoe")
    await floor.close_after("T1", 99, 4)
    await floor.dealer("T1", shoes=2)
    log = await floor.audited("T1", 1)
    halted = (await floor.outcomes("T1", 1))[-1]
    assert isinstance(halted, RoundHalted)
    assert (halted.reason, halted.at) == ("unreadable", f"T1/{end}")
    # Bets that wait for a round that is never opened are not answered; other commands are.
    *_, rubbish, refused, closed = await floor.entries(T1.events, 1)
    assert [rubbish, refused.id] == [Entry(end, RUBBISH), EntryId(1, end.minor + 1)]
    assert b'"reason":"shoe-ended","command":"1/shoe.close/test/1"' in refused.data
    assert b'"reason":"halted","by":"resolver","reveal":{' in closed.data
    lines = log.read_bytes().splitlines()
    outcome = (await floor.entries(T1.outcomes, 1))[-1]
    assert lines[-4:] == [RUBBISH, outcome.data, refused.data, closed.data]
    audit = audit_paths([log])
    assert audit.verdict == "fail"
    assert {"malformed", "halted"} <= {finding.code for finding in audit.findings}
    # The table goes on, and its next shoe names the root of the halted one.
    sound = await floor.audited("T1", 2)
    assert audit_paths([sound]).verdict == "pass"
    assert desk_of(bettors, "T1").trouble is None
    opened = (await floor.events("T1", 2))[0]
    assert isinstance(opened, ev.ShoeOpened)
    assert opened.previous_root == log_root(lines).hex()


RUBBISH = b'{"what":"is this?"}'


async def _write_rubbish(floor: Floor) -> EntryId:
    """Write what is no event at the stream's end, between two appends of the dealer."""
    last = await floor.journal.last_id(T1.events)
    at = EntryId(1, last.minor + 1)
    await floor.journal.append(T1.events, last, [Entry(at, RUBBISH)])
    return at


async def _is_halted(floor: Floor) -> bool:
    return isinstance((await floor.outcomes("T1", 1))[-1], RoundHalted)


async def test_a_round_is_voided_on_the_record(floor: Floor) -> None:
    await floor.resolver()
    await floor.auditor()
    await floor.dealer("T1", seats=("alice",))
    await floor.send("T1", "1/bettor.sit/alice/1", co.BettorSit("alice", 1_000_000))
    await floor.send("T1", "1/shoe.cut/alice/1", co.Cut("alice", "00ff"))
    for number in (1, 2, 3):
        bet = co.BetPlace(number, "alice", "player", 2500, last=number != 2)
        await floor.send("T1", f"1-{number}/alice/player/1", bet)
        if number == 2:
            void = co.RoundVoid(round=2, reason="a card fell", by="pit boss")
            await floor.send("T1", "1/round.void/pit/1", void)
        await until(lambda number=number: floor.has(T1.outcomes, number), f"round {number}")  # type: ignore[misc]
    await floor.send("T1", "1/shoe.close/pit/1", co.ShoeClose("pit"))
    log = await floor.audited("T1")
    outcomes = [one for one in await floor.outcomes("T1") if isinstance(one, RoundResolved)]
    assert [one.winner == "void" for one in outcomes] == [False, True, False]
    assert [(paid.result, paid.returned) for paid in outcomes[1].settlements] == [("void", 2500)]
    audit = audit_paths([log])
    assert audit.verdict == "pass"
    assert [finding.code for finding in audit.findings] == ["voided", "closed-early"]


async def test_shoes_are_trimmed_while_the_table_goes_on(floor: Floor) -> None:
    """Two shoes stay in Redis, everybody goes on, and who comes new finds his way."""
    resolver, bettors = await floor.resolver(), await floor.bettors("T1")
    auditor = await floor.auditor(keep_shoes=2)
    dealer = await floor.dealer("T1", shoes=6, pace=0.01)
    for shoe in range(1, 7):
        await until(lambda shoe=shoe: floor.has(T1.outcomes, 2, shoe), f"shoe {shoe}")  # type: ignore[misc]
        name = co.command_id(shoe, "shoe.close", "test", 1)
        await floor.send("T1", name, co.ShoeClose("test", after_round=3))
        if shoe == 4:  # all of them die, and come again to a trimmed table
            await floor.audited("T1", 3)
            await floor.stop()
            resolver, bettors = await floor.resolver(), await floor.bettors("T1")
            auditor = await floor.auditor(keep_shoes=2)
            dealer = await floor.dealer("T1", shoes=6, pace=0.01)
    await floor.audited("T1", 6)
    await until(lambda: _begins_at(floor, 5), "the last trimming")
    for service in (resolver, bettors, auditor, dealer):
        assert desk_of(service, "T1").trouble is None
    for stream in (T1.events, T1.outcomes, T1.verdicts):
        first = await floor.journal.first_id(stream)
        assert first is not None
        assert first.major == 5
    left = [entry.data for entry in await floor.entries(T1.commands)]
    assert not any(b'"id":"4' in data for data in left)
    assert any(b'"id":"5' in data for data in left)
    audit = audit_paths([floor.log_dir])
    assert (audit.shoes, audit.verdict) == (6, "pass")


async def _begins_at(floor: Floor, shoe: int) -> bool:
    first = await floor.journal.first_id(T1.events)
    return first is not None and first.major == shoe
