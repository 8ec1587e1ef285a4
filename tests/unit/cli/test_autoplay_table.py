"""Who plays a table by himself: how many hands are dealt, pauses, quitting, and what ends it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.commands import ShoeClose, ShoeOpen
from schemas.events import CardBurned, CardDrawn
from services.cli.autoplay_table import MOST_AHEAD
from tests.unit.cli.auto_world import World, no_waiting, settle

if TYPE_CHECKING:
    from services.cli.autoplay_table import AutoTable

pytestmark = pytest.mark.asyncio
#: Hands of a shoe.
SIZE = 7


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    no_waiting(monkeypatch)


async def seated(world: World, hands: int) -> AutoTable:
    table = world.table(hands)
    await table.start()
    return table


@pytest.mark.parametrize("hands", [1, SIZE - 1, SIZE, SIZE + 1, 3 * SIZE, 3 * SIZE + 2])
async def test_exactly_so_many_hands_are_dealt(hands: int) -> None:
    world = World(SIZE)
    table = await seated(world, hands)
    await world.play()
    full, rest = divmod(hands, SIZE)
    assert world.dealt == [SIZE] * full + [rest] * (rest > 0)
    assert (table.dealt, table.left, table.figures.hands) == (hands, 0, hands)
    assert table.figures.shoes == table.audited == len(world.dealt)
    assert table.done.is_set()
    await table.stop()


async def test_exactly_so_many_whatever_the_shoes_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    del monkeypatch

    async def played(sizes: list[int], hands: int) -> None:
        world = World(*sizes)
        table = await seated(world, hands)
        await world.play()
        assert sum(world.dealt) == table.figures.hands == hands
        assert table.done.is_set()
        await table.stop()

    @settings(max_examples=40, deadline=None)
    @given(st.lists(st.integers(1, 90), min_size=1, max_size=4), st.integers(1, 260))
    def check(sizes: list[int], hands: int) -> None:
        asyncio.run(played(sizes, hands))

    await asyncio.to_thread(check)


async def test_each_shoe_is_asked_for_once_and_only_the_last_ones_close_is() -> None:
    world = World(100)
    table = await seated(world, 450)
    await world.play()
    assert [world.asked(ShoeOpen, shoe) for shoe in (1, 5, 6)] == [
        [ShoeOpen("punto-banco", seats=("gambler",))],
        [ShoeOpen("punto-banco", seats=("gambler",))],
        [],
    ]
    # A shoe has 208 hands at most: before that the end cannot come.
    assert [world.asked(ShoeClose, shoe) for shoe in (1, 2, 3, 4, 5)] == [
        [], [], [], [ShoeClose("autoplay", after_round=150)],
        [ShoeClose("autoplay", after_round=50)],
    ]  # fmt: skip
    assert world.dealt == [100, 100, 100, 100, 50]
    await table.stop()


async def test_quit_in_mid_shoe_deals_no_further_hand() -> None:
    world = World(SIZE)
    table = await seated(world, 1000)
    await world.play(SIZE + 5, audits=True)
    dealt = sum(world.dealt)
    assert 0 < dealt < 1000
    assert world.open
    await table.quit()
    await world.play()
    assert sum(world.dealt) == dealt
    assert (table.left, table.audited, table.done.is_set()) == (1000 - dealt, 2, True)
    await table.quit()  # once is enough
    assert len(world.asked(ShoeClose, 2)) == 1
    await table.stop()


async def test_quit_before_anything_was_said() -> None:
    world = World(SIZE)
    table = await seated(world, 3)
    await table.quit()
    await world.play()
    assert world.dealt == [0]
    assert table.done.is_set()
    assert table.faults == []
    await table.stop()


async def test_quit_before_the_table_was_there() -> None:
    world = World(SIZE)
    table = world.table(3)
    await table.quit()
    await table.start()
    assert table.done.is_set()
    assert world.commands == []
    await table.stop()


async def test_quit_between_shoes_opens_none() -> None:
    world = World(SIZE)
    table = await seated(world, 1000)
    await world.play(SIZE + 1, audits=False)
    table.pause()
    await world.play(audits=False)
    assert (world.dealt, world.open) == ([SIZE], False)
    await table.quit()
    assert not table.done.is_set()  # the verdict is not in yet
    await world.play()
    assert world.dealt == [SIZE]
    assert table.done.is_set()
    await table.stop()


async def test_a_pause_opens_no_shoe_until_it_goes_on() -> None:
    world = World(SIZE)
    table = await seated(world, SIZE + 2)
    table.pause()
    assert table.paused
    await world.play()  # the dealer rests as this table says, which a dealer made by hand does not
    assert world.dealt == [SIZE]
    await table.go_on()
    await world.play()
    assert world.dealt == [SIZE, 2]
    assert table.done.is_set()
    await table.stop()


async def test_who_rests_in_a_pause_waits_until_it_goes_on() -> None:
    table = await seated(World(SIZE), 100)
    await table.rest()
    table.pause()
    resting = asyncio.create_task(table.rest())
    await settle()
    assert not resting.done()
    await table.go_on()
    await settle()
    assert resting.done()
    await table.stop()


async def test_who_quits_in_a_pause_has_the_close_asked_for_first() -> None:
    world = World(SIZE)
    table = await seated(world, 1000)
    await world.play(3)
    table.pause()
    resting = asyncio.create_task(table.rest())
    await settle()
    await table.quit()
    assert world.asked(ShoeClose, 1) == [ShoeClose("autoplay")]
    await settle()
    assert resting.done()
    table.pause()  # nothing is left to be paused
    assert not table.paused
    await table.stop()


async def test_a_rest_lasts_as_long_as_the_pace_says_and_no_longer_than_the_game() -> None:
    table = await seated(World(SIZE), 1000)
    loop = asyncio.get_running_loop()
    table.pace, began = 0.05, loop.time()
    await table.rest()
    assert loop.time() - began >= 0.045
    table.pace = 3600.0
    resting = asyncio.create_task(table.rest())
    await asyncio.sleep(0.01)
    assert not resting.done()
    await table.quit()
    await asyncio.wait_for(resting, 1)
    await table.stop()


async def test_another_pace_holds_at_once() -> None:
    table = await seated(World(SIZE), 1000)
    table.pace = 3600.0
    resting = asyncio.create_task(table.rest())
    await settle()
    table.pace = 0.0
    await asyncio.wait_for(resting, 2)
    await table.stop()


@pytest.mark.parametrize("late", ["outcome", "event"])
async def test_a_verdict_that_comes_first_ends_nothing(late: str) -> None:
    """The streams are followed apart: the figures have to be whole when all is done."""
    world = World(SIZE)
    table = await seated(world, 2)
    while world.step():
        pass
    world.audit(1)
    await world.deliver("event" if late == "outcome" else "outcome")
    assert not table.done.is_set()
    await world.deliver(late)
    assert table.done.is_set()
    assert (table.figures.hands, table.figures.net) == (2, 1000)
    await table.stop()


async def test_the_dealer_stays_near_the_auditor() -> None:
    world = World(2)
    table = await seated(world, 1000)
    await world.play(200, audits=False)
    assert len(world.dealt) == MOST_AHEAD
    world.audit(1)
    await settle()
    await world.play(200, audits=False)
    assert len(world.dealt) == MOST_AHEAD + 1
    await table.stop()


async def test_a_shoe_that_the_auditor_does_not_pass_ends_the_game() -> None:
    world = World(SIZE)
    table = await seated(world, 1000)
    await world.play(SIZE + 6, audits=False)
    world.audit(1, "commission", *["card-order"] * 6)
    await settle()
    await world.play()
    assert len(world.dealt) == 2
    assert world.dealt[1] < SIZE
    assert table.done.is_set()
    assert table.faults == ["commission at T1/1-7", *["card-order at T1/1-7"] * 4, "and 2 more"]
    await table.stop()


async def test_a_shoe_that_halts_ends_the_game() -> None:
    world = World(SIZE)
    table = await seated(world, 1000)
    await world.play(3)
    world.halts = True
    await world.play()
    assert (len(world.dealt), table.faults) == (1, ["T1/1 was halted"])
    assert table.done.is_set()
    await table.stop()


async def test_a_shoe_without_a_hand_is_the_last() -> None:
    world = World(0)
    table = await seated(world, 1000)
    await world.play(100)
    assert world.dealt == [0]
    assert table.faults == ["no hand could be dealt from T1/1"]
    assert table.done.is_set()
    await table.stop()


async def test_the_count_is_of_all_cards_shown_whenever_somebody_looks() -> None:
    world = World(SIZE)
    table = await seated(world, SIZE)
    await world.play(1)
    stage = world.stage
    stage.say(
        CardBurned(0, "2D", command=None),
        CardBurned(1, None, command=None),
        CardDrawn(1, "player", 2, "4D", command=None),
    )
    await world.deliver()
    assert table.count.now == 14 + 1 + 3
    stage.say(CardDrawn(1, "banker", 3, "9D", command=None))
    stage.say(CardDrawn(1, "error", 4, "KD", command=None))
    await world.deliver()
    stage.say(CardDrawn(1, "player", 4, "3D", command=None))
    await world.deliver()
    assert table.count.now == table.count.now == 14 + 1 + 3 - 2 - 1 + 2
    await table.stop()


async def test_the_card_and_the_count_begin_anew_with_each_shoe() -> None:
    world = World(SIZE)
    table = await seated(world, SIZE + 3)
    await world.play()
    assert len(table.card.marks) == 3
    assert table.card.won("player") == 3
    assert table.count.now == 14
    await table.stop()
