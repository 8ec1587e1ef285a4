"""``shoetrail scores``: the fifteen high scores and the statistics, to read. Changes neither."""

from __future__ import annotations

import re
from typing import Annotated, Final

import msgspec
import typer

from schemas.errors import InputError
from services.cli import output
from services.cli.options import settings_for
from services.cli.score_book import FILE, ScoreBook
from services.cli.score_rows import HighScore, Statistics
from services.runtime.clocks import wall_microseconds

_CURRENCY: Final = re.compile(r"[A-Z]{3}", re.ASCII)
_SCORES: Final = ["place", "name", "score", "system", "rules", "hands", "when"]
_HANDS: Final = [
    "system", "rules", "sessions", "hands", "banker", "player", "ties", "won", "lost", "restarts"
]  # fmt: skip
_MONEY: Final = ["system", "rules", "staked", "commission", "net", "best", "worst"]


class Scores(msgspec.Struct, frozen=True):
    """All that the score book has to say of one currency."""

    high_scores: list[HighScore]
    statistics: list[Statistics]


def scores(
    currency: Annotated[str, typer.Option(help="High scores in this currency.")] = "USD",
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Show the fifteen high scores and the statistics.

    They are kept in the state folder (SHOETRAIL_STATE_DIR).

    For example:

      shoetrail scores

      shoetrail scores --currency GBP --json
    """
    if _CURRENCY.fullmatch(currency) is None:
        what = f"{currency[:40]!r} is no currency"
        raise InputError(what, "--currency", "write its three letters, like USD")
    path = settings_for(None).state_dir / FILE
    found = Scores([], [])
    if path.exists():  # to look does not begin a book
        with ScoreBook(path, wall_microseconds) as book:
            found = Scores(
                book.high_scores(currency),
                [one for one in book.statistics() if one.currency == currency],
            )
    if json:
        output.document(found)
    else:
        _show(found, currency)


def _show(found: Scores, currency: str) -> None:
    if not found.statistics:
        output.note(f"Nothing was played in {currency} yet")
        return
    if found.high_scores:
        output.table(
            "High scores",
            _SCORES,
            [
                [
                    str(place),
                    one.name,
                    output.money(one.score, currency),
                    one.system,
                    one.rules,
                    str(one.hands),
                    one.ended,
                ]
                for place, one in enumerate(found.high_scores, start=1)
            ],
        )
    else:
        output.note("No high scores yet: they are of sessions that won, under a --name")
    output.table("Statistics: hands", _HANDS, [_hands(one) for one in found.statistics])
    output.table("Statistics: money", _MONEY, [_money(one) for one in found.statistics])


def _hands(one: Statistics) -> list[str]:
    figures = one.figures
    counts = (
        one.sessions, figures.hands, figures.banker, figures.player, figures.ties, figures.won,
        figures.lost, figures.restarts,
    )  # fmt: skip
    return [one.system, one.rules, *map(str, counts)]


def _money(one: Statistics) -> list[str]:
    figures = one.figures
    money = (figures.staked, figures.commission, figures.net, figures.best, figures.worst)
    return [one.system, one.rules, *(output.money(amount, one.currency) for amount in money)]
