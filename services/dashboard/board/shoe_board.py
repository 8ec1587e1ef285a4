"""A table as the board shows it: the fold of its four streams. Pure: no clock, no I/O, no loop.

It holds the newest shoe; ``shoe.opened`` of the next begins anew. The four streams may be taken in
any interleaving, each in its own order, and lead to the same view: what comes too early waits for
its shoe, what comes too late only says its findings. Nothing that a stream can hold raises.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, cast

import msgspec

from schemas import events as ev
from schemas.address import START, EntryId, Shoe
from schemas.verdicts import Finding, RoundAudited, ShoeAudited
from services.dashboard.board.disputes_board import DisputesBoard
from services.dashboard.board.fields import FIELDS, whole, with_counts
from services.dashboard.board.round_board import later
from services.dashboard.board.round_shapes import ResultShape, RoundShape
from services.dashboard.board.shapes import TableView, Tile
from services.dashboard.board.shoe_events import ALL, round_in
from services.dashboard.board.shoe_fold import ShoeFold
from services.dashboard.board.tile import tile_of

if TYPE_CHECKING:
    from schemas.envelope import Message

Stream = Literal["events", "outcomes", "verdicts", "disputes"]
#: So many shoes that are not audited yet are remembered by what was found in them.
_UNAUDITED: Final = 4


class Change(msgspec.Struct, frozen=True):
    """What an entry changed: fields of the view by name, rows of results, what was found.

    ``findings`` are those that were not said before: a shoe's verdict repeats its rounds'.
    """

    fields: tuple[str, ...] = ()
    results: tuple[ResultShape, ...] = ()
    findings: tuple[Finding, ...] = ()


_NONE: Final = Change()


class ShoeBoard:
    """One table. ``take`` each entry of its streams; ask for what is shown at any time."""

    def __init__(self, table: str) -> None:
        """Begin before the first shoe."""
        self.table = table
        self.disputes: DisputesBoard = DisputesBoard(table)
        self.shoe: ShoeFold | None = None
        #: The latest time of any entry.
        self.updated: str | None = None
        self._last: dict[Stream, EntryId] = {}
        #: Outcomes and verdicts of shoes that are not opened yet.
        self._early: dict[int, list[tuple[Stream, EntryId, Message[Any] | None]]] = {}
        #: What was found in each of the last shoes.
        self._found: dict[int, set[Finding]] = {}
        self._shown: dict[str, Any] = {}
        #: How many were left out of fields that may be much.
        self._more: dict[str, int] = {}

    @property
    def number(self) -> int:
        """The number of the shoe that is on the table; 0 before the first."""
        return 0 if self.shoe is None else self.shoe.name.number

    def take(self, stream: Stream, entry: EntryId, message: Message[Any] | None) -> Change:
        """Take a stream's next entry, None where it cannot be read; one taken before is nothing."""
        if entry <= self._last.get(stream, START) and stream in self._last:
            return _NONE
        return self.fold(stream, entry, message)

    def fold(self, stream: Stream, entry: EntryId, message: Message[Any] | None) -> Change:
        """Take the next entry of a file, where entries may be twice or out of order."""
        self._last[stream] = entry
        change = self._take(stream, entry, message)
        fields = with_counts(self, change.fields, self._more)
        if message is not None:
            updated = later(self.updated, message.time)
            if updated != self.updated:
                self.updated = updated
                fields = fields if "updated" in fields else (*fields, "updated")
        for name in fields:
            self._shown.pop(name, None)
        if change.results:
            self._shown.pop("results", None)
        return Change(fields, change.results, change.findings)

    # -------------------------------------------------------------------------------------- shown

    def view(self) -> TableView:
        """Give the shoe that is on the table, with the newest of what may be much."""
        shown = self._shown
        for name, make in FIELDS.items():
            if name not in shown:
                shown[name] = make(self)
        return TableView(table=self.table, **shown)

    def whole(self) -> TableView:
        """Give the shoe that is on the table, with all of it."""
        return whole(self, self.view())

    def found(self, number: int, /) -> tuple[Finding, ...]:
        """Give what was found in a round."""
        shoe = self.shoe
        return () if shoe is None else tuple(one for one in shoe.findings if one.round == number)

    def field(self, name: str) -> object:
        """Give one field of the view."""
        if name == "table":
            return self.table
        if name not in self._shown:
            self._shown[name] = FIELDS[name](self)
        return cast("object", self._shown[name])

    def tile(self) -> Tile:
        """Give the table in small."""
        return tile_of(self)

    def round(self, number: int, /) -> RoundShape | None:
        """Give a round of the shoe; None where there is none."""
        one = None if self.shoe is None else self.shoe.round(number)
        return None if one is None else one.shape()

    def result(self, number: int, /) -> ResultShape | None:
        """Give a settled round's row; None where there is none."""
        return None if self.shoe is None else self.shoe.results.row(number)

    def forget(self) -> None:
        """Make what is shown anew: something was changed from without."""
        self._shown.clear()

    # -------------------------------------------------------------------------------------- taken

    def _take(self, stream: Stream, entry: EntryId, message: Message[Any] | None) -> Change:
        if stream == "disputes":
            return self._dispute(entry, message)
        if stream == "events":
            return self._event(entry, message)
        return self._told(stream, entry, message)

    def _event(self, entry: EntryId, message: Message[Any] | None) -> Change:
        shoe = self.shoe
        if shoe is not None and entry.major < shoe.name.number:
            return _NONE
        begins = shoe is None or entry.major > shoe.name.number
        if begins:
            shoe = self.shoe = ShoeFold(Shoe(self.table, entry.major), self.disputes)
        if message is not None and not isinstance(message.data, ev.Event):
            message = None
        assert shoe is not None  # noqa: S101
        fields = shoe.event(entry.minor, message)
        rows = shoe.rows
        if not begins:
            return Change(fields, rows)
        for stream, name, early in self._early.pop(entry.major, ()):
            self._told(stream, name, early)
        self._early = {n: waits for n, waits in self._early.items() if n > entry.major}
        return Change(ALL)

    def _told(self, stream: Stream, entry: EntryId, message: Message[Any] | None) -> Change:
        findings: tuple[Finding, ...] = ()
        if stream == "verdicts" and message is not None:
            findings = self._new(entry.major, message.data)
        shoe = self.shoe
        if shoe is None or entry.major > shoe.name.number:
            self._early.setdefault(entry.major, []).append((stream, entry, message))
            return Change((), (), findings)
        if entry.major < shoe.name.number:
            return Change((), (), findings)
        take = shoe.outcome if stream == "outcomes" else shoe.verdict_said
        return Change(take(message), shoe.rows, findings)

    def _new(self, shoe: int, said: object) -> tuple[Finding, ...]:
        """Give what of a verdict was not found before."""
        if not isinstance(said, RoundAudited | ShoeAudited):
            return ()
        known = self._found.setdefault(shoe, set())
        while len(self._found) > _UNAUDITED:
            del self._found[min(self._found)]
        new = tuple([one for one in said.findings if one not in known])
        known.update(new)
        return new

    def _dispute(self, entry: EntryId, message: Message[Any] | None) -> Change:
        if message is None:
            return _NONE
        address = self.disputes.take(entry.major, message.data, message.time)
        if address is None:
            return _NONE
        rows: tuple[ResultShape, ...] = ()
        if self.shoe is not None and (about := round_in(address, self.shoe.name)) is not None:
            self.shoe.dispute(about)
            rows = self.shoe.rows
        return Change(("disputes",), rows)
