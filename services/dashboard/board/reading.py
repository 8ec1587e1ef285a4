"""A shoe from its replay log, as the board folds it. Pure: whoever calls has read the files.

A log may come from anybody: what cannot be read is passed over, and marks the round it stands in.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

import msgspec

from schemas.address import EntryId
from schemas.envelope import decode_dispute, decode_line, decode_lines, decode_verdict
from schemas.errors import InputError, Unreadable
from schemas.events import Event
from schemas.verdicts import Finding, ShoeVerdict
from services.dashboard.board.lamp import lamp_of
from services.dashboard.board.shoe_board import ShoeBoard
from services.dashboard.board.shoe_events import round_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from schemas.envelope import Message, Said
    from schemas.verdicts import RoundVerdict
    from services.dashboard.board.shapes import Lamp
    from services.dashboard.board.shoe_board import Stream
    from services.dashboard.board.shoe_fold import ShoeFold

#: Lines that are decoded at once.
_AT_ONCE: Final = 512
_SOURCE: Final = "/tables/"


class _Audit(msgspec.Struct):
    """What is read of a worker's audit of the file: ``<shoe>.audit.json``."""

    verdict: ShoeVerdict
    findings: tuple[Finding, ...]


def fold_log(
    table: str,
    shoe: int,
    log: bytes,
    audit: bytes | None = None,
    verdicts: bytes | None = None,
    disputes: bytes | None = None,
) -> ShoeBoard:
    """Fold a log, and what lies beside it: the file's audit, the live verdicts, the disputes.

    The board is of the table and shoe that the log's first readable line names; lines of another
    shoe are passed over. Without one it is of ``table`` and without a shoe. ``shoe`` is what an
    unreadable first line is taken for. Of the live verdicts and the file's audit the worst counts.
    """
    messages = list(_messages(log.split(b"\n")))
    table, shoe = next(filter(None, map(_names, messages)), (table, shoe))
    board = ShoeBoard(table)
    last = EntryId(shoe, -1)
    for message in messages:
        entry = None if message is None else _entry(message.id)
        if entry is None or message is None:
            last = EntryId(shoe, last.minor + 1)
            board.fold("events", last, None)
        elif entry.major == shoe:
            is_event = isinstance(message.data, Event)
            last = entry if is_event else last
            board.fold("events" if is_event else "outcomes", entry, message)
    _beside(board, "disputes", disputes, decode_dispute)
    _beside(board, "verdicts", verdicts, decode_verdict)
    if board.shoe is not None:
        _correct(board, board.shoe)
        if audit is not None:
            _judge(board, board.shoe, audit)
    return board


def _correct(board: ShoeBoard, shoe: ShoeFold) -> None:
    """Mark rounds by what was decided: a later shoe's log says that the money moved."""
    for address in board.disputes.moved:
        about = round_in(address, shoe.name)
        if about is not None:
            shoe.results.corrected.add(about.round)
            shoe.results.mark(about.round)
    board.forget()


def lamp_beside(shoe: int, audit: bytes | None, verdicts: bytes | None) -> Lamp:
    """Say what lies beside a log came to: what ``fold_log`` would, without the log."""
    found = None if audit is None else _audit(audit)
    said: list[ShoeVerdict] = [] if found is None else [found.verdict]
    for entry, message in _entries(verdicts, decode_verdict):
        if entry.major == shoe:
            said.append(message.data.verdict)
    return lamp_of(said)


def _beside(
    board: ShoeBoard,
    stream: Stream,
    data: bytes | None,
    decode: Callable[[bytes], Message[Any]],
) -> None:
    """Fold a file of a table's or a shoe's, which holds the bytes of a stream."""
    for entry, message in _entries(data, decode):
        if stream == "disputes" or entry.major == board.number:
            board.fold(stream, entry, message)


def _entries(
    data: bytes | None, decode: Callable[[bytes], Message[Any]]
) -> Iterator[tuple[EntryId, Message[Any]]]:
    for line in () if data is None else data.split(b"\n"):
        with suppress(Unreadable, InputError):
            message = decode(line)
            yield EntryId.parse(message.id), message


def _judge(board: ShoeBoard, shoe: ShoeFold, audit: bytes) -> None:
    """Take the audit of the file: a round has failed where a fault is about it."""
    told = _audit(audit)
    if told is None:
        return
    failed = {one.round for one in told.findings if one.grade == "fault"}
    for row in shoe.results.rows():
        verdict: RoundVerdict = "fail" if row.round in failed else row.verdict or "open"
        shoe.results.verdicts[row.round] = verdict
        shoe.results.mark(row.round)
    shoe.filed(told.verdict, told.findings)
    board.forget()


def _audit(audit: bytes) -> _Audit | None:
    try:
        return msgspec.json.decode(audit, type=_Audit)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None


def _messages(lines: Sequence[bytes]) -> Iterator[Message[Said] | None]:
    """Read a log's lines, None for what is none; what follows the last newline may be torn."""
    for start in range(0, len(lines) - 1, _AT_ONCE):
        some = lines[start : min(start + _AT_ONCE, len(lines) - 1)]
        try:
            yield from decode_lines(some)
        except Unreadable:
            yield from _one_by_one(some)
    if lines[-1]:
        yield from _one_by_one(lines[-1:])


def _one_by_one(lines: Iterable[bytes]) -> Iterator[Message[Said] | None]:
    for line in lines:
        try:
            yield decode_line(line)
        except Unreadable:
            yield None


def _names(message: Message[Said] | None) -> tuple[str, int] | None:
    """Give the table and the shoe that a line is of."""
    entry = None if message is None else _entry(message.id)
    if message is None or entry is None or not message.source.startswith(_SOURCE):
        return None
    return message.source.removeprefix(_SOURCE).split("/", 1)[0], entry.major


def _entry(text: str) -> EntryId | None:
    try:
        return EntryId.parse(text)
    except InputError:
        return None
