"""How commands end: the exit code, and one line on stderr."""

from __future__ import annotations

import errno
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
import typer
from typer.testing import CliRunner

from schemas.errors import Conflict, InputError
from services.cli.errors import ShoetrailGroup

if TYPE_CHECKING:
    from typer.testing import Result

REASONS: dict[str, BaseException] = {
    "input": InputError("'10H' is no card", "my.deck, line 3", "write TH"),
    "conflict": Conflict("somebody else said something else at T7/12-45"),
    "odd": InputError("two\nlines \x1b[31m"),
    "file": FileNotFoundError(errno.ENOENT, "No such file or directory", "x.jsonl"),
    "full": OSError(errno.ENOSPC, "No space left on device"),
    "os": OSError(errno.EIO, "Input/output error"),
    "bug": ZeroDivisionError("division by zero\nsecond line"),
    "stop": KeyboardInterrupt(),
    "pipe": BrokenPipeError(errno.EPIPE, "Broken pipe"),
    "fault": typer.Exit(1),
    "eof": EOFError(),
    "reason": typer.BadParameter("not that"),
}
app = typer.Typer(cls=ShoetrailGroup, rich_markup_mode=None, no_args_is_help=True)


@app.command()
def fail(how: str, *, times: int = 1) -> None:  # noqa: ARG001 - typer reads it
    """End as told."""
    typer.echo("begun")
    if how != "well":
        raise REASONS[how]


@app.command()
def other() -> None:
    """Stand beside, so that there is a choice."""


@pytest.fixture(autouse=True)
def _no_debug(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SHOETRAIL_DEBUG", raising=False)


def run(*args: str) -> Result:
    return CliRunner().invoke(app, list(args), prog_name="shoetrail")


@pytest.mark.parametrize(
    ("how", "code", "line"),
    [
        ("input", 2, "my.deck, line 3: '10H' is no card; write TH"),
        ("conflict", 2, "somebody else said something else at T7/12-45"),
        ("odd", 2, r"two lines \x1b[31m"),
        ("file", 2, "x.jsonl: No such file or directory"),
        ("full", 2, "No space left on device"),
        ("reason", 2, "Invalid value: not that; see shoetrail fail --help"),
    ],
)
def test_what_the_user_can_mend_is_one_line_and_exit_2(how: str, code: int, line: str) -> None:
    result = run("fail", how)
    assert (result.exit_code, result.stdout) == (code, "begun\n")
    assert result.stderr == f"shoetrail: {line}\n"


@pytest.mark.parametrize(
    ("args", "line"),
    [
        (["nope"], "No such command 'nope'; see shoetrail --help"),
        (["fall"], "No such command 'fall'. Did you mean 'fail'?; see shoetrail --help"),
        (["fail"], "Missing argument 'how'; see shoetrail fail --help"),
        (["fail", "well", "more"], "Got unexpected extra argument(s) (more); see"),
        (["fail", "well", "--loud"], "No such option: --loud; see shoetrail fail --help"),
        (["fail", "well", "--times", "x"], "Invalid value for '--times': "),
    ],
)
def test_a_wrong_command_line_is_one_line_and_exit_2(args: list[str], line: str) -> None:
    result = run(*args)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"shoetrail: {line}")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("how", "code"), [("well", 0), ("fault", 1), ("stop", 130), ("eof", 130), ("pipe", 141)]
)
def test_some_ends_say_nothing(how: str, code: int) -> None:
    result = run("fail", how)
    assert result.exit_code == code
    assert result.stderr.strip() == ""


@pytest.mark.parametrize(("how", "kind"), [("bug", "ZeroDivisionError"), ("os", "OSError")])
def test_a_bug_is_one_line_with_where_to_report_and_exit_70(how: str, kind: str) -> None:
    result = run("fail", how)
    assert result.exit_code == 70
    assert result.stderr.startswith(f"shoetrail: this is a bug: {kind}: ")
    assert "please report it" in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_bug_shows_its_traceback_where_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOETRAIL_DEBUG", "1")
    result = run("fail", "bug")
    assert result.exit_code == 70
    assert result.stderr.startswith("Traceback (most recent call last):\n")
    assert result.stderr.splitlines()[-1].startswith("shoetrail: this is a bug: ")


def test_a_traceback_is_for_bugs_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOETRAIL_DEBUG", "1")
    assert run("fail", "input").stderr.count("\n") == 1


def test_help_and_no_arguments() -> None:
    assert run("--help").exit_code == 0
    assert "End as told." in run("--help").stdout
    bare = run()
    assert bare.exit_code == 2
    assert "Usage: shoetrail" in bare.stderr
    assert bare.stdout == ""


def test_where_it_does_not_stand_alone_the_code_comes_back() -> None:
    command = typer.main.get_command(app)
    assert command.main(["fail", "input"], prog_name="shoetrail", standalone_mode=False) == 2
    assert command.main(["fail", "well"], prog_name="shoetrail", standalone_mode=False) == 0


@pytest.mark.integration
def test_a_reader_who_leaves_is_not_told_off() -> None:
    script = (
        "import typer\n"
        "from services.cli.errors import ShoetrailGroup\n"
        "app = typer.Typer(cls=ShoetrailGroup)\n"
        "@app.command()\n"
        "def a():\n"
        "    for n in range(100_000): print('card', n)\n"
        "@app.command()\n"
        "def b(): pass\n"
        "app()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, "a"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(1)
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(30) == 141
