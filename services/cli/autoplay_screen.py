"""What a person sees while a table plays itself: score card, count, hands to go. Plays nothing."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

import msgspec
from rich.console import Console, Group
from rich.live import Live
from rich.panel import Panel
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from services.cli import output
from services.cli.score_card import drawn

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from schemas.outcomes import RoundResolved
    from services.cli.autoplay_table import AutoTable
    from services.cli.score_card import Marking

_A_SECOND: Final = 4
_KEYS: Final = "p pause · g go on · q quit · h hands · c count · s score card · m marks"
_RED: Final = frozenset("DH")
_SUITS: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}


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
        self._began = time.monotonic()
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
        return 1 / _A_SECOND

    def look(self) -> None:
        """Draw what is there now."""
        if self._live is not None:
            self._live.refresh()

    def drawn(self) -> Panel:
        """Lay the view out."""
        parts: list[Table | Text | ProgressBar] = [
            self._progress(),
            ProgressBar(total=max(self._table.hands, 1), completed=self._table.dealt),
            Text(),
        ]
        if self._shown.score_card:
            across = max(10, min(40, (self._console.width - 14) // 4))
            marks = self._table.card.marks
            lines = drawn(marks, self._shown.marking, across=across) if marks else ["no hand yet"]
            parts += [*map(Text, lines), Text()]
        parts.append(self._facts())
        if self._keys:
            parts.append(Text(_KEYS, style="dim"))
        return Panel(Group(*parts), title=self._title, title_align="left")

    def _progress(self) -> Text:
        table = self._table
        spent = time.monotonic() - self._began
        pace = table.dealt / spent if spent > 0 else 0.0
        state = "" if table.going.is_set() else "  PAUSED: g goes on, q quits"
        return Text.assemble(
            (f"{table.left:,}", "bold"),
            f" of {table.hands:,} hands to go   shoe {table.shoe}   {pace:,.0f} hands a second",
            (state, "bold reverse" if state else ""),
        )

    def _facts(self) -> Table:
        table, figures = self._table, self._table.figures
        grid = Table.grid(padding=(0, 2))
        if table.last is not None:
            grid.add_row("last hand", self._hand(table.last))
        if self._shown.count:
            grid.add_row("card count", f"{table.count.now:+d}")
        grid.add_row(
            "won by", f"banker {figures.banker} · player {figures.player} · tie {figures.ties}"
        )
        money = output.money
        grid.add_row(
            "profit",
            f"{money(figures.net, self._currency)}   (best {money(figures.best, self._currency)}, "
            f"worst {money(figures.worst, self._currency)})",
        )
        return grid

    def _hand(self, last: RoundResolved) -> Text:
        text = Text()
        for side, hand in (("player", last.player), ("banker", last.banker)):
            text.append(f"{side} {hand.total}  ")
            if self._shown.hands:
                for card in hand.cards:
                    style = "red" if card[1] in _RED else ""
                    text.append(f"{card[0].replace('T', '10')}{_SUITS[card[1]]} ", style)
            text.append("  ")
        return text.append(last.winner, "bold")
