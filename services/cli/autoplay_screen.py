"""What a person sees while a table plays itself: score card, count, hands to go. Plays nothing."""

from __future__ import annotations

import time
from collections import deque
from typing import TYPE_CHECKING, Final

import msgspec
from rich.console import Console, Group
from rich.control import Control
from rich.live import Live
from rich.panel import Panel
from rich.progress_bar import ProgressBar
from rich.text import Text

from services.cli.autoplay_facts import facts
from services.cli.score_card import drawn

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from services.cli.autoplay_table import AutoTable
    from services.cli.score_card import Marking

_PAUSE_S: Final = 0.25
#: Hands a second are those of so many seconds.
_LATELY_S: Final = 5.0
_KEYS: Final = "p pause · g go on · q quit · +- speed · h hands · c count · s card · m marks"
#: Rows that are no score card: the frame, how far it is, the bar, the keys, and one left free.
_ROWS: Final = 6
_STRIP_ROWS: Final = 3
#: Columns that are no hands: the frame, and the names of the sides.
_COLUMNS: Final = 4 + len("Banker")
_COLOURS: Final = {"Banker": "red", "Player": "bright_blue"}
_SECOND: Final = 1
_TEN: Final = 10
_MINUTE: Final = 60


class Shown(msgspec.Struct):
    """What is shown and how; the document's own choices at first."""

    hands: bool = True
    count: bool = True
    score_card: bool = True
    marking: Marking = "x"

    def pressed(self, key: str) -> None:
        """Turn over what this key stands for, if it stands for any."""
        if key == "h":
            self.hands = not self.hands
        elif key == "c":
            self.count = not self.count
        elif key == "s":
            self.score_card = not self.score_card
        elif key == "m":
            self.marking = "numbers" if self.marking == "x" else "x"


class Screen:
    """The live view, on stderr, where a person looks on; else nothing at all."""

    def __init__(
        self, table: AutoTable, title: str, currency: str, shown: Shown, *, keys: bool, hidden: bool
    ) -> None:
        """Look at a table; ``keys``: somebody may press some."""
        self._console = Console(stderr=True)
        self._table, self._title, self._currency, self._shown = table, title, currency, shown
        self._keys = keys
        #: When how many hands were dealt, lately.
        self._dealt: deque[tuple[float, int]] = deque()
        self._moved = time.monotonic()
        #: Rows that the score card has taken.
        self._rows = _STRIP_ROWS
        self._size = self._console.size
        self._live: Live | None = None
        if not hidden and self._console.is_terminal:
            self._live = Live(
                get_renderable=self.drawn,
                console=self._console,
                auto_refresh=False,
                transient=True,
            )

    def __enter__(self) -> Self:
        """Begin to show."""
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Show no more."""
        if self._live is not None:
            self._live.stop()

    @property
    def pause(self) -> float:
        """How long to wait between two looks, in seconds."""
        return _PAUSE_S

    def look(self) -> None:
        """Draw what is there now."""
        if self._live is None:
            return
        if self._size != self._console.size:  # what was drawn is wrapped now, and cannot be undone
            self._size = self._console.size
            self._console.control(Control.clear(), Control.home())
        self._live.refresh()

    def drawn(self) -> Panel:
        """Lay the view out, no higher than the terminal."""
        table, shown = self._table, self._shown
        told = facts(table, self._currency, hands=shown.hands, count=shown.count)
        parts: list[Text | ProgressBar] = [
            self._progress(),
            ProgressBar(total=max(table.hands, 1), completed=table.dealt),
        ]
        if shown.score_card:
            parts += self._card(self._console.height - _ROWS - len(told))
        parts += told
        if self._keys:
            parts.append(_line((_KEYS, "dim")))
        return Panel(Group(*parts), title=self._title, title_align="left")

    def _card(self, rows: int) -> list[Text]:
        """Draw as many of the newest hands as there is room for."""
        marks, shown = self._table.card.marks, self._shown
        width = len(str(max(len(marks), 10)))
        across = max((self._console.width - _COLUMNS) // (width + 1), 1)
        lines = drawn(marks, shown.marking, across=across, width=width)
        room = max(rows // _STRIP_ROWS, 1) * _STRIP_ROWS
        newest = lines[-room:]
        # As high as it ever was: what stands below should not jump with each new shoe.
        self._rows = min(max(self._rows, len(newest)), room)
        newest += [""] * (self._rows - len(newest))
        return [_line((line, _COLOURS.get(line[:6], "dim"))) for line in newest]

    def _progress(self) -> Text:
        table = self._table
        to_go = f" of {table.hands:,} hands to go"
        if not table.dealt:
            return _line((f"{table.left:,}", "bold"), f"{to_go} · opening the first shoe")
        state, style = self._pace(), ""
        if table.over:
            state = "closing the shoe"
        elif table.paused:
            state, style = "PAUSED: g goes on, q quits", "bold reverse"
        return _line((f"{table.left:,}", "bold"), f"{to_go} · shoe {table.shoe} · ", (state, style))

    def _pace(self) -> str:
        """Say how fast it goes, and how long it will take."""
        now, table = time.monotonic(), self._table
        if table.paused or not self._dealt or self._dealt[-1][1] != table.dealt:
            self._moved = now
        if table.paused:
            self._dealt.clear()
        self._dealt.append((now, table.dealt))
        while now - self._dealt[0][0] > _LATELY_S:
            self._dealt.popleft()
        if now - self._moved > _LATELY_S + table.pace:
            return f"nothing for {now - self._moved:.0f} seconds"
        since, before = self._dealt[0]
        if now - since < _SECOND or table.dealt == before:
            return "…"
        pace = (table.dealt - before) / (now - since)
        digits = 0 if pace >= _TEN else 1
        return f"{pace:,.{digits}f} a second · {_duration(table.left / pace)} left"


def _line(*parts: str | tuple[str, str]) -> Text:
    """One line and no more: what does not fit is cut."""
    text = Text.assemble(*parts)
    text.no_wrap, text.overflow = True, "ellipsis"
    return text


def _duration(seconds: float) -> str:
    whole = round(seconds)
    if whole < _MINUTE:
        return f"{whole} s"
    if whole < _MINUTE * _MINUTE:
        return f"{whole // _MINUTE} min {whole % _MINUTE} s"
    return f"{whole // _MINUTE // _MINUTE} h {whole // _MINUTE % _MINUTE} min"
