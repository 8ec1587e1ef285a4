"""Reads logs for the office's commands: decodes them, says where one cannot be. Counts none."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from schemas.envelope import Message, Said, decode_line, decode_lines
from schemas.errors import InputError, Unreadable
from schemas.instant import parse
from services.auditor.files import LogFile, lines_of
from services.office.reading import NotOpened, Reading

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from services.office.reading import Round, Shoe

    Line = tuple[Message[Said], Round | None]


def lines(file: LogFile, reading: Reading) -> Iterator[Line]:
    """Give a log's lines, each with the round that it settles, if it does.

    A last line without its end is still being written, and not read yet.
    """
    number = 0
    for block, _torn in lines_of(file.path):
        for message in _decoded(file, block, number):
            number += 1
            try:
                parse(message.time)
                done = reading.line(message)
            except NotOpened:
                raise InputError("a log begins with shoe.opened", _at(file, number)) from None
            except InputError as wrong:
                what = f"{wrong.where}: {wrong.what}" if wrong.where else wrong.what
                raise InputError(what, _at(file, number), "audit it") from None
            yield message, done


def _decoded(file: LogFile, block: list[bytes], before: int) -> Iterator[Message[Said]]:
    try:
        return iter(decode_lines(block))
    except Unreadable:
        pass
    return chain.from_iterable(
        _one(file, line, number) for number, line in enumerate(block, start=before + 1)
    )


def _one(file: LogFile, line: bytes, number: int) -> list[Message[Said]]:
    try:
        return [decode_line(line)]
    except Unreadable:
        raise InputError("this is no line of a log", _at(file, number), "audit it") from None


def _at(file: LogFile, number: int) -> str:
    return f"{file.path}, line {number}"


def shoes(
    files: Sequence[LogFile], progress: Callable[[int, int], None]
) -> Iterator[tuple[Shoe, Iterator[Line]]]:
    """Give each log's shoe with its lines, which have to be read before the next is asked for."""
    for done, file in enumerate(files):
        progress(done, len(files))
        reading = Reading()
        told = lines(file, reading)
        first = next(told, None)
        if first is None or reading.shoe is None:
            raise InputError("the file is empty", str(file.path))
        yield reading.shoe, chain([first], told)
    progress(len(files), len(files))
