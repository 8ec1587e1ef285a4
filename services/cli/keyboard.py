"""Single keys from a terminal while something runs. Knows no key's meaning."""

from __future__ import annotations

import asyncio
import errno
import os
import select
import sys
import termios
import threading
import tty
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ESCAPE: Final = "\x1b"
_LOOK_S: Final = 0.5
_MODES: Final = 3  # where tcgetattr has the local modes


@contextmanager
def keys(heard: Callable[[str], None], *, wanted: bool = True) -> Iterator[bool]:
    """Hand each key to ``heard`` as it is pressed, on the running loop; gives whether it can.

    Where standard input is no terminal, or we run in its background, nothing is ever heard. Keys
    that send several characters, as arrows do, are not handed on. The terminal is left as it was.
    """
    file = _terminal() if wanted else None
    if file is None:
        yield False
        return
    before = termios.tcgetattr(file)
    ended, end = os.pipe()
    # A thread, for a loop would make the terminal non-blocking: for us, for who reads it next,
    # and, since they share it, for what is written to it.
    reader = threading.Thread(
        target=_read, args=(file, ended, heard, asyncio.get_running_loop()), daemon=True
    )
    try:
        tty.setcbreak(file)
        reader.start()
        yield True
    finally:
        os.close(end)
        if reader.is_alive():
            reader.join(_LOOK_S)
        os.close(ended)
        if _is_ours(file):
            with suppress(termios.error):
                termios.tcsetattr(file, termios.TCSAFLUSH, before)


def _terminal() -> int | None:
    """Give standard input where it is a terminal that we may read."""
    try:
        file = sys.stdin.fileno()
    except (AttributeError, OSError, ValueError):  # closed before we began, or no file
        return None
    return file if os.isatty(file) and _is_ours(file) else None


def _is_ours(file: int) -> bool:
    """Tell whether we are in the foreground: who is not, and sets it or reads it, is stopped."""
    try:
        return os.tcgetpgrp(file) == os.getpgrp()
    except OSError as error:  # it controls nobody here, and so has no background; or it is gone
        return error.errno == errno.ENOTTY


def _read(
    file: int, ended: int, heard: Callable[[str], None], loop: asyncio.AbstractEventLoop
) -> None:
    """Read keys until the other end of ``ended`` is closed, or the terminal is gone."""
    while True:
        watched = [file, ended] if _is_ours(file) else [ended]
        ready, _, _ = select.select(watched, [], [], _LOOK_S)
        if ended in ready:
            return
        if not _is_ours(file):
            continue
        try:
            if termios.tcgetattr(file)[_MODES] & termios.ICANON:  # we were stopped, and are back
                tty.setcbreak(file)
            typed = os.read(file, 64).decode("utf-8", "replace") if file in ready else None
        except (OSError, termios.error):
            return
        if typed == "":
            return
        if typed is not None and (typed == ESCAPE or not typed.startswith(ESCAPE)):
            for key in typed:
                loop.call_soon_threadsafe(heard, key)
