"""Single keys from a terminal while something runs. Knows no key's meaning."""

from __future__ import annotations

import asyncio
import sys
import termios
import tty
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@contextmanager
def keys(heard: Callable[[str], None]) -> Iterator[bool]:
    """Hand each key to ``heard`` as it is pressed, on the running loop; gives whether it can.

    Where standard input is no terminal nothing is ever heard. The terminal is left as it was.
    """
    if not sys.stdin.isatty():
        yield False
        return
    loop = asyncio.get_running_loop()
    file = sys.stdin.fileno()
    before = termios.tcgetattr(file)

    def read() -> None:
        key = sys.stdin.read(1)
        if key:
            heard(key)
        else:  # the terminal is gone
            loop.remove_reader(file)

    try:
        tty.setcbreak(file)
        loop.add_reader(file, read)
        yield True
    finally:
        loop.remove_reader(file)
        termios.tcsetattr(file, termios.TCSADRAIN, before)
