"""Committed logs as the streams that a board reads, with the verdicts that an auditor says."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import structs

from schemas.address import EntryId
from schemas.envelope import decode_dispute, decode_line
from schemas.events import Event
from services.auditor.fold import ShoeAudit
from services.dashboard.board.fields import FIELDS
from services.dashboard.board.shapes import TableView
from services.dashboard.board.shoe_board import Change, ShoeBoard, Stream

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from schemas.envelope import Message

LOGS = Path(__file__).parents[3] / "replay_logs"
TABLES = tuple(sorted(path.name for path in LOGS.iterdir() if path.is_dir()))


class Entry(NamedTuple):
    stream: Stream
    id: EntryId
    message: Message[Any] | None


class Verdict(NamedTuple):
    """A verdict as its stream says it."""

    id: str
    source: str
    time: str
    data: Any


@cache
def entries_of(table: str) -> tuple[Entry, ...]:
    """All shoes of a table as they came: each verdict right after its outcome, disputes by time."""
    said = [entry for path in sorted(LOGS.glob(f"{table}/[0-9]*.jsonl")) for entry in _shoe(path)]
    disputes = LOGS / table / "disputes.jsonl"
    if disputes.exists():
        for line in disputes.read_bytes().splitlines():
            message = decode_dispute(line)
            at = next(
                (
                    n
                    for n, one in enumerate(said)
                    if one.message and one.message.time > message.time
                ),
                len(said),
            )
            said.insert(at, Entry("disputes", EntryId.parse(message.id), message))
    return tuple(said)


def _shoe(path: Path) -> Iterator[Entry]:
    audit = ShoeAudit()
    message = None
    rounds = 0
    for line in path.read_bytes().splitlines():
        audit.line(line)
        message = decode_line(line)
        entry = EntryId.parse(message.id)
        yield Entry("events" if isinstance(message.data, Event) else "outcomes", entry, message)
        verdict = audit.round_verdict()
        if verdict is not None:
            rounds = entry.minor
            yield Entry("verdicts", entry, Verdict(message.id, "", message.time, verdict))
    assert message is not None
    last = EntryId(EntryId.parse(message.id).major, rounds + 1)
    yield Entry("verdicts", last, Verdict(str(last), "", message.time, audit.close()))


def folded(entries: Iterable[Entry], table: str = "T") -> ShoeBoard:
    board = ShoeBoard(table)
    for entry in entries:
        board.take(*entry)
    return board


def fresh(board: ShoeBoard) -> TableView:
    """The view made anew, whatever the board has kept of it."""
    return TableView(table=board.table, **{name: make(board) for name, make in FIELDS.items()})


def patched(view: TableView, change: Change, board: ShoeBoard) -> TableView:
    """A view as a browser has it after a message of the stream."""
    fields = {name: board.field(name) for name in change.fields}
    view = structs.replace(view, **fields)
    rows = {row.round: row for row in (*view.results, *change.results)}
    return structs.replace(view, results=tuple(rows[number] for number in sorted(rows)))
