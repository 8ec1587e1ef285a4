"""What is made of entries on their way to viewers, and what a viewer may have waiting."""

from __future__ import annotations

import asyncio
import itertools
import json
import time

import pytest

from schemas.address import EntryId
from services.dashboard.board.shoe_board import Change
from services.dashboard.live.cursor import STREAMS, Positions, TableCursor
from services.dashboard.live.message import reset_message
from services.dashboard.live.metrics import Metrics
from services.dashboard.live.ring import Made, Ring, Step
from services.dashboard.live.viewer import MOST_BYTES, MOST_MESSAGES, QUIET_S, SEND_S, Viewer
from services.dashboard.live.weave import Told, told, weave
from services.journal import Entry
from tests.support.said import said_at


def parts_of(table: str) -> list[list[Told]]:
    said = said_at(table)
    return [told(s, [Entry(one.id, one.data) for one in said if one.stream == s]) for s in STREAMS]


@pytest.mark.parametrize("table", ["DISPUTED", "KTANE", "MISDRAW-DUMMY", "DISPUTE-DRAW"])
def test_streams_are_woven_as_they_were_said(table: str) -> None:
    woven = weave(*parts_of(table))
    assert [(one.stream, one.id) for one in woven] == [
        (one.stream, one.id) for one in said_at(table)
    ]


def test_what_cannot_be_read_keeps_its_place_in_its_stream() -> None:
    events, outcomes, verdicts, _ = parts_of("KTANE")
    outcomes[0] = outcomes[0]._replace(message=None)
    woven = weave(events, outcomes, verdicts)
    assert [one for one in woven if one.stream == "outcomes"] == outcomes
    assert [one for one in woven if one.stream == "verdicts"] == verdicts
    assert weave(events, [], []) == events


def test_a_reset_has_a_browser_forget_its_cursor() -> None:
    first, second, third, *_ = reset_message('a "why"').decode().split("\n")
    assert (first, second) == ("id:", "event: reset")
    assert json.loads(third.removeprefix("data: ")) == {"why": 'a "why"'}


@pytest.mark.asyncio
async def test_a_viewer_is_given_all_that_waits_at_once() -> None:
    viewer = Viewer("", public=False)
    for message in (b"one", b"two"):
        viewer.put(message)
    assert await viewer.next() == b"onetwo"
    waiting = asyncio.create_task(viewer.next())
    await asyncio.sleep(0)
    viewer.put(b"three")
    assert await waiting == b"three"
    viewer.end(b"last")
    viewer.put(b"nothing")
    assert [await viewer.next(), await viewer.next()] == [b"last", b""]


@pytest.mark.asyncio
@pytest.mark.parametrize(("size", "count"), [(MOST_BYTES // 4, 5), (1, MOST_MESSAGES + 1)])
async def test_one_who_does_not_read_is_cut_off(size: int, count: int) -> None:
    dropped: list[bool] = []
    viewer = Viewer("", public=False)
    viewer.drop = lambda: dropped.append(True)
    for _ in range(count):
        assert not viewer.cut_off
        viewer.put(b"x" * size)
    assert viewer.cut_off
    assert dropped == [True]
    assert await viewer.next() == b""


@pytest.mark.asyncio
async def test_quiet_is_broken_and_a_sending_that_lasts_is_ended() -> None:
    viewer, now = Viewer("", public=False), time.monotonic()
    viewer.look(now, b":\n\n")
    viewer.look(now + QUIET_S + 1, b":\n\n")
    assert await viewer.next() == b":\n\n"
    viewer.since = now
    viewer.look(now + SEND_S - 1, b"")
    assert not viewer.cut_off
    viewer.look(now + SEND_S + 1, b"")
    assert viewer.cut_off


def test_metrics_count_and_their_labels_are_bounded() -> None:
    metrics = Metrics()
    table = "DISPUTE-DRAW"
    for one in weave(*parts_of(table)):
        said = None if one.message is None else one.message.data
        findings = tuple(getattr(said, "findings", ()))
        metrics.took(table, one, Change((), (), findings), live=True)
    page = metrics.page().decode()
    said = said_at(table)
    events = sum(one.stream == "events" for one in said)
    rounds = sum(one.stream == "outcomes" for one in said)
    assert f'shoetrail_board_entries_total{{stream="events"}} {events:.1f}' in page
    assert f"shoetrail_board_rounds_total {rounds:.1f}" in page
    assert 'shoetrail_board_findings_total{code="' in page
    assert "shoetrail_board_verdict_lag_seconds_count 0.0" in page  # these times are no clock's
    for number in range(300):
        metrics._code(f"code-{number}")
    assert len(metrics._codes) <= 100


AT = [TableCursor("T", Positions(EntryId(1, n)), "0badcafe") for n in range(12)]


def test_the_last_messages_are_kept_without_a_gap() -> None:
    ring = Ring()
    for number, (before, after) in enumerate(itertools.pairwise(AT)):
        ring.add(Step(before, after, b"%02d" % number * 5_000))
    assert ring.between(AT[11], AT[11]) is None  # nothing was said after it yet
    assert ring.between(AT[10], AT[11]) == b"10" * 5_000
    assert ring.between(AT[8], AT[11]) == b"08" * 5_000 + b"09" * 5_000 + b"10" * 5_000
    assert ring.between(AT[8], AT[9]) == b"08" * 5_000
    assert ring.between(AT[2], AT[11]) is None  # let go
    assert ring.between(AT[8]._replace(mark="00000000"), AT[11]) is None
    ring.clear()
    assert ring.between(AT[10], AT[11]) is None


def test_what_was_made_is_followed_and_never_past_its_reader_s_end() -> None:
    made = Made()
    for number, (before, after) in enumerate(itertools.pairwise(AT)):
        made.add(Step(before, after, b"%02d" % number), public=False)
    assert made.follow(AT[3], AT[6], public=False) == (b"030405", AT[6])
    assert made.follow(AT[3], AT[6], public=True) == (b"", AT[3])
    # By another order of the streams: an outcome is on the way that is past this reader's end.
    aside = AT[4]._replace(at=AT[4].at._replace(outcomes=EntryId(1, 1)))
    made.add(Step(aside, AT[5], b"xx"), public=False)
    assert made.follow(aside, AT[5]._replace(at=aside.at), public=False) == (b"", aside)
    made.forget("U")
    assert made.follow(AT[0], AT[1], public=False) == (b"00", AT[1])
    made.forget("T")
    assert made.follow(AT[0], AT[1], public=False) == (b"", AT[0])
    assert made.size == 0


def test_what_was_made_is_bounded() -> None:
    made = Made(20_000)
    for number, (before, after) in enumerate(itertools.pairwise(AT)):
        made.add(Step(before, after, b"%02d" % number * 2_000), public=False)
        assert made.size <= 20_000
    assert made.follow(AT[0], AT[11], public=False)[0] == b""
    assert made.follow(AT[9], AT[11], public=False)[1] == AT[11]
