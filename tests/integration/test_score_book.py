"""The score book under several programs at once, one of them killed."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING, Final

import pytest

from services.cli.score_book import FILE, PLACES, ScoreBook
from services.runtime.clocks import wall_microseconds

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.integration, pytest.mark.faults]
#: Opens the book anew each time, as a program that has just begun; says how far it is.
PLAYER: Final = """
import sys
from pathlib import Path
from services.cli.figures import Figures
from services.cli.score_book import ScoreBook
from services.cli.score_rows import Session, session_id
from services.runtime.clocks import wall_microseconds

path, who, times = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
print("ready", flush=True)
sys.stdin.readline()
for number in range(1, times + 1):
    with ScoreBook(path, wall_microseconds) as book:
        own = Figures(shoes=1, hands=1, net=number)
        book.keep(Session(id=session_id(who, str(number)), system="own", rules="buti-1990",
                          currency="USD", figures=own, name=who))
        # And one session that both of them write: the furthest stands.
        both = Figures(hands=number, net=number)
        book.keep(Session(id=session_id("both"), system="both", rules="buti-1990",
                          currency="USD", figures=both))
        assert len(book.high_scores("USD")) <= 15 and book.statistics()
    print(number, flush=True)
"""


def player(path: Path, who: str, times: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", PLAYER, str(path), who, str(times)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def go(*players: subprocess.Popen[str]) -> None:
    """Let all begin at once, on a book that is not there yet."""
    for one in players:
        assert one.stdout is not None
        assert one.stdout.readline() == "ready\n", one.communicate()
    for one in players:
        assert one.stdin is not None
        one.stdin.write("go\n")
        one.stdin.flush()


def test_two_programs_at_once_lose_nothing(tmp_path: Path) -> None:
    path, times = tmp_path / "state" / FILE, 60
    players = [player(path, who, times) for who in ("ada", "bob")]
    go(*players)
    for one in players:
        out, err = one.communicate(timeout=120)
        assert (one.returncode, err) == (0, "")
        assert out.split()[-1] == str(times)
    with ScoreBook(path, wall_microseconds) as book:
        found = {one.system: one for one in book.statistics()}
        scores = [one.score for one in book.high_scores("USD")]
    assert (found["own"].sessions, found["own"].figures.shoes) == (2 * times, 2 * times)
    assert found["own"].figures.net == times * (times + 1)
    assert (found["both"].sessions, found["both"].figures.hands) == (1, times)
    assert scores == sorted([*range(times, 0, -1)] * 2, reverse=True)[:PLACES]


def test_one_that_is_killed_leaves_a_book_that_others_go_on_with(tmp_path: Path) -> None:
    path = tmp_path / FILE
    killed, other = player(path, "ada", 10_000), player(path, "bob", 30)
    go(killed, other)
    assert killed.stdout is not None
    for _ in range(10):
        killed.stdout.readline()
    killed.kill()
    said = [int(number) for number in killed.communicate(timeout=60)[0].split()]
    assert other.communicate(timeout=120)[1] == ""
    assert other.returncode == 0
    with ScoreBook(path, wall_microseconds) as book:
        (own,) = [one for one in book.statistics() if one.system == "own"]
    # What it had said was kept is there, and at most one more that it could not say.
    kept = own.sessions - 30
    assert max([10, *said]) <= kept <= max([10, *said]) + 1
