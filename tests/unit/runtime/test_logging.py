from __future__ import annotations

import io
import json
import logging
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import msgspec
import pytest
import structlog
from faststream._internal.logger.logging import get_logger as faststream_logger

from services.runtime.logging import (
    WITHHELD,
    adopt_libraries,
    bind_table,
    configure,
    get_logger,
)
from services.runtime.settings import LogFormat, LogLevel, Settings

SECRET = "5eed" * 16


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()
    structlog.contextvars.clear_contextvars()


def started(
    level: LogLevel = "info", form: LogFormat = "auto", out: io.StringIO | None = None
) -> io.StringIO:
    out = io.StringIO() if out is None else out
    configure(Settings(log_level=level, log_format=form), out)
    return out


def only_line(out: io.StringIO) -> dict[str, Any]:
    (line,) = out.getvalue().splitlines()
    said: dict[str, Any] = json.loads(line)
    return said


def test_a_pipe_gets_one_json_object_a_line() -> None:
    out = started()
    get_logger("dealer").info("dealt", round=17)
    said = only_line(out)
    assert said.pop("time").endswith("Z")
    assert said == {"event": "dealt", "level": "info", "service": "dealer", "round": 17}


def test_a_terminal_gets_colours_and_a_file_none() -> None:
    out = started(out=Terminal())
    get_logger("dealer").info("dealt", round=17)
    assert "\x1b[" in out.getvalue()
    plain = started(form="console")
    get_logger("dealer").info("dealt", round=17)
    assert "dealt" in plain.getvalue()
    assert "\x1b[" not in plain.getvalue()


def test_a_terminal_may_have_json_too() -> None:
    out = started(form="json", out=Terminal())
    get_logger("dealer").info("dealt")
    assert only_line(out)["event"] == "dealt"


def test_what_is_below_the_level_is_not_said() -> None:
    out = started("warning")
    get_logger("dealer").info("dealt")
    assert out.getvalue() == ""
    get_logger("dealer").warning("stopped")
    assert only_line(out)["event"] == "stopped"


def test_stderr_is_the_stream_unless_told(capsys: pytest.CaptureFixture[str]) -> None:
    configure(Settings())
    get_logger("dealer").info("dealt")
    said = capsys.readouterr()
    assert said.out == ""
    assert "dealt" in said.err


@pytest.mark.parametrize(
    "name",
    [
        *("seed", "server_seed", "SECRET", "salt", "key", "api_key", "token"),
        *("order", "shoeOrder", "reveal", "password"),
    ],
)
@pytest.mark.parametrize("form", ["json", "console"])
def test_a_telling_name_is_withheld(name: str, form: LogFormat) -> None:
    out = started(form=form)
    get_logger("dealer").info("opened", **{name: SECRET})
    assert SECRET not in out.getvalue()
    assert WITHHELD in out.getvalue()


@dataclass
class Kept:
    seed: str
    shoe: int


class Opened(msgspec.Struct):
    reveal: str
    shoe: int


@pytest.mark.parametrize(
    "value",
    [
        {"origin": {"seed": SECRET}, "shoe": 12},
        [{"deep": ({"salt": SECRET},)}],
        Kept(SECRET, 12),
        {"inner": Opened(SECRET, 12)},
        SECRET.encode(),
        [bytearray(SECRET.encode())],
    ],
)
@pytest.mark.parametrize("form", ["json", "console"])
def test_nothing_hides_a_secret_deep_inside(value: object, form: LogFormat) -> None:
    out = started(form=form)
    get_logger("dealer").info("opened", data=value)
    assert SECRET not in out.getvalue()


def test_what_is_no_secret_is_kept_whole() -> None:
    out = started()
    get_logger("dealer").info(
        "opened", data={"shoe": 12, "names": ["ann"], "open": True, "none": None, "share": 0.5}
    )
    assert only_line(out)["data"] == {
        "shoe": 12,
        "names": ["ann"],
        "open": True,
        "none": None,
        "share": 0.5,
    }
    out = started()
    get_logger("dealer").info("opened", data=Kept(SECRET, 12), at=ValueError("at T7/12-45"))
    said = only_line(out)
    assert said["data"] == {"seed": WITHHELD, "shoe": 12}
    assert said["at"] == "at T7/12-45"


@pytest.mark.parametrize("form", ["json", "console"])
def test_an_exception_shows_no_local_variable_and_no_password(form: LogFormat) -> None:
    out = started(form=form)

    def fails() -> None:
        held = "local" + SECRET
        raise ValueError("redis://ann:hunter2@h refused " + str(len(held)))

    try:
        fails()
    except ValueError:
        get_logger("dealer").exception("failed")
    said = out.getvalue()
    assert "ValueError" in said
    assert "in fails" in said
    assert SECRET not in said
    assert "hunter2" not in said


def test_the_libraries_speak_through_the_same_renderer_from_warning_up() -> None:
    out = started("debug")
    for name in ("faststream", "redis.asyncio", "uvicorn.error"):
        logging.getLogger(name).info("chatter")
    assert out.getvalue() == ""
    logging.getLogger("uvicorn.error").warning("at %s", "redis://:hunter2@h")
    said = only_line(out)
    assert said["event"] == "at redis://:***@h"
    assert said["level"] == "warning"
    assert said["logger"] == "uvicorn.error"


def test_a_libraries_own_handler_on_stdout_is_taken_away(
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = started()
    logger = faststream_logger("faststream.access.trial", logging.INFO, sys.stdout, "%(message)s")
    logger.info("before")
    assert "before" in capsys.readouterr().out
    adopt_libraries()
    logger.info("chatter")
    logger.warning("trouble")
    assert capsys.readouterr().out == ""
    assert only_line(out)["event"] == "trouble"


def test_a_table_is_named_in_every_line_of_its_block() -> None:
    out = started()
    with bind_table("T7", shoe=12, round_no=17, address="T7/12-45"):
        get_logger("dealer").info("dealt")
    said = only_line(out)
    assert (said["table"], said["shoe"], said["round"], said["address"]) == (
        "T7",
        12,
        17,
        "T7/12-45",
    )
    out = started()
    with bind_table("T7"):
        with bind_table("T8", shoe=1):
            pass
        get_logger("dealer").info("dealt")
    said = only_line(out)
    assert said["table"] == "T7"
    assert "shoe" not in said
    out = started()
    get_logger("dealer").info("dealt")
    assert "table" not in only_line(out)


def test_the_last_configuration_holds() -> None:
    first = started()
    logger = get_logger("dealer")
    logger.info("one")
    second = started()
    logger.info("two")
    logging.getLogger("redis").warning("three")
    assert "two" not in first.getvalue()
    assert [json.loads(line)["event"] for line in second.getvalue().splitlines()] == [
        "two",
        "three",
    ]
