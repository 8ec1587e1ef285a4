from __future__ import annotations

from typing import TYPE_CHECKING

import pytest_asyncio

from tests.support.floor import Floor

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path


@pytest_asyncio.fixture
async def floor(fresh_redis: str, tmp_path: Path) -> AsyncIterator[Floor]:
    """A Redis that was emptied, and services in this process."""
    floor = Floor(fresh_redis, tmp_path)
    yield floor
    await floor.close()
