"""Times: UTC, whole microseconds, spelled in one way. Has no clock of its own."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from schemas.errors import InputError

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_LENGTH = len("2026-11-30T03:22:19.123456Z")
#: The first instant after the last that has four digits for its year.
END = 253_402_300_800_000_000


def spell(instant: int) -> str:
    """Spell microseconds since 1970 as ``2026-11-30T03:22:19.123456Z`` (always that long)."""
    if not 0 <= instant < END:
        what = f"the time {instant} is outside the years 1970 to 9999"
        raise InputError(what, mend="give microseconds since 1970-01-01T00:00:00Z")
    moment = _EPOCH + timedelta(microseconds=instant)
    return moment.isoformat(timespec="microseconds")[: _LENGTH - 1] + "Z"


def parse(text: str) -> int:
    """Read our one spelling back to microseconds since 1970; another spelling is refused."""
    instant = _plain(text)
    if instant is None or instant < 0 or spell(instant) != text:
        what = f"{text[:40]!r} is not a time"
        raise InputError(what, mend="write it as 2026-11-30T03:22:19.123456Z")
    return instant


def _plain(text: str) -> int | None:
    if len(text) != _LENGTH:
        return None
    try:
        moment = datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return (moment - _EPOCH) // _MICROSECOND
