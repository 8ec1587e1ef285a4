"""Single keys from a pseudo-terminal, which is left as it was."""

from __future__ import annotations

import asyncio
import os
import pty
import sys
import termios
import tty
from typing import TYPE_CHECKING, NamedTuple

import pytest

from services.cli.keyboard import ESCAPE, keys

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Self

pytestmark = pytest.mark.asyncio


class Tty(NamedTuple):
    """Both ends, and the modes at first."""

    ours: int
    theirs: int
    modes: list[object]

    def types(self, keys: bytes) -> None:
        os.write(self.ours, keys)

    @property
    def is_as_it_was(self) -> bool:
        return termios.tcgetattr(self.theirs) == self.modes and os.get_blocking(self.theirs)


class _Stdin:
    def __init__(self, file: int) -> None:
        self._file = file

    def fileno(self) -> int:
        return self._file


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[Tty]:
    ours, theirs = pty.openpty()
    monkeypatch.setattr(sys, "stdin", _Stdin(theirs))
    yield Tty(ours, theirs, termios.tcgetattr(theirs))
    for file in (ours, theirs):
        os.close(file)


class Heard(list[str]):
    """Keys as they come."""

    async def until(self, *wanted: str) -> Self:
        async with asyncio.timeout(10):
            while len(self) < len(wanted):  # noqa: ASYNC110 - a thread's work
                await asyncio.sleep(0.005)
        assert tuple(self) == wanted
        return self


async def test_each_key_is_handed_on_as_it_is_pressed(terminal: Tty) -> None:
    heard = Heard()
    with keys(heard.append) as can:
        assert can
        assert not terminal.is_as_it_was
        terminal.types(b"p")
        await heard.until("p")
        terminal.types(b"qg")
        await heard.until("p", "q", "g")
        terminal.types("ü".encode())
        await heard.until("p", "q", "g", "ü")
    assert terminal.is_as_it_was


async def test_esc_is_a_key_and_an_arrow_is_none(terminal: Tty) -> None:
    heard = Heard()
    with keys(heard.append):
        terminal.types(b"\x1b[A")
        await asyncio.sleep(0.05)
        terminal.types(b"\x1b")
        await heard.until(ESCAPE)


async def test_it_is_as_it_was_after_an_error_too(terminal: Tty) -> None:
    with pytest.raises(RuntimeError), keys(lambda _: None):  # noqa: PT012
        assert not terminal.is_as_it_was
        raise RuntimeError
    assert terminal.is_as_it_was


async def test_what_was_typed_and_not_read_is_not_left_for_who_reads_next(terminal: Tty) -> None:
    heard = Heard()
    with keys(heard.append):
        terminal.types(b"q")
        await heard.until("q")
    terminal.types(b"Ada\n")
    assert os.read(terminal.theirs, 64) == b"Ada\n"


async def test_who_was_stopped_and_comes_back_reads_single_keys_again(terminal: Tty) -> None:
    """The shell sets the terminal to lines while we are away."""
    heard = Heard()
    with keys(heard.append):
        termios.tcsetattr(terminal.theirs, termios.TCSANOW, terminal.modes)  # type: ignore[arg-type]
        async with asyncio.timeout(10):
            while terminal.is_as_it_was:  # noqa: ASYNC110 - a thread's work
                await asyncio.sleep(0.02)
        terminal.types(b"g")
        await heard.until("g")


async def test_a_terminal_that_goes_away(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = pty.openpty()
    tty.setraw(theirs)
    monkeypatch.setattr(sys, "stdin", _Stdin(theirs))
    with keys(lambda _: None) as can:
        assert can
        os.close(ours)
        await asyncio.sleep(0.05)
    os.close(theirs)


async def test_nothing_is_heard_where_there_is_no_terminal(
    monkeypatch: pytest.MonkeyPatch, terminal: Tty
) -> None:
    with keys(lambda _: None, wanted=False) as can:
        assert not can
        assert terminal.is_as_it_was
    reading, writing = os.pipe()
    for stdin in (None, _Stdin(reading), _Stdin(-1)):
        monkeypatch.setattr(sys, "stdin", stdin)
        with keys(lambda _: None) as can:
            assert not can
    os.close(reading)
    os.close(writing)


async def test_in_the_background_it_is_somebody_else_s(
    monkeypatch: pytest.MonkeyPatch, terminal: Tty
) -> None:
    monkeypatch.setattr(os, "tcgetpgrp", lambda _: -1)
    with keys(lambda _: None) as can:
        assert not can
    assert terminal.is_as_it_was
