"""What a command that runs until it is told to end says around that, on stderr. Runs nothing."""

from __future__ import annotations

import sys

import typer

from services.runtime.health import open_port


def check_port(host: str, port: int) -> None:
    """Find out whether the board can be served there, before anything is started or said."""
    open_port(host, port).close()


def ended(text: str) -> None:
    """Say on a terminal that all has ended, over the ``^C`` that the terminal shows."""
    if sys.stderr.isatty():
        typer.echo(f"\rshoetrail: {text}", err=True)
