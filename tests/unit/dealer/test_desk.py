"""The dealer's desk: who rests between rounds."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, cast

import pytest

from schemas.address import START
from services.dealer.app import DealerDesk
from services.journal import Contiguity, Desk
from tests.unit.dealer.house import Table

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from services.journal import Journal


class _Empty:
    """A journal of a table where nothing was said yet."""

    async def last_id(self, _stream: str) -> object:
        return START

    async def read(self, *_: object) -> list[object]:
        return []


@pytest.mark.parametrize("has_pace", [False, True])
def test_only_who_has_a_pace_rests(monkeypatch: pytest.MonkeyPatch, has_pace: bool) -> None:
    rests: dict[Contiguity, Any] = {}
    rested: list[str] = []

    async def follow(
        _desk: Desk, _stream: str, _after: object, _take: object, kind: Contiguity,
        rest: Callable[[], Awaitable[None]] | None = None,
    ) -> None:  # fmt: skip
        rests[kind] = rest

    async def pace() -> None:
        rested.append("a while")

    async def begin() -> None:
        journal = cast("Journal", _Empty())
        desk = DealerDesk(journal, Table().dealer, lambda: 0, pace if has_pace else None)
        await desk.start()
        if has_pace:
            await rests[Contiguity.OUTCOMES]()

    monkeypatch.setattr(Desk, "follow", follow)
    asyncio.run(begin())
    assert (rests[Contiguity.OUTCOMES] is not None) == has_pace
    assert rests[Contiguity.NONE] is None
    assert rested == ["a while"] * has_pace
