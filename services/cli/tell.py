"""``shoetrail tell``: one command to a dealer, by hand, and his answer. Decides nothing."""

from __future__ import annotations

import asyncio
from typing import Annotated

import msgspec
import typer

from schemas import commands as co
from schemas.address import EntryId, Sources, Streams, checked_name, is_name
from schemas.envelope import decode_command, decode_event, dump, encode, type_of
from schemas.errors import InputError, Unreadable
from schemas.events import BetRefused, CommandRefused, Event
from schemas.instant import spell
from services.cli import output
from services.cli.options import at_least, settings_for
from services.cli.tell_pairs import command_of
from services.dealer.inbox import read
from services.journal import Journal, connect
from services.runtime.clocks import wall_microseconds
from services.runtime.process import run_async, wait_for_redis

_POLL_S = 0.02


class Told(msgspec.Struct, frozen=True):
    """A command as it was sent, and the event that answers it (null: none yet)."""

    id: str
    type: str
    command: co.Command
    address: str | None
    answer: str | None
    event: Event | None


def tell(
    table: Annotated[str, typer.Argument(help="The table.")],
    kind: Annotated[
        str, typer.Argument(metavar="TYPE", help="What is asked: " + ", ".join(co.COMMANDS))
    ],
    pairs: Annotated[
        list[str] | None, typer.Argument(metavar="KEY=VALUE", help="Its data; a.b=1 for nested.")
    ] = None,
    shoe: Annotated[
        int | None, typer.Option(help="Which shoe; the open one, or for shoe.open the next.")
    ] = None,
    n: Annotated[
        int | None, typer.Option(help="The number at the id's end; the first unused one.")
    ] = None,
    wait: Annotated[float, typer.Option(help="Seconds to wait for the answer.")] = 5.0,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Send one command to a dealer.

    Waits for the event that answers it.

    Needs SHOETRAIL_REDIS_URL. Exit code 2 where the dealer refuses.

    For example:

      shoetrail tell T7 shoe.open rules=punto-banco seats=alice,bob window=20

      shoetrail tell T7 bettor.sit bettor=alice bankroll=100000

      shoetrail tell T7 bet.place round=1 bettor=alice spot=player stake=2500 last=true

      shoetrail tell T7 card.misdraw round=5
    """
    settings = settings_for(None)
    checked_name(table, "table")
    at_least(shoe, 1, "--shoe")
    at_least(n, 1, "--n")
    at_least(wait, 0, "--wait", most=86_400)
    asks = command_of(kind, pairs or [])
    _check(table, asks)
    url = settings.redis_url
    if url is None:
        raise InputError("SHOETRAIL_REDIS_URL is not set", mend="set it to the dealer's Redis")

    async def main() -> Told:
        journal = connect(url)
        try:
            await asyncio.wait_for(wait_for_redis(journal.broker), max(wait, 1.0))
            return await _tell(journal, table, asks, shoe, n, wait)
        except TimeoutError:
            raise InputError("Redis does not answer", "SHOETRAIL_REDIS_URL", "start it") from None
        finally:
            await journal.aclose()

    told = run_async(main)
    if json:
        output.document(told)
    else:
        _show(told)
    if isinstance(told.event, BetRefused | CommandRefused):
        raise InputError(f"refused: {told.event.reason}", told.id)


def _check(table: str, asks: co.Command) -> None:
    """Refuse what a dealer drops unread: it would wait for an answer for ever."""
    name = _name(1, asks, 1, set())
    source = Sources(table).commands
    data = encode(name, source, spell(0), asks)
    if len(data) > co.LONGEST:
        what = f"{len(data)} bytes are more than a command may have"
        raise InputError(what, type_of(asks), f"use at most {co.LONGEST}")
    if read(data, source) is None:
        mend = "names are of A-Z a-z 0-9 _ -, spots of a-z 0-9 -, and rounds count from 1"
        raise InputError(f"no dealer reads {name[:80]}", type_of(asks), mend)


async def _tell(
    journal: Journal, table: str, asks: co.Command, shoe: int | None, n: int | None, wait: float
) -> Told:
    streams = Streams(table)
    newest = await journal.last_id(streams.events)
    number = newest.major if shoe is None else shoe
    if shoe is None and isinstance(asks, co.ShoeOpen):
        number += 1
    if number < 1:
        raise InputError(f"{table} has no shoe yet", mend="open one with shoe.open")
    used = set[str]()
    async for batch in journal.scan(streams.commands):
        used |= {name for name in map(_id_of, (entry.data for entry in batch)) if name}
    name = _name(number, asks, n, used)
    time = spell(wall_microseconds())
    since = EntryId(number, newest.minor + 1 if number == newest.major else 0)
    await journal.send(streams.commands, [encode(name, Sources(table).commands, time, asks)])
    end = asyncio.get_running_loop().time() + wait
    while asyncio.get_running_loop().time() < end:
        for entry in await journal.read(streams.events, since):
            event = decode_event(entry.data).data
            since = EntryId(entry.id.major, entry.id.minor + 1)
            if event.command == name:
                address = f"{table}/{entry.id}"
                return Told(name, type_of(asks), asks, address, type_of(event), event)
        await asyncio.sleep(_POLL_S)
    return Told(name, type_of(asks), asks, None, None, None)


def _id_of(data: bytes) -> str | None:
    try:
        return decode_command(data).id
    except Unreadable:
        return None


def _name(shoe: int, asks: co.Command, n: int | None, used: set[str]) -> str:
    if isinstance(asks, co.BetWithdraw):
        return co.withdraw_id(asks.bet)
    number = 1 if n is None else n
    while True:
        if isinstance(asks, co.BetPlace):
            name = str(co.BetId(shoe, asks.round, asks.bettor, asks.spot, number))
        else:
            name = co.command_id(shoe, type_of(asks), _who(asks), number)
        if n is not None or name not in used:
            return name
        number += 1


def _who(asks: co.Command) -> str:
    """Say who stands in the id: whose it is, else who asks for it, if his name is one for ids."""
    who = str(getattr(asks, "bettor", None) or getattr(asks, "by", "desk"))
    his_own = isinstance(asks, co.BettorSit | co.BettorLeave | co.BetPass | co.Cut)
    return who if his_own or is_name(who) else "desk"


def _for(asks: co.Command) -> str:
    """Say what the dealer waits for, where the command says it."""
    if isinstance(asks, co.CardMisdraw):
        return f" for round {asks.round} to be dealt"
    if isinstance(asks, co.ShoeClose) and asks.after_round is not None:
        return f" for round {asks.after_round} to be settled"
    return ""


def _show(told: Told) -> None:
    if told.event is None:
        answer = f"none yet; it waits with the dealer{_for(told.command)}"
    else:
        answer = f"{told.address} {told.answer} {dump(told.event).decode()}"
    output.facts(
        "Told", {"command": told.id, "asked": dump(told.command).decode(), "answer": answer}
    )
