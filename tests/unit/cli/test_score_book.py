"""The score book: what it keeps, its places, and files that are no score book."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import msgspec
import pytest

from schemas.errors import InputError, Unavailable
from schemas.instant import spell
from services.cli import score_book
from services.cli.figures import Figures
from services.cli.score_book import FILE, PLACES, ScoreBook
from services.cli.score_rows import Session, player_name, session_id

if TYPE_CHECKING:
    from pathlib import Path

START = 1_790_000_000_000_000


class Clock:
    """A second later each time."""

    def __init__(self) -> None:
        self.us = START

    def __call__(self) -> int:
        self.us += 1_000_000
        return self.us


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / FILE


@pytest.fixture
def now() -> Clock:
    return Clock()


def session(
    number: int,
    net: int = 0,
    name: str | None = None,
    *,
    hands: int = 10,
    system: str = "martingale",
    currency: str = "USD",
) -> Session:
    figures = Figures(
        shoes=1, hands=hands, banker=hands, bets=hands, won=hands, net=net, best=net, worst=-net,
        largest=number, staked=100, paid=50, commission=5, restarts=2,
    )  # fmt: skip
    return Session(
        id=session_id("T1", str(number)),
        system=system,
        rules="buti-1990",
        currency=currency,
        figures=figures,
        name=name,
    )


def test_what_was_kept_is_there_the_next_time(path: Path, now: Clock) -> None:
    with ScoreBook(path, now) as book:
        assert book.high_scores("USD") == []
        assert book.statistics() == []
        assert book.keep(session(1, 700, "Ada")) == 1
    with ScoreBook(path, now) as book:
        (score,) = book.high_scores("USD")
        assert (score.name, score.score, score.system, score.hands) == (
            "Ada",
            700,
            "martingale",
            10,
        )
        assert score.ended == spell(START + 1_000_000)
        assert score.session == session(1).id


def test_statistics_add_up_for_each_system(path: Path, now: Clock) -> None:
    with ScoreBook(path, now) as book:
        book.keep(session(3, 50))
        book.keep(session(2, 70))
        book.keep(session(4, 1, system="dalembert"))
        found = {one.system: one for one in book.statistics()}
    assert list(found) == ["dalembert", "martingale"]
    both = found["martingale"]
    assert (both.sessions, both.rules, both.currency) == (2, "buti-1990", "USD")
    assert both.figures == Figures(
        shoes=2, hands=20, banker=20, bets=20, won=20, net=120, best=70, worst=-70, largest=3,
        staked=200, paid=100, commission=10, restarts=4,
    )  # fmt: skip


def test_every_figure_is_kept_in_its_own_place(path: Path, now: Clock) -> None:
    figures = Figures(*range(1, len(msgspec.structs.fields(Figures)) + 1))
    one = msgspec.structs.replace(session(1), figures=figures)
    with ScoreBook(path, now) as book:
        book.keep(one)
        assert book.statistics()[0].figures == figures


def test_a_session_that_is_written_again_counts_once(path: Path, now: Clock) -> None:
    with ScoreBook(path, now) as book:
        for hands, net in ((10, 5), (20, 9), (20, 9), (15, 700)):  # the last comes late
            book.keep(session(1, net, hands=hands))
        assert book.statistics()[0].figures.net == 9
        assert book.keep(session(1, 9, "Ada", hands=20)) == 1
        assert book.keep(session(1, 9, hands=20)) == 1
        (total,) = book.statistics()
        (score,) = book.high_scores("USD")
    assert (total.sessions, total.figures.hands, total.figures.net) == (1, 20, 9)
    assert (score.name, score.score) == ("Ada", 9)


def test_the_fifteen_are_the_highest_and_of_equals_the_earlier(path: Path, now: Clock) -> None:
    with ScoreBook(path, now) as book:
        for number in range(1, PLACES + 1):
            assert book.place_of(number, "USD") == 1
            assert book.keep(session(number, number, f"p{number}")) == 1
        assert book.place_of(1, "USD") is None
        assert book.keep(session(99, 1, "late")) is None
        assert book.place_of(2, "USD") == PLACES
        assert book.keep(session(100, 2, "later")) == PLACES
        scores = [(one.name, one.score) for one in book.high_scores("USD")]
    assert scores == [*((f"p{n}", n) for n in range(PLACES, 1, -1)), ("later", 2)]


def test_no_place_for_a_loss_for_no_name_or_beside_another_currency(path: Path, now: Clock) -> None:
    with ScoreBook(path, now) as book:
        assert book.place_of(0, "USD") is None
        assert book.place_of(-5, "USD") is None
        assert book.keep(session(1, 0, "Ada")) is None
        assert book.keep(session(2, -5, "Ada")) is None
        assert book.keep(session(3, 5)) is None
        assert book.keep(session(4, 5, "Ada", currency="GBP")) == 1
        assert book.high_scores("USD") == []
        assert book.place_of(1, "USD") == 1


@pytest.mark.parametrize(
    ("text", "name"), [("Ada", "Ada"), ("  Ada   B. ", "Ada B."), ("é" * 30, "é" * 30)]
)
def test_names(text: str, name: str) -> None:
    assert player_name(text) == name


@pytest.mark.parametrize("text", ["", "   ", "x" * 31, "a\x1b[31m", "a\u202eb"])
def test_what_is_no_name_is_refused(text: str, path: Path, now: Clock) -> None:
    with pytest.raises(InputError, match="is no player's name"):
        player_name(text)
    with ScoreBook(path, now) as book, pytest.raises(InputError):
        book.keep(session(1, 5, text))


def refused(path: Path, now: Clock, says: str) -> None:
    before = path.read_bytes() if path.is_file() else b""
    with pytest.raises(InputError) as caught:
        ScoreBook(path, now)
    line = str(caught.value)
    assert line.startswith(f"{path}: ")
    assert says in line
    assert "\n" not in line
    assert (path.read_bytes() if path.is_file() else b"") == before


def test_a_file_that_is_no_database(path: Path, now: Clock) -> None:
    path.parent.mkdir()
    path.write_text("dear diary, today I played baccarat\n" * 100)
    refused(path, now, "damaged, or this is no file of ours")


def test_another_programs_database(path: Path, now: Clock) -> None:
    path.parent.mkdir()
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE sessions (id TEXT)")
    other.close()
    refused(path, now, "another program's database")


def test_a_newer_shoetrails_file(path: Path, now: Clock) -> None:
    ScoreBook(path, now).__exit__()
    with sqlite3.connect(path) as newer:
        newer.execute("PRAGMA user_version = 2")
    newer.close()
    refused(path, now, "it has schema 2, and this Shoetrail knows 1")


def test_a_file_without_its_table(path: Path, now: Clock) -> None:
    ScoreBook(path, now).__exit__()
    with sqlite3.connect(path) as other:
        other.execute("DROP TABLE sessions")
    other.close()
    with ScoreBook(path, now) as book, pytest.raises(InputError, match="no such table"):
        book.statistics()


@pytest.mark.parametrize("keep", [60, 100, 4096, 9000])
def test_a_file_that_was_cut_short(path: Path, now: Clock, keep: int) -> None:
    with ScoreBook(path, now) as book:
        for number in range(40):
            book.keep(session(number))
    whole = path.read_bytes()
    assert len(whole) > 9000
    path.write_bytes(whole[:keep])
    refused(path, now, "damaged, or this is no file of ours")


def test_a_damaged_page(path: Path, now: Clock) -> None:
    with ScoreBook(path, now) as book:
        for number in range(40):
            book.keep(session(number))
    data = bytearray(path.read_bytes())
    data[4096:4200] = bytes(104)
    path.write_bytes(data)
    refused(path, now, "damaged, or this is no file of ours")


def test_a_folder_in_its_place(path: Path, now: Clock) -> None:
    path.mkdir(parents=True)
    refused(path, now, "it cannot be opened for writing")


def test_a_program_that_does_not_let_go(
    path: Path, now: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(score_book, "_PATIENCE_S", 0.05)
    with ScoreBook(path, now) as book:
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN EXCLUSIVE")
        for use in (lambda: book.keep(session(1)), book.statistics, lambda: ScoreBook(path, now)):
            with pytest.raises(Unavailable, match="another program has kept it locked") as caught:
                use()
            assert "\n" not in str(caught.value)
        other.execute("ROLLBACK")
        other.close()
        book.keep(session(1))
        assert len(book.statistics()) == 1


def test_what_fails_half_way_is_undone(path: Path, now: Clock) -> None:
    with ScoreBook(path, now) as book:
        book.keep(session(1))
        wrong = msgspec.structs.replace(session(2), figures=Figures(hands=2**70))
        with pytest.raises(OverflowError):
            book.keep(wrong)
        book.keep(session(3))
        assert book.statistics()[0].sessions == 2
