"""Cursors: how far a table's streams were read, and how far all tables' were. Pure: spelling only.

A cursor is an event's id, so it comes back in ``Last-Event-ID`` and ``?after=``: what is no cursor
is ``Garbage``. Whether a cursor can still be served is for others to say.
"""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from hashlib import sha256
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from schemas.address import LARGEST, NAME, START, EntryId, is_name
from schemas.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Stream = Literal["events", "outcomes", "verdicts", "disputes"]
STREAMS: Final[tuple[Stream, ...]] = ("events", "outcomes", "verdicts", "disputes")
#: The mark of a table at which no shoe was opened.
NO_SHOE: Final = "00000000"
#: So many characters at most (a thousand tables' has eight thousand), and so many bytes unpacked.
LONGEST: Final = 12_000
_LARGEST_PLAIN: Final = 100_000

_ID: Final = r"(?:0|[1-9][0-9]{0,15})-(?:0|[1-9][0-9]{0,15})"
_TABLE = re.compile(rf"({NAME})\.({_ID})\.({_ID})\.({_ID})\.({_ID})\.([0-9a-f]{{8}})", re.ASCII)
_LOBBY = re.compile(r"L([0-9a-f]{8})\.([A-Za-z0-9_-]+)", re.ASCII)
_NUMBER = re.compile(r"-?[0-9]{1,16}", re.ASCII)


class Garbage(InputError):
    """What is no cursor at all."""

    def __init__(self) -> None:
        super().__init__("this is no cursor", mend="leave it out, or give the id of an event")


class Positions(NamedTuple):
    """The last entry that was read of each stream of a table."""

    events: EntryId = START
    outcomes: EntryId = START
    verdicts: EntryId = START
    disputes: EntryId = START


class TableCursor(NamedTuple):
    """How far a table was read, and the mark of the shoe that ``events`` stands in.

    The mark tells a stream that was begun anew, with the same numbers, from the one that was read.
    """

    table: str
    at: Positions
    mark: str

    def __str__(self) -> str:
        """Spell it: ``T7.12-45.12-3.12-3.1-0.0badcafe``."""
        return ".".join((self.table, *map(str, self.at), self.mark))

    @classmethod
    def parse(cls, text: str) -> TableCursor:
        """Read one, or raise ``Garbage``."""
        found = _TABLE.fullmatch(text) if len(text) <= LONGEST else None
        if found is None:
            raise Garbage
        ids = [EntryId.parse(found[n]) for n in range(2, 6)]
        if any(max(one) > LARGEST for one in ids):
            raise Garbage
        return cls(found[1], Positions(*ids), found[6])


class LobbyAt(NamedTuple):
    """How far a table was read for the lobby: the last shoe that was opened, and the others."""

    shoe: int = 0
    outcomes: EntryId = START
    verdicts: EntryId = START
    disputes: EntryId = START


class LobbyCursor(NamedTuple):
    """How far all tables were read for the lobby, and one mark over all their shoes."""

    at: dict[str, LobbyAt]
    mark: str

    def __str__(self) -> str:
        """Spell it."""
        return spelled([line_of(table, at) for table, at in sorted(self.at.items())], self.mark)

    @classmethod
    def parse(cls, text: str) -> LobbyCursor:
        """Read one, or raise ``Garbage``."""
        found = _LOBBY.fullmatch(text) if len(text) <= LONGEST else None
        if found is None:
            raise Garbage
        try:
            packed = base64.urlsafe_b64decode(found[2] + "=" * (-len(found[2]) % 4))
            unpacker = zlib.decompressobj()
            plain = unpacker.decompress(packed, _LARGEST_PLAIN).decode("ascii")
        except (binascii.Error, zlib.error, UnicodeDecodeError, ValueError):
            raise Garbage from None
        if not unpacker.eof or unpacker.unused_data:
            raise Garbage
        at = dict(map(_line, plain.split("\n"))) if plain else {}
        return cls(at, found[1])


def line_of(table: str, at: LobbyAt) -> str:
    """Spell how far a table was read; numbers near one another pack well as differences."""
    shoe, outcomes, verdicts, disputes = at
    numbers = (
        f"{table} {shoe} {shoe - outcomes.major} {outcomes.minor}"
        f" {shoe - verdicts.major} {outcomes.minor - verdicts.minor}"
    )
    return f"{numbers} {disputes.major} {disputes.minor}".removesuffix(" 0 0")


def spelled(lines: Iterable[str], mark: str) -> str:
    """Spell the lobby's cursor of its tables' lines, by name."""
    packed = zlib.compress("\n".join(lines).encode(), 6)
    return f"L{mark}.{base64.urlsafe_b64encode(packed).decode().rstrip('=')}"


def _line(line: str) -> tuple[str, LobbyAt]:
    table, *words = line.split(" ")
    if len(words) == _WITHOUT_DISPUTES:
        words += ("0", "0")
    if not is_name(table) or len(words) != _WITHOUT_DISPUTES + 2:
        raise Garbage
    if not all(map(_NUMBER.fullmatch, words)):
        raise Garbage
    shoe, back, round_, behind, less, major, minor = map(int, words)
    at = LobbyAt(
        shoe,
        EntryId(shoe - back, round_),
        EntryId(shoe - behind, round_ - less),
        EntryId(major, minor),
    )
    numbers = (at.shoe, *at.outcomes, *at.verdicts, *at.disputes)
    if not all(0 <= number <= LARGEST for number in numbers):
        raise Garbage
    return table, at


_WITHOUT_DISPUTES: Final = 5


def mark_of(opened: bytes | None) -> str:
    """Give the mark of a shoe by the bytes that opened it."""
    return NO_SHOE if opened is None else sha256(opened).hexdigest()[:8]


def mark_of_all(marks: Mapping[str, str]) -> str:
    """Give one mark over the marks of the tables' last shoes."""
    lines = "\n".join(f"{table} {mark}" for table, mark in sorted(marks.items()))
    return sha256(lines.encode()).hexdigest()[:8]
