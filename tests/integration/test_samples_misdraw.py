"""The committed logs with cards drawn in error: made again byte for byte, and what is said of each.

What is to be found in the clean ones was worked out by hand from the deck.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from schemas import events as ev
from schemas.envelope import decode_line
from services.auditor.offline import audit_paths
from services.runtime.logging import configure
from services.runtime.settings import Settings
from tests.support import samples, samples_misdraw
from tests.support.misdraws import spelled

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.integration
NAMES = [*samples_misdraw.CLEAN, *samples_misdraw.DISPUTED]

#: Each round's line in the signs of ``tests/vectors/misdraws``, and what is put aside at the end.
LINES = {
    "MISDRAW-HAND": (
        [
            "P2 B3 P4 B5 =",
            "P6 B7 P8 B9 E10 B10 =",  # the banker draws when the player stood: it is his
            "P11 B12 P13 B14 E15 =",  # six against seven
            "P15 B16 P17 B18 =",
            "P19 B20 P21 B22 P23 B24 E25 =",  # a seventh card
            "P25 B26 P27 B28 =",
            "P29 B30 P31 B32 =",  # the cut card lies before 31: one more hand
            "P33 B34 P35 B36 E37 =",
        ],
        "D37",
    ),
    "MISDRAW-ANNUL": (
        [
            "P2 B3 P4 B5 =",
            "P6 B7 P8 B9 E10 D10 V",
            "P11 B12 P13 B14 =",
            "P15 B16 P17 B18 E19 D19 V",  # the banker's natural had won
            "P20 B21 P22 B23 P24 =",
            "P25 B26 P27 B28 =",
            "P29 B30 P31 B32 =",
            "P33 B34 P35 B36 E37 D37 V",  # the cut card lay before 35, but this is no hand now
            "P38 B39 P40 B41 =",
        ],
        "",
    ),
    "MISDRAW-DUMMY": (
        [
            "P2 B3 P4 B5 =",
            "P6 B7 P8 B9 E10 B11 =",
            "0 P10 B12 P13 B14 P15 =",  # a tie at seven, which nobody could bet on
            "P16 B17 P18 B19 E20 =",
            "0 P20 B21 P22 B23 P24 =",
            "P25 B26 P27 B28 =",
            "P29 B30 P31 B32 =",
            "P33 B34 P35 B36 E37 =",
        ],
        "D37",
    ),
}


def events(table: str) -> list[ev.Event]:
    lines = (samples.ROOT / table / "1.jsonl").read_bytes().splitlines()
    said = [decode_line(line).data for line in lines]
    return [one for one in said if isinstance(one, ev.Event)]


def test_they_are_made_again_byte_for_byte(tmp_path: Path) -> None:
    configure(Settings.read({"SHOETRAIL_LOG_LEVEL": "critical"}))
    samples_misdraw.make(tmp_path)
    made = {path.relative_to(tmp_path): path for path in tmp_path.rglob("*") if path.is_file()}
    assert {str(path) for path in made} == {f"{name}/1.jsonl" for name in NAMES}
    for path, file in made.items():
        assert file.read_bytes() == (samples.ROOT / path).read_bytes(), path


@pytest.mark.parametrize("table", samples_misdraw.CLEAN)
def test_a_clean_one_is_as_it_was_worked_out(table: str) -> None:
    assert spelled(events(table)) == LINES[table]
    audit = audit_paths([samples.ROOT / table / "1.jsonl"])
    assert audit.verdict == "pass"
    applied = [one.round for one in audit.findings if one.code == "policy-applied"]
    assert applied == list(samples_misdraw.CLEAN[table].misdraws)
    assert {one.code for one in audit.findings} <= {"policy-applied", "voided"}
    closed = events(table)[-1]
    assert isinstance(closed, ev.ShoeClosed)
    assert closed.reason == "rules"


@pytest.mark.parametrize("table", samples_misdraw.CLEAN)
def test_in_a_clean_one_nothing_is_refused(table: str) -> None:
    refused = (ev.BetRefused, ev.CommandRefused)
    assert not any(isinstance(event, refused) for event in events(table))


@pytest.mark.parametrize("table", samples_misdraw.DISPUTED)
def test_a_disputed_one_fails_for_its_one_reason(table: str) -> None:
    (finding,) = audit_paths([samples.ROOT / table / "1.jsonl"]).findings
    assert (finding.code, finding.round, finding.amount) == samples_misdraw.DISPUTED[table][1]
    assert finding.grade == "fault"
