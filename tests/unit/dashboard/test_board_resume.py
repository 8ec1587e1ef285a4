"""Who comes again to the lobby with what cursor is brought up, and who has to ask anew."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest

from schemas.address import EntryId
from services.dashboard.board.shoe_board import ShoeBoard
from services.dashboard.live import lobby as lobbies
from services.dashboard.live import lobby_ring
from services.dashboard.live.bring_up import BringUp
from services.dashboard.live.cursor import LONGEST, LobbyAt, LobbyCursor, Positions
from services.dashboard.live.lobby import Lobby, Row
from services.dashboard.live.lobby_resume import LobbyResume
from services.dashboard.live.lobby_ring import LobbyRing
from services.dashboard.live.resume import Unserved
from services.dashboard.live.viewer import Viewer

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

NOTHING = cast("Any", None)


def after(tables: int, at: LobbyAt, to: LobbyAt) -> LobbyResume:
    names = [f"T{number}" for number in range(tables)]
    begin, end = (LobbyCursor(dict.fromkeys(names, there), "00000000") for there in (at, to))
    return LobbyResume(NOTHING, begin, end, {}, NOTHING)


@pytest.mark.parametrize(
    ("at", "to"),
    [
        (LobbyAt(2, EntryId(2, 1), EntryId(2, 1)), LobbyAt(2, EntryId(2, 9), EntryId(2, 9))),
        (LobbyAt(2, EntryId(2, 70), EntryId(2, 70)), LobbyAt(3, EntryId(3, 8), EntryId(3, 7))),
        (LobbyAt(2), LobbyAt(2, EntryId(2, 5), EntryId(2, 5), EntryId(6, 0))),
    ],
)
def test_whoever_missed_much_at_all_tables_asks_anew(at: LobbyAt, to: LobbyAt) -> None:
    """Sixteen entries a table: a message of each costs more than all tables as they are now."""
    after(62, at, to)
    with pytest.raises(Unserved, match="too much"):
        after(63, at, to)


def feed(table: str) -> Any:  # noqa: ANN401 - what a lobby needs of one
    return SimpleNamespace(table=table, at=Positions(), mark="00000000", board=ShoeBoard(table))


def verdict(table: str, number: int) -> Row:
    return Row(table, "verdicts", EntryId(1, number), f"{table}/1#{number}", "x", None, ())


async def heard(chunks: AsyncIterator[bytes]) -> bytes:
    return b"".join([chunk async for chunk in chunks])


@pytest.mark.asyncio
async def test_a_lobby_too_large_to_be_named_goes_on_from_its_last_messages(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lobbies, "MOST_TABLES", 1)
    lobby, bring = Lobby(), BringUp(NOTHING, None)
    one, other = feed("T1"), feed("T2")
    lobby.joined(one, [])
    named = LobbyCursor.parse(lobby.text)
    lobby.joined(other, [])
    before = LobbyCursor.parse(lobby.text)
    assert (before.at, len(lobby.text) < 40) == ({}, True)
    viewer = Viewer("", public=False)
    lobby.viewers.add(viewer)
    for number in range(3):
        lobby.took(other, verdict("T2", number))
    said = await viewer.next()
    assert said.count(b"\nevent: x") == 3
    after = {
        public: bring.in_lobby(lobby, before, NOTHING, public=public) for public in (False, True)
    }
    assert await heard(after[False]) == said
    assert (await heard(after[True])).count(b"\nevent: x") == 3
    ids = [line[4:].decode() for line in said.split(b"\n") if line.startswith(b"id: ")]
    rest = bring.in_lobby(lobby, LobbyCursor.parse(ids[0]), NOTHING, public=False)
    assert await heard(rest) == said[said.index(b"id: " + ids[1].encode()) :]
    assert LobbyCursor.parse(ids[2]) == lobby.cursor
    for cursor in (named, LobbyCursor({}, f"{int(before.mark, 16) ^ 0x80000000:08x}")):
        with pytest.raises(Unserved, match="no longer"):
            await heard(bring.in_lobby(lobby, cursor, NOTHING, public=False))


def test_the_lobby_s_last_messages_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobby_ring, "_MOST", 100)
    ring = LobbyRing()
    cursors = [ring.cursor]
    for _ in range(5):
        cursors.append(ring.next())
        ring.add({False: b"x" * 20, True: b"y" * 20})
    assert ring.after(cursors[3], public=True) == b"y" * 40
    assert ring.after(cursors[5], public=True) == b""
    assert ring.after(cursors[2], public=True) is None


def test_a_thousand_tables_are_named_within_the_longest_cursor() -> None:
    at = LobbyAt(999, EntryId(999, 80), EntryId(999, 79), EntryId(30, 0))
    names = [f"BENCH-{number:04d}" for number in range(lobby_ring.MOST_TABLES)]
    assert len(str(LobbyCursor(dict.fromkeys(names, at), "00000000"))) < LONGEST
