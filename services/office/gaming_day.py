"""Gaming days: which one a time belongs to, where the clock is put on and back. Has no clock.

A gaming day has the date on which it starts, and goes on until the next one starts. It starts at
the first instant at which the clock on the wall shows its hour or later, so that a day on which the
clock is put on or back is an hour shorter or longer, and no instant is in two days or in none.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING, Final, Literal
from zoneinfo import ZoneInfo

from schemas import instant
from schemas.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

By = Literal["day", "week", "month", "all"]
_TIME: Final = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])", re.ASCII)
_DAY: Final = timedelta(days=1)
_SECOND: Final = timedelta(seconds=1)
_EPOCH: Final = instant.moment(0)
_LAST_YEAR: Final = 9998


def parse_zone(name: str, where: str) -> ZoneInfo:
    """Read a zone's name in the tz database."""
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, LookupError):  # no such key, a folder, or a name that leads away
        mend = "give a name like Europe/Paris, America/New_York or UTC"
        raise InputError(f"{name[:40]!r} is no time zone", where, mend) from None


def parse_start(text: str, where: str) -> time:
    """Read a time of the day, like ``06:00``."""
    found = _TIME.fullmatch(text)
    if found is None:
        raise InputError(f"{text[:40]!r} is no time of the day", where, "write it as 06:00")
    return time(int(found[1]), int(found[2]))


class GamingDays:
    """Tells gaming days by when they start, and where."""

    __slots__ = ("_date", "_from", "_start", "_until", "_zone")

    def __init__(self, start: time, zone: ZoneInfo) -> None:
        """Take the hour on the wall at which a day starts."""
        self._start = start
        self._zone = zone
        # Times come in order, for the most part: the last day found is most often the next.
        self._date = date.min
        self._from = self._until = _EPOCH

    def of(self, spelled: str) -> date:
        """Give the gaming day of a time as our events spell it."""
        told = instant.moment(instant.parse(spelled))
        if not 1 <= told.year <= _LAST_YEAR:
            raise InputError(f"{spelled} is too late for a calendar", "time", "audit the log")
        if not self._from <= told < self._until:
            self._find(told)
        return self._date

    def starts(self, day: date) -> datetime:
        """Give the instant at which a gaming day starts, in UTC."""
        wall = datetime.combine(day, self._start)
        # Of an hour that comes twice the first counts. Where an hour is left out, the two readings
        # are before and after the gap, and the day starts where the clock jumps.
        readings = [self._at(wall, fold) for fold in (0, 1)]
        low, high = min(readings) - _SECOND, readings[0]
        while high - low > _SECOND:
            half = low + (high - low) // _SECOND // 2 * _SECOND
            if self._wall(half) >= wall:
                high = half
            else:
                low = half
        return high

    def _find(self, told: datetime) -> None:
        day = self._wall(told).date()
        if self.starts(day) > told:
            day -= _DAY
        self._date, self._from, self._until = day, self.starts(day), self.starts(day + _DAY)

    def _at(self, wall: datetime, fold: int) -> datetime:
        return wall.replace(tzinfo=self._zone, fold=fold).astimezone(UTC)

    def _wall(self, told: datetime) -> datetime:
        return told.astimezone(self._zone).replace(tzinfo=None)


def period_of(by: By, days: GamingDays) -> Callable[[str], str]:
    """Name a time's period: ``2026-11-30``, ``2026-W49`` (ISO 8601), ``2026-11`` or ``all``."""

    def name(spelled: str) -> str:
        if by == "all":
            return "all"
        day = days.of(spelled)
        if by == "week":
            year, week, _ = day.isocalendar()
            return f"{year}-W{week:02}"
        return day.isoformat() if by == "day" else f"{day:%Y-%m}"

    return name
