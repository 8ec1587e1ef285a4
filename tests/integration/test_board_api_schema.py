"""A real board held to its own OpenAPI document: by schemathesis, and route by route."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import TYPE_CHECKING, Any

import httpx
import orjson
import pytest
import redis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from services.dashboard.service import DashboardService, Served, dashboard_service
from services.dashboard.web import policies
from services.dashboard.web.routes import ADDRESSES, EVENTS, PUBLIC
from services.dashboard.web.safe_app import Bounds
from services.journal import Journal, connect
from tests.support.redis_kinds import flush
from tests.support.said import LOGS, announce, said_at, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from schemathesis import BaseSchema, Case

pytestmark = pytest.mark.integration

TOKEN = "a token of this test"  # noqa: S105 - its own
BEARER = {"authorization": f"Bearer {TOKEN}"}
#: Tables in the middle of a shoe, and one with its shoe closed and disputed; old ones in the logs.
LIVE = {"EZ-BACCARAT": 100, "MISDRAW-HAND": 60, "DISPUTED": 10_000}
PLACES = st.fixed_dictionaries(
    {
        "table": st.sampled_from([*LIVE, "CLEAN", "YABA4-WON"]),
        "shoe": st.sampled_from([1, 1, 2]),
        "round": st.integers(1, 30),
    }
)
JSON = [one for one in ADDRESSES if one.media != EVENTS]
WELL, WRONG = "positive", "negative"
ASKED = [
    *((one.path, WELL) for one in JSON),
    *((PUBLIC + one.path, WELL) for one in JSON if one.public),
    *((one.path, WRONG) for one in JSON if one.query or "{" in one.path),
]


@pytest.fixture(scope="module")
def url(redis_url: str) -> Iterator[str]:
    """Serve a real board, from a Redis and from the committed logs."""
    flush(redis_url)
    with redis.Redis.from_url(redis_url) as client:
        for table, entries in LIVE.items():
            say(client, table, said_at(table)[:entries])
        announce(client, *LIVE)
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()

    async def begin() -> tuple[Journal, DashboardService]:
        journal = connect(redis_url)
        served = Served(port=0, token=TOKEN, bounds=Bounds(1e6, 1e6))
        service = dashboard_service(journal, LOGS, served)
        await service.start()
        return journal, service

    async def end() -> None:
        await service.stop()
        await journal.aclose()

    journal, service = asyncio.run_coroutine_threadsafe(begin(), loop).result(30)
    end_by = time.monotonic() + 30
    while service.hub.tables() != sorted(LIVE) or not all(service.hub.ready().values()):
        assert time.monotonic() < end_by
        time.sleep(0.02)
    yield service.url
    asyncio.run_coroutine_threadsafe(end(), loop).result(30)
    loop.call_soon_threadsafe(loop.stop)
    thread.join(10)
    loop.close()


@pytest.fixture(scope="module")
def schema(url: str) -> BaseSchema:
    import schemathesis  # noqa: PLC0415 - takes seconds, and in each process that collects tests

    body = httpx.get(f"{url}/api/openapi.json", headers=BEARER).content
    found: BaseSchema = schemathesis.openapi.from_dict(orjson.loads(body))
    return found


@pytest.mark.parametrize(("path", "mode"), ASKED)
def test_answers_are_as_described(url: str, schema: BaseSchema, path: str, mode: str) -> None:
    from schemathesis import GenerationMode  # noqa: PLC0415

    @settings(
        max_examples=8,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(
        case=schema[path]["GET"].as_strategy(generation_mode=GenerationMode(mode)),
        real=st.sampled_from([True, True, False]),
        places=PLACES,
    )
    def check(case: Case[Any], real: bool, places: dict[str, Any]) -> None:
        if real and mode == WELL:
            case.path_parameters.update(
                {name: places[name] for name in case.path_parameters if name in places}
            )
        answer = case.call_and_validate(base_url=url, headers=BEARER)
        for name in policies.HEADERS:
            assert name in answer.headers

    check()
