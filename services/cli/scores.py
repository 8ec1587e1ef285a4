"""``shoetrail scores``: the fifteen high scores and the statistics, to read. Changes neither."""

from __future__ import annotations

from typing import Annotated, Final

import msgspec
import typer

from services.cli import output
from services.cli.options import settings_for
from services.cli.score_book import FILE, ScoreBook
from services.cli.score_rows import HighScore, Statistics
from services.runtime.clocks import wall_microseconds

_SCORES: Final = ["place", "name", "score", "system", "rules", "hands", "when"]
_STATISTICS: Final = [
    "system", "rules", "sessions", "hands", "banker", "player", "ties", "bets", "won", "lost",
    "staked", "commission", "net", "best", "worst", "restarts",
]  # fmt: skip


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
    output.table("Statistics", _STATISTICS, [_row(one) for one in found.statistics])


def _row(one: Statistics) -> list[str]:
    figures = one.figures
    counts = (
        one.sessions, figures.hands, figures.banker, figures.player, figures.ties, figures.bets,
        figures.won, figures.lost,
    )  # fmt: skip
    money = (figures.staked, figures.commission, figures.net, figures.best, figures.worst)
    return [
        one.system,
        one.rules,
        *map(str, counts),
        *(output.money(amount, one.currency) for amount in money),
        str(figures.restarts),
    ]
