"""Past shoes that Redis still holds: for those whose log is not here. It only reads.

Raises ``Refusal`` 503 where Redis does not answer in time.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, TypeVar

from schemas.address import LARGEST, EntryId, Streams
from schemas.errors import Lost
from services.dashboard.board.lamp import lamp_of
from services.dashboard.board.shoe_board import ShoeBoard
from services.dashboard.live.weave import told, weave
from services.dashboard.web.respond import Refusal
from services.dashboard.web.turns import Turns

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from services.dashboard.board.shapes import Lamp
    from services.dashboard.live.weave import Told
    from services.dashboard.web.ports import Board
    from services.journal import Journal

T = TypeVar("T")

_PATIENCE_S: Final = 5.0
#: No shoe has more entries of a kind, nor a table more disputes that are looked at.
_MOST: Final = 20_000


class RedisPast:
    """``ports.Past``, from a table's streams."""

    def __init__(self, journal: Journal) -> None:
        """Nothing is read before it is asked for."""
        self._journal = journal
        self._turns = Turns(1, 8, "too many old shoes are asked for")

    async def first(self, table: str) -> int:
        """Number the first shoe that is kept whole; 0 where there is none."""
        found = await _in_time(self._journal.read(Streams(table).events, count=1))
        if not found:
            return 0
        return found[0].id.major + (found[0].id.minor != 0)

    async def lamp(self, table: str, shoe: int) -> Lamp:
        """Say what a shoe's verdict is."""
        first, last = EntryId(shoe, 0), EntryId(shoe, LARGEST)
        read = await _in_time(self._journal.read(Streams(table).verdicts, first, last, _MOST))
        messages = [one.message for one in told("verdicts", read)]
        return lamp_of([one.data.verdict for one in messages if one is not None])

    async def shoe(self, table: str, shoe: int) -> Board | None:
        """Fold a shoe; None where it is not kept whole."""
        streams = Streams(table)
        first, last = EntryId(shoe, 0), EntryId(shoe, LARGEST)
        read = self._journal.read
        events = await _in_time(read(streams.events, first, last, _MOST))
        if not events or events[0].id != first:
            return None
        outcomes = await _in_time(read(streams.outcomes, first, last, _MOST))
        verdicts = await _in_time(read(streams.verdicts, first, last, _MOST))
        disputes = await _in_time(read(streams.disputes, count=_MOST))

        def fold() -> ShoeBoard:
            board = ShoeBoard(table)
            entries = weave(
                told("events", events),
                told("outcomes", outcomes),
                told("verdicts", verdicts),
                told("disputes", disputes),
            )
            _fold(board, entries)
            return board

        return await self._turns.run(fold)


def _fold(board: ShoeBoard, entries: list[Told]) -> None:
    for one in entries:
        board.take(one.stream, one.id, one.message)


async def _in_time(asked: Coroutine[None, None, T]) -> T:
    try:
        async with asyncio.timeout(_PATIENCE_S):
            return await asked
    except (TimeoutError, Lost):
        raise Refusal(503, "Redis does not answer", "try again", again_after=5) from None
