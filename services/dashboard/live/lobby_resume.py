"""Brings one up who comes with the lobby's cursor: what all tables said after it. It only reads.

Each message has the tile as it is now. Raises ``Unserved`` where entries are kept no longer.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from schemas.address import LARGEST, EntryId, Streams
from schemas.verdicts import RoundAudited, ShoeAudited
from services.dashboard.live.cursor import (
    STREAMS,
    LobbyAt,
    line_of,
    mark_of,
    mark_of_all,
    spelled,
)
from services.dashboard.live.lobby import moved, row_message, row_of
from services.dashboard.live.resume import MOST_SHOES, Unserved
from services.dashboard.live.weave import KINDS, told, weave
from services.journal import Entry
from services.journal.contiguity import break_in

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from schemas.verdicts import Finding
    from services.dashboard.board.shapes import Tile
    from services.dashboard.live.cursor import LobbyCursor
    from services.dashboard.live.weave import Told
    from services.journal import Journal

#: Whoever missed more of one stream than this, or of all tables, asks anew: it costs far less.
_MOST: Final = 400
_MOST_IN_ALL: Final = 1_000
#: So many messages are made before others have their turn.
_TURN: Final = 20
_TRIMMED: Final = "what came after the cursor is kept no longer, or is too much"


class LobbyResume:
    """From a cursor to the position ``to`` of the lobby, which was taken at one moment."""

    def __init__(
        self,
        journal: Journal,
        after: LobbyCursor,
        to: LobbyCursor,
        marks: dict[str, str],
        tile: Callable[[str], Tile],
    ) -> None:
        """``marks`` are those of the shoes in ``to``; ``tile`` gives a table as it is now."""
        self._journal, self._after, self._to = journal, after, to
        self._marks, self._tile = marks, tile
        unknown = after.at.keys() - to.at.keys()
        if unknown:
            raise Unserved(f"{min(unknown)} is not shown any more")
        for table, at in after.at.items():
            if at.shoe > to.at[table].shoe or any(
                one > there for one, there in zip(at[1:], to.at[table][1:], strict=True)
            ):
                raise Unserved(f"the cursor is ahead of the streams of {table}")
            if to.at[table].shoe - at.shoe > MOST_SHOES:
                raise Unserved("the cursor is too old")
        if sum(_said(at, to.at[table]) for table, at in after.at.items()) > _MOST_IN_ALL:
            raise Unserved("too much was said after the cursor")

    async def chunks(self, *, public: bool) -> AsyncIterator[bytes]:
        """Give the messages of one table after another."""
        marks = await self._checked_marks()
        mark = self._after.mark
        lines = {table: line_of(table, at) for table, at in sorted(self._after.at.items())}
        for table, there in sorted(self._to.at.items()):
            mine = self._after.at.get(table)
            if mine is None:  # it came since: it begins with the shoe that is on it
                before = max(there.shoe - 1, 0)
                late = EntryId(before, LARGEST)
                mine = LobbyAt(before, min(late, there.outcomes), min(late, there.verdicts))
            if mine == there:
                continue
            waiting = []
            for one in await self._missed(table, mine, there):
                row = row_of(table, one, await self._findings(table, one))
                mine = moved(mine, row)
                if table not in lines:
                    lines = dict(sorted({**lines, table: ""}.items()))
                lines[table] = line_of(table, mine)
                if row.stream == "events" or table not in marks:
                    marks[table] = mark_of(one.data)
                    mark = mark_of_all(marks)
                cursor = spelled(lines.values(), mark)
                waiting.append(row_message(cursor, self._tile(table), row, public=public))
                if len(waiting) == _TURN:
                    yield b"".join(waiting)
                    waiting = []
            if waiting:
                yield b"".join(waiting)
            await asyncio.sleep(0)

    async def _checked_marks(self) -> dict[str, str]:
        """Find the marks of the shoes in the cursor, and whether they are the same ones."""
        marks = {}
        for table, at in self._after.at.items():
            if at.shoe == self._to.at[table].shoe:
                marks[table] = self._marks[table]
                continue
            opened = await self._opened(table, at.shoe)
            marks[table] = mark_of(opened.data if opened is not None else None)
        if mark_of_all(marks) != self._after.mark:
            raise Unserved("some table's streams are others now, or kept no longer")
        return marks

    async def _opened(self, table: str, shoe: int) -> Entry | None:
        if not shoe:
            return None
        first = EntryId(shoe, 0)
        found = await self._journal.read(Streams(table).events, first, first)
        return found[0] if found else None

    async def _missed(self, table: str, after: LobbyAt, to: LobbyAt) -> list[Told]:
        """Read what one table said."""
        opened = [await self._opened(table, n) for n in range(after.shoe + 1, to.shoe + 1)]
        parts = [told("events", [one for one in opened if one is not None])]
        if len(parts[0]) != len(opened):
            raise Unserved(_TRIMMED)
        streams = Streams(table)
        for stream in STREAMS[1:]:
            begin, end = getattr(after, stream), getattr(to, stream)
            found: list[Entry] = []
            if begin < end:
                first = EntryId(begin.major, begin.minor + 1)
                name = getattr(streams, stream)
                found = await self._journal.read(name, first, end, _MOST + 1)
                gap = break_in(KINDS[stream], begin, found) is not None
                if len(found) > _MOST or gap or not found or found[-1].id != end:
                    raise Unserved(_TRIMMED)
            parts.append(told(stream, found))
        return weave(*parts)

    async def _findings(self, table: str, one: Told) -> tuple[Finding, ...]:
        """Give what an entry found; a shoe's last word repeats its rounds', which were said."""
        said = None if one.message is None else one.message.data
        if isinstance(said, RoundAudited):
            return said.findings
        if not isinstance(said, ShoeAudited) or not said.findings:
            return ()
        shoe, number = one.id
        before = EntryId(shoe, number - 1)
        read = await self._journal.read(Streams(table).verdicts, EntryId(shoe, 0), before)
        verdicts = [entry.message.data for entry in told("verdicts", read) if entry.message]
        known = {found for verdict in verdicts for found in verdict.findings}
        return tuple(found for found in said.findings if found not in known)


def _said(at: LobbyAt, to: LobbyAt) -> int:
    """Count what was said between two positions, as far as they tell."""
    pairs = ((at.outcomes, to.outcomes), (at.verdicts, to.verdicts))
    rounds = sum(b.minor - a.minor * (a.major == b.major) for a, b in pairs if a < b)
    return to.shoe - at.shoe + rounds + to.disputes.major - at.disputes.major
