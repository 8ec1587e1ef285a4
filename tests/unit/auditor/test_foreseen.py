"""Rounds that are compared as bytes: the same findings as reading them, for any byte changed."""

from __future__ import annotations

import pytest

from services.auditor import fold, foreseen
from services.auditor.fold import ShoeAudit
from services.auditor.offline import audit_lines
from services.auditor.state import State
from tests.unit.auditor.table import good


@pytest.fixture(name="taken")
def _taken(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Collect the rounds that were foreseen."""
    numbers: list[int] = []

    def watched(st: State, lines: list[bytes], at: int) -> int:
        after = foreseen.take_foreseen(st, lines, at)
        if after:
            numbers.append(st.round_number)
        return after

    monkeypatch.setattr(fold, "take_foreseen", watched)
    return numbers


def test_rounds_are_foreseen_once_bets_repeat(taken: list[int]) -> None:
    result = audit_lines(good(rounds=20).asked().lines())
    assert result.verdict == "pass"
    assert taken == list(range(3, 21))


def test_every_byte_of_a_foreseen_round_counts(taken: list[int]) -> None:
    """A bit of every third byte: none passes, and reading line by line finds the same."""
    lines = good(rounds=4).asked().lines()
    start = next(at for at, line in enumerate(lines) if b"round.opened" in line and b'":3,' in line)
    end = next(at for at in range(start, len(lines)) if b"round.resolved" in lines[at])
    audit_lines(lines)
    assert 3 in taken
    for number in range(start, end + 1):
        for place in range(number % 3, len(lines[number]), 3):
            line = bytearray(lines[number])
            line[place] ^= 1
            changed = [*lines[:number], bytes(line), *lines[number + 1 :]]
            taken.clear()
            result = audit_lines(changed[: end + 1])
            slowly = ShoeAudit()
            for one in changed[: end + 1]:
                slowly.line(one)
            assert slowly.result() == result
            if 3 in taken:  # a time that is later, or a card whose suit nobody asks for
                assert b'"time":"' in line or b'"card":"' in line


@pytest.mark.parametrize(
    ("place", "changed"),
    [(0, b"x"), (4, b"0"), (6, b"3"), (10, b" "), (12, b"a"), (15, b"6"), (17, b"6"), (19, b","),
     (17, b"9"), (25, b"/"), (26, b"z"), (11, b"29")],
)  # fmt: skip
@pytest.mark.parametrize("event", range(12))
def test_a_time_of_a_foreseen_round_is_looked_at(place: int, changed: bytes, event: int) -> None:
    """Whatever is wrong with it, and in whichever line, reading line by line finds the same."""
    lines = good(rounds=4).asked().lines()
    start = next(at for at, line in enumerate(lines) if b"round.opened" in line and b'":3,' in line)
    line = bytearray(lines[start + event])
    begin = line.index(b'"time":"') + len(b'"time":"') + place
    line[begin : begin + len(changed)] = changed
    lines = [*lines[: start + event], bytes(line), *lines[start + event + 1 :]]
    slowly = ShoeAudit()
    for one in lines:
        slowly.line(one)
    assert audit_lines(lines) == slowly.result()
