"""``shoetrail autoplay`` as a player has it: at a terminal with its keys, and in a pipe."""

from __future__ import annotations

import hashlib
import json
import os
import re
import signal
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from schemas.envelope import decode_line
from schemas.events import RoundDealt
from services.auditor.offline import audit_paths
from services.cli import output
from services.cli.figures import Figures
from services.cli.score_book import FILE, ScoreBook
from services.ledger.writer import LogWriter
from services.runtime.clocks import wall_microseconds
from tests.support.nursery import Command
from tests.support.terminal import Terminal

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from services.cli.score_rows import Statistics

pytestmark = pytest.mark.integration
START = "2026-01-01T00:00:00.000000Z"
#: With this one a martingale of six hands is $15 ahead.
SEED = "00" * 31 + "02"
TABLE = "AUTO-" + hashlib.sha256(b"shoetrail table" + bytes.fromhex(SEED)).hexdigest()[:8]
SECONDS = 120


def env_of(folder: Path, **more: str) -> dict[str, str]:
    return {
        "SHOETRAIL_STATE_DIR": str(folder / "state"),
        "SHOETRAIL_LOG_DIR": str(folder / "logs"),
        **more,
    }


def words(hands: int, *more: str, system: str = "martingale") -> list[str]:
    return ["autoplay", "--system", system, "--hands", str(hands), *more]


def begun(folder: Path, *args: str, **more: str) -> Command:
    """A run without a terminal, to be looked at when it ends."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith("SHOETRAIL_")}
    return Command(args, {**clean, **env_of(folder, **more)})


@contextmanager
def book(folder: Path) -> Iterator[ScoreBook]:
    with ScoreBook(folder / "state" / FILE, wall_microseconds) as opened:
        yield opened


def statistics(folder: Path) -> list[Statistics]:
    with book(folder) as opened:
        return opened.statistics()


def logs(folder: Path) -> dict[str, bytes]:
    found = sorted((folder / "logs").rglob("*.jsonl"))
    return {str(path.relative_to(folder / "logs")): path.read_bytes() for path in found}


def dealt_in(folder: Path) -> int:
    """Hands in the logs, as far as they are written."""
    lines = [line for log in logs(folder).values() for line in log.splitlines(keepends=True)]
    said = [decode_line(line[:-1]).data for line in lines if line.endswith(b"\n")]
    return sum(isinstance(one, RoundDealt) for one in said)


def hands_in(folder: Path) -> int:
    """Hands in the logs, each of which is closed and passes the audit."""
    audit = audit_paths(sorted((folder / "logs").rglob("[0-9]*.jsonl")))
    assert (audit.verdict, audit.rounds) == ("pass", dealt_in(folder))
    return audit.rounds


def left(terminal: Terminal) -> int:
    """Hands to go, as the box shows them."""
    found = re.search(r"([\d,]+) of [\d,]+ hands to go", terminal.frame)
    return -1 if found is None else int(found[1].replace(",", ""))


class TestAtATerminal:
    @pytest.fixture
    def playing(self, tmp_path: Path) -> Iterator[Terminal]:
        """A game of many hands, paused after the first few."""
        options = words(100_000, "--pace", "0.01", "--name", "Ada")
        with Terminal(*options, env=env_of(tmp_path)) as terminal:
            terminal.until(lambda: 0 <= left(terminal) < 99_995)
            terminal.types("p")
            terminal.until(lambda: "PAUSED" in terminal.frame)
            # The auditor, a process of its own, may have only begun to start.
            terminal.until(lambda: dealt_in(tmp_path) == 100_000 - left(terminal))
            yield terminal

    def test_its_keys(self, playing: Terminal, tmp_path: Path) -> None:
        shown = playing.frame
        assert re.search(r"player \d  [A2-9TJQK10]+[♣♦♥♠]", shown)
        assert re.search(r"card count  [+-]\d+", shown)
        assert "X" in shown
        assert "p pause · g go on · q quit" in shown

        # Paused: nothing is dealt, however long one looks.
        before = left(playing)
        playing.until(lambda: dealt_in(tmp_path) == 100_000 - before)
        drawn = playing.said.count("╰")
        playing.until(lambda: playing.said.count("╰") > drawn + 3)
        assert (left(playing), dealt_in(tmp_path)) == (before, 100_000 - before)

        playing.types("h")
        playing.until(lambda: not re.search("[♣♦♥♠]", playing.frame))
        assert re.search(r"player \d +banker \d", playing.frame)
        playing.types("c")
        playing.until(lambda: "card count" not in playing.frame)
        playing.types("m")
        playing.until(lambda: re.search(r"(Banker|Player) .*\b1\b.*\b2\b", playing.frame))
        playing.types("s")
        playing.until(lambda: "Banker " not in playing.frame)
        playing.types("chms\x1b[A")  # all as it was; an arrow is no Esc, and no letters
        everything = re.compile(r"\bX\b.*[♣♦♥♠].*card count", re.DOTALL)
        playing.until(lambda: everything.search(playing.frame))

        playing.types("g")
        playing.until(lambda: left(playing) < before - 3)
        playing.types("\x1b")
        playing.until(lambda: "PAUSED" in playing.frame)
        paused = left(playing)
        playing.types("q")
        assert playing.ends() == 0
        assert playing.is_as_it_was
        dealt = 100_000 - paused
        assert f"ended after {dealt} of 100,000 hands, as asked" in playing.said
        assert hands_in(tmp_path) == dealt
        (kept,) = statistics(tmp_path)
        assert (kept.sessions, kept.figures.hands) == (1, dealt)

    def test_ctrl_c_closes_the_shoe_and_keeps_what_was_played(
        self, playing: Terminal, tmp_path: Path
    ) -> None:
        dealt = 100_000 - left(playing)
        playing.types("\x03")
        assert playing.ends() == 130
        assert playing.is_as_it_was
        assert f"ended after {dealt} of 100,000 hands, interrupted" in playing.said
        assert hands_in(tmp_path) == dealt
        assert [one.figures.hands for one in statistics(tmp_path)] == [dealt]

    def test_a_trouble_is_said_in_a_line_and_what_was_played_is_kept(
        self, playing: Terminal, tmp_path: Path
    ) -> None:
        """The logs cannot be written any more, from the next shoe on."""
        (folder,) = (tmp_path / "logs").iterdir()
        folder.rename(tmp_path / "away")
        folder.write_text("a file stands here")
        playing.types("----g")
        playing.types("++++++++")
        assert playing.ends() == 2
        assert playing.is_as_it_was
        assert re.search(
            r"shoetrail: the auditor stopped: .*(File exists|Not a directory)", playing.said
        )
        assert "Traceback" not in playing.said
        assert [one.figures.hands > 0 for one in statistics(tmp_path)] == [True]

    def test_the_name_is_asked_for_where_the_score_is_high_enough(self, tmp_path: Path) -> None:
        asks = "$15.00 is high score number 1. Your name"
        options = words(6, "--seed", SEED, "--start", START)
        with Terminal(*options, env=env_of(tmp_path), columns=80, rows=24) as terminal:
            terminal.until(asks)
            terminal.types("x" * 31 + "\r")
            terminal.until("is no player's name; use 1 to 30 letters")
            terminal.until(lambda: terminal.said.count(asks) == 2)
            terminal.types("Ada Raymond\r")
            assert terminal.ends() == 0
            assert "high score number 1: see shoetrail scores" in terminal.said
            assert terminal.is_as_it_was
        with book(tmp_path) as opened:
            (kept,) = opened.high_scores("USD")
        assert (kept.name, kept.score, kept.hands) == ("Ada Raymond", 1500, 6)


class TestInAPipe:
    def test_two_runs_leave_the_same_bytes_and_are_one_session(self, tmp_path: Path) -> None:
        """One is told to a person and one to a script; both deal a shoe and a part of another."""
        options = [*words(130, system="thirty-one"), "--seed", SEED, "--start", START]
        both = {"one": options, "other": [*options, "--json"]}
        state = {"SHOETRAIL_STATE_DIR": str(tmp_path / "state")}
        processes = [begun(tmp_path / name, *args, **state) for name, args in both.items()]
        ended = [process.ends(SECONDS) for process in processes]
        assert [(code, err) for code, _, err in ended] == [(0, ""), (0, "")]
        said = [out for _, out, _ in ended]

        one, other = tmp_path / "one", tmp_path / "other"
        assert logs(one) == logs(other)
        assert sorted(logs(one)) == [f"{TABLE}/1.jsonl", f"{TABLE}/2.jsonl"]
        assert hands_in(one) == 130

        told = json.loads(said[1])
        assert said[1].count("\n") == 1
        figures = Figures(**told["figures"])
        (kept,) = statistics(tmp_path)
        assert (kept.sessions, kept.figures) == (1, figures)
        assert (told["ended"], told["verdict"], told["hands"]) == ("played", "pass", 130)

        lines = [line.split("  ") for line in said[0].splitlines()]
        assert lines[0] == ["Thirty-One, 130 hands"]
        shown = {line[1]: line[-1].strip() for line in lines[1:]}
        assert float(shown.pop("hands a second")) > 0
        assert shown == {
            "banker · player · tie": f"{figures.banker} · {figures.player} · {figures.ties}",
            "bets won · lost": f"{figures.won} · {figures.lost}",
            "staked": money(figures.staked),
            "commission": "$0.00",
            "profit": money(figures.net),
            "best · worst": f"{money(figures.best)} · {money(figures.worst)}",
            "restarts at the maximum": "0",
            "audit": "pass, 2 shoes",
            "logs": str(one / "logs" / TABLE),
        }

    def test_two_at_once_share_folder_and_score_book(self, tmp_path: Path) -> None:
        both = [
            begun(tmp_path, *words(90), "--json", "--name", name, "--side", side)
            for name, side in (("Ada", "player"), ("Bob", "banker"))
        ]
        said = []
        for process in both:
            code, out, err = process.ends(SECONDS)
            assert (code, err) == (0, "")
            said.append(json.loads(out))
        assert {told["verdict"] for told in said} == {"pass"}
        assert hands_in(tmp_path) == 180
        (kept,) = statistics(tmp_path)
        assert (kept.sessions, kept.figures.hands) == (2, 180)
        assert kept.figures.net == sum(told["figures"]["net"] for told in said)

    def test_a_signal_ends_it_in_good_time(self, tmp_path: Path) -> None:
        process = begun(tmp_path, *words(200_000, "--json", "--pace", "0.01"))
        wait_for_hands(tmp_path, process)
        process.send_signal(signal.SIGTERM)
        code, out, err = process.ends(SECONDS)
        assert (code, err, out.count("\n")) == (130, "", 1)
        said = json.loads(out)
        assert (said["ended"], said["verdict"]) == ("interrupted", "pass")
        assert said["figures"]["hands"] == hands_in(tmp_path)
        (kept,) = statistics(tmp_path)
        assert kept.figures == Figures(**said["figures"])


def wait_for_hands(folder: Path, process: Command) -> None:
    while process.poll() is None and not any(logs(folder).values()):
        time.sleep(0.02)


def money(amount: int) -> str:
    return output.money(amount, "USD")


class TestWhatIsThereAlready:
    def test_logs_of_the_same_table(self, tmp_path: Path) -> None:
        folder = tmp_path / "logs" / TABLE
        folder.mkdir(parents=True)
        (folder / "1.jsonl").touch()
        says = f"{folder}: logs of this table are there already; move it away, or give another"
        refused(tmp_path, *words(6, "--seed", SEED), says=says)

    def test_another_program_that_writes_its_logs(self, tmp_path: Path) -> None:
        writer = LogWriter(tmp_path / "logs", TABLE)
        assert writer.try_acquire()
        says = f"{writer.folder}: another program is writing this table's logs; move it away"
        refused(tmp_path, *words(6, "--seed", SEED), says=says)
        writer.close()

    def test_the_table_s_streams_in_a_shared_redis(self, fresh_redis: str, tmp_path: Path) -> None:
        shared = {"SHOETRAIL_REDIS_URL": fresh_redis}
        process = begun(tmp_path, *words(3, "--seed", SEED, "--json"), **shared)
        _, out, err = process.ends(SECONDS)
        assert (err, json.loads(out)["verdict"]) == ("", "pass")
        elsewhere = ["--log-dir", str(tmp_path / "new")]
        says = f"shoetrail:{{{TABLE}}}:events: this table was played in that Redis already; give"
        refused(tmp_path, *words(3, "--seed", SEED), *elsewhere, says=says, **shared)


def refused(folder: Path, *args: str, says: str, **more: str) -> None:
    process = begun(folder, *args, **more)
    code, out, err = process.ends(SECONDS)
    assert (code, out, err.count("\n")) == (2, "", 1), (out, err)
    assert err.startswith(f"shoetrail: {says}"), err
