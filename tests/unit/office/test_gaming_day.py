"""Gaming days where the clock is put on and back, each by hand; and that none is left out."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.errors import InputError
from schemas.instant import spell
from services.office.gaming_day import By, GamingDays, parse_start, parse_zone, period_of


def days(start: str, zone: str) -> GamingDays:
    return GamingDays(parse_start(start, "--day-starts"), parse_zone(zone, "--zone"))


@pytest.mark.parametrize(
    ("start", "zone", "time", "day"),
    [
        ("00:00", "UTC", "2026-11-30T00:00:00.000000Z", "2026-11-30"),
        ("00:00", "UTC", "2026-11-29T23:59:59.999999Z", "2026-11-29"),
        # Paris in winter is an hour on, in summer two.
        ("06:00", "Europe/Paris", "2026-01-15T04:59:59.999999Z", "2026-01-14"),
        ("06:00", "Europe/Paris", "2026-01-15T05:00:00.000000Z", "2026-01-15"),
        ("06:00", "Europe/Paris", "2026-07-15T03:59:59.999999Z", "2026-07-14"),
        ("06:00", "Europe/Paris", "2026-07-15T04:00:00.000000Z", "2026-07-15"),
        # The nights in which it changes: 29 March 2026 and 25 October 2026, both at 01:00 UTC.
        ("06:00", "Europe/Paris", "2026-03-29T03:59:59.999999Z", "2026-03-28"),
        ("06:00", "Europe/Paris", "2026-03-29T04:00:00.000000Z", "2026-03-29"),
        ("06:00", "Europe/Paris", "2026-10-25T04:59:59.999999Z", "2026-10-24"),
        ("06:00", "Europe/Paris", "2026-10-25T05:00:00.000000Z", "2026-10-25"),
        # 02:30 is left out in March: the day starts where the clock jumps from 02:00 to 03:00.
        ("02:30", "Europe/Paris", "2026-03-29T00:59:59.999999Z", "2026-03-28"),
        ("02:30", "Europe/Paris", "2026-03-29T01:00:00.000000Z", "2026-03-29"),
        # 02:30 comes twice in October: it starts the first time, and does not end the second.
        ("02:30", "Europe/Paris", "2026-10-25T00:29:59.999999Z", "2026-10-24"),
        ("02:30", "Europe/Paris", "2026-10-25T00:30:00.000000Z", "2026-10-25"),
        ("02:30", "Europe/Paris", "2026-10-25T01:15:00.000000Z", "2026-10-25"),
        # Clocks that are put on at midnight, and by half an hour.
        ("00:00", "Africa/Cairo", "2026-04-23T21:59:59.999999Z", "2026-04-23"),
        ("00:00", "Africa/Cairo", "2026-04-23T22:00:00.000000Z", "2026-04-24"),
        ("02:10", "Australia/Lord_Howe", "2026-10-03T15:29:59.999999Z", "2026-10-03"),
        ("02:10", "Australia/Lord_Howe", "2026-10-03T15:30:00.000000Z", "2026-10-04"),
    ],
)
def test_the_day(start: str, zone: str, time: str, day: str) -> None:
    assert days(start, zone).of(time).isoformat() == day


ZONES = ["UTC", "Europe/Paris", "America/New_York", "Asia/Macau", "Australia/Lord_Howe",
         "Pacific/Apia", "Africa/Cairo", "Asia/Kathmandu"]  # fmt: skip
instants = st.datetimes(datetime(2000, 1, 1), datetime(2035, 1, 1))  # noqa: DTZ001 - made UTC below


@given(st.sampled_from(ZONES), st.integers(0, 23), st.integers(0, 59), st.lists(instants))
def test_days_follow_one_another_and_each_holds_its_times(
    zone: str, hour: int, minute: int, times: list[datetime]
) -> None:
    known = days(f"{hour:02}:{minute:02}", zone)
    found = []
    for time in sorted(times):
        told = time.replace(tzinfo=UTC)
        day = known.of(f"{time:%Y-%m-%dT%H:%M:%S.%f}Z")
        assert known.starts(day) <= told < known.starts(day + timedelta(days=1))
        found.append(day)
    assert found == sorted(found)


def test_days_are_an_hour_shorter_and_longer_twice_a_year() -> None:
    known = days("06:00", "Europe/Paris")
    first = date(2026, 1, 1)
    starts = [known.starts(first + timedelta(days=day)) for day in range(366)]
    lengths = [after - before for before, after in pairwise(starts)]
    hours = [length.total_seconds() / 3600 for length in lengths]
    assert {day: length for day, length in enumerate(hours) if length != 24} == {
        (date(2026, 3, 28) - first).days: 23,
        (date(2026, 10, 24) - first).days: 25,
    }


@pytest.mark.parametrize(
    ("by", "name"),
    [("day", "2027-01-01"), ("week", "2026-W53"), ("month", "2027-01"), ("all", "all")],
)
def test_periods(by: By, name: str) -> None:
    assert period_of(by, days("06:00", "Europe/Paris"))("2027-01-01T12:00:00.000000Z") == name


@pytest.mark.parametrize(
    "zone",
    ["", "Europe", "Paris", "Europe/Atlantis", "../../etc/passwd", "/etc/localtime", "a\0b",
     "UTC\n", "Europe/Paris " + "x" * 10_000],
)  # fmt: skip
def test_no_zone(zone: str) -> None:
    with pytest.raises(InputError, match=r"^--zone: .* is no time zone; give a name like"):
        parse_zone(zone, "--zone")


@pytest.mark.parametrize(
    "text", ["", "6", "6:00", "24:00", "06:60", "06:00:00", "06.00", "\u0660\u0666:00"]
)
def test_no_time(text: str) -> None:
    with pytest.raises(InputError, match=r"^--day-starts: .*is no time of the day; write it as 06"):
        parse_start(text, "--day-starts")


def test_no_calendar_goes_on_for_ever() -> None:
    with pytest.raises(InputError, match="too late for a calendar"):
        days("06:00", "UTC").of("9999-12-31T23:59:59.999999Z")
    assert days("06:00", "Asia/Tokyo").of(spell(0)).isoformat() == "1970-01-01"
