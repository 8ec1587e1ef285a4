"""A dealer at work is told to err: ``shoetrail tell``, the real services, the live record."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

import pytest

from schemas import commands as co
from schemas.address import Streams
from services.auditor.offline import audit_paths
from tests.integration.test_command import run
from tests.support.floor import Floor, until
from tests.support.misdraws import spelled

if TYPE_CHECKING:
    from tests.integration.test_command import Done

pytestmark = [pytest.mark.integration, pytest.mark.asyncio]
STREAMS = Streams("T1")
ID = "1/card.misdraw/desk/2"


async def tell(floor: Floor, number: int, code: int = 0) -> Done:
    words = ("tell", "T1", "card.misdraw", f"round={number}", "--wait", "60", "--json")
    return await asyncio.to_thread(run, *words, code=code, SHOETRAIL_REDIS_URL=floor._url)


async def pass_round(floor: Floor, number: int) -> None:
    name = co.command_id(1, "bet.pass", "alice", number)
    await floor.send("T1", name, co.BetPass(number, "alice"))
    await until(lambda: floor.has(STREAMS.outcomes, number), f"round {number}")


async def is_told(floor: Floor) -> bool:
    return any(ID.encode() in entry.data for entry in await floor.entries(STREAMS.commands))


async def test_a_dealer_is_told_to_err_while_the_table_plays(floor: Floor) -> None:
    await floor.auditor()
    await floor.resolver()
    await floor.dealer("T1", rules="punto-banco-dummy", seats=("alice",), simulation=None)
    await floor.send("T1", "1/bettor.sit/alice/1", co.BettorSit("alice", 100_000))
    await floor.send("T1", "1/shoe.cut/alice/1", co.Cut("alice", "00ff"))
    await pass_round(floor, 1)

    late = await tell(floor, 1, code=2)
    assert late.stderr.count("\n") == 1
    assert "refused: dealt" in late.stderr

    telling = asyncio.create_task(tell(floor, 2))
    await until(lambda: is_told(floor), "the command")
    await pass_round(floor, 2)
    told = json.loads((await telling).stdout)
    assert (told["id"], told["answer"]) == (ID, "card.drawn")
    assert told["event"]["hand"] == "error"
    assert (told["event"]["round"], told["event"]["command"]) == (2, ID)

    await pass_round(floor, 3)
    await pass_round(floor, 4)
    await floor.send("T1", "1/shoe.close/test/1", co.ShoeClose("test"))
    path = await floor.audited("T1")
    result = audit_paths([path])
    codes = [one.code for one in result.findings if one.code not in {"closed-early", "voided"}]
    assert (result.verdict, codes) == ("pass", ["policy-applied"])
    assert not path.with_name("1.live.jsonl").exists()

    rounds, _ = spelled(await floor.events("T1", 1))
    position = told["event"]["position"]
    assert f"E{position}" in rounds[1].split()
    assert rounds[2].startswith(f"0 P{position} ")
    assert not rounds[3].startswith("0")
