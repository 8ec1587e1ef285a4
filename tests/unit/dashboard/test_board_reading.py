"""A shoe read from its log is the shoe as it was seen live; what is no log does not raise."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import structs

from schemas.address import EntryId
from schemas.envelope import decode_dispute, dump, encode
from services.auditor.offline import audit_paths
from services.dashboard.board.reading import fold_log
from services.dashboard.board.shoe_board import ShoeBoard
from tests.unit.dashboard.board_streams import LOGS, entries_of, folded, fresh

DISPUTED = (LOGS / "DISPUTED/1.jsonl").read_bytes()
DISPUTES = (LOGS / "DISPUTED/disputes.jsonl").read_bytes()


def live(table: str, shoe: int, without: tuple[str, ...] = ("disputes",)) -> ShoeBoard:
    said = entries_of(table)
    kept = [one for one in said if one.stream not in without and one.id.major == shoe]
    return folded(kept, table)


def test_a_log_with_its_audit_is_the_shoe_as_it_was_audited_live() -> None:
    for table in ("CLEAN", "DISPUTE-COMMISSION", "MISDRAW-DUMMY", "DISPUTE-KTANE"):
        path = LOGS / table / "1.jsonl"
        audit = dump(audit_paths([path]), indent=True)
        board = fold_log(table, 1, path.read_bytes(), audit)
        view, known = board.view(), live(table, 1).view()
        assert view.shoe is not None
        assert known.shoe is not None
        assert view.shoe.lamp == known.shoe.lamp == ("fail" if "DISPUTE" in table else "pass")
        # The file's audit says neither, and not whether it was live that a round failed.
        shoe = structs.replace(view.shoe, counts=known.shoe.counts, root=known.shoe.root)
        assert structs.replace(view, shoe=shoe, results=()) == structs.replace(known, results=())
        assert [row.verdict for row in view.results if row.verdict != "open"] == [
            "fail" for row in known.results if row.verdict == "fail"
        ]
        assert view == fresh(board)


def test_what_was_found_live_and_in_the_file_is_shown_once() -> None:
    verdicts = b"".join(
        encode(str(entry.id), "/tables/CLEAN/verdicts", entry.message.time, entry.message.data)
        + b"\n"
        for entry in entries_of("CLEAN")
        if entry.stream == "verdicts" and entry.message is not None
    )
    log = (LOGS / "CLEAN/1.jsonl").read_bytes()
    assert fold_log("CLEAN", 1, log, None, verdicts).view() == live("CLEAN", 1).view()
    path = LOGS / "DISPUTE-COMMISSION/1.jsonl"
    other = dump(audit_paths([path]))
    board = fold_log("CLEAN", 1, log, other, verdicts)
    found = live("DISPUTE-COMMISSION", 1).view().findings
    assert board.view().findings == found
    known = b"".join(
        encode(str(entry.id), "/tables/X/verdicts", entry.message.time, entry.message.data) + b"\n"
        for entry in entries_of("DISPUTE-COMMISSION")
        if entry.stream == "verdicts" and entry.message is not None
    )
    assert fold_log("X", 1, path.read_bytes(), other, known).view().findings == found


def test_disputes_mark_their_rounds() -> None:
    board = fold_log("DISPUTED", 1, DISPUTED, disputes=DISPUTES)
    expected = live("DISPUTED", 1, ("disputes", "verdicts"))
    for line in DISPUTES.splitlines():
        message = decode_dispute(line)
        expected.take("disputes", EntryId.parse(message.id), message)
    # The money moved in the next shoe, whose log this is not.
    assert [row.round for row in board.view().results if row.corrected] == [1]
    rows = tuple(structs.replace(row, corrected=False) for row in board.view().results)
    assert structs.replace(board.view(), results=rows) == expected.view()
    assert [row.disputed for row in board.view().results[:3]] == ["resolved", "resolved", None]


def test_a_log_without_an_audit_has_no_lamp() -> None:
    view = fold_log("CLEAN", 1, (LOGS / "CLEAN/1.jsonl").read_bytes()).view()
    assert view.shoe is not None
    assert view.shoe.lamp == "none"
    assert {row.verdict for row in view.results} == {None}


@pytest.mark.parametrize("audit", [b"", b"{", b"[]", b'{"verdict":"pass"}', b"\xff", b"[" * 9999])
def test_an_audit_that_cannot_be_read_is_none(audit: bytes) -> None:
    assert (
        fold_log("DISPUTED", 1, DISPUTED, audit).view() == fold_log("DISPUTED", 1, DISPUTED).view()
    )


def test_a_log_says_itself_whose_it_is() -> None:
    view = fold_log("T7", 12, DISPUTED).view()
    assert view.shoe is not None
    assert (view.table, view.shoe.table, view.shoe.shoe) == ("DISPUTED", "DISPUTED", 1)


def test_an_unreadable_line_leaves_its_round_without_reasons() -> None:
    lines = DISPUTED.splitlines(keepends=True)
    first = next(n for n, line in enumerate(lines) if b"card.drawn" in line)
    lines[first] = b"torn" + lines[first][:20] + b"\n"
    one = fold_log("DISPUTED", 1, b"".join(lines)).round(1)
    assert one is not None
    assert {card.reason.why for card in one.cards} == {"unknown"}
    assert one.phase == "settled"
    whole = fold_log("DISPUTED", 1, DISPUTED).round(1)
    assert whole is not None
    assert {card.reason.why for card in whole.cards} >= {"first"}


def test_lines_of_another_shoe_are_passed_over() -> None:
    other = (LOGS / "DISPUTED/2.jsonl").read_bytes()
    assert (
        fold_log("DISPUTED", 1, DISPUTED + other).view() == fold_log("DISPUTED", 1, DISPUTED).view()
    )


def test_nothing_is_no_shoe() -> None:
    assert fold_log("T7", 12, b"").view() == ShoeBoard("T7").view()


@given(st.binary(max_size=200), st.binary(max_size=50), st.lists(st.integers(0, 101), max_size=8))
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_bytes_can_be_read(head: bytes, tail: bytes, kept: list[int]) -> None:
    lines = DISPUTED.splitlines(keepends=True)
    log = head + b"\n" + b"".join(lines[n] for n in kept) + tail
    board = fold_log("T7", 12, log, tail, head, head + DISPUTES)
    assert dump(board.view())
    assert dump(board.tile())


def test_every_committed_log_is_read() -> None:
    for path in sorted(Path(LOGS).glob("*/[0-9]*.jsonl")):
        view = fold_log(path.parent.name, int(path.stem), path.read_bytes()).view()
        assert view.shoe is not None
        assert (view.shoe.table, view.shoe.shoe) == (path.parent.name, int(path.stem))
        assert view.tally.rounds == len(view.results)
