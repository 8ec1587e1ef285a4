"""The ``shoetrail`` command as its users type it: output, exit codes, one line for each error."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import pytest

from services.bettors.scenario import shipped_deck
from services.cli.main import main
from tests.support.nursery import Command

pytestmark = pytest.mark.integration
SAMPLES = Path(__file__).parents[2] / "replay_logs"
SEED = "00" * 32
START = "2026-01-01T00:00:00.000000Z"


class Done(NamedTuple):
    returncode: int
    stdout: str
    stderr: str


def run(*words: str, code: int = 0, **env: str) -> Done:
    """Run the command in a process of its own, which is not slow to start."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith("SHOETRAIL_")}
    done = Done(*Command(words, {**clean, **env}).ends(120))
    assert done.returncode == code, (done.returncode, done.stdout[-2000:], done.stderr[-2000:])
    return done


def typed(*words: str, code: int = 0, **env: str) -> subprocess.CompletedProcess[str]:
    """Run the command as somebody types it."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith("SHOETRAIL_")}
    done = subprocess.run(
        [sys.executable, "-m", "services.cli.main", *words],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={**clean, **env},
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == code, (done.returncode, done.stdout[-2000:], done.stderr[-2000:])
    return done


def inside(*words: str, **env: str) -> tuple[object, str, str]:
    """Exit code, stdout and stderr of the command run in this process.

    Starting Python for each bad input would take longer than all else here.
    """
    out, err = io.TextIOWrapper(io.BytesIO()), io.TextIOWrapper(io.BytesIO())
    clean = {key: value for key, value in os.environ.items() if not key.startswith("SHOETRAIL_")}
    with (
        mock.patch.dict(os.environ, {**clean, **env}, clear=True),
        mock.patch.object(sys, "argv", ["shoetrail", *words]),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        pytest.raises(SystemExit) as left,
    ):
        main()
    for stream in (out, err):
        stream.flush()
    said = [stream.buffer.getvalue().decode() for stream in (out, err)]
    return left.value.code, said[0], said[1]


def refused(*words: str, says: str, **env: str) -> None:
    """Exit code 2, nothing on stdout, one line on stderr that says this."""
    code, out, err = inside(*words, **env)
    assert (code, out) == (2, ""), (code, out, err)
    assert err.count("\n") == 1, err
    assert err.startswith("shoetrail: ")
    assert says in err, err


def document(*words: str, code: int = 0) -> Any:  # noqa: ANN401 - each test knows its shape
    done = run(*words, "--json", code=code)
    assert done.stdout.count("\n") == 1
    assert done.stderr == ""
    return json.loads(done.stdout)


class TestDemo:
    def test_two_runs_with_the_same_arguments_leave_the_same_bytes(self, tmp_path: Path) -> None:
        words = ("demo", "--seed", SEED, "--start", START, "--rounds", "5")
        one = document(*words, "--log-dir", str(tmp_path / "a"))
        two = document(*words, "--log-dir", str(tmp_path / "b"))
        logs = [Path(told["log"]).read_bytes() for told in (one, two)]
        assert logs[0] == logs[1]
        assert one["sha256"] == two["sha256"] == hashlib.sha256(logs[0]).hexdigest()
        seals = [Path(told["checkpoint"]).read_bytes() for told in (one, two)]
        assert seals[0] == seals[1]
        assert one["vkey"] == two["vkey"]

    def test_its_document(self, tmp_path: Path) -> None:
        told = document(
            "demo", "--seed", SEED, "--start", START, "--rounds", "5", "--log-dir", str(tmp_path)
        )
        assert set(told) == {
            "log",
            "sha256",
            "rounds",
            "winners",
            "staked",
            "won",
            "commission",
            "house",
            "verdict",
            "checkpoint",
            "vkey",
        }
        assert told["rounds"] == 5
        assert sum(told["winners"][side] for side in ("banker", "player", "tie")) == 5
        assert told["staked"] == 5 * 5500
        assert told["verdict"] == "pass"
        digest = hashlib.sha256(b"shoetrail table" + bytes(32)).hexdigest()[:8]
        assert Path(told["log"]) == tmp_path / f"DEMO-{digest}" / "1.jsonl"

    def test_a_whole_shoe_of_its_own_seed(self, tmp_path: Path) -> None:
        done = typed("demo", "--log-dir", str(tmp_path))
        assert "verdict                pass" in done.stdout
        assert len(list(tmp_path.glob("DEMO-*/1.jsonl"))) == 1

    def test_it_may_be_said_again_on_its_own_log(self, tmp_path: Path) -> None:
        words = (
            "demo",
            "--seed",
            SEED,
            "--start",
            START,
            "--rounds",
            "3",
            "--log-dir",
            str(tmp_path),
        )
        assert document(*words) == document(*words)

    def test_other_content_at_the_log_s_path_is_refused_and_kept(self, tmp_path: Path) -> None:
        base = ("demo", "--seed", SEED, "--start", START, "--log-dir", str(tmp_path))
        told = document(*base, "--rounds", "5")
        before = Path(told["log"]).read_bytes()
        refused(*base, "--rounds", "3", says="another line stands here")
        assert Path(told["log"]).read_bytes() == before

    @pytest.mark.parametrize(
        ("words", "says"),
        [
            (("--seed", "00"), "32 bytes"),
            (("--seed", "zz" * 32), "no hex"),
            (("--start", "yesterday"), "no time"),
            (("--rounds", "0"), "--rounds"),
            (("--rounds", "x"), "--rounds"),
            (("--nonsense",), "--nonsense"),
        ],
    )
    def test_bad_input(self, tmp_path: Path, words: tuple[str, ...], says: str) -> None:
        says = says.replace("no time", "is not a time")
        refused("demo", *words, "--log-dir", str(tmp_path), says=says)

    def test_a_redis_that_is_no_address(self, tmp_path: Path) -> None:
        refused(
            "demo", "--log-dir", str(tmp_path), says="SHOETRAIL_REDIS_URL", SHOETRAIL_REDIS_URL="x"
        )

    def test_a_folder_that_is_a_file(self, tmp_path: Path) -> None:
        (tmp_path / "f").write_text("")
        refused("demo", "--rounds", "1", "--log-dir", str(tmp_path / "f"), says="f")


class TestAudit:
    def test_no_fault_is_zero(self) -> None:
        told = document("audit", str(SAMPLES / "CLEAN"))
        assert (told["shoes"], told["verdict"], told["findings"]) == (1, "pass", [])

    def test_a_fault_is_one(self) -> None:
        told = document("audit", str(SAMPLES / "DISPUTE-COMMISSION"), code=1)
        assert told["verdict"] == "fail"
        assert told["findings"][0]["code"] == "commission"
        assert set(told["findings"][0]) == {
            "code",
            "at",
            "round",
            "expected",
            "actual",
            "amount",
            "rule",
            "grade",
        }

    def test_fail_beats_pass_over_a_folder(self) -> None:
        logs = len(list(SAMPLES.glob("*/*[0-9].jsonl")))
        assert document("audit", str(SAMPLES), code=1)["shoes"] == logs >= 8

    def test_a_shoe_that_is_not_closed_is_open(self, tmp_path: Path) -> None:
        lines = (SAMPLES / "CLEAN" / "1.jsonl").read_bytes().splitlines(keepends=True)
        (tmp_path / "1.jsonl").write_bytes(b"".join(lines[:40]))
        assert document("audit", str(tmp_path))["verdict"] == "open"

    @pytest.mark.parametrize(
        "content", [b"", b"\n", b"{}\n", b"\xff\xfe\n", b"[" * 100_000, b"\xef\xbb\xbf{}\n"]
    )
    def test_what_is_no_log_is_two(self, tmp_path: Path, content: bytes) -> None:
        path = tmp_path / "1.jsonl"
        path.write_bytes(content)
        refused("audit", str(path), says="1.jsonl")

    def test_a_path_that_is_not_there(self, tmp_path: Path) -> None:
        refused("audit", str(tmp_path / "none"), says="none")

    def test_a_folder_without_logs(self, tmp_path: Path) -> None:
        refused("audit", str(tmp_path), says="no log")


class TestReplay:
    LOG = str(SAMPLES / "CLEAN" / "1.jsonl")

    def test_a_round_card_by_card(self) -> None:
        told = document("replay", self.LOG, "--round", "17")
        assert told["at"] == "CLEAN/1#17"
        assert [card["hand"] for card in told["cards"][:4]] == ["player", "banker"] * 2
        assert all(card["reason"] for card in told["cards"])
        assert told["other"] is None

    def test_the_same_coup_by_other_rules(self) -> None:
        rounds = document("replay", self.LOG, "--rules", "fun-casino-as-printed")
        changed = [one for one in rounds if one["other"]["cards"] != one["cards"]]
        assert 0 < len(changed) < len(rounds)
        assert rounds[0]["other"]["unplaceable"] == ["1-1/carol/tie/1"]

    def test_for_people(self) -> None:
        done = typed("replay", self.LOG, "--round", "17", "--rules", "fun-casino-simple")
        assert "unplaceable" in done.stdout

    def test_a_card_against_the_rules_is_marked(self) -> None:
        log = str(SAMPLES / "DISPUTE-DRAW" / "1.jsonl")
        rounds = document("replay", log)
        assert any(
            card["reason"].startswith("against the rules")
            for one in rounds
            for card in one["cards"]
        )

    @pytest.mark.parametrize(
        ("words", "says"),
        [
            (("--round", "0"), "no round 0"),
            (("--round", "999"), "rounds 1 to"),
            (("--rules", "nobody"), "nobody"),
        ],
    )
    def test_bad_input(self, words: tuple[str, ...], says: str) -> None:
        refused("replay", self.LOG, *words, says=says)

    def test_a_file_that_is_no_log(self, tmp_path: Path) -> None:
        (tmp_path / "x").write_bytes(b"\xff\n")
        refused("replay", str(tmp_path / "x"), says="line 1")
        refused("replay", str(tmp_path / "y"), says="y")


class TestPlay:
    def test_the_game_won(self, tmp_path: Path) -> None:
        told = document("play", "yaba4", "--log-dir", str(tmp_path))
        assert told["goal"] is True
        assert told["handed_back"] == 11_100_000
        assert told["verdict"] == "pass"
        assert (told["deciding"]["card"], told["deciding"]["round"]) == ("4S", 6)

    def test_the_game_lost_by_a_deck_of_one_s_own(self, tmp_path: Path) -> None:
        deck = tmp_path / "my.deck"
        deck.write_text(" ".join(shipped_deck("yaba4-lost", 8)))
        told = document("play", "yaba4", "--deck", str(deck), "--log-dir", str(tmp_path))
        assert told["goal"] is False
        assert told["handed_back"] == 600_000
        # Betting stops when the stake is above the bankroll; all seven hands are dealt.
        assert len(told["hands"]) == 7
        assert told["hands"][-1]["stake"] == 0

    def test_a_deck_that_runs_out_in_mid_hand(self, tmp_path: Path) -> None:
        deck = tmp_path / "short.deck"
        deck.write_text("6C 7C KC KD 2C KH 3C QD")
        told = document("play", "yaba4", "--deck", str(deck), "--log-dir", str(tmp_path))
        assert [hand["winner"] for hand in told["hands"]] == ["banker", "void"]
        assert told["verdict"] == "pass"

    def test_eight_of_one_card_are_dealt_and_a_tie_first_decides_no_side(
        self, tmp_path: Path
    ) -> None:
        deck = tmp_path / "my.deck"
        deck.write_text("7S 7S 7S 7S " * 2 + "KH KD KC AC")
        told = document("play", "yaba4", "--deck", str(deck), "--log-dir", str(tmp_path))
        bets = [(hand["winner"], hand["spot"], hand["stake"]) for hand in told["hands"]]
        # 4 and 4 draw to 1 and 1; then 7 and 7; two cards are no hand.
        assert bets == [("tie", "player", 500_000)] * 2
        assert (told["dealt"], told["handed_back"]) == (2, 7_600_000)
        assert told["verdict"] == "pass"

    def test_a_scenario_of_one_s_own(self, tmp_path: Path) -> None:
        mine = tmp_path / "mine.toml"
        mine.write_text(
            'name = "mine"\ntitle = "Mine"\nsource = "me"\nrules = "punto-banco-even"\n'
            'bettor = "me"\nbankroll = 100_000\ngoal = { side = "player", wins = 1 }\n'
            'rungs = [{ after_win = { spot = "player", stake = 500 } },'
            '{ after_win = { spot = "player", stake = 2_000 } }]\n'
        )
        deck = tmp_path / "my.deck"
        deck.write_text(" ".join(shipped_deck("yaba4-won", 8)))
        told = document(
            "play", "mine", "--scenario", str(mine), "--deck", str(deck), "--log-dir", str(tmp_path)
        )
        # The table's rules would go on to their own end; the game has two hands.
        assert [hand["stake"] for hand in told["hands"]] == [0, 2_000]
        assert [bet["reason"] for bet in told["refused"]] == ["below-minimum"]
        assert told["verdict"] == "pass"
        words = ("play", "mine", "--scenario", str(mine), "--log-dir", str(tmp_path))
        refused(*words, says="mine: this scenario comes without a deck; give --deck FILE")
        words = ("play", "other", "--scenario", str(mine), "--log-dir", str(tmp_path))
        refused(*words, says="'other' is no scenario of ours")

    @pytest.mark.parametrize("option", ["--deck", "--scenario"])
    def test_a_file_that_is_none(self, tmp_path: Path, option: str) -> None:
        words = ("play", "yaba4", option)
        refused(*words, str(tmp_path), says=f"{tmp_path}: this is no file; name a text file")
        refused(*words, str(tmp_path / "no"), says="no: there is no such file; name a text file")
        (tmp_path / "empty").write_text("")
        refused(*words, str(tmp_path / "empty"), says="empty: ")
        (tmp_path / "bytes").write_bytes(bytes(range(128, 256)))
        refused(*words, str(tmp_path / "bytes"), says="bytes")

    @pytest.mark.parametrize(
        ("text", "says"),
        [
            ("", "no card"),
            ("9H ZZ", "'ZZ' is no card"),
            ("9H " * 9, "9 times"),
            ("9H 8H KD", "no hand can be dealt from 3 cards; yaba4 deals from 4 cards or more"),
        ],
    )
    def test_a_deck_that_cannot_be(self, tmp_path: Path, text: str, says: str) -> None:
        deck = tmp_path / "my.deck"
        deck.write_text(text)
        refused("play", "yaba4", "--deck", str(deck), "--log-dir", str(tmp_path), says=says)

    def test_a_scenario_there_is_not(self, tmp_path: Path) -> None:
        refused("play", "roulette", "--log-dir", str(tmp_path), says="roulette")
        refused("play", "yaba4", "--deck", "none", "--log-dir", str(tmp_path), says="none")


class TestOthers:
    def test_run_needs_a_redis(self) -> None:
        refused("run", "resolver", says="SHOETRAIL_REDIS_URL")

    @pytest.mark.parametrize(
        ("words", "says"),
        [
            (("dealer", "--tables", "T/1"), "T/1"),
            (("dealer", "--tables", "T1,T1"), "twice"),
            (("dealer", "--tables", "T1", "--rules", "poker"), "poker"),
            (("dealer", "--tables", "T1", "--seats", "a b"), "a b"),
            (("dealer", "--tables", "T1", "--shoes", "0"), "--shoes"),
            (("dealer", "--tables", "T1", "--window", "-1"), "--window"),
            (("dealer", "--tables", "T1", "--window", "9" * 20), "--window"),
            (("dealer", "--tables", "T1", "--pace", "nan"), "--pace"),
            (
                ("bettors", "--tables", "T1", "--flat", "a=player:1", "--bankroll", "0"),
                "--bankroll",
            ),
            (("dealer", "--tables", "T1", "--seed", "00"), "--seed"),
            (("dealer", "--tables", "T1", "--start", START), "--seed"),
            (("dealer", "--tables", "T1", "--deck", "nofile"), "--deck"),
            (("bettors", "--tables", "T1"), "--flat"),
            (("bettors", "--tables", "T1", "--flat", "alice"), "alice"),
            (("bettors", "--tables", "T1", "--flat", "alice=player:-1"), "player:-1"),
            (("bettors", "--tables", "T1", "--ladder", "none.toml"), "none.toml"),
            (("auditor", "--keep-shoes", "0"), "--keep-shoes"),
            *[(("worker", "--claim-after", no), "--claim-after") for no in ("0", "nan", "inf")],
        ],
    )
    def test_run_with_bad_input(self, words: tuple[str, ...], says: str) -> None:
        refused("run", *words, says=says, SHOETRAIL_REDIS_URL="redis://127.0.0.1:1/0")

    @pytest.mark.parametrize(
        ("words", "says"),
        [
            (("T7", "bet.placce"), "bet.placce"),
            (("T 7", "bet.pass"), "T 7"),
            (("T7", "bet.pass", "round=1"), "bettor"),
            (("T7", "bet.pass", "round=x", "bettor=alice"), "round"),
            (("T7", "bet.pass", "nonsense"), "nonsense"),
            (("T7", "bet.pass", "round=1", "bettor=alice", "colour=red"), "colour"),
            (("T7", "card.misdraw", "round=1", "round=2"), "round is given twice"),
            *[
                (("T7", "card.misdraw", "round=1", option, value), option)
                for option, value in (
                    ("--shoe", "0"),
                    ("--shoe", "9" * 20),
                    ("--n", "0"),
                    ("--n", "-1"),
                    ("--wait", "-1"),
                    ("--wait", "nan"),
                    ("--wait", "inf"),
                )
            ],
        ],
    )
    def test_tell_with_bad_input(self, words: tuple[str, ...], says: str) -> None:
        refused("tell", *words, says=says, SHOETRAIL_REDIS_URL="redis://127.0.0.1:1/0")

    def test_tell_without_a_redis(self) -> None:
        words = ("tell", "T7", "bet.pass", "round=1", "bettor=alice")
        refused(*words, says="SHOETRAIL_REDIS_URL")
        refused(*words, "--wait", "1", says="Redis", SHOETRAIL_REDIS_URL="redis://127.0.0.1:1/0")

    @pytest.mark.parametrize(
        ("words", "says"),
        [
            (("--pace", "-1"), "--pace"),
            (("--pace", "inf"), "--pace"),
            (("--shoes", "0"), "--shoes"),
            (("--bankroll", "-5"), "--bankroll"),
            (("--window", "0"), "--window"),
            (("--port", "99999"), "--port"),
            (("--tables", ""), "--tables"),
            (("--rules", "poker"), "poker"),
            (("--flat", "alice=nospot:1000"), "nospot"),
        ],
    )
    def test_serve_with_bad_input(self, words: tuple[str, ...], says: str) -> None:
        refused("serve", *words, says=says)

    def test_what_is_no_file_is_not_waited_for(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "pipe")
        refused("replay", str(tmp_path / "pipe"), says="no file")
        refused("audit", str(tmp_path / "pipe"), says="no file")
        refused("audit", "", says="empty path")

    def test_help_has_examples(self) -> None:
        for command in ("demo", "serve", "tell", "play", "audit", "replay", "shoe", "rules"):
            assert "For example" in inside(command, "--help")[1]
        assert "audit" in typed("--help").stdout

    def test_an_unknown_command(self) -> None:
        refused("shuffle", says="shuffle")
