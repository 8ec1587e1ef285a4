"""``shoetrail find``: the round that somebody means, by what he remembers. Judges nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated
from zoneinfo import ZoneInfo

import msgspec
import typer

from schemas.address import checked_name
from schemas.cards import Card, card_named
from schemas.commands import SPOT, parse_bet_id
from schemas.errors import InputError
from schemas.instant import parse as parse_time
from services.auditor.codes import CODES
from services.auditor.files import LogFile, lines_of, logs
from services.auditor.offline import audit_paths
from services.cli import find_when, output
from services.cli.compared_shown import hand
from services.cli.files import log_paths
from services.cli.find_rounds import FoundBet, FoundRound, Wanted, search
from services.cli.options import at_least, settings_for
from services.cli.progress import counter
from services.office.gaming_day import parse_zone

_SPOT = re.compile(SPOT, re.ASCII)
_MOST = 1000


class Found(msgspec.Struct, frozen=True):
    """Rounds in the order of tables, shoes and rounds; ``found`` counts those left out too.

    ``unreadable`` lines were passed over: what is wrong with a log is for its audit to say.
    """

    found: int
    shown: int
    logs: int
    unreadable: int
    rounds: tuple[FoundRound, ...]


def find(
    paths: Annotated[list[str], typer.Argument(metavar="PATH", help="Logs, or folders of logs.")],
    table: Annotated[str | None, typer.Option(help="Only this table.")] = None,
    begin: Annotated[
        str | None, typer.Option("--from", help="Not before: 21:05, a date, or both.")
    ] = None,
    end: Annotated[str | None, typer.Option("--to", help="Not after.")] = None,
    about: Annotated[
        str | None, typer.Option(help="About then, instead: --within minutes before and after.")
    ] = None,
    within: Annotated[float, typer.Option(help="How many minutes --about means.")] = 10.0,
    zone: Annotated[str, typer.Option(help="Whose clock these times are by.")] = "UTC",
    bettor: Annotated[str | None, typer.Option(help="He sat at the table.")] = None,
    seat: Annotated[int | None, typer.Option(help="Somebody sat there.")] = None,
    bet: Annotated[
        str | None, typer.Option(help="A bet's id, or a spot that was bet on (by him).")
    ] = None,
    card: Annotated[
        list[str] | None, typer.Option(help="This card was drawn; give several, all of them.")
    ] = None,
    code: Annotated[str | None, typer.Option(help="The audit finds this in it.")] = None,
    limit: Annotated[int, typer.Option(help="Show so many at most.")] = _MOST,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Find the round that somebody means.

    All that is told must hold. A time of day is one of any day; rounds are found whose time from
    opening to outcome touches the span.

    For example:

      shoetrail find replay_logs --seat 4 --about 21:15 --zone Europe/Paris

      shoetrail find replay_logs --table T7 --from 2026-11-30T21:05 --to 2026-11-30T21:25 --card 9H

      shoetrail find replay_logs --bettor alice --bet tie --code payout
    """
    settings_for(None)
    found_in = log_paths(paths)
    where = parse_zone(zone, "--zone")
    wanted = Wanted(
        when=_when(begin, end, about, within, where),
        bettor=None if bettor is None else checked_name(bettor, "bettor"),
        seat=seat,
        bet=None if bet is None else _bet(bet),
        cards=tuple(map(_card, card or [])),
        code=None if code is None else _code(code),
    )
    at_least(seat, 1, "--seat")
    at_least(limit, 1, "--limit", most=1_000_000)
    files = logs(found_in)
    if table is not None:
        checked_name(table, "table")
        files = [file for file in files if file.table == table]
    unreadable = [0]
    count, kept = 0, list[FoundRound]()
    with counter("Searching", hidden=json) as progress:
        for done, file in enumerate(files):
            progress(done, len(files))
            codes = _codes(file) if code is not None else {}
            for one in search(_blocks(file), str(file.path), wanted, codes, unreadable):
                count += 1
                if len(kept) < limit:
                    kept.append(one)
        progress(len(files), len(files))
    found = Found(count, len(kept), len(files), unreadable[0], tuple(kept))
    if json:
        output.document(found)
    else:
        _show(found, wanted, where)


def _when(
    begin: str | None, end: str | None, about: str | None, within: float, zone: ZoneInfo
) -> find_when.When:
    at_least(within, 0, "--within", most=1_000_000)
    if about is None:
        return find_when.parse_when(begin, end, zone)
    if begin is not None or end is not None:
        raise InputError("--about and a span", "--about", "give --from and --to, or --about")
    return find_when.parse_about(about, within, zone)


def _bet(text: str) -> str:
    if parse_bet_id(text) is None and _SPOT.fullmatch(text) is None:
        mend = "write 12-17/alice/banker/1, or a spot such as banker"
        raise InputError(f"{text[:60]!r} is no bet and no spot", "--bet", mend)
    return text


def _card(text: str) -> Card:
    found = card_named(text.upper().replace("10", "T", 1))
    if found is None:
        mend = "write rank and suit: 9H, TD, AS"
        raise InputError(f"{text[:20]!r} is no card", "--card", mend)
    return found


def _code(text: str) -> str:
    if text not in CODES:
        mend = "see docs/findings.md for what an audit can find"
        raise InputError(f"{text[:40]!r} is no code", "--code", mend)
    return text


def _codes(file: LogFile) -> dict[int, tuple[str, ...]]:
    """Audit a log, and give the codes that were found in each round."""
    found: dict[int, dict[str, None]] = {}
    for one in audit_paths([file.path]).findings:
        if one.round is not None:
            found.setdefault(one.round, {})[one.code] = None
    return {number: tuple(names) for number, names in found.items()}


def _blocks(file: LogFile) -> Iterator[list[bytes]]:
    """Give a log's lines in blocks; a torn last one is still being written."""
    for lines, _torn in lines_of(file.path):
        yield lines


def _show(found: Found, wanted: Wanted, zone: ZoneInfo) -> None:
    if found.rounds:
        head = ["round", f"opened ({zone.key})", "player", "banker", "winner", "bets", "found"]
        rows = [_row(one, wanted, zone) for one in found.rounds]
        if wanted.code is None:
            head, rows = head[:-1], [row[:-1] for row in rows]
        output.table("Rounds", head, rows)
    else:
        output.note(f"No round in {found.logs} logs is like that.")
    if found.found > found.shown:
        output.note(f"{found.shown} of {found.found} rounds are shown; see --limit")
    if found.unreadable:
        output.note(f"{found.unreadable} lines could not be read: audit these logs")


def _row(one: FoundRound, wanted: Wanted, zone: ZoneInfo) -> list[str]:
    seats = one.seats
    bets = [
        bet
        for bet in one.bets
        if wanted.bettor in {None, bet.bettor} and wanted.seat in {None, seats.get(bet.bettor)}
    ]
    try:
        opened = find_when.local(parse_time(one.opened), zone)
    except InputError:
        opened = one.opened
    told = ", ".join(_told(bet, seats, one.currency) for bet in bets) or "-"
    return [one.at, opened, hand(one.player), hand(one.banker), one.winner, told,
            " ".join(one.codes)]  # fmt: skip


def _told(bet: FoundBet, seats: dict[str, int], currency: str) -> str:
    seat = f"{seats[bet.bettor]} " if bet.bettor in seats else ""
    stake = "-" if bet.stake is None else output.money(bet.stake, currency)
    answer = "" if bet.answer == "placed" else f" ({bet.answer})"
    return f"{seat}{bet.bettor} {bet.spot} {stake}{answer}"
