"""A betting system's terms as options of a command, read alike by all that take them."""

from __future__ import annotations

from services.bettors.nine import Terms, spelling


def read_terms(
    unit: str | None,
    least: str | None,
    most: str | None,
    restart: str,
    side: str | None,
    series: str | None,
    start_count: str | None,
) -> Terms:
    """Read what was given on the command line, in whichever unit of money; None stays unset."""

    def amount(text: str | None, where: str) -> int | None:
        return None if text is None else spelling.amount(text, where)

    return Terms(
        unit=amount(unit, "--unit"),
        minimum=amount(least, "--min"),
        maximum=amount(most, "--max"),
        restart=spelling.restart(restart, "--restart"),
        side=None if side is None else spelling.side(side, "--side"),
        series=None if series is None else spelling.series(series, "--series"),
        start_count=None if start_count is None else spelling.integer(start_count, "--start-count"),
    )
