"""A whole house with its board, while a shoe is open: no answer and no log line holds a secret."""

from __future__ import annotations

import base64
import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

import httpx
import pytest

from services.dashboard.web.pages import PAGES
from services.dashboard.web.routes import ADDRESSES, EVENTS, PUBLIC

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.integration

TOKEN = "a-token-that-must-stay-unseen"  # noqa: S105 - a test's own
PLACES = {"table": "T1", "shoe": "1", "round": "1"}
SECONDS = 40.0


class House(NamedTuple):
    """Everything in one process; ``said`` is where its output goes."""

    url: str
    process: subprocess.Popen[bytes]
    said: Path
    state: Path

    def stop(self) -> str:
        """End it in good order, and give all that it said."""
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(SECONDS)
        return self.said.read_text()


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    said, state = tmp_path / "said.log", tmp_path / "state"
    env = os.environ | {
        "SHOETRAIL_DASHBOARD_TOKEN": TOKEN,
        "SHOETRAIL_STATE_DIR": str(state),
        "SHOETRAIL_LOG_DIR": str(tmp_path / "logs"),
        "SHOETRAIL_LOG_LEVEL": "debug",
    }
    env.pop("SHOETRAIL_REDIS_URL", None)
    words = "serve --tables T1 --flat alice=player:1000,bob=banker:1000 --pace 0.1 --port 0"
    with said.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "services.cli.main", *words.split()],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
            env=env,
        )
    try:
        yield House(_url(said, process), process, said, state)
    finally:
        process.kill()
        process.wait()


def _url(said: Path, process: subprocess.Popen[bytes]) -> str:
    end = time.monotonic() + SECONDS
    while time.monotonic() < end and process.poll() is None:
        found = re.search(r'"url":"(http://[^"]+)"', said.read_text())
        if found is not None:
            return found[1]
        time.sleep(0.1)
    raise AssertionError(said.read_text())


def _everything(house: House) -> list[str]:
    """Ask for all that there is, and some that there is not; with the token and without."""
    told: list[str] = []
    bearer = {"authorization": f"Bearer {TOKEN}"}
    with httpx.Client(base_url=house.url, timeout=20) as client:
        _until_a_round_is_over(client, bearer)
        paths = [one.path for one in ADDRESSES if one.media != EVENTS] + list(PAGES)
        paths = [path.format(**PLACES) for path in paths]
        paths += [
            "/api/tables/T1/shoes/1/rounds/1?rules=ez-baccarat",
            "/healthz",
            "/readyz",
            "/metrics",
            "/session",
        ]
        paths += [
            "/asyncapi.json",
            "/nothing",
            "/api/nothing",
            "/api/tables/T1/shoes/2",
            "/api/%ff",
        ]
        for path in paths + [PUBLIC + path for path in paths]:
            told += [_spelled(client.get(path, headers=headers)) for headers in ({}, bearer)]
        told.append(_spelled(client.post("/api/tables", headers=bearer, content=b"x")))
        for path in ("/api/stream", "/api/tables/T1/stream", "/public/api/tables/T1/stream"):
            told.append(_stream(client, path, bearer))
    return told


def _until_a_round_is_over(client: httpx.Client, bearer: dict[str, str]) -> None:
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        answer = client.get("/api/tables/T1/shoes/1/rounds/2/proof", headers=bearer)
        if answer.status_code == 200:
            return
        time.sleep(0.2)
    raise AssertionError("no round was sealed in time")


def _spelled(answer: httpx.Response) -> str:
    # What is asked is not what is answered: the cookie stands for the token, and is no secret of
    # the one who was given it.
    return f"{answer.status_code} {answer.headers} {answer.text}"


def _stream(client: httpx.Client, path: str, bearer: dict[str, str]) -> str:
    """Read a few of a stream's messages."""
    came = ""
    with suppress(httpx.ReadTimeout), client.stream("GET", path, headers=bearer, timeout=5) as wire:
        for part in wire.iter_text():
            came += part
            if came.count("\ndata:") >= 12:
                break
    assert "data:" in came
    return came


def test_no_answer_and_no_log_line_holds_a_secret(house: House) -> None:
    told = _everything(house)
    seed = bytes.fromhex(json.loads((house.state / "T1" / "1.json").read_text())["value"])
    key = (house.state / "signing.key").read_text().strip().split("+", 4)[4]
    assert len(seed) >= 16
    assert len(key) >= 40
    secrets = [TOKEN, seed.hex(), seed.hex().upper(), key]
    secrets += [base64.b64encode(seed).decode().rstrip("="), repr(seed)[2:-1]]
    secrets += [base64.b64encode(base64.b64decode(key)[1:]).decode().rstrip("=")]
    assert sum(text.startswith("200") for text in told) > 30
    for text in [*told, house.stop()]:
        found = [number for number, secret in enumerate(secrets) if secret in text]
        assert not found, text[:300]
