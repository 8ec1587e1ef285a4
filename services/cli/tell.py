"""``shoetrail tell``: one command to a dealer, by hand, and his answer. Decides nothing."""

from __future__ import annotations

import asyncio
from typing import Annotated

import msgspec
import typer

from schemas import commands as co
from schemas.address import EntryId, Sources, Streams, checked_name
from schemas.envelope import decode_command, decode_event, dump, encode, from_plain, load, type_of
from schemas.errors import InputError, Unreadable
from schemas.events import BetRefused, CommandRefused, Event
from schemas.instant import spell
from services.cli import output
from services.cli.options import at_least, settings_for
from services.journal import Journal, connect
from services.runtime.clocks import wall_microseconds
from services.runtime.process import run_async, wait_for_redis

_POLL_S = 0.02
_LISTS = frozenset(("seats", "chips", "ports", "lit"))
#: A serial number may be all digits.
_WORDS = frozenset(("serial", "colour", "deck"))


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
    struct = co.COMMANDS.get(kind)
    if struct is None:
        mend = "use one of: " + ", ".join(co.COMMANDS)
        raise InputError(f"{kind[:40]!r} is no command", mend=mend)
    url = settings.redis_url
    if url is None:
        raise InputError("SHOETRAIL_REDIS_URL is not set", mend="set it to the dealer's Redis")
    asks = from_plain(struct, _plain(struct, pairs or []), kind)

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


def _plain(struct: type[co.Command], pairs: list[str]) -> dict[str, object]:
    plain: dict[str, object] = {}
    for pair in pairs:
        path, sign, text = pair.partition("=")
        if not sign or not path:
            raise InputError(f"{pair[:60]!r} is no KEY=VALUE", mend="write bettor=alice")
        at = plain
        *folders, last = path.split(".")
        for folder in folders:
            inner = at.setdefault(folder, {})
            if not isinstance(inner, dict):
                raise InputError(f"{path} is given twice", mend="give each key once")
            at = inner
        if last in at:
            raise InputError(f"{path} is given twice", mend="give each key once")
        at[last] = _read(last, text)
    if struct is co.ShoeOpen and isinstance(plain.get("origin"), str):
        plain["origin"] = {"kind": plain["origin"]}
    fields = {field.name for field in msgspec.structs.fields(struct)}
    if "by" in fields:
        plain.setdefault("by", "desk")
    for key in ("client_seed", "beacon", "reason", "by", "rules", "dealer", "supervisor"):
        if key in plain and not isinstance(plain[key], str):
            plain[key] = next(p.partition("=")[2] for p in pairs if p.startswith(key + "="))
    return plain


def _read(key: str, text: str) -> object:
    """Read what a key is given: a list, a word, or whatever it looks like."""
    if key in _LISTS:
        return [_value(part) for part in text.split(",") if part]
    return text if key in _WORDS else _value(text)


def _value(text: str) -> object:
    try:
        value = load(text.encode(), "value")
    except Unreadable:
        return text
    return value if isinstance(value, int | float | bool) or value is None else text


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
            who = getattr(asks, "bettor", None) or getattr(asks, "by", None) or "desk"
            name = co.command_id(shoe, type_of(asks), str(who), number)
        if n is not None or name not in used:
            return name
        number += 1


def _show(told: Told) -> None:
    if told.event is None:
        answer = "none yet; it waits with the dealer"
    else:
        answer = f"{told.address} {told.answer} {dump(told.event).decode()}"
    output.facts(
        "Told", {"command": told.id, "asked": dump(told.command).decode(), "answer": answer}
    )
