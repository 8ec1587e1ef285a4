"""What the checker is given that is no log of ours: never a pass, and never a page that hangs."""

from __future__ import annotations

import random
import re
import time
from pathlib import Path

import pytest

from services.auditor.offline import audit_lines
from tests.support.checker import GAME, Checker, Given, lines_of, spelled

pytestmark = pytest.mark.browser
OPENING = lines_of(GAME)[0]
SEAT = lines_of(GAME)[1]
MEBI = 1 << 20
NOISE = random.Random(1).randbytes(MEBI)  # noqa: S311 - the same each time


@pytest.mark.parametrize(
    ("data", "times", "says"),
    [
        (b"", 1, "the file is empty"),
        (b"\n", 1, "no readable shoe.opened"),
        (b"{}\n", 1, "no readable shoe.opened"),
        (OPENING, 1, "no readable shoe.opened"),
        (b"\xef\xbb\xbf" + OPENING + b"\n", 1, "no readable shoe.opened"),
        (OPENING + b"\r\n", 1, "no readable shoe.opened"),
        (OPENING[:-2] + b"\n", 1, "no readable shoe.opened"),
        (SEAT + b"\n", 1, "no readable shoe.opened"),
        (b"\xff\xfe\n", 50, "no readable shoe.opened"),
        (b"[", 900_000, "no readable shoe.opened"),
        (NOISE, 20, "no readable shoe.opened"),
        (b" ", 20 * MEBI, "no readable shoe.opened"),
        (b"\n", 20 * MEBI, "no readable shoe.opened"),
        (OPENING + b"\n" * 20_000, 1_000, "more than 100000 lines"),
    ],
    ids=lambda what: repr(what[:8]) if isinstance(what, bytes) else str(what),
)
def test_files_that_are_no_log(
    checker: Checker, tmp_path: Path, data: bytes, times: int, says: str
) -> None:
    path = tmp_path / "1.jsonl"
    path.write_bytes(data * times)
    begun = time.monotonic()
    shown = checker.choose(path)
    assert (shown.verdict, shown.findings) == ("unusable", [])
    assert "The log cannot be used" in shown.told
    assert says in shown.told
    assert shown.status == f"Cannot be used. {shown.told}"
    assert time.monotonic() - begun < 60


@pytest.mark.parametrize(
    "bad",
    [
        SEAT + b"\r",
        SEAT.replace(b'"seat":1', b'"seat":NaN'),
        SEAT.replace(b'"seat":1', b'"seat":1.0'),
        SEAT.replace(b'"seat":1', b'"seat":-0'),
        SEAT.replace(b'"seat":1', b'"seat":1,"seat":1'),
        SEAT.replace(b'"seat":1', b'"seat":9007199254740993'),
        SEAT.replace(b'"seat":1', b'"seat":1e400'),
        SEAT.replace(b'"bettor":"', b'"bettor":"\\ud800'),
        SEAT.replace(b'"bettor":"', b'"bettor":"\\u0061'),
        SEAT.replace(b'"bettor":', b' "bettor":'),
        SEAT.replace(b'"bettor":', b'"__proto__":{},"bettor":'),
        SEAT.replace(b'"data":{', b'"data":{"more":1,'),
        SEAT.replace(b'"specversion":"1.0",', b""),
        b'{"a":' * 150_000 + b"1" + b"}" * 150_000,
        b"null", b"", b"\x00", b"\xff", b"[]", b'"', b" " * (3 * MEBI),
    ],
    ids=lambda bad: f"{bad[-60:]!r} {len(bad)}",
)  # fmt: skip
def test_a_line_that_is_none_of_ours(checker: Checker, bad: bytes) -> None:
    """Other numbers and spellings, a key twice, half a character: never read as what it seems."""
    assert bad != SEAT
    lines = lines_of(GAME)
    (found,) = checker.run([Given(spelled([lines[0], bad, *lines[2:]]))])
    assert found.verdict == "fail"
    assert found.findings[0][:2] == ("malformed", "YABA4-WON/1-1")
    audit = audit_lines([lines[0], bad, *lines[2:]])
    assert [one[:2] for one in found.findings] == [(f.code, f.at) for f in audit.findings]


def test_a_torn_last_line(checker: Checker, tmp_path: Path) -> None:
    path = tmp_path / "1.jsonl"
    path.write_bytes(GAME.read_bytes()[:-1])
    shown = checker.choose(path)
    assert shown.verdict == "fail"
    assert shown.findings == [("malformed", "YABA4-WON/1-67", "fault", 0)]


def test_the_same_file_again_once_it_is_mended(checker: Checker, tmp_path: Path) -> None:
    path = tmp_path / "1.jsonl"
    path.write_bytes(GAME.read_bytes()[:-1])
    assert checker.choose(path).verdict == "fail"
    path.write_bytes(GAME.read_bytes())
    assert checker.choose(path).verdict == "pass"


def test_twenty_megabytes_of_lines_do_not_stop_the_page(checker: Checker, tmp_path: Path) -> None:
    """It goes on answering, and another file may be given meanwhile."""
    path = tmp_path / "1.jsonl"
    line = b"x" * 420 + b"\n"
    path.write_bytes(OPENING + b"\n" + line * 50_000)
    checker.page.set_input_files("#files", path)
    checker.page.get_by_text("Checking: ").wait_for()
    checker.page.click("#key")
    assert checker.page.evaluate("document.activeElement.id") == "key"
    shown = checker.choose(GAME)
    assert shown.verdict == "pass"
    begun = time.monotonic()
    shown = checker.choose(path)
    assert shown.verdict == "fail"
    assert shown.findings == [("malformed", "YABA4-WON/1-1", "fault", 0)]
    assert time.monotonic() - begun < 120


def test_money_beyond_what_a_number_holds_is_refused(checker: Checker) -> None:
    lines = lines_of(GAME)
    at = next(index for index, line in enumerate(lines) if b'"bet.placed"' in line)
    big = [b"9007199254740992", b"9007199254740993", b"-9007199254740992", b"18446744073709551617"]
    cases = []
    for stake in big:
        changed = re.sub(rb'"stake":\d+', b'"stake":' + stake, lines[at])
        cases.append(Given(spelled([*lines[:at], changed, *lines[at + 1 :]])))
    for found in checker.run(cases):
        assert found.findings[0][0] == "malformed"
