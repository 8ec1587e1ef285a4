from __future__ import annotations

import logging
from collections import Counter
from contextlib import ExitStack, suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import structlog
from hypothesis import HealthCheck, settings
from xdist.remote import Producer  # type: ignore[import-untyped]
from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]

from services.runtime.redis_server import EmbeddedRedis
from tests.support import redis_kinds

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    from tests.support.redis_kinds import RedisKind

# How long an example takes says how busy the machine is; the examples are the same ones each time
# where CI=true, so that what is green there stays green. Vectors hold what is known to matter;
# `make test ARGS="--hypothesis-profile thorough"` looks longer for what is not.
settings.register_profile(
    "shoetrail",
    deadline=None,
    derandomize=redis_kinds.nothing_may_be_skipped(),
    max_examples=40,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("thorough", settings.get_profile("shoetrail"), max_examples=1_000)
settings.load_profile("shoetrail")

_TESTS = Path(__file__).parent


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Where several processes run all tests, let each begin to read them at another place.

    To rewrite a module's assertions is what collecting takes the first time, and what one has
    rewritten the others find; in step, each would rewrite all.
    """
    one_of: dict[str, Any] = getattr(session.config, "workerinput", {})
    if not one_of or session.config.args_source is not pytest.Config.ArgsSource.TESTPATHS:
        return
    paths = sorted(_TESTS.rglob("test_*.py"))
    place = len(paths) * int(one_of["workerid"].removeprefix("gw")) // one_of["workercount"]
    for path in (*paths[place:], *paths[:place]):
        # What goes wrong is said when it is collected.
        with suppress(Exception, pytest.skip.Exception):
            import_module(".".join(path.relative_to(_TESTS.parent).with_suffix("").parts))


class _ByFile(LoadScopeScheduling):  # type: ignore[misc]
    """A file's tests go to one process, and all that a browser is for to one: it is slow to start.

    They are handed out as they were collected.
    """

    def __init__(self, config: pytest.Config, log: Producer) -> None:
        super().__init__(config, log)
        config.option.loadscopereorder = False

    def _split_scope(self, nodeid: str) -> str:
        path = nodeid.partition("::")[0]
        return "tests/browser" if path.startswith("tests/browser/") else path


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> _ByFile:
    return _ByFile(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes longest first, and what waits beside what works, so that nobody is left over."""
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    places: dict[Path, int] = {}
    files: Counter[str] = Counter()

    def place(item: pytest.Item) -> tuple[int, bool, int]:
        room = item.path.relative_to(_TESTS).parts[0] if item.path.is_relative_to(_TESTS) else ""
        if item.path not in places:
            places[item.path] = files[room]
            files[room] += 1
        if room == "browser":
            return 0, False, places[item.path]
        if room == "unit":
            return 2, item.path not in slow, places[item.path]
        return 1, False, places[item.path]  # each room's first file, then each room's second

    items.sort(key=place)


_NO_SKIP = "nothing may be skipped where CI=true: "


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.skipped and not hasattr(report, "wasxfail") and redis_kinds.nothing_may_be_skipped():
        report.outcome, report.longrepr = "failed", _NO_SKIP + _reason(report.longrepr)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    if report.skipped and redis_kinds.nothing_may_be_skipped():
        report.outcome, report.longrepr = "failed", _NO_SKIP + _reason(report.longrepr)
    return report


def _reason(longrepr: object) -> str:
    return str(longrepr[2] if isinstance(longrepr, tuple) else longrepr)


@pytest.fixture(autouse=True)
def _logs_as_at_first() -> Iterator[None]:
    """A command that was run in this process sends logs to its own streams, and only the worst."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    structlog.reset_defaults()
    root.handlers[:] = handlers
    root.setLevel(level)


@pytest.fixture(scope="session", autouse=True)
def _state_of_its_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keys and seeds of the commands under test are none of whoever runs the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        yield


@pytest.fixture(scope="session")
def redis_server() -> Iterator[EmbeddedRedis]:
    """One embedded Redis for all tests of a process; do not stop it: start your own for that."""
    with EmbeddedRedis(appendfsync="no") as server:
        yield server


@pytest.fixture(scope="session")
def redis_url(redis_server: EmbeddedRedis) -> str:
    return redis_server.url


@pytest.fixture
def fresh_redis(redis_url: str) -> str:
    """The URL of the shared Redis, emptied before the test."""
    redis_kinds.flush(redis_url)
    return redis_url


@pytest.fixture(scope="session")
def _redis_of_kind() -> Iterator[Callable[[str], RedisKind]]:
    """Start each kind of Redis once, when first asked for."""
    with ExitStack() as stack:
        running: dict[str, RedisKind] = {}

        def of_kind(name: str) -> RedisKind:
            if name not in running:
                running[name] = stack.enter_context(redis_kinds.start(name))
            return running[name]

        yield of_kind


@pytest.fixture(
    params=[
        pytest.param(kind, marks=[pytest.mark.contract, pytest.mark.integration])
        for kind in redis_kinds.KINDS
    ]
)
def redis_kind(
    request: pytest.FixtureRequest, _redis_of_kind: Callable[[str], RedisKind]
) -> RedisKind:
    """Each kind of Redis that we run on, one test each, emptied before the test."""
    if reason := redis_kinds.missing(request.param):
        pytest.skip(reason)
    kind = _redis_of_kind(request.param)
    kind.flush()
    return kind
