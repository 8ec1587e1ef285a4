"""The lobby: what is said at all tables, in small, handed to all who look on. It reads nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from schemas.address import EntryId
from schemas.envelope import Message
from services.dashboard.board import redact
from services.dashboard.live.cursor import (
    STREAMS,
    LobbyAt,
    LobbyCursor,
    line_of,
    mark_of_all,
    spelled,
)
from services.dashboard.live.lobby_ring import MOST_TABLES, LobbyRing
from services.dashboard.live.message import address_of, lobby_message, name_of, reset_message

if TYPE_CHECKING:
    from collections.abc import Callable

    from schemas.verdicts import Finding
    from services.dashboard.board.shapes import Tile
    from services.dashboard.live.cursor import Stream
    from services.dashboard.live.feed import Feed
    from services.dashboard.live.viewer import Viewer
    from services.dashboard.live.weave import Told


class Row(NamedTuple):
    """What the lobby says of an entry, but for the tile."""

    table: str
    stream: Stream
    id: EntryId
    at: str
    type: str
    time: str | None
    findings: tuple[Finding, ...]


def row_of(table: str, one: Told, findings: tuple[Finding, ...]) -> Row:
    """Make an entry's row."""
    message: Message[Any] | None = one.message
    time = None if message is None else message.time
    return Row(table, one.stream, one.id, address_of(table, one), name_of(one), time, findings)


def concerns(one: Told) -> bool:
    """Tell whether the lobby says this entry: all but a shoe's events after its first."""
    return one.stream != "events" or one.id.minor == 0


def moved(at: LobbyAt, row: Row) -> LobbyAt:
    """Give the position after an entry."""
    if row.stream == "events":
        return at._replace(shoe=row.id.major)
    there = {name: getattr(at, name) for name in STREAMS[1:]} | {row.stream: row.id}
    return LobbyAt(at.shoe, **there)


class Lobby:
    """How far all tables were read, and who looks on at them all."""

    def __init__(self) -> None:
        """Know no table yet."""
        self.viewers: set[Viewer] = set()
        self.at: dict[str, LobbyAt] = {}
        self._lines: dict[str, str] = {}
        self.marks: dict[str, str] = {}
        #: The last messages, where it is large.
        self.ring = LobbyRing()
        #: Made anew where it is asked for, once a table's shoe is another one.
        self._mark: str | None = None

    @property
    def mark(self) -> str:
        """One mark over all tables' shoes."""
        if self._mark is None:
            self._mark = mark_of_all(self.marks)
        return self._mark

    @property
    def is_large(self) -> bool:
        """Whether a cursor can no longer name each table."""
        return len(self.at) > MOST_TABLES

    @property
    def cursor(self) -> LobbyCursor:
        """How far all tables were read."""
        return self.ring.cursor if self.is_large else LobbyCursor(dict(self.at), self.mark)

    @property
    def text(self) -> str:
        """The cursor as it is spelled, at less cost: it is in each message."""
        if self.is_large:
            return str(self.ring.cursor)
        return spelled([self._lines[table] for table in sorted(self._lines)], self.mark)

    def joined(self, feed: Feed, rows: list[Row]) -> None:
        """Show a table from now on; ``rows`` are what was said of the shoe that is on it."""
        at = LobbyAt()
        for row in rows:
            at = moved(at, row)
            self._put(feed.table, at)
            self._marked(feed)
            self._show(feed.board.tile, row)
        self._put(feed.table, LobbyAt(feed.at.events.major, *feed.at[1:]))
        self._marked(feed)

    def took(self, feed: Feed, row: Row) -> None:
        """Say an entry to all."""
        self._put(feed.table, moved(self.at[feed.table], row))
        if row.stream == "events":
            self._marked(feed)
        self._show(feed.board.tile, row)

    def reset(self, feed: Feed) -> None:
        """Have all ask anew: a table's streams are others now."""
        self._put(feed.table, LobbyAt(feed.at.events.major, *feed.at[1:]))
        self._marked(feed)
        why = reset_message(f"the streams of {feed.table} are others now")
        for viewer in list(self.viewers):
            viewer.end(why)

    def _put(self, table: str, at: LobbyAt) -> None:
        self.at[table], self._lines[table] = at, line_of(table, at)

    def _marked(self, feed: Feed) -> None:
        self.marks[feed.table] = feed.mark
        self._mark = None

    def _show(self, tile_of: Callable[[], Tile], row: Row) -> None:
        if self.is_large:
            self.ring.next()
        elif not self.viewers:
            return
        cursor, tile = self.text, tile_of()
        made: dict[bool, bytes] = {}
        if self.is_large:
            made = {one: row_message(cursor, tile, row, public=one) for one in (False, True)}
            self.ring.add(made)
        for viewer in self.viewers:
            if viewer.public not in made:
                made[viewer.public] = row_message(cursor, tile, row, public=viewer.public)
            viewer.put(made[viewer.public])


def row_message(cursor: str, tile: Tile, row: Row, *, public: bool) -> bytes:
    """Make the bytes; findings are not public."""
    if public:
        tile = redact.public_tile(tile)
    findings = () if public else row.findings
    return lobby_message(cursor, row.at, row.type, row.time, tile, findings)
