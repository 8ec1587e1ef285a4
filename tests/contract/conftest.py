from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import pytest_asyncio

from services.journal import connect
from services.runtime.redis_binary import bundled_binary, system_binary
from services.runtime.redis_server import EmbeddedRedis
from tests.support import redis_kinds

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from services.journal import Journal
    from tests.support.redis_kinds import RedisKind


def url_of(kind: RedisKind) -> str:
    return kind.url.replace("redis://", "redis+cluster://") if kind.is_cluster else kind.url


@pytest_asyncio.fixture
async def journal(redis_kind: RedisKind) -> AsyncIterator[Journal]:
    """A journal on each kind of Redis."""
    journal = connect(url_of(redis_kind))
    yield journal
    await journal.aclose()


@pytest.fixture(
    params=[
        pytest.param(
            kind, marks=[pytest.mark.contract, pytest.mark.integration, pytest.mark.faults]
        )
        for kind in ("bundled", "system")
    ]
)
def mortal_redis(request: pytest.FixtureRequest) -> Iterator[EmbeddedRedis]:
    """A server of the test's own, to be killed; every answered write is on disk."""
    if reason := redis_kinds.missing(request.param):
        pytest.skip(reason)
    binary = bundled_binary() if request.param == "bundled" else system_binary(redis_kinds.MODERN)
    with EmbeddedRedis(binary=binary, appendfsync="always") as server:
        yield server
