from __future__ import annotations

import asyncio
import contextlib
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Coroutine, Iterator
from typing import Any

import pytest
import redis
import uvloop
from structlog.testing import capture_logs

from schemas.errors import Conflict, InputError, Lost, ShoetrailError, Unavailable
from services.runtime import process
from services.runtime.process import (
    Service,
    make_broker,
    run_async,
    run_services,
    wait_for_redis,
)
from services.runtime.redis_server import EmbeddedRedis


class Spy:
    """A service that writes down what happens to it, and may fail at it."""

    def __init__(self, name: str, said: list[str], fails: str = "") -> None:
        self.name = name
        self.said = said
        self.fails = fails

    async def start(self) -> None:
        self.said.append(f"start {self.name}")
        if self.fails == "start":
            raise Lost(f"{self.name} failed")

    async def stop(self) -> None:
        self.said.append(f"stop {self.name}")
        if self.fails == "stop":
            raise Lost(f"{self.name} failed")


def run(work: Coroutine[Any, Any, None], seconds: float = 30) -> None:
    async def main() -> None:
        async with asyncio.timeout(seconds):
            await work

    run_async(main)


class TestRunAsync:
    def test_it_gives_the_result_and_runs_on_uvloop(self) -> None:
        async def main() -> str:
            return type(asyncio.get_running_loop()).__module__

        assert run_async(main) == type(uvloop.new_event_loop()).__module__

    @pytest.mark.parametrize(
        ("error", "code"),
        [
            (InputError("no shoe", "a.jsonl", "give one"), 2),
            (Unavailable("no Redis"), 2),
            (Conflict("said\notherwise"), 2),
            (ExceptionGroup("g", [ExceptionGroup("h", [Lost("gone"), Lost("too")])]), 2),
        ],
    )
    def test_a_foreseen_error_is_one_line_and_a_code(
        self, error: Exception, code: int, capsys: pytest.CaptureFixture[str]
    ) -> None:
        async def main() -> None:
            raise error

        with pytest.raises(SystemExit) as left:
            run_async(main)
        assert left.value.code == code
        said = capsys.readouterr()
        assert said.out == ""
        (line,) = said.err.splitlines()
        assert line.startswith("shoetrail: ")

    @pytest.mark.parametrize(
        "bug", [ValueError("bug"), ExceptionGroup("g", [Lost("gone"), ValueError("bug")])]
    )
    def test_a_bug_is_not_dressed_up(self, bug: Exception) -> None:
        async def main() -> None:
            raise bug

        with pytest.raises(type(bug)):
            run_async(main)

    def test_a_password_is_not_shown(self, capsys: pytest.CaptureFixture[str]) -> None:
        async def main() -> None:
            raise Unavailable("redis://:hunter2@h")

        with pytest.raises(SystemExit):
            run_async(main)
        assert "hunter2" not in capsys.readouterr().err

    def test_every_foreseen_error_is_two(self) -> None:
        async def main() -> None:
            raise ShoetrailError("x")

        with pytest.raises(SystemExit) as left:
            run_async(main)
        assert left.value.code == 2


@pytest.mark.integration
class TestRunServices:
    def test_they_start_in_order_and_stop_in_reverse(self, redis_url: str) -> None:
        said: list[str] = []
        done = asyncio.Event()

        def ready() -> None:
            said.append("ready")
            done.set()

        services: list[Service] = [Spy("one", said), Spy("two", said)]
        run(run_services(make_broker(redis_url), services, done=done, on_ready=ready))
        assert said == ["start one", "start two", "ready", "stop two", "stop one"]

    def test_one_that_cannot_start_ends_the_rest_and_is_told(self, redis_url: str) -> None:
        said: list[str] = []
        services = [Spy("one", said), Spy("two", said, fails="start"), Spy("three", said)]
        with pytest.raises(SystemExit) as left:
            run(run_services(make_broker(redis_url), services))
        assert left.value.code == 2
        assert said == ["start one", "start two", "stop two", "stop one"]

    def test_one_that_cannot_stop_does_not_keep_the_others(self, redis_url: str) -> None:
        said: list[str] = []
        done = asyncio.Event()
        done.set()
        services = [Spy("one", said), Spy("two", said, fails="stop")]
        broker = make_broker(redis_url)

        async def ready_first() -> None:
            end = asyncio.Event()
            await run_services(broker, services, done=end, on_ready=end.set)

        with pytest.raises(SystemExit):
            run(ready_first())
        assert said[-2:] == ["stop two", "stop one"]

    def test_services_meet_a_broker_that_works_and_is_closed_after(self, redis_url: str) -> None:
        done = asyncio.Event()
        broker = make_broker(redis_url)

        class Asks(Spy):
            async def start(self) -> None:
                assert await broker.ping()
                self.said.append("answered")

        said: list[str] = []
        run(run_services(broker, [Asks("asks", said)], done=done, on_ready=done.set))
        assert said == ["answered", "stop asks"]
        assert not asyncio.run(broker.ping(timeout=0.1))

    def test_the_library_writes_nothing_on_stdout(
        self, redis_url: str, capfd: pytest.CaptureFixture[str]
    ) -> None:
        done = asyncio.Event()
        broker = make_broker(redis_url)

        @broker.subscriber(stream="trial")
        async def handle(_message: object) -> None: ...

        run(run_services(broker, [], done=done, on_ready=done.set))
        assert capfd.readouterr().out == ""

    @pytest.mark.faults
    def test_a_redis_that_is_absent_is_waited_out(self) -> None:
        server = EmbeddedRedis(appendfsync="no").start()
        url = server.url
        server.kill()
        said: list[str] = []
        done = asyncio.Event()
        late = threading.Timer(0.6, server.start)
        begun = time.monotonic()
        late.start()
        try:
            run(run_services(make_broker(url), [Spy("one", said)], done=done, on_ready=done.set))
            assert time.monotonic() - begun > 0.5
            assert said == ["start one", "stop one"]
        finally:
            late.join()
            server.stop()

    def test_while_it_waits_it_can_be_told_to_stop(self) -> None:
        said: list[str] = []
        done = asyncio.Event()

        async def main() -> None:
            asyncio.get_running_loop().call_later(0.3, done.set)
            await run_services(
                make_broker("unix:///nowhere/redis.sock"), [Spy("one", said)], done=done
            )

        run(main(), seconds=5)
        assert said == []

    def test_a_redis_that_is_away_is_named_again_and_again_without_its_password(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(process, "_AGAIN_SECONDS", 0.3)
        url = "redis://al:hunter2@127.0.0.1:1/0"
        done = asyncio.Event()

        async def main() -> None:
            asyncio.get_running_loop().call_later(1.0, done.set)
            await run_services(make_broker(url), [], done=done, url=url)

        with capture_logs() as logs:
            run(main(), seconds=5)
        waits = [one for one in logs if one["event"] == "waiting for Redis"]
        assert 2 <= len(waits) <= 4
        for one in waits:
            assert one["redis"] == "redis://al:***@127.0.0.1:1/0"
            assert "SHOETRAIL_REDIS_URL" in one["mend"]
        assert "hunter2" not in str(logs)

    @pytest.mark.parametrize("given", ["", "&password=wrong", "&username=x&password=wrong"])
    def test_a_refused_password_is_told_and_not_waited_out(self, given: str) -> None:
        with EmbeddedRedis(appendfsync="no") as server:
            with redis.Redis.from_url(server.url) as client:
                client.config_set("requirepass", "right")

            async def main() -> None:
                broker = make_broker(server.url + given)
                try:
                    await wait_for_redis(broker)
                finally:
                    await broker.stop()

            with pytest.raises(Unavailable, match="refuses"):
                asyncio.run(main())

    def test_it_also_runs_outside_the_main_thread(self, redis_url: str) -> None:
        said: list[str] = []

        def elsewhere() -> None:
            done = asyncio.Event()
            run(
                run_services(
                    make_broker(redis_url), [Spy("one", said)], done=done, on_ready=done.set
                )
            )

        thread = threading.Thread(target=elsewhere)
        thread.start()
        thread.join(30)
        assert said == ["start one", "stop one"]


CHILD = """
import asyncio, sys
from services.runtime.logging import configure
from services.runtime.process import make_broker, run_async, run_services
from services.runtime.settings import Settings

configure(Settings())

class Slow:
    name = "slow"
    async def start(self):
        pass
    async def stop(self):
        print("stopping", flush=True)
        await asyncio.sleep(float(sys.argv[2]))
        print("stopped", flush=True)

async def main():
    ready = lambda: print("ready", flush=True)
    await run_services(make_broker(sys.argv[1]), [Slow()], on_ready=ready)

run_async(main)
"""


@pytest.mark.integration
@pytest.mark.parametrize("told", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_in_good_order(redis_url: str, told: signal.Signals) -> None:
    with child_of(redis_url, "0") as child:
        child.send_signal(told)
        out, err = child.communicate(timeout=20)
    assert (out, err) == ("stopping\nstopped\n", "")
    assert child.returncode == 0


@pytest.mark.integration
@pytest.mark.faults
def test_a_second_signal_ends_it_at_once(redis_url: str) -> None:
    with child_of(redis_url, "60") as child:
        assert child.stdout is not None
        child.terminate()
        assert child.stdout.readline() == "stopping\n"
        child.terminate()
        assert child.wait(10) == -signal.SIGTERM


@contextlib.contextmanager
def child_of(url: str, pause: str) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, "-c", CHILD, url, pause],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as child:
        try:
            assert child.stdout is not None
            assert child.stdout.readline() == "ready\n"
            yield child
        finally:
            child.kill()
