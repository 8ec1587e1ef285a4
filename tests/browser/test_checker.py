"""The checker in a real browser: it says of every log what the auditor says."""

from __future__ import annotations

import random
import re

import pytest

from services.auditor.offline import audit_lines
from tests.support import misdraws
from tests.support.checker import LOGS, Checker, Given, both, lines_of, spelled, told
from tests.unit.auditor import test_codes, test_misdraw
from tests.unit.auditor.table import Table

pytestmark = pytest.mark.browser
SHOES = sorted(path for path in LOGS.glob("*/*.jsonl") if path.stem.isdigit())


def test_every_committed_log_is_what_the_auditor_says(checker: Checker) -> None:
    """By real drag and drop, whichever logs there are; an amount is shown as it is worked out."""
    assert len(SHOES) > 30
    for path in SHOES:
        audit = audit_lines(lines_of(path))
        wanted = told(audit.findings)
        shown = checker.drop(path)
        assert shown.verdict == audit.verdict, path
        assert sorted(shown.findings) == [finding[:4] for finding in wanted], path
        word = "Fail" if audit.verdict == "fail" else "Pass"
        assert shown.status.startswith(f"{word}. {audit.table}/{audit.shoe}, "), path
        if any(amount for *_, amount in wanted):
            (found,) = checker.run([Given(path.read_bytes())])
            assert sorted(found.findings) == wanted, path


def shoes() -> list[tuple[str, Table]]:
    """The auditor's own cases: each code by its smallest change, each policy kept and broken."""
    codes = [(f"{code}: {case.__name__}", case) for code in test_codes.CASES
             for case in test_codes.CASES[code]]  # fmt: skip
    told = [(name, case()[0]) for name, case in [*codes, *test_misdraw.BREAKS.items()]]
    told += [(case.name, test_misdraw.played(case)[0]) for case in misdraws.CASES]
    return [(name, table) for name, table in told if table.previous is None]


def test_every_case_of_the_auditor_s_is_found_at_the_same_address(checker: Checker) -> None:
    tables = shoes()
    assert len(tables) > 150
    pairs = both(checker, [table for _, table in tables])
    for (name, _), (audit, found) in zip(tables, pairs, strict=True):
        faults = [(f.code, f.at) for f in audit.findings if f.grade == "fault"]
        there = [(code, at) for code, at, grade, *_ in found.findings if grade == "fault"]
        assert (found.verdict, sorted(there)) == (audit.verdict, sorted(faults)), name


def test_logs_with_a_value_changed_fail_where_the_auditor_says(checker: Checker) -> None:
    """Numbers one off, other cards and names: what hashes alone would not explain."""
    dice = random.Random(20261130)  # noqa: S311 - the same each time
    value = re.compile(rb'(?<=[:\[,])(?:-?\d+|"[0-9A-Za-z]{2}"|"player"|"banker")(?=[,}\]])')
    cases, names = [], []
    for path in SHOES:
        lines = lines_of(path)
        for _ in range(4 if len(lines) < 200 else 0):
            at = dice.randrange(1, len(lines))
            if not (places := list(value.finditer(lines[at]))):
                continue
            place = dice.choice(places)
            old = place.group()
            new = b"%d" % (int(old) + dice.choice((1, -1, 100))) if old[:1] != b'"' else (
                b'"9H"' if len(old) == 4 else b'"banker"' if old == b'"player"' else b'"player"'
            )  # fmt: skip
            changed = [*lines]
            changed[at] = lines[at][: place.start()] + new + lines[at][place.end() :]
            cases.append(changed)
            names.append(f"{path.parent.name}/{path.stem}, line {at + 1}: {old!r} to {new!r}")
    same = 0
    found = checker.run([Given(spelled(lines)) for lines in cases])
    for name, lines, one in zip(names, cases, found, strict=True):
        audit = audit_lines(lines)
        assert one.verdict == audit.verdict, name
        faults = {(f.code, f.at) for f in audit.findings if f.grade == "fault"}
        there = {(code, at) for code, at, grade, *_ in one.findings if grade == "fault"}
        assert bool(faults & there) is bool(faults), name
        same += faults == there
    # What else follows from a card that is said to lie far away, each says in its own way.
    assert same >= 0.95 * len(cases)
