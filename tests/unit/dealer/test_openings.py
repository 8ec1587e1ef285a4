"""However a shoe ends, its commitment is opened and the reason is on the record."""

from __future__ import annotations

from schemas import commands as co
from schemas import events as ev
from schemas.address import EntryId, Shoe, Sources
from schemas.envelope import encode
from schemas.outcomes import RoundHalted
from services.dealer.order import commitment
from tests.unit.dealer.house import TIME, Table


def opens(table: Table) -> ev.ShoeClosed:
    """Check that the last event opens the first one's commitment, and give it."""
    opened, end = table.events[0], table.events[-1]
    assert isinstance(opened, ev.ShoeOpened)
    assert isinstance(end, ev.ShoeClosed)
    assert isinstance(end.reveal, ev.SeedReveal)
    seed = bytes.fromhex(end.reveal.server_seed)
    assert commitment(seed, str(Shoe("T7", 1))).hex() == opened.commitment
    return end


def test_a_shoe_that_is_voided_before_its_cut() -> None:
    table = Table(co.ShoeOpen("punto-banco", seats=("alice",)))
    table.say()
    table.send("1/shoe.close/sue/1", co.ShoeClose(by="sue", reason="voided"))
    table.say()
    end = opens(table)
    assert (end.reason, end.by) == ("voided", "sue")


def test_a_shoe_that_halts() -> None:
    table = Table(co.ShoeOpen("punto-banco", seats=("alice",)))
    table.say()
    halted = RoundHalted(1, "T7/1-0", "unreadable", (), 0)
    table.dealer.outcome(EntryId(1, 1), encode("1-1", Sources("T7").outcomes, TIME, halted))
    table.say()
    assert opens(table).reason == "halted"


def test_a_shoe_that_is_closed_between_two_rounds() -> None:
    table = Table(co.ShoeOpen("punto-banco", seats=("alice",)))
    table.sit("alice")
    table.cut()
    table.send("1/shoe.close/pit/1", co.ShoeClose(by="pit", after_round=0))
    table.say()
    end = opens(table)
    assert (end.reason, end.by) == ("asked", "pit")
