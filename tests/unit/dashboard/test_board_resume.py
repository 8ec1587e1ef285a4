"""Who comes again to the lobby with what cursor is brought up, and who has to ask anew."""

from __future__ import annotations

from typing import Any, cast

import pytest

from schemas.address import EntryId
from services.dashboard.live.cursor import LobbyAt, LobbyCursor
from services.dashboard.live.lobby_resume import LobbyResume
from services.dashboard.live.resume import Unserved

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
