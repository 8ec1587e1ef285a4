"""What commands print on stdout: tables and facts for people, one JSON document for scripts.

Tables and colour are for a terminal; a pipe gets plain aligned text that nothing wraps or cuts.
Decides nothing about what is worth saying.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import typer
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from schemas.envelope import dump
from schemas.plain_text import clean
from services.cli.output_table import laid_out

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_SYMBOLS: Final = {"USD": "$", "GBP": "£", "EUR": "€", "JPY": "¥"}
#: Digits after the point; two unless told.
_MINOR_DIGITS: Final = {"JPY": 0}
_NUMBER = re.compile(r"-?[^\w\s]?[0-9][0-9,.]*|-")
_GAP: Final = "  "


def document(plain: object) -> None:
    """Print one JSON document and nothing else."""
    typer.echo(dump(plain) + b"\n", nl=False)


def table(title: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table; columns of numbers are flush right."""
    title, head = clean(title), [clean(name) for name in head]
    cells = [[clean(cell) for cell in row] for row in rows]
    columns = list(zip(*cells, strict=True)) if cells else [()] * len(head)
    right = [bool(column) and all(map(_NUMBER.fullmatch, column)) for column in columns]
    console = Console()
    if console.is_terminal:
        for part in laid_out(title, head, cells, right, console.width):
            console.print(part, soft_wrap=isinstance(part, Text))
        return
    lines = [list(head), *cells]
    widths = [max(map(cell_len, column)) for column in zip(*lines, strict=True)]
    typer.echo(title)
    for line in lines:
        padded = map(_padded, line, widths, right)
        typer.echo((_GAP + _GAP.join(padded)).rstrip())


def facts(title: str, pairs: Mapping[str, str]) -> None:
    """Print what there is to know about one thing, a line each."""
    console = Console()
    title = clean(title)
    pairs = {clean(name): clean(value) for name, value in pairs.items()}
    width = max(map(cell_len, pairs), default=0)
    if console.is_terminal:
        console.print(Text(title, style="bold"))
    else:
        typer.echo(title)
    for name, value in pairs.items():
        label = _GAP + _padded(name, width, right=False) + _GAP
        if console.is_terminal:
            console.print(Text.assemble((label, "cyan"), value), soft_wrap=True)
        else:
            typer.echo((label + value).rstrip())


def note(text: str) -> None:
    """Print a line."""
    typer.echo(clean(text))


def money(amount: int, currency: str) -> str:
    """Spell minor units as people do: ``$1,234.50``, ``-£5.00``, ``¥1,234``, ``CHF 1.00``."""
    digits = _MINOR_DIGITS.get(currency, 2)
    whole, part = divmod(abs(amount), 10**digits)
    point = f".{part:0{digits}}" if digits else ""
    sign = "-" if amount < 0 else ""
    return f"{sign}{_SYMBOLS.get(currency, currency + ' ')}{whole:,}{point}"


def _padded(text: str, width: int, right: bool) -> str:
    space = " " * (width - cell_len(text))
    return space + text if right else text + space
