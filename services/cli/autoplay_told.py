"""What a self-playing session came to: kept in the score book, and told. Plays nothing."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Literal

import msgspec
import typer

from schemas.errors import InputError
from services.bettors.nine import KINDS
from services.cli import output
from services.cli.figures import Figures
from services.cli.score_book import FILE, ScoreBook
from services.cli.score_rows import Session, player_name, session_id
from services.runtime.clocks import wall_microseconds

if TYPE_CHECKING:
    from pathlib import Path

Ended = Literal["played", "quit", "interrupted", "faults"]


class Played(msgspec.Struct, frozen=True):
    """What a run came to; money in minor units.

    ``ended`` tells why: all hands are played, the player quit, a signal came, or the auditor found
    ``faults``. ``place`` is among the fifteen high scores, or null.
    """

    table: str
    logs: str
    system: str
    rules: str
    currency: str
    hands: int
    figures: Figures
    ended: Ended
    verdict: str
    faults: list[str]
    seconds: float
    hands_per_s: float
    place: int | None


class Sessions:
    """Keeps one session in the score book; each keeping opens it anew, from whichever thread."""

    def __init__(
        self, state_dir: Path, table: str, system: str, rules: str, currency: str, terms: str
    ) -> None:
        """Name the session; ``terms`` are all that tells its bets from another's at this table."""
        self._path = state_dir / FILE
        self._table, self._system, self._rules = table, system, rules
        self._currency, self._terms = currency, terms
        with self._book():
            pass  # a book that cannot be used is told of before the game, not after it

    def keep(self, figures: Figures, commitment: str, name: str | None = None) -> int | None:
        """Write the session down as far as it is; give its place among the fifteen."""
        session = Session(
            id=session_id(self._table, commitment, self._system, self._rules, self._terms),
            system=self._system,
            rules=self._rules,
            currency=self._currency,
            figures=figures,
            name=name,
        )
        with self._book() as book:
            return book.keep(session)

    def ask_name(self, score: int) -> str | None:
        """Ask for the player's name where the score is high enough and somebody is there."""
        with self._book() as book:
            place = book.place_of(score, self._currency)
        if place is None or not (sys.stdin.isatty() and sys.stdout.isatty()):
            return None
        told = f"{output.money(score, self._currency)} is high score number {place}. Your name"
        while True:
            try:
                name: str = typer.prompt(told, default="", show_default=False)
                return player_name(name) if name.strip() else None
            except InputError as wrong:
                output.note(str(wrong))
            except typer.Abort:  # Ctrl-C or Ctrl-D: no name, but the session is kept
                output.note("")
                return None

    def _book(self) -> ScoreBook:
        return ScoreBook(self._path, wall_microseconds)


def show(played: Played) -> None:
    """Tell it to a person."""
    figures, money = played.figures, output.money
    currency = played.currency
    output.facts(
        f"{KINDS[played.system].title}, {figures.hands:,} hands",
        {
            "banker · player · tie": f"{figures.banker} · {figures.player} · {figures.ties}",
            "bets won · lost": f"{figures.won} · {figures.lost}",
            "staked": money(figures.staked, currency),
            "commission": money(figures.commission, currency),
            "profit": money(figures.net, currency),
            "best · worst": f"{money(figures.best, currency)} · {money(figures.worst, currency)}",
            "restarts at the maximum": str(figures.restarts),
            "hands a second": f"{played.hands_per_s:,.0f}",
            "audit": f"{played.verdict}, {figures.shoes} shoe{'s' * (figures.shoes != 1)}",
            "logs": played.logs,
        },
    )
    for fault in played.faults:
        output.note(f"the audit found: {fault}")
    if played.ended != "played":
        why = {"quit": "as asked", "interrupted": "interrupted", "faults": "for the faults found"}
        output.note(f"ended after {figures.hands:,} of {played.hands:,} hands, {why[played.ended]}")
    if played.place is not None:
        output.note(f"high score number {played.place}: see shoetrail scores")
