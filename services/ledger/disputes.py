"""A table's disputes, as a pure fold over the entries of their record. No I/O; judges no claim.

Entry n of the stream, and line n of the file, say the n-th thing. What is wrong with an entry is
given by the auditor's codes; whatever can be used of it is used all the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from schemas import instant
from schemas.address import DisputeAddress, EntryId, RoundAddress, Sources
from schemas.disputes import DisputeOpened, DisputeResolved
from schemas.envelope import decode_dispute
from schemas.errors import InputError, Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from schemas.disputes import DisputeSaid
    from schemas.envelope import Message


class Wrong(NamedTuple):
    """What is wrong with an entry: the auditor's code, what had to stand there, what does."""

    code: str
    expected: str
    actual: str


class Dispute(msgspec.Struct, frozen=True):
    """A dispute as it stands: ``at`` is the round, ``entry`` the one that resolved it, if any.

    Times are spelled as in the entries.
    """

    table: str
    number: int
    at: RoundAddress
    time: str
    opened: DisputeOpened
    entry: int | None = None
    resolved_time: str | None = None
    resolved: DisputeResolved | None = None

    @property
    def address(self) -> str:
        """Spell it: ``T7:3``."""
        return str(DisputeAddress(self.table, self.number))

    @property
    def is_open(self) -> bool:
        """Whether it is not resolved yet."""
        return self.resolved is None


class DisputeBook:
    """The disputes of one table, entry by entry."""

    def __init__(self, table: str) -> None:
        """Begin before the first entry."""
        self.table = table
        self.source = Sources(table).disputes
        #: The last entry's number, and its time as microseconds (None before the first).
        self.last = 0
        self.time: int | None = None
        self.disputes: dict[int, Dispute] = {}

    def add(self, data: bytes) -> tuple[Wrong, ...]:
        """Take the next entry and give what is wrong with it."""
        try:
            message = decode_dispute(data)
        except Unreadable:
            self.last += 1
            return (Wrong("malformed", "an entry of a disputes record", _shown(data)),)
        wrong = [*self._placed(message), *self._timed(message.time)]
        if isinstance(message.data, DisputeOpened):
            wrong += self._open(message.time, message.data)
        else:
            wrong += self._resolve(message.time, message.data)
        return tuple(wrong)

    def extend(self, lines: Iterable[bytes], where: str) -> None:
        """Take entries that have to be good; raises ``InputError`` with the line otherwise."""
        for number, line in enumerate(lines, self.last + 1):
            for wrong in self.add(line):
                what = f"{wrong.code}: expected {wrong.expected}, there is {wrong.actual}"
                raise InputError(what, f"{where}, line {number}", "audit the table's folder")

    @property
    def held(self) -> frozenset[int]:
        """The shoes under dispute: nothing from the lowest of them on may be trimmed."""
        return frozenset(one.at.shoe for one in self.disputes.values() if one.is_open)

    def get(self, number: int) -> Dispute:
        """Give a dispute, or say that there is none."""
        found = self.disputes.get(number)
        if found is None:
            name = DisputeAddress(self.table, number)
            raise InputError(f"there is no dispute {name}", mend="see `shoetrail dispute list`")
        return found

    def _placed(self, message: Message[DisputeSaid]) -> Iterable[Wrong]:
        expected = EntryId(self.last + 1, 0)
        if message.source != self.source:
            yield Wrong("wrong-table", self.source, message.source)
        try:
            entry = EntryId.parse(message.id)
        except InputError:
            entry = EntryId(0, 1)
        if entry.minor:
            self.last += 1
            yield Wrong("malformed", str(expected), message.id)
        elif entry.major <= self.last:
            yield Wrong("sequence-repeat", str(expected), message.id)
        else:
            self.last = entry.major
            if entry != expected:  # ids are consecutive: what is missing was there
                yield Wrong("dispute-dropped", str(expected), message.id)

    def _timed(self, text: str) -> Iterable[Wrong]:
        try:
            time = instant.parse(text)
        except InputError:
            yield Wrong("malformed", "a time of UTC", text)
            return
        if self.time is not None and time < self.time:
            yield Wrong("time-backwards", f"{instant.spell(self.time)} or later", text)
        else:
            self.time = time

    def _open(self, time: str, said: DisputeOpened) -> Iterable[Wrong]:
        try:
            at = RoundAddress.parse(said.at)
        except InputError:
            at = RoundAddress("", 0, 0)
        if at.table != self.table or min(at.shoe, at.round) < 1:
            yield Wrong("malformed", f"a round of {self.table}", said.at)
        elif self.last not in self.disputes:
            self.disputes[self.last] = Dispute(self.table, self.last, at, time, said)

    def _resolve(self, time: str, said: DisputeResolved) -> Iterable[Wrong]:
        one = self.disputes.get(said.dispute)
        name = DisputeAddress(self.table, said.dispute)
        if one is None or one.resolved is not None:
            is_not = "there is none" if one is None else "it is resolved already"
            yield Wrong("out-of-place", f"{name} open", is_not)
            return
        if said.adjustment is not None and not said.adjustment.amount:
            yield Wrong("malformed", "an amount other than 0", "0")
        self.disputes[said.dispute] = msgspec.structs.replace(
            one, entry=self.last, resolved_time=time, resolved=said
        )


def _shown(data: bytes) -> str:
    return ascii(data[:40].decode("utf-8", "replace"))
