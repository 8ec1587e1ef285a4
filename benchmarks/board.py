"""The live board: how long a card takes to its viewers, what idling costs, whether memory grows.

A hundred tables deal a card a second, five hundred look on; the same Redis carries a raw stream
whose entries are read as they come, by which the board's times are measured.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections import defaultdict
from statistics import median
from typing import TYPE_CHECKING, Any, Final

from redis.asyncio import Redis

from benchmarks.board_parts import prepare, quantile
from services.runtime.redis_server import EmbeddedRedis

if TYPE_CHECKING:
    from collections.abc import Iterator

TABLES, VIEWERS, LOOKERS = 100, 500, 2
IDLE_TABLES, IDLE_S = 300, 20.0
SHORT_S, LONG_S, WARM_S = 30.0, 600.0, 60.0
_TICKS: Final = os.sysconf("SC_CLK_TCK")
_PAGE: Final = os.sysconf("SC_PAGE_SIZE")


def run() -> dict[str, float]:
    """Give all figures, in about a minute and a half."""
    return {**_idle(), **_live(SHORT_S)}


def run_long() -> dict[str, float]:
    """Give those of ten minutes of play, the growth of memory among them."""
    return _live(LONG_S)


def _live(seconds: float) -> dict[str, float]:
    with redis() as url:
        asyncio.run(_prepared(url, TABLES))
        with serving(url) as (board, port):
            each = VIEWERS // LOOKERS
            looking = [
                _part("lookers", port, TABLES, each, number * each) for number in range(LOOKERS)
            ]
            raw = _part("raw", url)
            for one in (*looking, raw):
                assert one.stderr is not None
                assert one.stderr.readline() == b"under way\n"
            _until_looking(port)
            began, spent = time.monotonic(), cpu_s(board.pid)
            dealing = _part("dealer", url, TABLES, seconds)
            time.sleep(min(WARM_S, seconds / 3))
            warm = memory_mb(board.pid)
            dealt = _end(dealing, told=False)
            busy = (cpu_s(board.pid) - spent) / (time.monotonic() - began)
            time.sleep(1.0)
            grown = memory_mb(board.pid) - warm
            heard = [_end(one) for one in looking]
            took = _end(raw)["took_us"]
    cards = [pair for one in heard for pair in one["took_us"]]
    wrong = [what for one in heard for what in one["broken"]]
    assert not wrong, wrong[:3]
    for one in heard:
        for table, ends in one["ends"]:
            assert ends == dealt["ends"][table], (table, ends, dealt["ends"][table])
        assert len(set(one["lobby"])) == 1, one["lobby"]
    ours, bare = (quantile([us for _, us in pairs], 0.99) for pairs in (cards, took))
    return {
        "board_p99_vs_raw": ours / bare,
        "board_p99_vs_raw_typical": _typical(cards, took),
        "board_p99_ms": ours / 1e3,
        "board_p50_ms": quantile([us for _, us in cards], 0.5) / 1e3,
        "board_raw_p99_ms": bare / 1e3,
        "board_raw_p50_ms": quantile([us for _, us in took], 0.5) / 1e3,
        "board_messages": sum(one["heard"] for one in heard),
        "board_busy_percent": busy * 100,
        "board_dealt_late_ms": dealt["late_ms"],
        "board_memory_mb": warm + grown,
        "board_memory_growth_mb": grown,
    }


def _typical(cards: list[tuple[int, int]], took: list[tuple[int, int]]) -> float:
    """Give the median over all seconds of one p99 over the other.

    On a machine that others use too, a second in which nobody is given a processor says nothing.
    """
    seconds: tuple[defaultdict[int, list[int]], ...] = (defaultdict(list), defaultdict(list))
    for kind, pairs in zip(seconds, (cards, took), strict=True):
        for second, us in pairs:
            kind[second].append(us)
    both = [second for second in seconds[0] if second in seconds[1]]
    return median(quantile(seconds[0][s], 0.99) / quantile(seconds[1][s], 0.99) for s in both)


def _idle() -> dict[str, float]:
    with redis() as url:
        asyncio.run(_prepared(url, IDLE_TABLES))
        with serving(url) as (board, port):
            parts = _asked(port, "/readyz")["parts"]
            assert len(parts) == IDLE_TABLES
            time.sleep(3)
            began, spent = time.monotonic(), cpu_s(board.pid)
            time.sleep(IDLE_S)
            share = (cpu_s(board.pid) - spent) / (time.monotonic() - began)
            return {"board_idle_percent": share * 100}


async def _prepared(url: str, tables: int) -> None:
    client = Redis.from_url(url)
    await prepare(client, tables)
    await client.aclose()


@contextlib.contextmanager
def redis() -> Iterator[str]:
    """Run a Redis for a board, and give its address."""
    with EmbeddedRedis(appendfsync="everysec") as server:
        yield server.url


@contextlib.contextmanager
def serving(url: str) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """Run a board, and give its process and port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    words = ["services.cli.main", "run", "dashboard", "--port", str(port)]
    env = {**os.environ, "SHOETRAIL_REDIS_URL": url, "SHOETRAIL_LOG_LEVEL": "warning"}
    board = subprocess.Popen([sys.executable, "-m", *words], env=env)  # noqa: S603
    try:
        end = time.monotonic() + 60
        while not _is_ready(port):
            assert time.monotonic() < end
            time.sleep(0.2)
        yield board, port
    finally:
        board.terminate()
        board.wait()


def _is_ready(port: int) -> bool:
    try:
        return bool(_asked(port, "/readyz")["ready"])
    except OSError:
        return False


def _asked(port: int, path: str) -> Any:  # noqa: ANN401 - JSON
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as answer:
        return json.load(answer)


def _until_looking(port: int) -> None:
    end = time.monotonic() + 60
    while True:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
            lines = answer.read().decode().splitlines()
        open_now = sum(
            float(one.split()[-1]) for one in lines if one.startswith("shoetrail_board_viewers{")
        )
        if open_now == VIEWERS:
            return
        assert time.monotonic() < end, f"{open_now} look on"
        time.sleep(0.5)


def _part(*words: object) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "benchmarks.board_parts", *map(str, words)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)  # noqa: S603


def _end(part: subprocess.Popen[bytes], *, told: bool = True) -> Any:  # noqa: ANN401 - JSON
    if told:
        part.terminate()
    said, wrong = part.communicate()
    assert part.returncode == 0, wrong.decode()
    return json.loads(said)


def cpu_s(pid: int) -> float:
    """Give the seconds of processor that a process has used."""
    with open(f"/proc/{pid}/stat", "rb") as file:  # noqa: PTH123
        fields = file.read().rsplit(b")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def memory_mb(pid: int) -> float:
    """Give what a process holds in memory, in MB."""
    with open(f"/proc/{pid}/statm", "rb") as file:  # noqa: PTH123
        return int(file.read().split()[1]) * _PAGE / 1e6
