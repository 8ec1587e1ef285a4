"""``shoetrail dispute``: claims about rounds, opened, shown and resolved. Judges none of them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
import typer

from schemas.address import RoundAddress, checked_name
from schemas.disputes import LONGEST_WHO, DisputeOpened, DisputeResolved, checked_words
from schemas.errors import InputError
from schemas.instant import parse as parse_time
from services.cli import dispute_html, dispute_shown, output
from services.cli.dispute_asked import about, bet_of, money_of, stake_of
from services.cli.dispute_evidence import DisputeShown, RoundLog, evidence, shown
from services.cli.dispute_record import (
    books,
    clips_of,
    desk_at,
    log_of,
    parse_id,
    round_log,
    verdict_on,
    with_journal,
)
from services.cli.files import cannot_write
from services.cli.options import at_least, settings_for
from services.cli.sealing import known_keys, sealer_for
from services.disputes import Adjusted, Done, adjust, adjusted_in
from services.journal import Journal
from services.ledger.disputes import Dispute
from services.ledger.writer import write_atomically
from services.runtime.clocks import WallClock, wall_microseconds

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    add_completion=False,
    help=(
        "Open, look at and resolve disputes about rounds.\n\n"
        "While one is open nothing of its shoe is trimmed. With SHOETRAIL_REDIS_URL a dispute is "
        "on the table's stream too; without it, in the table's disputes.jsonl alone."
    ),
)

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
LogDir = Annotated[
    Path | None, typer.Option(help="Where replay logs lie; ./replay_logs unless told.")
]
Attach = Annotated[
    list[Path] | None,
    typer.Option(help="A file, such as a clip: its name and SHA-256 are kept, not the file."),
]
Id = Annotated[str, typer.Argument(metavar="ID", help="The dispute, such as T7:3.")]
_SECOND_US = 1_000_000


class Opened(msgspec.Struct, frozen=True):
    """A dispute that was opened; ``stream``: it is on the table's stream, and its shoe held."""

    dispute: DisputeShown
    stream: bool
    sealed: bool


class Resolved(msgspec.Struct, frozen=True):
    """A dispute that was resolved, and what became of its money (null: none moves)."""

    dispute: DisputeShown
    stream: bool
    sealed: bool
    adjusted: Adjusted | None


class Listed(msgspec.Struct, frozen=True):
    """Disputes, open ones first, and how many of them are open."""

    disputes: tuple[DisputeShown, ...]
    open: int


@app.command("open")
def open_command(
    at: Annotated[str, typer.Argument(metavar="ROUND", help="The round, such as T7/12#17.")],
    by: Annotated[str, typer.Option(help="Who disputes it.")],
    claim: Annotated[str, typer.Option(help="What is claimed, in a line.")],
    bettor: Annotated[
        str | None, typer.Option(help="Whose money it is about; the bet's, or --by if he sat.")
    ] = None,
    bet: Annotated[str | None, typer.Option(help="Which bet on record, by its id.")] = None,
    spot: Annotated[
        str | None, typer.Option(help="Where the bet should have been, or a bet not on record.")
    ] = None,
    stake: Annotated[
        int | None, typer.Option(help="What it should have been, in minor units.")
    ] = None,
    attach: Attach = None,
    log_dir: LogDir = None,
    json: Json = False,
) -> None:
    """Open a dispute about a round.

    Freezes the evidence: nothing of its shoe is trimmed until it is resolved.

    For example:

      shoetrail dispute open T7/12#17 --by alice --claim "50 on tie" --spot tie --stake 5000

      shoetrail dispute open T7/12#17 --by sue --claim "card misread" --attach cam4.mp4
    """
    settings = settings_for(log_dir)
    where = RoundAddress.parse(at)
    said = DisputeOpened(
        at=str(where),
        by=checked_words(by, "--by", LONGEST_WHO),
        claim=checked_words(claim, "--claim"),
        bettor=None if bettor is None else checked_name(bettor, "bettor"),
        bet=None if bet is None else bet_of(bet, where),
        spot=spot,
        stake=stake_of(stake),
        clips=clips_of(attach or []),
    )
    sealer = sealer_for(settings)

    async def work(journal: Journal | None) -> Done:
        log = await round_log(settings, where, journal)
        return await desk_at(settings, where.table, journal, sealer).open(about(said, log))

    done = with_journal(settings, work)
    if not done.fresh:
        what = f"{done.dispute.address} says the same and is open"
        raise InputError(what, mend=f"see `shoetrail dispute show {done.dispute.address}`")
    made = Opened(_shown(done.dispute), settings.redis_url is not None, sealer is not None)
    if json:
        output.document(made)
    else:
        dispute_shown.opened(made.dispute, stream=made.stream)


@app.command("list")
def list_command(
    table: Annotated[str | None, typer.Option(help="Only this table's.")] = None,
    only_open: Annotated[bool, typer.Option("--open", help="Only open ones.")] = False,
    log_dir: LogDir = None,
    json: Json = False,
) -> None:
    """List disputes with their age, open ones first.

    For example:

      shoetrail dispute list --open
    """
    settings = settings_for(log_dir)
    if table is not None:
        checked_name(table, "table")
    read = with_journal(settings, lambda journal: books(settings, table, journal))
    found = [_shown(one) for book in read for one in book.disputes.values()]
    found = [one for one in found if one.status == "open" or not only_open]
    found.sort(key=lambda one: (one.status != "open", -one.seconds))
    listed = Listed(tuple(found), sum(one.status == "open" for one in found))
    if json:
        output.document(listed)
    else:
        dispute_shown.listed(listed.disputes)


@app.command("show")
def show_command(
    name: Id,
    html: Annotated[
        Path | None, typer.Option(help="Write the page into this file, to print or send.")
    ] = None,
    key: Annotated[
        list[str] | None,
        typer.Option(help="A vkey that checks the seal; this site's own unless told."),
    ] = None,
    log_dir: LogDir = None,
    json: Json = False,
) -> None:
    """Show the evidence for a dispute on one page.

    The cards with the reason for each draw, bets, settlements, the auditor's verdict, what the
    claim would be worth, and the proof.

    For example:

      shoetrail dispute show T7:3

      shoetrail dispute show T7:3 --html T7-3.html
    """
    settings = settings_for(log_dir)
    address = parse_id(name)
    keys = known_keys(settings, key)

    async def work(journal: Journal | None) -> tuple[Dispute, RoundLog]:
        book = await desk_at(settings, address.table, journal).look()
        one = book.get(address.number)
        return one, await round_log(settings, one.at, journal)

    one, log = with_journal(settings, work)
    path = log_of(settings, one.at)
    moved = None
    if one.resolved is not None and one.resolved.adjustment is not None:
        moved = adjusted_in(settings.log_dir, one)
    at = None if moved is None else moved.at
    file = path if str(path) == log.where else None
    page = evidence(_shown(one, at), one, log, verdict_on(path, log), file, keys)
    if html is not None:
        _write(html, dispute_html.page(page))
    if json:
        output.document(page)
    elif html is None:
        dispute_shown.page(page)
    else:
        output.note(f"written: {html}")


@app.command("resolve")
def resolve_command(
    name: Id,
    finding: Annotated[str, typer.Option(help="What was found, in a line.")],
    by: Annotated[str, typer.Option(help="Who decides it.")] = "desk",
    adjust_by: Annotated[
        int | None,
        typer.Option("--adjust", help="Money that moves, in minor units; + to the bettor."),
    ] = None,
    bettor: Annotated[str | None, typer.Option(help="Whose money moves.")] = None,
    bet: Annotated[str | None, typer.Option(help="For which bet, by its id.")] = None,
    attach: Attach = None,
    wait: Annotated[float, typer.Option(help="Seconds to wait for the dealer.")] = 5.0,
    log_dir: LogDir = None,
    json: Json = False,
) -> None:
    """Resolve a dispute, once.

    Lets its shoe go unless another dispute holds it. An adjustment is asked of the dealer, who says
    it in the open shoe, else when the next is opened. Said again in the same words, what a crash
    or a closed table left undone is finished.

    For example:

      shoetrail dispute resolve T7:3 --by sue --finding "the clip shows 2,500"

      shoetrail dispute resolve T7:3 --by sue --finding "paid on 2,500" --adjust 250000
    """
    settings = settings_for(log_dir)
    address = parse_id(name)
    at_least(wait, 0, "--wait", most=3600)
    words = checked_words(finding, "--finding")
    who = checked_words(by, "--by", LONGEST_WHO)
    if adjust_by is None and (bettor, bet) != (None, None):
        raise InputError("no money moves", "--bettor, --bet", "give --adjust, or leave them out")
    clips = clips_of(attach or [])
    sealer = sealer_for(settings)

    async def work(journal: Journal | None) -> tuple[Done, Adjusted | None, bool]:
        desk = desk_at(settings, address.table, journal, sealer)
        one = (await desk.look()).get(address.number)
        money = None if adjust_by is None else money_of(one, adjust_by, bettor, bet)
        done = await desk.resolve(DisputeResolved(one.number, who, words, money, clips))
        if money is None:
            return done, None, not done.fresh
        moved = adjusted_in(settings.log_dir, done.dispute)
        over = moved is not None and not done.fresh
        if moved is None and journal is not None:
            moved = await adjust(journal, settings.log_dir, done.dispute, WallClock(), wait=wait)
        return done, moved or Adjusted("waiting"), over

    done, moved, over = with_journal(settings, work, wait)
    if over:
        what = f"{address} is resolved already, on {done.dispute.resolved_time}"
        raise InputError(what, mend=f"see `shoetrail dispute show {address}`")
    at = None if moved is None else moved.at
    made = Resolved(
        _shown(done.dispute, at), settings.redis_url is not None, sealer is not None, moved
    )
    if json:
        output.document(made)
    else:
        dispute_shown.resolved(made.dispute, moved, stream=made.stream)
    if moved is not None and moved.state == "refused":
        mend = f"it is on record as resolved; see `shoetrail dispute show {address}`"
        raise InputError(f"the dealer refused the adjustment: {moved.reason}", str(address), mend)


def _shown(one: Dispute, adjusted_at: str | None = None) -> DisputeShown:
    """Give a dispute with its age by this machine's clock, or how long it was open."""
    until = wall_microseconds() if one.resolved_time is None else parse_time(one.resolved_time)
    seconds = max(until - parse_time(one.time), 0) // _SECOND_US
    return shown(one, seconds, adjusted_at)


def _write(path: Path, text: str) -> None:
    if path.is_dir():
        raise InputError("this is a folder", f"--html {path}", "name a file")
    try:
        write_atomically(path, text.encode())
    except OSError as trouble:
        mend = "name a file in a folder that is there"
        raise cannot_write(f"--html {path}", trouble, mend) from None
