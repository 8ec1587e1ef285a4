"""``shoetrail play ktane`` as its users type it: decks, plays, what ends them, and bad input."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.integration.test_command import document, inside, refused, run
from tests.support.samples_ktane import BETS, STRIKES

pytestmark = pytest.mark.integration
BOMB = (
    "--serial", "AB3CD7", "--min", "10", "--max", "1000", "--ports", "DVI-D,Serial,Serial",
)  # fmt: skip
TWO = ("--solved", "3,5", "--colours", "red,blue")
ONE = ("--solved", "3")
NOWHERE = {"SHOETRAIL_REDIS_URL": "redis://127.0.0.1:1/0"}


def written(folder: Path, text: str) -> str:
    path = folder / "my.bets"
    path.write_text(text, encoding="utf-8")
    return str(path)


def decks(*words: str) -> Any:  # noqa: ANN401 - a JSON document
    code, out, err = inside("play", "ktane", *words, "--json", **NOWHERE)
    assert (code, err) == (0, "")
    return json.loads(out)


def play(folder: Path, text: str, *words: str) -> Any:  # noqa: ANN401 - a JSON document
    bets = written(folder, text)
    return document("play", "ktane", *BOMB, *words, "--bets", bets, "--log-dir", str(folder))


class TestTheDecksAlone:
    def test_they_need_no_redis(self) -> None:
        code, out, err = inside("play", "ktane", *BOMB, *TWO, "--lit", "BOB", "--json", **NOWHERE)
        assert (code, err) == (0, "")
        assert out.startswith(
            '{"decks":[{"colour":"red","order":["9D","AH","QH","2D","8D","KH","3S","4C","8S","TH"'
        )
        assert out.endswith(']}],"rounds":[],"strikes":0}\n')

    def test_their_document(self) -> None:
        told = decks(*BOMB, *TWO)
        assert set(told) == {"decks", "rounds", "strikes"}
        assert [deck["colour"] for deck in told["decks"]] == ["red", "blue"]
        assert all(len(set(deck["order"])) == 52 for deck in told["decks"])
        assert (told["rounds"], told["strikes"]) == ([], 0)

    def test_bob_lit_with_eight_ports(self) -> None:
        words = ("--serial", "A1", "--min", "5", "--max", "5", "--lit", "FRK, BOB")
        ports = ",".join(["PS/2"] * 8)
        told = decks(*words, "--ports", ports)
        assert " ".join(told["decks"][0]["order"][12:15]) == "KH AC 2C"

    def test_a_bomb_without_ports_or_lit_indicators(self) -> None:
        words = ("--serial", "AB3CD7", "--min", "10", "--max", "1000")
        ps2 = ("--ports", "PS/2", "--lit", "", "--solved", "0", "--colours", "red")
        assert decks(*words) == decks(*words, *ps2)

    def test_they_are_shown(self) -> None:
        code, out, _ = inside("play", "ktane", *BOMB, *TWO, **NOWHERE)
        assert code == 0
        assert "1, red   9D AH QH 2D 8D KH 3S 4C 8S TH" in out
        assert "2, blue  7D 9H QS" in out


class TestPlay:
    def test_two_decks_to_solved(self, tmp_path: Path) -> None:
        told = play(tmp_path, BETS, *TWO)
        assert set(told) == {"decks", "rounds", "strikes", "ended", "verdict", "logs"}
        assert all(list(one) == ["player", "banker", "profit", "result"] for one in told["rounds"])
        assert [one["result"] for one in told["rounds"]] == [
            "strike", "strike", "strike", "strike", "neither", "strike", "strike", "solved",
        ]  # fmt: skip
        assert [one["profit"] for one in told["rounds"]] == [
            -1900, -3000, 0, -1000, 0, -10_000, -1000, 12_000,
        ]  # fmt: skip
        assert told["strikes"] == STRIKES
        assert told["rounds"][0]["player"] == {"cards": ["9D", "QH"], "total": 9}
        assert told["rounds"][2]["banker"] == {"cards": [], "total": 0}
        assert (told["ended"], told["verdict"]) == ("solved", "pass")
        assert [Path(log).name for log in told["logs"]] == ["1.jsonl", "2.jsonl"]
        audit = document("audit", *told["logs"])
        assert (audit["verdict"], audit["shoes"], audit["rounds"]) == ("pass", 2, 8)
        # Played again it is the same, and stands on its own logs.
        assert play(tmp_path, BETS, *TWO) == told

    def test_nineteen_dollars_on_the_banker_win_eighteen_and_five_cents(
        self, tmp_path: Path
    ) -> None:
        lost, tied = "banker 10\nplay\n" * 3, "player 10\nplay\n" * 2
        told = play(tmp_path, f"{lost}{tied}banker 19\nplay\n", *ONE)
        assert told["rounds"][-1]["profit"] == 1805
        assert (told["rounds"][-1]["result"], told["strikes"]) == ("solved", 3)

    def test_the_bets_are_used_up(self, tmp_path: Path) -> None:
        told = play(tmp_path, "banker 10\nplay\n", *ONE)
        assert (told["ended"], told["strikes"], told["verdict"]) == ("bets-used-up", 1, "pass")

    def test_the_decks_are_used_up(self, tmp_path: Path) -> None:
        bets = written(tmp_path, "banker 10\nplay\n" * 3 + "player 10\nplay\n" * 5)
        words = ("play", "ktane", *BOMB, *ONE, "--bets", bets, "--log-dir", str(tmp_path))
        done = run(*words, "--json")
        assert '"ended":"decks-used-up"' in done.stdout
        assert done.stderr.count("\n") == 1
        assert "2 of 8 rounds were not played: they need another deck" in done.stderr

    def test_no_bet_is_invalid_when_the_deck_is_pressed(self, tmp_path: Path) -> None:
        told = play(tmp_path, "play\nplayer 10\nwithdraw player\nplay\n", *ONE)
        assert [one["result"] for one in told["rounds"]] == ["strike", "strike"]
        assert told["strikes"] == 2

    def test_a_reordered_stack_is_a_strike_whatever_the_round_brings(self, tmp_path: Path) -> None:
        told = play(tmp_path, "player 5+25\nplay\n", *ONE)
        assert (told["rounds"][0]["result"], told["rounds"][0]["profit"]) == ("solved", 3000)
        assert told["strikes"] == 1

    def test_it_is_shown(self, tmp_path: Path) -> None:
        bets = written(tmp_path, BETS)
        words = ("play", "ktane", *BOMB, *TWO, "--bets", bets, "--log-dir", str(tmp_path))
        out = run(*words).stdout
        assert "chips out of order, a loss" in out
        assert "invalid bets, not dealt" in out
        assert "the module is solved" in out
        assert "$120.00" in out


class TestBadInput:
    @pytest.mark.parametrize(
        ("words", "says"),
        [
            (("--serial", "AB 3CD7"), "--serial: 'AB 3CD7' is no serial number"),
            (("--serial", ""), "--serial"),
            (("--serial", "ab3cd7"), "--serial"),
            (("--serial", "AB3CD7!"), "--serial"),
            (("--ports", "DVI-D,USB"), "--ports: there is no port 'USB'"),
            (("--ports", "DVI-D,,Serial"), "--ports: there is no port ''"),
            (("--lit", "bob"), "--lit"),
            (("--max", "9"), "--max: the maximum is below the minimum"),
            (("--max", "0"), "--max"),
            (("--max", "-1000"), "--max"),
            (("--max", "9" * 30), "--max"),
            (("--max", "1000.50"), "--max"),
            (("--min", "11"), "--min: this is none of the table's five minimums"),
            (("--min", "0"), "--min"),
            (("--min", "-5"), "--min"),
            (("--min", "ten"), "--min"),
            (("--colours", "gold"), "--colours"),
            (("--colours", ""), "--colours"),
            (("--colours", "red,blue"), "--solved: for 2 deck(s) there are 1 count(s)"),
            (("--solved", "3,5"), "--solved: for 1 deck(s) there are 2 count(s)"),
            (("--solved", ""), "--solved"),
            (("--solved", "-1"), "--solved"),
            (("--solved", "three"), "--solved"),
            (("--solved", "1" * 10), "--solved"),
            (("--solved", "3,5", "--colours", "red,red"), "another colour"),
            (("--colours", ",".join(["red", "blue"] * 51)), "--colours: 102 decks"),
            (("--bets", "nofile"), "nofile: there is no such file"),
            (("--bets", "."), ".: this is no file"),
            (("--start", "today"), "today"),
            (("more",), "more"),
        ],
    )
    def test_of_the_bomb(self, words: tuple[str, ...], says: str, tmp_path: Path) -> None:
        bets = () if "--bets" in words else ("--bets", written(tmp_path, "player 10\nplay\n"))
        folder = ("--log-dir", str(tmp_path))
        refused("play", "ktane", *BOMB, *ONE, *bets, *folder, *words, says=says, **NOWHERE)

    @pytest.mark.parametrize("words", [(), BOMB[:2], BOMB[:4]])
    def test_what_is_missing(self, words: tuple[str, ...]) -> None:
        refused("play", "ktane", *words, says="Missing option")

    @pytest.mark.parametrize(
        ("text", "says"),
        [
            ("", "there is no round"),
            ("player 10\n\nbaccarat 10\nplay\n", "line 3: there is no spot 'baccarat'"),
            ("player ten\nplay\n", "line 1: 'ten' is no amount"),
            ("player 10\n", "line 1: the last bets are never played"),
            ("withdraw tie\nplay\n", "line 1: no bet lies on tie"),
        ],
    )
    def test_of_the_bets(self, text: str, says: str, tmp_path: Path) -> None:
        bets = written(tmp_path, text)
        refused("play", "ktane", *BOMB, "--bets", bets, says=says, **NOWHERE)

    def test_bets_that_are_no_text(self, tmp_path: Path) -> None:
        (tmp_path / "my.bets").write_bytes(b"\xff\xfe\x00play\n")
        bets = str(tmp_path / "my.bets")
        refused("play", "ktane", *BOMB, "--bets", bets, says="line 1", **NOWHERE)

    def test_other_content_at_a_log_s_path_is_refused_and_kept(self, tmp_path: Path) -> None:
        told = play(tmp_path, "banker 10\nplay\n", *ONE)
        (log,) = map(Path, told["logs"])
        before = log.read_bytes()
        words = (*BOMB, *ONE, "--bets", str(tmp_path / "my.bets"), "--log-dir", str(tmp_path))
        later = ("--start", "2027-01-01T00:00:00.000000Z")
        refused("play", "ktane", *words, *later, says="another line stands here")
        assert log.read_bytes() == before


def test_help_says_how_bets_are_written() -> None:
    code, out, _ = inside("play", "ktane", "--help")
    assert code == 0
    for words in (
        "For example",
        "withdraw banker",
        "500+25+5",
        "Play ends when",
        "shoetrail play ktane [OPTIONS]",
    ):
        assert words in out
    assert "play ktane --help" in inside("play", "--help")[1]


def test_any_other_name_is_a_scenario_s() -> None:
    refused("play", "ktanes", says="'ktanes' is no scenario of ours")
    refused("play", "--deck", "none", "ktane", says="no scenario")
