"""All tables as they are read now, and who looks on. It never writes, and reads each table once.

Called on the loop; nothing waits between two calls.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from services.dashboard.live.announced import Tables
from services.dashboard.live.bring_up import BringUp
from services.dashboard.live.feed import Feed
from services.dashboard.live.found import Found
from services.dashboard.live.lobby import Lobby, concerns, row_of
from services.dashboard.live.metrics import Metrics
from services.dashboard.live.stream import EventStream
from services.dashboard.live.viewers import Room, Viewers
from services.dashboard.web.respond import Refusal, no_table

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from services.dashboard.board.shapes import FindingRow, Tile
    from services.dashboard.board.shoe_board import Change, ShoeBoard
    from services.dashboard.live.cursor import LobbyCursor, TableCursor
    from services.dashboard.live.kept import KeptShoes
    from services.dashboard.live.lobby import Row
    from services.dashboard.live.viewer import Viewer
    from services.dashboard.live.weave import Told
    from services.journal import Journal

#: So many tables are folded up to their present end at once: of thousands each would wait for all.
_AT_ONCE: Final = 32
#: Of so many tables the messages of so many last events are made before anybody looks on: those
#: who come again after a restart are there at once. Of more it would hold up the rest.
_MANY: Final = 500
_NEAR: Final = 20


class Hub:
    """Reads each table once for all viewers. ``ports.Live`` is what the API sees of it."""

    name = "dashboard"

    def __init__(
        self,
        journal: Journal,
        tables: Sequence[str] | None = None,
        room: Room | None = None,
        kept: KeptShoes | None = None,
    ) -> None:
        """``tables`` None: all that are announced; ``kept``: shoes that Redis holds no longer.

        Nothing is read before ``start``.
        """
        self.metrics = Metrics()
        self._journal = journal
        self._viewers = Viewers(room or Room(), self.metrics)
        self._service = Tables("dashboard", journal, self._feed_for, tables)
        self._feeds: dict[str, Feed] = {}
        self._lobby = Lobby()
        self._found = Found(journal)
        #: What was said at tables that are not in the lobby yet.
        self._before: dict[str, list[Row]] = {}
        self._bring_up = BringUp(journal, kept)
        self._gate = asyncio.Semaphore(_AT_ONCE)

    async def start(self) -> None:
        """Begin to read."""
        await self._service.start()
        self._viewers.start()

    async def stop(self) -> None:
        """Let all viewers go, and read no more."""
        await self._viewers.stop()
        await self._service.stop()
        await self._found.stop()

    def release(self) -> None:
        """Let all viewers go; they come again with their cursors."""
        self._viewers.release()

    def ready(self) -> dict[str, bool]:
        """Say of each table whether it is folded up to its present end, and read."""
        return {f"dashboard {table}": feed.is_reading for table, feed in self._feeds.items()}

    # ------------------------------------------------------------------------------ what is shown

    def tables(self) -> list[str]:
        """Name the tables that are known, in order."""
        return sorted(self._lobby.at)

    def board(self, table: str) -> ShoeBoard | None:
        """Give the fold of the shoe that is on a table; None where the table is not known."""
        return self._feeds[table].board if table in self._lobby.at else None

    def cursor(self, table: str) -> str:
        """Say how far a table was read, for its stream to go on from."""
        return str(self._feeds[table].cursor)

    def lobby_cursor(self) -> str:
        """Say how far all tables were read, for the lobby's stream to go on from."""
        return self._lobby.text

    @property
    def findings(self) -> Sequence[FindingRow]:
        """What was found at any table, newest first, as far back as it is kept."""
        return self._found.rows

    # ------------------------------------------------------------------------------------ viewers

    def admit(self, address: str, *, public: bool) -> Viewer:
        """Let a viewer in, or raise ``Refusal``."""
        return self._viewers.admit(address, public=public)

    def figures(self) -> bytes:
        """Spell what is counted, for Prometheus."""
        self.metrics.outages.set(sum(feed.outages for feed in self._feeds.values()))
        return self.metrics.page()

    def open_table(self, table: str, after: TableCursor | None, viewer: Viewer) -> EventStream:
        """Open a table's stream, from this moment or from a cursor."""
        feed = self._feeds.get(table)
        if feed is None:
            raise no_table(table)
        if table not in self._lobby.at:
            raise Refusal(503, f"{table} is being read", "try again", again_after=1)
        missed = None
        if after is not None and after != feed.cursor:
            bring = self._bring_up.at_table
            missed = bring(feed, after, feed.cursor, public=viewer.public)
        feed.audience.attach(viewer)
        return self._opened(viewer, "table", str(after or feed.cursor), missed, feed)

    def open_lobby(self, after: LobbyCursor | None, viewer: Viewer) -> EventStream:
        """Open the lobby's stream, from this moment or from a cursor."""
        if any(
            not feed.is_stuck and name not in self._lobby.at for name, feed in self._feeds.items()
        ):
            raise Refusal(503, "the tables are being read", "try again", again_after=1)
        missed, now = None, self._lobby.cursor
        if after is not None and after != now:
            missed = self._bring_up.in_lobby(self._lobby, after, self._tile, public=viewer.public)
        self._lobby.viewers.add(viewer)
        return self._opened(viewer, "lobby", str(after or now), missed, None)

    def _opened(
        self,
        viewer: Viewer,
        kind: str,
        cursor: str,
        missed: AsyncIterator[bytes] | None,
        feed: Feed | None,
    ) -> EventStream:
        self._viewers.came(viewer, kind)

        def over(gone: Viewer) -> None:
            self._viewers.left(gone, kind)
            self._lobby.viewers.discard(gone)
            if feed is not None:
                feed.audience.detach(gone)

        return EventStream(viewer, cursor, missed, over)

    def _tile(self, table: str) -> Tile:
        return self._feeds[table].board.tile()

    # -------------------------------------------------------------------------------------- feeds

    def _feed_for(self, table: str) -> Feed:
        near = _NEAR if len(self._feeds) < _MANY else 0
        feed = self._feeds[table] = Feed(self._journal, table, self, self._gate, near)
        return feed

    def took(self, feed: Feed, told: Told, change: Change) -> None:
        """Hear of an entry, right after it was folded."""
        live = feed.table in self._lobby.at
        self.metrics.took(feed.table, told, change, live=live and feed.is_live)
        if change.findings:
            self._found.add(feed.table, told, change.findings)
        if concerns(told):
            row = row_of(feed.table, told, change.findings)
            if not live:
                self._before.setdefault(feed.table, []).append(row)
            elif feed.is_live:
                self._lobby.took(feed, row)

    def begins(self, feed: Feed) -> None:
        """Hear that a feed is about to be folded from its beginning."""
        self._before.pop(feed.table, None)
        self._bring_up.forget(feed.table)

    def began(self, feed: Feed) -> None:
        """Hear that a feed is folded up to its present end."""
        self._lobby.joined(feed, self._before.pop(feed.table, []))
        self.metrics.tables.set(len(self._lobby.at))
        self._found.look_back(feed.streams, feed.at.events.major)

    def reset(self, feed: Feed) -> None:
        """Hear that a feed was begun afresh, and is folded again."""
        self.metrics.resets.inc()
        self._lobby.reset(feed)
