"""Progress bars: on stderr, and only where a person looks on. Measures nothing itself."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@contextmanager
def counter(title: str, *, hidden: bool = False) -> Iterator[Callable[[int, int], None]]:
    """Show a bar; what is given takes how much is done, and of how much."""
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    )  # fmt: skip
    disable = hidden or not console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=disable) as progress:
        task = progress.add_task(title, total=None)

        def show(done: int, total: int) -> None:
            # An estimate may be passed; the bar is full then, and no more than full.
            progress.update(task, completed=min(done, total), total=total)

        yield show


@contextmanager
def bar(title: str, total: int, *, hidden: bool = False) -> Iterator[Callable[[int], None]]:
    """Show a bar up to ``total``; what is given takes how much is done."""
    with counter(title, hidden=hidden) as show:
        show(0, total)
        yield lambda done: show(done, total)
