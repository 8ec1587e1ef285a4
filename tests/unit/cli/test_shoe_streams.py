"""A shoe as commands read it from its streams, while it is played and trimmed."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, cast

from schemas.address import EntryId, RoundAddress, Shoe, Streams
from services.cli.dispute_record import _streamed
from services.cli.shoe_streams import streamed
from services.journal import Entry
from services.ledger.lines import interleave
from tests.unit.auditor.table import good

if TYPE_CHECKING:
    from services.journal import Journal


class _Playing:
    """A journal in which the table goes on to its end between any two reads."""

    def __init__(self, *, whole: int, trims: bool = False) -> None:
        self.lines = good(shoe=12).lines()
        self.reads = 0
        self._whole, self._trims = whole, trims

    async def read(self, stream: str, first: EntryId, last: EntryId) -> list[Entry]:
        assert (first.major, last.major) == (12, 12)
        self.reads += 1
        lines = self.lines if self.reads > 1 else self.lines[: self._whole]
        if self._trims and self.reads > 1:
            return []
        wanted = stream == Streams("T7").outcomes
        found = [line for line in lines if (b'"type":"round.resolved"' in line) == wanted]
        return [Entry(EntryId(12, number), line) for number, line in enumerate(found)]


def test_no_outcome_is_without_its_events() -> None:
    for whole in range(0, 60, 7):
        playing = _Playing(whole=whole)
        found = asyncio.run(streamed(cast("Journal", playing), Shoe("T7", 12)))
        told = list(interleave(*found))
        assert playing.reads == 2
        outcomes = sum(b'"type":"round.resolved"' in line for line in playing.lines[:whole])
        assert len(found.outcomes) == outcomes
        # As far as outcomes were there each stands where the log has it.
        assert told[:whole] == playing.lines[:whole]


def test_a_shoe_that_is_trimmed_meanwhile_is_none() -> None:
    playing = cast("Journal", _Playing(whole=60, trims=True))
    assert asyncio.run(_streamed(playing, RoundAddress("T7", 12, 1))) == []
