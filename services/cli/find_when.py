"""When a round was: spans of time as people say them, in a zone. Knows no log and no clock.

``21:05`` is a time of any day, ``2026-11-30`` a whole day, ``2026-11-30T21:05`` a moment in the
zone, unless it says ``Z`` or ``+01:00`` itself.
"""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, Final, NamedTuple

from schemas.errors import InputError
from schemas.instant import END, moment

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

_EPOCH: Final = moment(0)
_US: Final = timedelta(microseconds=1)
_DAY: Final = timedelta(days=1)
_CLOCK: Final = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?", re.ASCII)
_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_MOMENT: Final = re.compile(
    r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:\d{2})?", re.ASCII
)
_MEND: Final = "write 21:05, 2026-11-30 or 2026-11-30T21:05, with +01:00 or Z if it is not --zone's"


class Span(NamedTuple):
    """Microseconds since 1970, both ends included."""

    first: int
    last: int

    def meets(self, other: Span) -> bool:
        """Tell whether the two have a moment in common."""
        return self.first <= other.last and other.first <= self.last


ALWAYS: Final = Span(0, END)


class Daily(NamedTuple):
    """From one time of day to another, each day; past midnight where the second is earlier."""

    first: time
    last: time
    zone: ZoneInfo

    def meets(self, other: Span) -> bool:
        """Tell whether the other has a moment in common with any day's span."""
        try:
            return self._meets(other)
        except OverflowError:  # at the end of all years there is no next day
            return False

    def _meets(self, other: Span) -> bool:
        day = _local(other.first, self.zone).date() - _DAY
        end = _local(other.last, self.zone).date()
        while day <= end:
            until = day if self.first <= self.last else day + _DAY
            if Span(_at(day, self.first, self.zone), _at(until, self.last, self.zone)).meets(other):
                return True
            day += _DAY
        return False


When = Span | Daily


def parse_when(begin: str | None, end: str | None, zone: ZoneInfo) -> When:
    """Read ``--from`` and ``--to``; None is no bound."""
    first = None if begin is None else _parse(begin, zone, "--from")
    last = None if end is None else _parse(end, zone, "--to")
    if isinstance(first, time) or isinstance(last, time):
        if isinstance(first, Span) or isinstance(last, Span):
            mend = "give both as times of day, or both with their date"
            raise InputError("a time of day and a date do not go together", "--from, --to", mend)
        return Daily(first or time.min, time.max if last is None else last, zone)
    found = Span(
        ALWAYS.first if first is None else first.first, ALWAYS.last if last is None else last.last
    )
    if found.first > found.last:
        raise InputError("it ends before it begins", "--from, --to", "change the two")
    return found


def parse_about(text: str, within: float, zone: ZoneInfo) -> When:
    """Read ``--about``: so many minutes before and after."""
    told = _parse(text, zone, "--about")
    if isinstance(told, Span):
        around = round(within * 60_000_000)
        return Span(told.first - around, told.last + around)
    around = min(round(within * 60), 43_199)
    middle = datetime.combine(date(2000, 1, 2), told)
    first, last = ((middle + timedelta(seconds=sign * around)).time() for sign in (-1, 1))
    return Daily(first, last, zone)


def local(instant: int, zone: ZoneInfo) -> str:
    """Spell a moment as the clock on the wall says it, to the second."""
    try:
        return f"{_local(instant, zone):%Y-%m-%d %H:%M:%S}"
    except OverflowError:
        return "-"


def _parse(text: str, zone: ZoneInfo, where: str) -> Span | time:
    told = text.strip()
    clock = _CLOCK.fullmatch(told)
    try:
        if clock is not None:
            return time(int(clock[1]), int(clock[2]), int(clock[3] or 0))
        if _DATE.fullmatch(told):
            day = date.fromisoformat(told)
            return Span(_at(day, time.min, zone), _at(day + _DAY, time.min, zone) - 1)
        if _MOMENT.fullmatch(told):
            told_at = datetime.fromisoformat(told)
            at = _us(told_at if told_at.tzinfo is not None else told_at.replace(tzinfo=zone))
            return Span(at, at)
    except (ValueError, OverflowError):
        pass
    raise InputError(f"{text[:40]!r} is no time", where, _MEND)


def _local(instant: int, zone: ZoneInfo) -> datetime:
    return moment(instant).astimezone(zone)


def _at(day: date, clock: time, zone: ZoneInfo) -> int:
    return _us(datetime.combine(day, clock, tzinfo=zone))


def _us(when: datetime) -> int:
    return (when - _EPOCH) // _US
