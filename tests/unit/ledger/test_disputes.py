"""A table's disputes, folded from their record; and the file that the record lasts in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.address import Sources
from schemas.disputes import Adjustment, DisputeOpened, DisputeResolved
from schemas.envelope import encode
from schemas.errors import InputError
from services.ledger.dispute_file import NAME, Busy, DisputeFile, hands_on, locked, read_book
from services.ledger.disputes import DisputeBook, Wrong

if TYPE_CHECKING:
    from pathlib import Path

    import msgspec

SOURCE = Sources("T7").disputes


def said(number: object, data: msgspec.Struct, *, source: str = SOURCE, second: int = 0) -> bytes:
    entry = number if isinstance(number, str) else f"{number}-0"
    return encode(entry, source, f"2026-11-30T21:15:{second:02}.000000Z", data)


def opened(at: str = "T7/12#17", **terms: Any) -> DisputeOpened:  # noqa: ANN401
    told: dict[str, Any] = {"bettor": "ann", "bet": None, "spot": None, "stake": None, "clips": ()}
    return DisputeOpened(at, "ann", "it was 5,000", **{**told, **terms})


def resolved(number: int, amount: int | None = None) -> DisputeResolved:
    money = None if amount is None else Adjustment("ann", None, amount)
    return DisputeResolved(number, "sue", "the clip shows 2,500", money, ())


def book_of(*lines: bytes) -> DisputeBook:
    book = DisputeBook("T7")
    for line in lines:
        assert book.add(line) == ()
    return book


def test_a_dispute_is_open_until_it_is_resolved() -> None:
    book = book_of(said(1, opened()), said(2, opened("T7/12#18")), said(3, opened("T7/9#1")))
    assert book.held == {9, 12}
    assert book.get(2).address == "T7:2"
    assert book.add(said(4, resolved(1, 500))) == ()
    assert book.held == {9, 12}
    assert book.add(said(5, resolved(2))) == ()
    assert book.held == {9}
    one = book.get(1)
    assert (one.is_open, one.entry, one.at.round) == (False, 4, 17)
    assert one.resolved == resolved(1, 500)
    with pytest.raises(InputError, match="there is no dispute T7:4; see `shoetrail dispute list`"):
        book.get(4)


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        (b"{}", Wrong("malformed", "an entry of a disputes record", "'{}'")),
        (
            said(2, opened(), source="/tables/T8/disputes"),
            Wrong("wrong-table", "/tables/T7/disputes", "/tables/T8/disputes"),
        ),
        (said(3, opened()), Wrong("dispute-dropped", "2-0", "3-0")),
        (said(1, opened()), Wrong("sequence-repeat", "2-0", "1-0")),
        (said("2-1", opened()), Wrong("malformed", "2-0", "2-1")),
        (said("x", opened()), Wrong("malformed", "2-0", "x")),
        (said(2, opened("T8/1#1")), Wrong("malformed", "a round of T7", "T8/1#1")),
        (said(2, opened("T7/0#1")), Wrong("malformed", "a round of T7", "T7/0#1")),
        (said(2, opened("nonsense")), Wrong("malformed", "a round of T7", "nonsense")),
        (said(2, resolved(2)), Wrong("out-of-place", "T7:2 open", "there is none")),
        (said(2, resolved(1, 0)), Wrong("malformed", "an amount other than 0", "0")),
    ],
)
def test_what_is_wrong_with_an_entry_is_said_by_a_code(line: bytes, wrong: Wrong) -> None:
    assert book_of(said(1, opened())).add(line) == (wrong,)


def test_time_does_not_go_backwards() -> None:
    book = book_of(said(1, opened(), second=9))
    (wrong,) = book.add(said(2, opened(), second=8))
    assert wrong.code == "time-backwards"
    assert book.get(2).is_open
    assert book.add(said(3, opened(), second=9)) == ()


def test_a_dispute_is_resolved_once() -> None:
    book = book_of(said(1, opened()), said(2, resolved(1, 5)))
    (wrong,) = book.add(said(3, resolved(1, 700)))
    assert wrong == Wrong("out-of-place", "T7:1 open", "it is resolved already")
    assert book.get(1).resolved == resolved(1, 5)


@given(st.lists(st.binary(max_size=80), max_size=4))
def test_any_bytes_are_a_finding_and_no_worse(lines: list[bytes]) -> None:
    book = DisputeBook("T7")
    for number, line in enumerate(lines, 1):
        assert [wrong.code for wrong in book.add(line)] == ["malformed"]
        assert book.last == number
    assert not book.disputes


# ------------------------------------------------------------------------------------- the file


def test_the_file_is_made_with_its_first_line_and_grows(tmp_path: Path) -> None:
    with hands_on(tmp_path, "T7") as file:
        assert not file.path.exists()
        file.append([said(1, opened())])
        assert file.path.read_bytes() == said(1, opened()) + b"\n"
    with hands_on(tmp_path, "T7") as file:
        file.append([said(2, resolved(1))])
        assert file.lines == [said(1, opened()), said(2, resolved(1))]
    assert read_book(tmp_path / "T7", "T7").held == frozenset()


def test_a_torn_last_line_was_never_said(tmp_path: Path) -> None:
    folder = tmp_path / "T7"
    folder.mkdir()
    (folder / NAME).write_bytes(said(1, opened()) + b"\n" + said(2, resolved(1))[:50])
    assert read_book(folder, "T7").held == {12}
    with hands_on(tmp_path, "T7") as file:
        file.append([said(2, opened("T7/13#1"))])
    assert read_book(folder, "T7").held == {12, 13}


def test_there_is_one_writer_at_a_time(tmp_path: Path) -> None:
    with hands_on(tmp_path, "T7"):
        with pytest.raises(Busy, match="another desk is writing this table's disputes"):
            hands_on(tmp_path, "T7").__enter__()
        with pytest.raises(Busy), locked(tmp_path / "T7"):
            raise AssertionError
        with hands_on(tmp_path, "T8"):
            pass
    with hands_on(tmp_path, "T7"):
        pass


def test_a_file_that_is_none_is_said_with_its_line(tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(said(1, opened()) + b"\n" + said(3, opened()) + b"\n")
    where = (
        f"{tmp_path / NAME}, line 2: dispute-dropped: expected 2-0, there is 3-0; audit the table"
    )
    with pytest.raises(InputError) as refused:
        read_book(tmp_path, "T7")
    assert str(refused.value).startswith(where)


def test_where_there_is_no_file_there_is_no_dispute(tmp_path: Path) -> None:
    assert read_book(tmp_path, "T7").disputes == {}
    assert DisputeFile(tmp_path).lines == []


def test_what_cannot_be_read_or_locked_gets_one_line(tmp_path: Path) -> None:
    (tmp_path / NAME).mkdir()
    with pytest.raises(InputError, match=r"cannot be used \(is a directory\); look at its perm"):
        read_book(tmp_path, "T7")
    with pytest.raises(InputError, match=r"cannot be used \(no such file or directory\)"):
        locked(tmp_path / "nowhere").__enter__()


ENTRIES = st.one_of(
    st.builds(opened, st.sampled_from(["T7/12#17", "T7/9#1", "T8/1#1", "T7/0#0", "x", ""])),
    st.builds(resolved, st.integers(0, 9), st.none() | st.integers(-2, 2)),
)


@given(st.lists(st.tuples(st.integers(0, 9), ENTRIES, st.integers(0, 59)), max_size=12))
def test_any_entries_leave_a_book_that_holds_what_is_open(
    entries: list[tuple[int, msgspec.Struct, int]],
) -> None:
    book, wrong = DisputeBook("T7"), 0
    for number, data, second in entries:
        wrong += len(book.add(said(number, data, second=second)))
        open_ones = {one.at.shoe for one in book.disputes.values() if one.resolved is None}
        assert book.held == open_ones
    good = [
        (number, second) for place, (number, _, second) in enumerate(entries, 1) if number == place
    ]
    if len(good) < len(entries):
        assert wrong
