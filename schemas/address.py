"""Addresses: where an event, a round and a shoe stand, and the streams of a table. No I/O."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from schemas.errors import InputError

NAME: Final = r"[A-Za-z0-9][A-Za-z0-9_-]{0,31}"
#: Shoes, rounds and sequence numbers stay exact in Lua and JavaScript.
LARGEST: Final = 2**53 - 1

TABLES: Final = "shoetrail:tables"
CLOSED: Final = "shoetrail:closed"

_NUMBER: Final = r"(?:0|[1-9][0-9]{0,15})"
_NAME = re.compile(NAME, re.ASCII)
_ENTRY = re.compile(rf"({_NUMBER})-({_NUMBER})", re.ASCII)
_EVENT = re.compile(rf"({NAME})/({_NUMBER})-({_NUMBER})", re.ASCII)
_ROUND = re.compile(rf"({NAME})/({_NUMBER})#({_NUMBER})", re.ASCII)
_SHOE = re.compile(rf"({NAME})/({_NUMBER})", re.ASCII)
_DISPUTE = re.compile(rf"({NAME}):({_NUMBER})", re.ASCII)


def checked_name(name: str, what: str = "name") -> str:
    """Give a table's or bettor's name back, or refuse it."""
    if _NAME.fullmatch(name) is None:
        wrong = f"{name[:40]!r} is no {what}"
        raise InputError(wrong, mend="use 1 to 32 of A-Z a-z 0-9 _ -, a letter or digit first")
    return name


def is_name(name: str) -> bool:
    """Tell whether a table or a bettor may be called so."""
    return _NAME.fullmatch(name) is not None


class EntryId(NamedTuple):
    """A Redis stream id: ``<shoe>-<seq>`` or ``<shoe>-<round>``."""

    major: int
    minor: int

    def __str__(self) -> str:
        """Spell it as Redis does."""
        return f"{self.major}-{self.minor}"

    @classmethod
    def parse(cls, text: str | bytes) -> EntryId:
        """Read ``12-45``; any other spelling is refused."""
        if isinstance(text, bytes):
            text = text.decode("ascii", "replace")
        found = _ENTRY.fullmatch(text)
        if found is None:
            raise InputError(f"{text[:40]!r} is no entry id", mend="write it as 12-45")
        return cls(int(found[1]), int(found[2]))


START: Final = EntryId(0, 0)


class Shoe(NamedTuple):
    """A shoe of a table: ``T7/12``."""

    table: str
    number: int

    def __str__(self) -> str:
        """Spell it."""
        return f"{self.table}/{self.number}"

    def event(self, seq: int) -> str:
        """Address of an event: ``T7/12-45``."""
        return f"{self.table}/{self.number}-{seq}"

    def round(self, number: int) -> str:
        """Address of a round and its outcome: ``T7/12#17``."""
        return f"{self.table}/{self.number}#{number}"

    @classmethod
    def parse(cls, text: str) -> Shoe:
        """Read ``T7/12``."""
        return cls(*_table_and(_SHOE, text, "shoe", "T7/12"))


class EventAddress(NamedTuple):
    """An event: ``T7/12-45``."""

    table: str
    shoe: int
    seq: int

    def __str__(self) -> str:
        """Spell it."""
        return f"{self.table}/{self.shoe}-{self.seq}"

    @classmethod
    def parse(cls, text: str) -> EventAddress:
        """Read ``T7/12-45``."""
        return cls(*_table_and(_EVENT, text, "event address", "T7/12-45"))


class RoundAddress(NamedTuple):
    """A round: ``T7/12#17``."""

    table: str
    shoe: int
    round: int

    def __str__(self) -> str:
        """Spell it."""
        return f"{self.table}/{self.shoe}#{self.round}"

    @classmethod
    def parse(cls, text: str) -> RoundAddress:
        """Read ``T7/12#17``."""
        return cls(*_table_and(_ROUND, text, "round address", "T7/12#17"))


class DisputeAddress(NamedTuple):
    """A dispute, by the entry of its table's disputes stream that opened it: ``T7:3``."""

    table: str
    number: int

    def __str__(self) -> str:
        """Spell it."""
        return f"{self.table}:{self.number}"

    @classmethod
    def parse(cls, text: str) -> DisputeAddress:
        """Read ``T7:3``."""
        return cls(*_table_and(_DISPUTE, text, "dispute", "T7:3"))


def _table_and(pattern: re.Pattern[str], text: str, what: str, example: str) -> tuple:  # type: ignore[type-arg]
    found = pattern.fullmatch(text)
    if found is None:
        raise InputError(f"{text[:60]!r} is no {what}", mend=f"write it as {example}")
    return (found[1], *(int(number) for number in found.groups()[1:]))


class Streams:
    """The Redis keys of one table; the hash tag keeps them in one Cluster slot."""

    __slots__ = ("commands", "disputes", "events", "held", "outcomes", "table", "verdicts")

    def __init__(self, table: str) -> None:
        """Name the streams of ``table``."""
        self.table = checked_name(table, "table")
        stem = f"shoetrail:{{{table}}}:"
        self.commands = stem + "commands"
        self.events = stem + "events"
        self.outcomes = stem + "outcomes"
        self.verdicts = stem + "verdicts"
        self.disputes = stem + "disputes"
        self.held = stem + "held"


class Sources:
    """The CloudEvents sources of one table."""

    __slots__ = ("commands", "disputes", "events", "outcomes", "verdicts")

    def __init__(self, table: str) -> None:
        """Name the sources of ``table``."""
        self.events = f"/tables/{table}"
        self.outcomes = f"/tables/{table}/outcomes"
        self.verdicts = f"/tables/{table}/verdicts"
        self.commands = f"/tables/{table}/commands"
        self.disputes = f"/tables/{table}/disputes"
