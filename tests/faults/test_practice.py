"""The faults seen in the field, each at a table with every service at work."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from structlog.testing import capture_logs

from schemas import commands as co
from schemas import events as ev
from schemas.address import EntryId, Streams
from schemas.cards import card_named
from schemas.errors import Lost
from schemas.outcomes import RoundResolved
from services.auditor.offline import audit_lines, audit_paths
from services.ledger.lines import interleave, log_root
from tests.support.floor import BANKROLL, FLAT, Floor, alarms, desk_of, names_in, until

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schemas.address import EntryId as At
    from schemas.cards import Card
    from services.journal import Entry, Journal, ShoeStart

pytestmark = [pytest.mark.faults, pytest.mark.integration, pytest.mark.asyncio]

T1 = Streams("T1")
FLAT_YABA = "alice=player:100000,bob=banker:100000"


def cards(text: str) -> tuple[Card, ...]:
    found = [card_named(name) for name in text.split()]
    assert None not in found
    return tuple(card for card in found if card is not None)


async def stacked(floor: Floor, order: str, flat: str = FLAT_YABA) -> list[RoundResolved]:
    """Play a stacked shoe to its verdict, which has to be ``pass``."""
    await floor.auditor()
    await floor.resolver()
    await floor.bettors("T1", flat=flat, bankroll=10_000_000)
    await floor.dealer(
        "T1",
        rules="yaba4",
        seats=names_in(flat),
        origin=co.AskFixed("deck"),
        decks={"deck": cards(order)},
    )
    log = await floor.audited("T1")
    assert audit_paths([log]).verdict == "pass"
    outcomes = await floor.outcomes("T1")
    return [outcome for outcome in outcomes if isinstance(outcome, RoundResolved)]


def hand(outcome: RoundResolved) -> tuple[str, int, str, int]:
    player, banker = outcome.player, outcome.banker
    return " ".join(player.cards), player.total, " ".join(banker.cards), banker.total


async def test_fault_1_the_third_card_decides_not_the_players_total(floor: Floor) -> None:
    (coup,) = await stacked(floor, "2C 2D 3C 4D AS")
    assert hand(coup) == ("2C 3C AS", 6, "2D 4D", 6)


async def test_fault_2_a_third_card_worth_nothing_is_a_third_card(floor: Floor) -> None:
    draws, stands = await stacked(floor, "2C AD 3C 2D KS 5S 2C 2D 3C 2S KS")
    assert hand(draws) == ("2C 3C KS", 5, "AD 2D 5S", 8)
    assert hand(stands) == ("2C 3C KS", 5, "2D 2S", 4)


async def test_fault_3_a_new_total_is_not_tested_again(floor: Floor) -> None:
    nothing, four = await stacked(floor, "2C KD 4C QD 3S 2C 2D 4C 2S 5S")
    assert hand(nothing) == ("2C 4C", 6, "KD QD 3S", 3)
    assert hand(four) == ("2C 4C", 6, "2D 2S 5S", 9)


async def test_fault_4_no_card_is_left_over_from_the_round_before(floor: Floor) -> None:
    _, natural = await stacked(floor, "2C 2D 3C 4D AS 4C 2H 5C 4H")
    assert hand(natural) == ("4C 5C", 9, "2H 4H", 6)


async def test_fault_5_totals_are_last_digits_and_naturals_stand(floor: Floor) -> None:
    reduced, natural = await stacked(floor, "2C 3D 3C 4D 8S 4C AH 5C AD")
    assert hand(reduced) == ("2C 3C 8S", 3, "3D 4D", 7)
    assert hand(natural) == ("4C 5C", 9, "AH AD", 2)


async def test_fault_6_cards_go_to_and_fro_and_a_face_card_burns_ten(floor: Floor) -> None:
    flat = "alice=player:2500"
    await floor.auditor()
    await floor.resolver()
    await floor.bettors("T1", flat=flat)
    order = "KC " + "2H " * 8 + "3H 3H 2C 3C 4C 4D " + "5D " * 8 + "6D " * 8
    await floor.dealer(
        "T1", seats=("alice",), origin=co.AskFixed("deck"), decks={"deck": cards(order)}
    )
    assert audit_paths([await floor.audited("T1")]).verdict == "pass"
    events = await floor.events("T1")
    burned = [event for event in events if isinstance(event, ev.CardBurned)]
    assert [event.position for event in burned] == list(range(11))
    assert [event.card for event in burned] == ["KC"] + [None] * 10
    drawn = [event for event in events if isinstance(event, ev.CardDrawn)][:4]
    assert [(event.hand, event.position, event.card) for event in drawn] == [
        ("player", 11, "2C"),
        ("banker", 12, "3C"),
        ("player", 13, "4C"),
        ("banker", 14, "4D"),
    ]


async def test_fault_7_a_shoe_that_runs_out_in_mid_hand_is_not_rebuilt(floor: Floor) -> None:
    order = "6C 7C KC KD 2C KH 3C QD"
    dealt, voided = await stacked(floor, order)
    assert (dealt.winner, voided.winner) == ("banker", "void")
    assert [(paid.result, paid.returned) for paid in voided.settlements] == [
        ("void", 100_000),
        ("void", 100_000),
    ]
    events = await floor.events("T1")
    (reason,) = [event.reason for event in events if isinstance(event, ev.RoundVoided)]
    assert reason == "shoe-exhausted"
    closed = events[-1]
    assert isinstance(closed, ev.ShoeClosed)
    # What was used is revealed as it was stacked.
    assert isinstance(closed.reveal, ev.OrderReveal)
    assert closed.reveal.order == order


async def test_fault_8_a_settled_state_delivered_twice_pays_once(floor: Floor) -> None:
    """Outcomes are said twice and heard by new processes, again and again."""
    await floor.close_after("T1", 12)
    said = TwiceSaid(floor.connect())
    services = {
        "auditor": await floor.auditor(),
        "resolver": await floor.resolver(journal=said.journal),
        "bettors": await floor.bettors("T1"),
    }
    dealer = await floor.dealer("T1", shoes=2, pace=0.05)
    for number in (2, 4, 6, 8, 10):
        await until(lambda number=number: floor.has(T1.outcomes, number), f"round {number}")  # type: ignore[misc]
        await floor.stop(dealer, services["bettors"])
        services["bettors"] = await floor.bettors("T1")
        dealer = await floor.dealer("T1", shoes=2, pace=0.05)
    log = await floor.audited("T1")
    await until(lambda: floor.has(T1.events, len(names_in(FLAT)), 2), "the second shoe")
    assert audit_paths([log]).verdict == "pass"
    assert set(said.again) == {0}
    assert len(said.again) >= 12
    await _paid_once(floor, 12)


async def _paid_once(floor: Floor, rounds: int) -> None:
    """Each bet is settled once, and the second shoe restates the bankrolls that come of it."""
    outcomes = await floor.outcomes("T1", 1)
    assert [outcome.round for outcome in outcomes] == list(range(1, rounds + 1))
    settled = [paid for outcome in outcomes for paid in outcome.settlements]
    events = await floor.events("T1", 1)
    bets = [event.bet for event in events if isinstance(event, ev.BetPlaced)]
    assert sorted(paid.bet for paid in settled) == sorted(bets)
    assert len(bets) == len(set(bets)) == 3 * rounds
    restated = {
        event.bettor: event.bankroll
        for event in await floor.events("T1", 2)
        if isinstance(event, ev.BettorSeated)
    }
    assert restated == {
        name: BANKROLL
        + sum(
            paid.returned + paid.won - paid.commission - paid.stake
            for paid in settled
            if paid.bettor == name
        )
        for name in names_in(FLAT)
    }


class TwiceSaid:
    """Says all that is appended once more, as one whose acknowledgement was lost."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        #: How many entries were written the second time.
        self.again: list[int] = []
        self._append = journal.append_until_said
        journal.append_until_said = self._say  # type: ignore[method-assign]

    async def _say(self, stream: str, after: At | ShoeStart, entries: Sequence[Entry]) -> int:
        await self._append(stream, after, entries)
        self.again.append(await self._append(stream, after, entries))
        return len(entries)


async def test_fault_8_a_dropped_event_hides_no_settlement(floor: Floor) -> None:
    """A bet is gone from a stored shoe: nobody settles the rest as if it had never been there."""
    await floor.close_after("T1", 6)
    await floor.all_but_dealer("T1")
    await floor.dealer("T1")
    await floor.audited("T1")
    await floor.stop()
    events = await floor.entries(T1.events)
    bet = next(entry for entry in events if b"1-4/bob/banker/1" in entry.data)
    outcomes = [entry.data for entry in await floor.entries(T1.outcomes)]
    client = floor.journal.client
    await client.delete(T1.outcomes, T1.verdicts)
    assert await client.xdel(T1.events, str(bet.id)) == 1
    floor.log("T1").unlink()
    with capture_logs() as logs:
        resolver, auditor = await floor.resolver(), await floor.auditor()
        for service in (resolver, auditor):
            await until(lambda service=service: "T1" in service.desks, "the table")  # type: ignore[misc]
            desk = desk_of(service, "T1")
            await until(lambda desk=desk: desk.trouble, "the gap to be said")  # type: ignore[misc]
            assert isinstance(desk.trouble, Lost)
    assert {line["service"] for line in alarms(logs)} == {"resolver", "auditor"}
    # Rounds before the gap may be settled, the one with the gap and those after it may not.
    rounds = [outcome.round for outcome in await floor.outcomes("T1")]
    assert rounds == list(range(1, len(rounds) + 1))
    assert len(rounds) <= 3
    left = [entry.data for entry in events if entry != bet]
    findings = audit_lines(list(interleave(left, outcomes))).findings
    assert "sequence-gap" in {finding.code for finding in findings if finding.grade == "fault"}


async def test_fault_8_a_restart_between_payment_and_acknowledgement_pays_once(
    floor: Floor,
) -> None:
    """A resolver dies with its outcome written and not known to be: at every round of a shoe."""
    rounds = 8
    await floor.close_after("T1", rounds)
    await floor.auditor()
    await floor.bettors("T1")
    await floor.dealer("T1", shoes=2)
    for number in range(1, rounds + 1):
        deaf = Deaf(floor.connect())
        resolver = await floor.resolver(journal=deaf.journal)
        await asyncio.wait_for(deaf.said.wait(), 30)
        assert await floor.journal.last_id(T1.outcomes) == EntryId(1, number)
        await floor.stop(resolver)
    await floor.resolver()
    log = await floor.audited("T1")
    await until(lambda: floor.has(T1.events, len(names_in(FLAT)), 2), "the second shoe")
    assert audit_paths([log]).verdict == "pass"
    await _paid_once(floor, rounds)
    opened = (await floor.events("T1", 2))[0]
    assert isinstance(opened, ev.ShoeOpened)
    assert opened.previous_root == log_root(log.read_bytes().splitlines()).hex()


class Deaf:
    """Never hears that what was new to the stream has been written."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self.said = asyncio.Event()
        self._append = journal.append_until_said
        journal.append_until_said = self._say  # type: ignore[method-assign]

    async def _say(self, stream: str, after: At | ShoeStart, entries: Sequence[Entry]) -> int:
        written = await self._append(stream, after, entries)
        if written:
            self.said.set()
            await asyncio.Event().wait()
        return written


async def test_fault_9_stakes_near_the_end_of_the_integers_are_refused(floor: Floor) -> None:
    await floor.auditor()
    await floor.resolver()
    await floor.dealer("T1", seats=("alice",))
    await floor.send("T1", "1/bettor.sit/alice/1", co.BettorSit("alice", BANKROLL))
    await floor.send("T1", "1/shoe.cut/alice/1", co.Cut("alice", "00ff"))
    await floor.close_after("T1", 1)
    stakes = {"player": 2**63 - 1, "banker": -(2**63), "tie": 2**53}
    for spot, stake in stakes.items():
        name = str(co.BetId(1, 1, "alice", spot, 1))
        await floor.send("T1", name, co.BetPlace(1, "alice", spot, stake))
    await floor.send("T1", "1/bet.pass/alice/1", co.BetPass(1, "alice"))
    assert audit_paths([await floor.audited("T1")]).verdict == "pass"
    refused = [event for event in await floor.events("T1") if isinstance(event, ev.BetRefused)]
    assert [(event.spot, event.reason) for event in refused] == [(spot, "stake") for spot in stakes]
    (outcome,) = await floor.outcomes("T1")
    assert outcome.settlements == ()


async def test_fault_9_a_tie_returns_stakes_and_charges_no_commission(floor: Floor) -> None:
    await floor.close_after("T1", 60)
    await floor.all_but_dealer("T1")
    await floor.dealer("T1")
    await floor.audited("T1")
    ties = [
        paid
        for outcome in await floor.outcomes("T1")
        if isinstance(outcome, RoundResolved) and outcome.winner == "tie"
        for paid in outcome.settlements
    ]
    assert len(ties) >= 3
    for paid in ties:
        assert paid.commission == 0
        assert paid.returned == paid.stake
        assert paid.result == ("win" if paid.spot == "tie" else "push")
