"""Times: UTC, whole microseconds, spelled in one way. Has no clock of its own."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Final

from schemas.errors import InputError

_EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001 - all times are UTC here, and spelled without it
_SECOND = 1_000_000
#: Each time is spelled as long as this.
LENGTH: Final = len("2026-11-30T03:22:19.123456Z")
_LETTERS: Final = b"0123456789-T:.Z"
#: The first instant after the last that has four digits for its year.
END = 253_402_300_800_000_000


def spell(instant: int) -> str:
    """Spell microseconds since 1970 as ``2026-11-30T03:22:19.123456Z`` (always that long)."""
    if not 0 <= instant < END:
        what = f"the time {instant} is outside the years 1970 to 9999"
        raise InputError(what, mend="give microseconds since 1970-01-01T00:00:00Z")
    second, micro = divmod(instant, _SECOND)
    return f"{_spelled(second)}.{micro:06d}Z"


def parse(text: str) -> int:
    """Read our one spelling back to microseconds since 1970; another spelling is refused."""
    second = _read(text[:19]) if len(text) == LENGTH else None
    micro = text[20:26]
    if second is None or text[19] != "." or text[26] != "Z" or not _is_digits(micro):
        what = f"{text[:40]!r} is not a time"
        raise InputError(what, mend="write it as 2026-11-30T03:22:19.123456Z")
    return second * _SECOND + int(micro)


def is_timelike(text: bytes) -> bool:
    """Tell whether this has the letters of times alone, and so one spelling; it may be no time."""
    return not text.translate(None, _LETTERS)


def moment(instant: int) -> datetime:
    """Give microseconds since 1970 in UTC, for calendars; ``OverflowError`` where they end."""
    return _EPOCH.replace(tzinfo=UTC) + timedelta(microseconds=instant)


def _is_digits(text: str) -> bool:
    return text.isascii() and text.isdigit()


# Events come many to a second, and in order: a few remembered seconds spare most of the work.
@lru_cache(maxsize=64)
def _spelled(second: int) -> str:
    return (_EPOCH + timedelta(seconds=second)).isoformat()


@lru_cache(maxsize=64)
def _read(text: str) -> int | None:
    try:
        second = (datetime.fromisoformat(text) - _EPOCH) // timedelta(seconds=1)
    except (ValueError, TypeError):
        return None
    return second if second >= 0 and _spelled(second) == text else None
