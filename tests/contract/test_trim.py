from __future__ import annotations

import pytest
import pytest_asyncio

from schemas.address import EntryId, Streams
from schemas.errors import Conflict
from services.journal import Journal, ShoeStart
from tests.contract.tools import shoe

pytestmark = pytest.mark.asyncio
STREAMS = Streams("T7")


@pytest_asyncio.fixture
async def table(journal: Journal) -> Journal:
    """Five shoes, of which four have verdicts."""
    for number in range(1, 6):
        await journal.append(STREAMS.events, ShoeStart(number), shoe(number, 0, 1, 2))
        await journal.append(STREAMS.outcomes, ShoeStart(number), shoe(number, 1))
        await journal.client.xadd(STREAMS.commands, {"__data__": b"c"}, id=f"{number * 100}-0")
        if number < 5:
            await journal.append(STREAMS.verdicts, ShoeStart(number), shoe(number, 1, 2))
    return journal


async def kept(table: Journal) -> dict[str, int]:
    names = ("events", "outcomes", "verdicts", "commands")
    return {name: await table.client.xlen(getattr(STREAMS, name)) for name in names}


ALL = {"events": 15, "outcomes": 5, "verdicts": 8, "commands": 5}


async def test_what_lies_below_the_shoe_goes_and_the_rest_stays(table: Journal) -> None:
    assert await table.trim(STREAMS, 4, EntryId(400, 0)) == 9 + 3 + 6 + 3
    assert await kept(table) == {"events": 6, "outcomes": 2, "verdicts": 2, "commands": 2}
    assert await table.first_id(STREAMS.events) == (4, 0)
    assert await table.last_id(STREAMS.events) == (5, 2)
    assert await table.trim(STREAMS, 4, EntryId(400, 0)) == 0
    assert await table.append(STREAMS.events, EntryId(5, 2), shoe(5, 3)) == 1


async def test_commands_stay_unless_a_first_one_is_named(table: Journal) -> None:
    await table.trim(STREAMS, 4)
    assert (await kept(table))["commands"] == 5


@pytest.mark.parametrize(
    ("keep", "says"), [(6, "the newest shoe is 5"), (99, "the newest shoe is 5")]
)
async def test_the_newest_shoe_stays(table: Journal, keep: int, says: str) -> None:
    await table.append(STREAMS.verdicts, ShoeStart(5), shoe(5, 1, 2))
    with pytest.raises(Conflict, match=says):
        await table.trim(STREAMS, keep)
    assert await kept(table) == ALL | {"verdicts": 10}


async def test_a_shoe_without_verdicts_stays(table: Journal) -> None:
    await table.append(STREAMS.events, ShoeStart(6), shoe(6, 0))
    with pytest.raises(Conflict, match="verdicts reach shoe 4 only"):
        await table.trim(STREAMS, 6)
    assert await kept(table) == ALL | {"events": 16}


async def test_a_disputed_shoe_and_all_after_it_stay(table: Journal) -> None:
    await table.client.sadd(STREAMS.held, 4, 2)
    with pytest.raises(Conflict, match="shoe 2 is under dispute; see `shoetrail dispute list`"):
        await table.trim(STREAMS, 3)
    assert await kept(table) == ALL
    assert await table.trim(STREAMS, 2) > 0
    await table.client.srem(STREAMS.held, 2)
    assert await table.trim(STREAMS, 4) > 0
    assert await table.first_id(STREAMS.events) == (4, 0)


async def test_a_table_that_nobody_knows_is_not_trimmed(journal: Journal) -> None:
    with pytest.raises(Conflict, match="the newest shoe is 0"):
        await journal.trim(Streams("T9"), 1)
