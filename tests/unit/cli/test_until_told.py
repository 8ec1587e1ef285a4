"""What is said around commands that run until they are told to end: one line each, at its time."""

from __future__ import annotations

import os
import pty
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from services.cli.main import app
from services.dashboard.web import openapi

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[3]
EXPOSURE = (
    "Where SHOETRAIL_DASHBOARD_TOKEN is set, everything needs it (/metrics too) but /healthz,"
    " /readyz, /signin, /static and /public"
)
OPEN = "without it anybody who reaches the port may look"


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as other:
        yield other.getsockname()[1]


@pytest.mark.parametrize("words", [["serve"], ["run", "dashboard"]])
def test_a_port_in_use_is_said_before_all_else(
    tmp_path: Path, taken: int, words: list[str]
) -> None:
    env = {
        "SHOETRAIL_STATE_DIR": str(tmp_path / "state"),
        "SHOETRAIL_REDIS_URL": "" if words == ["serve"] else "redis://127.0.0.1:1/0",
    }
    asks = [*words, "--port", str(taken), "--log-dir", str(tmp_path / "logs")]
    result = CliRunner().invoke(app, asks, prog_name="shoetrail", env=env)
    assert (result.exit_code, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    assert f"127.0.0.1:{taken}" in line
    assert "--port" in line
    assert list(tmp_path.iterdir()) == []  # no key was made, no Redis started


@pytest.mark.parametrize("host", ["no host of ours", "192.0.2.1"])
def test_an_address_that_is_not_ours_is_about_the_host(tmp_path: Path, host: str) -> None:
    env = {"SHOETRAIL_STATE_DIR": str(tmp_path), "SHOETRAIL_REDIS_URL": ""}
    asks = ["serve", "--host", host, "--port", "0"]
    result = CliRunner().invoke(app, asks, prog_name="shoetrail", env=env)
    (line,) = result.stderr.splitlines()
    assert result.exit_code == 2
    assert "--host" in line


@pytest.mark.integration
@pytest.mark.parametrize(
    ("words", "is_terminal"),
    [
        (["serve", "--port", "0"], True),
        (["run", "resolver"], True),
        (["run", "resolver"], False),
    ],
)
def test_ctrl_c_ends_with_one_line_on_a_terminal(
    tmp_path: Path, redis_url: str, words: list[str], is_terminal: bool
) -> None:
    env = {
        **os.environ,
        "SHOETRAIL_STATE_DIR": str(tmp_path),
        "SHOETRAIL_LOG_DIR": str(tmp_path / "logs"),
        "SHOETRAIL_REDIS_URL": redis_url,
        "SHOETRAIL_LOG_LEVEL": "info",
    }
    ours, theirs = pty.openpty() if is_terminal else os.pipe()
    asks = [sys.executable, "-m", "services.cli.main", *words]
    child = subprocess.Popen(asks, stdout=subprocess.DEVNULL, stderr=theirs, env=env)
    os.close(theirs)
    said = ""
    try:
        while "ready" not in said:
            said += _some(ours)
        child.send_signal(signal.SIGINT)
        after = ""
        while part := _some(ours):
            after += part
        assert child.wait(20) == 0
    finally:
        child.kill()
        child.wait()
        os.close(ours)
    lines = [line for line in after.splitlines() if line.startswith("shoetrail: ended")]
    assert len(lines) == (1 if is_terminal else 0), after


def _some(end: int) -> str:
    try:
        return os.read(end, 4096).decode()
    except OSError:  # a terminal whose other end is closed
        return ""


def _plain(text: str) -> str:
    text = re.sub(r"[`#│]|/…", "", text)
    return re.sub(r"\s+", " ", text)


def test_who_may_look_is_told_in_one_wording() -> None:
    told = {
        words[-1]: CliRunner().invoke(app, [*words, "--help"], prog_name="shoetrail").stdout
        for words in (["serve"], ["run", "dashboard"])
    }
    told |= {
        "compose": (ROOT / "compose.yaml").read_text(),
        "docs": (ROOT / "docs" / "board.md").read_text(),
        "OpenAPI": openapi.document()["info"]["description"],
    }
    for where, text in told.items():
        assert EXPOSURE in _plain(text), where
        assert OPEN in _plain(text).replace("Without", "without"), where
