"""Outcomes that settle nothing: recorded, judged, and what comes after them is recorded too."""

from __future__ import annotations

from itertools import combinations

import pytest

from schemas.address import EntryId
from schemas.envelope import decode_line, decode_verdict, encode
from schemas.errors import Lost
from schemas.outcomes import RoundResolved
from schemas.ruleset import published
from schemas.verdicts import RoundAudited, ShoeAudited
from services.auditor.recorder import Recorder, Step
from tests.unit.auditor.table import good

SHOE = 12


def played(rounds: int) -> tuple[list[bytes], list[bytes]]:
    """Give the events and the outcomes of an honest shoe."""
    lines = good(rounds=rounds).close().lines()
    is_outcome = [isinstance(decode_line(line).data, RoundResolved) for line in lines]
    return (
        [line for line, so in zip(lines, is_outcome, strict=True) if not so],
        [line for line, so in zip(lines, is_outcome, strict=True) if so],
    )


def forged(outcome: bytes, number: int, **more: object) -> bytes:
    """Say the same of another round, or something else of it too."""
    message = decode_line(outcome)
    said = message.data
    assert isinstance(said, RoundResolved)
    words = {name: getattr(said, name) for name in said.__struct_fields__}
    words |= {"round": number, **more}
    return encode(f"{SHOE}-{number}", message.source, message.time, RoundResolved(**words))


def recorder() -> Recorder:
    return Recorder("T7", published())


def heard(events: list[bytes], outcomes: list[bytes], early: int) -> list[Step]:
    """Hear ``early`` events first, then all outcomes, then the other events."""
    hears = recorder()
    steps = []
    for seq, event in enumerate(events[:early]):
        hears.event(EntryId(SHOE, seq), event)
    steps += hears.steps()
    for number, outcome in enumerate(outcomes, 1):
        hears.outcome(EntryId(SHOE, number), outcome)
        steps += hears.steps()
    for seq, event in enumerate(events[early:], early):
        hears.event(EntryId(SHOE, seq), event)
        steps += hears.steps()
    return steps


def test_a_forged_outcome_is_judged_and_later_events_are_recorded() -> None:
    events, outcomes = played(3)
    said = [outcomes[0], outcomes[1], forged(outcomes[1], 3)]
    steps = heard(events, said, 0)
    lines = [line for step in steps for line in step.lines]
    verdicts = [decode_verdict(step.verdict[1]).data for step in steps if step.verdict]
    assert sorted(lines) == sorted([*events, *said])
    third, whole = verdicts[2], verdicts[3]
    assert isinstance(third, RoundAudited)
    assert (third.round, third.verdict) == (3, "fail")
    assert "outcome-extra" in {finding.code for finding in third.findings}
    assert isinstance(whole, ShoeAudited)
    assert whole.verdict == "fail"
    assert {"outcome-extra", "outcome-missing"} <= {one.code for one in whole.findings}


def known(steps: list[Step]) -> tuple[list[bytes], list[object]]:
    """Give the record and the verdicts."""
    lines = [line for step in steps for line in step.lines]
    return lines, [step.verdict for step in steps if step.verdict]


@pytest.mark.parametrize("third", [None, b"", b"no outcome"])
def test_the_record_is_the_same_whichever_stream_was_faster(third: bytes | None) -> None:
    events, outcomes = played(3)
    stray = forged(outcomes[1], 3) if third is None else third
    said = [outcomes[0], outcomes[1], stray]
    before_close = range(len(events))
    records = [known(heard(events, said, early)) for early in before_close]
    assert all(one == other for one, other in combinations(records, 2))


def test_an_outcome_that_a_close_left_behind_is_recorded_no_more() -> None:
    """Somebody says the close within a round, and that the round ended there."""
    events, outcomes = played(1)
    drawn = next(at for at, event in enumerate(events) if b"card.drawn" in event)
    hears = recorder()
    hears.outcome(EntryId(SHOE, 1), forged(outcomes[0], 1, through=f"T7/{SHOE}-{drawn}"))
    for seq, event in enumerate([*events[:drawn], events[-1]]):
        hears.event(EntryId(SHOE, seq), event)
    lines, verdicts = known(hears.steps())
    assert lines == [*events[:drawn], events[-1]]
    assert len(verdicts) == 1


def test_an_outcome_that_never_comes_stops_the_table() -> None:
    events, outcomes = played(2)
    hears = recorder()
    for seq, event in enumerate(events):
        hears.event(EntryId(SHOE, seq), event)
    hears.outcome(EntryId(SHOE, 1), outcomes[0])
    hears.outcome(EntryId(SHOE + 1, 1), outcomes[1])
    with pytest.raises(Lost, match=f"no outcome {SHOE}-2, and {SHOE + 1}-1 was said after"):
        hears.steps()
