"""Waits for the verdict on a closed shoe, and says what the auditor found. Judges nothing."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Final

from schemas.address import Streams
from schemas.envelope import decode_verdict
from schemas.errors import Unavailable
from schemas.verdicts import ShoeAudited

if TYPE_CHECKING:
    from schemas.address import Shoe
    from services.journal import Journal

_LOOK_S: Final = 0.02
#: The auditor is a second behind at the beginning, and never that long.
_PATIENCE_S: Final = 60.0
_FEW: Final = 5


async def verdict_of(journal: Journal, shoe: Shoe) -> ShoeAudited:
    """Wait for a shoe's verdict; ``Unavailable`` where the auditor falls silent before."""
    stream = Streams(shoe.table).verdicts
    newest, since = None, time.monotonic()
    while True:
        verdict = await journal.last_of(stream, shoe.number)
        said = None if verdict is None else decode_verdict(verdict.data).data
        if isinstance(said, ShoeAudited):
            return said
        if verdict != newest:
            newest, since = verdict, time.monotonic()
        elif time.monotonic() - since > _PATIENCE_S:
            raise Unavailable(f"{shoe}: the auditor has said nothing for {_PATIENCE_S:.0f} s")
        await asyncio.sleep(_LOOK_S)


def faults_in(said: ShoeAudited) -> list[str]:
    """Say what the auditor found, the first few of it."""
    found = [f"{one.code} at {one.at}" for one in said.findings if one.grade == "fault"]
    return found[:_FEW] + [f"and {len(found) - _FEW} more"] * (len(found) > _FEW)
