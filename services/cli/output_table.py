"""Tables for a terminal: no word of theirs is ever broken. Prints nothing, and decides no word.

A table is framed where that fits; else its columns stand closer, without a frame; else each row is
told by itself, a name before each value. Long text may go on below, within its column.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich import box
from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import RenderableType

#: Text up to so wide is not parted: a hand, a name, a reason in two words.
_SHORT: Final = 24
#: Without a frame, the space between columns: rather wide than narrow.
_GAPS: Final = (2, 1)
_BETWEEN: Final = " · "
_MARGIN: Final = "  "


def laid_out(
    title: str, head: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[bool], room: int
) -> Iterator[RenderableType]:
    """Lay a table out for a terminal that is ``room`` wide; ``right`` columns are flush right."""
    columns = list(zip(head, *rows, strict=True))
    full = [max(map(cell_len, column)) for column in columns]
    least = [max(map(_least, column)) for column in columns]
    made = _framed(title, full, least, room) or _close(title, full, least, room)
    if made is None:
        yield Text(title, style="italic")
        for row in rows:
            yield from _told(head, row, room)
        return
    for name, flush, column in zip(head, right, made.columns, strict=True):
        column.header = Text(name)
        column.justify = "right" if flush else "left"
        column.overflow = "fold"
    for row in rows:
        made.add_row(*map(Text, row))
    yield made


def _least(text: str) -> int:
    """Tell how narrow a text can be: short ones are left whole, and so is every word."""
    whole = cell_len(text)
    return whole if whole <= _SHORT else max(_SHORT, *map(cell_len, text.split(" ")))


def _framed(title: str, full: Sequence[int], least: Sequence[int], room: int) -> Table | None:
    widths = _widths(full, least, room - 3 * len(full) - 1)
    if widths is None:
        return None
    return _of(Table(title=Text(title), title_justify="left"), widths)


def _close(title: str, full: Sequence[int], least: Sequence[int], room: int) -> Table | None:
    for gap in _GAPS:
        widths = _widths(full, least, room - gap * (len(full) - 1))
        if widths is not None:
            made = Table(
                title=Text(title),
                title_justify="left",
                box=box.SIMPLE_HEAD,
                show_edge=False,
                pad_edge=False,
                padding=(0, gap - 1, 0, 0),
            )
            return _of(made, widths)
    return None


def _of(made: Table, widths: Sequence[int]) -> Table:
    for width in widths:
        made.add_column(width=width)
    return made


def _widths(full: Sequence[int], least: Sequence[int], room: int) -> list[int] | None:
    """Share the room out: who lacks little gets all of it, the others alike. None: too little."""
    spare = room - sum(least)
    if spare < 0:
        return None
    widths = list(least)
    lacking = sorted(range(len(full)), key=lambda at: full[at] - least[at])
    for done, at in enumerate(lacking):
        more = min(full[at] - least[at], spare // (len(lacking) - done))
        widths[at] += more
        spare -= more
    return widths


def _told(head: Sequence[str], row: Sequence[str], room: int) -> Iterator[Text]:
    """Tell a row: its values with their names, as many a line as there is room for."""
    line, margin = Text(_MARGIN), _MARGIN
    for name, value in zip(head, row, strict=True):
        told = Text.assemble((name, "cyan"), " " if name else "", value or "-")
        inside = room - len(_MARGIN) * 2
        parts = [told] if told.cell_len <= inside else told.split(" ")
        for number, part in enumerate(parts):
            between = " " if number else _BETWEEN
            if line.cell_len == len(margin):
                line.append_text(part)
            elif line.cell_len + len(between) + part.cell_len <= room:
                line.append(between).append_text(part)
            else:
                yield line
                margin = _MARGIN * 2
                line = Text(margin).append_text(part)
    yield line
