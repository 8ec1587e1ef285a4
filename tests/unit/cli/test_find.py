# ruff: noqa: ISC004 - what is said on stderr is longer than a line here
"""``shoetrail find``: the round from "seat 4, about 21:15"; times in zones; bad input; memory."""

from __future__ import annotations

import json
import shutil
import tracemalloc
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from schemas.envelope import decode_line
from schemas.errors import InputError
from schemas.events import CardDrawn, RoundOpened
from schemas.instant import END, parse
from services.cli.find_rounds import Wanted, search
from services.cli.find_when import Span, local, parse_about, parse_when
from services.cli.main import app

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[3] / "replay_logs"
CLEAN = ROOT / "CLEAN" / "1.jsonl"
PARIS, UTC = ZoneInfo("Europe/Paris"), ZoneInfo("UTC")


def found(*words: str) -> Any:  # noqa: ANN401 - each test knows its shape
    done = CliRunner().invoke(app, ["find", *words, "--json"], prog_name="shoetrail")
    assert (done.exit_code, done.stderr) == (0, ""), done.stderr
    return json.loads(done.stdout)


def rounds(*words: str) -> list[str]:
    return [one["at"] for one in found(*words)["rounds"]]


def shown(*words: str) -> str:
    done = CliRunner().invoke(app, ["find", *words], prog_name="shoetrail")
    assert (done.exit_code, done.stderr) == (0, ""), done.stderr
    return done.stdout


def test_the_round_from_a_seat_and_a_time() -> None:
    """Round 17 was opened at 20:03:01 and settled at 20:03:10, UTC."""
    assert rounds(str(ROOT), "--table", "CLEAN", "--seat", "3", "--about", "20:03:05",
                  "--within", "0") == ["CLEAN/1#17"]  # fmt: skip
    assert rounds(str(CLEAN), "--seat", "3", "--about", "21:03:05", "--within", "0",
                  "--zone", "Europe/Paris") == ["CLEAN/1#17"]  # fmt: skip
    around = [f"CLEAN/1#{number}" for number in (16, 17, 18)]
    assert rounds(str(CLEAN), "--about", "2026-01-01 20:03:05", "--within", "0.1") == around
    assert rounds(str(CLEAN), "--seat", "4") == []


def test_what_is_told_of_a_round() -> None:
    (one,) = found(str(CLEAN), "--about", "20:03:05", "--within", "0")["rounds"]
    assert (one["opened"], one["settled"]) == (
        "2026-01-01T20:03:01.000000Z", "2026-01-01T20:03:10.000000Z",
    )  # fmt: skip
    assert one["player"] == {"cards": ["7D", "AC"], "total": 8}
    assert (one["winner"], one["dealer"], one["log"]) == ("banker", "dora", str(CLEAN))
    assert one["seats"] == {"alice": 1, "bob": 2, "carol": 3}
    assert [(bet["bettor"], bet["spot"], bet["stake"]) for bet in one["bets"]] == [
        ("alice", "player", 2500),
        ("bob", "banker", 2500),
        ("carol", "tie", 500),
    ]
    table = shown(str(CLEAN), "--about", "20:03:05", "--within", "0", "--seat", "3")
    assert table.splitlines()[1].split("  ")[1] == "round"
    assert "CLEAN/1#17" in table
    assert "3 carol tie $5.00" in table
    assert "alice" not in table


def test_cards_are_found_wherever_they_went() -> None:
    lines = (ROOT / "MISDRAW-HAND" / "1.jsonl").read_bytes().splitlines()
    told = [decode_line(line).data for line in lines]
    error = next(one for one in told if isinstance(one, CardDrawn) and one.hand == "error")
    assert f"MISDRAW-HAND/1#{error.round}" in rounds(
        str(ROOT / "MISDRAW-HAND"), "--card", error.card
    )
    assert rounds(str(CLEAN), "--card", "7d", "--card", "AC", "--card", "9S", "--card", "JS") == [
        "CLEAN/1#17"
    ]
    twice = rounds(str(CLEAN), "--card", "10H", "--card", "TH")
    assert all(
        sum(card == "TH" for hand in (one["player"], one["banker"]) for card in hand["cards"]) >= 2
        for one in found(str(CLEAN), "--card", "TH", "--card", "TH")["rounds"]
    )
    assert set(twice) < set(rounds(str(CLEAN), "--card", "TH"))


def test_bets_are_found_by_id_and_by_spot() -> None:
    assert rounds(str(CLEAN), "--bet", "1-17/alice/player/1") == ["CLEAN/1#17"]
    assert rounds(str(CLEAN), "--bet", "1-17/alice/player/1", "--bettor", "bob") == []
    assert len(rounds(str(CLEAN), "--bet", "tie", "--bettor", "carol")) == 81
    assert rounds(str(CLEAN), "--bet", "tie", "--bettor", "bob") == []
    answers = {
        bet["answer"]
        for one in found(str(ROOT / "KTANE"), "--bet", "player")["rounds"]
        for bet in one["bets"]
    }
    assert "withdrawn" in answers


def test_faults_are_found_by_their_code() -> None:
    assert rounds(str(ROOT), "--code", "card-order") == ["DISPUTE-CARD/1#17"]
    (one,) = found(str(ROOT / "DISPUTE-CARD"), "--code", "card-order", "--card", "9H")["rounds"]
    assert one["codes"] == ["card-order"]
    assert rounds(str(ROOT / "DISPUTE-CARD"), "--code", "payout") == []


def test_all_that_is_told_must_hold_and_the_rest_is_counted() -> None:
    whole = found(str(CLEAN))
    assert (whole["found"], whole["shown"], whole["logs"]) == (81, 81, 1)
    some = found(str(CLEAN), "--bettor", "alice", "--limit", "3")
    assert (some["found"], some["shown"]) == (81, 3)
    assert [one["at"] for one in some["rounds"]] == ["CLEAN/1#1", "CLEAN/1#2", "CLEAN/1#3"]
    assert "3 of 81 rounds are shown; see --limit" in shown(str(CLEAN), "--limit", "3")
    assert shown(str(CLEAN), "--bettor", "eve") == "No round in 1 logs is like that.\n"
    assert rounds(str(ROOT), "--table", "NOWHERE") == []


def test_a_log_with_unreadable_lines_is_searched_all_the_same(tmp_path: Path) -> None:
    lines = CLEAN.read_bytes().split(b"\n")
    lines[100] = b'\xff{"\x1b'
    (tmp_path / "1.jsonl").write_bytes(b"\n".join(lines[:-1]) + b"\n" + lines[50][:9])
    told = found(str(tmp_path))
    assert (told["found"], told["unreadable"]) == (81, 1)
    assert "1 lines could not be read: audit these logs" in shown(str(tmp_path), "--limit", "1")


def test_a_round_that_is_not_settled_is_found_too(tmp_path: Path) -> None:
    lines = CLEAN.read_bytes().splitlines(keepends=True)
    last = max(n for n, line in enumerate(lines) if b'"round.opened"' in line)
    (tmp_path / "1.jsonl").write_bytes(b"".join(lines[: last + 3]))
    told = found(str(tmp_path))["rounds"][-1]
    assert (told["winner"], told["settled"]) == ("unsettled", None)
    assert told["bets"]


def test_memory_does_not_grow_with_the_logs() -> None:
    lines = CLEAN.read_bytes().splitlines()
    opened = sum(isinstance(decode_line(line).data, RoundOpened) for line in lines)

    def peak(times: int) -> int:
        def blocks() -> Iterator[list[bytes]]:
            for _ in range(times):
                yield lines

        tracemalloc.start()
        count = sum(1 for _ in search(blocks(), "log", Wanted(cards=("9H",)), {}, [0]))
        used = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert 0 < count < opened * times
        return used

    assert peak(12) < 1.3 * peak(2)


# ----------------------------------------------------------------------------------------- times


def at(text: str) -> Span:
    moment = parse(text.ljust(27, "Z") if len(text) == 27 else f"{text}:00.000000Z")
    return Span(moment, moment)


@pytest.mark.parametrize(
    ("begin", "end", "zone", "inside", "outside"),
    [
        ("21:05", "21:25", UTC, ["2026-11-30T21:05", "2026-01-01T21:25"],
         ["2026-11-30T21:04", "2026-11-30T21:26"]),
        ("21:05", "21:25", PARIS, ["2026-11-30T20:05", "2026-07-01T19:25"],
         ["2026-11-30T21:05", "2026-07-01T20:05"]),
        ("23:50", "00:10", UTC, ["2026-11-30T23:50", "2026-12-01T00:10", "1970-01-01T00:05"],
         ["2026-11-30T23:49", "2026-12-01T00:11"]),
        ("21:05", None, UTC, ["2026-11-30T21:05", "2026-11-30T23:59"], ["2026-11-30T21:04"]),
        (None, "02:00", UTC, ["2026-11-30T00:00", "2026-11-30T02:00"], ["2026-11-30T02:01"]),
        ("2026-11-30", "2026-11-30", UTC, ["2026-11-30T00:00", "2026-11-30T23:59"],
         ["2026-11-29T23:59", "2026-12-01T00:00"]),
        ("2026-11-30", None, PARIS, ["2026-11-29T23:00"], ["2026-11-29T22:59"]),
        ("2026-11-30T21:05", "2026-12-01", UTC, ["2026-11-30T21:05", "2026-12-01T23:59"],
         ["2026-11-30T21:04", "2026-12-02T00:00"]),
        ("2026-11-30T21:05+01:00", "2026-11-30 20:06Z", PARIS, ["2026-11-30T20:05"],
         ["2026-11-30T20:04", "2026-11-30T20:07"]),
        (None, None, UTC, ["1970-01-01T00:00", "9999-12-31T23:59"], []),
        # the clocks are put on at 02:00 on 29 March 2026, and back at 03:00 on 25 October
        ("02:30", "03:30", PARIS, ["2026-03-29T01:30", "2026-10-25T00:30"], ["2026-03-29T02:00"]),
    ],
)  # fmt: skip
def test_spans(
    begin: str | None, end: str | None, zone: ZoneInfo, inside: list[str], outside: list[str]
) -> None:
    when = parse_when(begin, end, zone)
    assert [text for text in inside if not when.meets(at(text))] == []
    assert [text for text in outside if when.meets(at(text))] == []


def test_about_is_so_many_minutes_before_and_after() -> None:
    when = parse_about("21:15", 10, UTC)
    assert when.meets(at("2026-11-30T21:05"))
    assert not when.meets(at("2026-11-30T21:04"))
    midnight = parse_about("00:05", 10, UTC)
    assert midnight.meets(at("2026-11-30T23:55"))
    assert not midnight.meets(at("2026-11-30T12:00"))
    moment = parse_about("2026-11-30T21:15", 10, PARIS)
    assert moment.meets(at("2026-11-30T20:25"))
    assert not moment.meets(at("2026-12-01T20:15"))
    assert parse_about("12:00", 1_000_000, UTC).meets(at("2026-11-30T21:15"))


def test_a_round_that_began_before_and_ended_after_is_met() -> None:
    long = Span(at("2026-11-30T20:00").first, at("2026-12-02T01:00").first)
    assert parse_when("23:00", "23:10", UTC).meets(long)
    assert parse_when("2026-12-01", "2026-12-01", UTC).meets(long)


@given(st.text(max_size=40) | st.from_regex(r"[0-9]{1,4}[-:][0-9]{2}[-: T0-9]{0,12}Z?"))
def test_any_text_is_a_time_or_refused(text: str) -> None:
    try:
        when = parse_when(text, None, PARIS)
        parse_about(text, 5, PARIS)
    except InputError as wrong:
        assert str(wrong).isprintable() or "\\" in str(wrong)  # noqa: PT017 - both are allowed
    else:
        when.meets(Span(0, 0))


@given(st.integers(0, END - 1))
def test_any_moment_can_be_met_and_spelled(moment: int) -> None:
    for zone in (PARIS, UTC, ZoneInfo("Pacific/Kiritimati")):
        parse_when("23:50", "00:10", zone).meets(Span(moment, moment))
        assert local(moment, zone)


# ------------------------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["NOWHERE"], "NOWHERE: there is no such file or folder; give replay logs "
         "(<shoe>.jsonl) or folders that hold them"),
        ([""], "an empty path; name logs, or folders of logs"),
        (["LOG", "--from", "noon"], "--from: 'noon' is no time; write 21:05, 2026-11-30 or "
         "2026-11-30T21:05, with +01:00 or Z if it is not --zone's"),
        (["LOG", "--to", "25:00"], "--to: '25:00' is no time; write 21:05, 2026-11-30 or "
         "2026-11-30T21:05, with +01:00 or Z if it is not --zone's"),
        (["LOG", "--from", "2026-13-01"], "--from: '2026-13-01' is no time; write 21:05, "
         "2026-11-30 or 2026-11-30T21:05, with +01:00 or Z if it is not --zone's"),
        (["LOG", "--from", "21:05", "--to", "2026-11-30"],
         "--from, --to: a time of day and a date do not go together; give both as times of day, "
         "or both with their date"),
        (["LOG", "--from", "2026-11-30", "--to", "2026-11-29"],
         "--from, --to: it ends before it begins; change the two"),
        (["LOG", "--about", "21:05", "--from", "21:00"],
         "--about: --about and a span; give --from and --to, or --about"),
        (["LOG", "--about", "21:05", "--within", "-1"], "--within: -1.0 cannot be; give 0 or more"),
        (["LOG", "--zone", "Mars"], "--zone: 'Mars' is no time zone; give a name like "
         "Europe/Paris, America/New_York or UTC"),
        (["LOG", "--card", "1H"], "--card: '1H' is no card; write rank and suit: 9H, TD, AS"),
        (["LOG", "--code", "cheating"],
         "--code: 'cheating' is no code; see docs/findings.md for what an audit can find"),
        (["LOG", "--bet", "A B"],
         "--bet: 'A B' is no bet and no spot; write 12-17/alice/banker/1, or a spot such as "
         "banker"),
        (["LOG", "--bettor", "a b"], "'a b' is no bettor; use 1 to 32 of A-Z a-z 0-9 _ -, a letter "
         "or digit first"),
        (["LOG", "--table", "a b"], "'a b' is no table; use 1 to 32 of A-Z a-z 0-9 _ -, a letter "
         "or digit first"),
        (["LOG", "--seat", "0"], "--seat: 0 cannot be; give 1 or more"),
        (["LOG", "--limit", "0"], "--limit: 0 cannot be; give 1 or more"),
    ],
)  # fmt: skip
def test_bad_input_gets_one_line(words: list[str], says: str) -> None:
    told = [str(CLEAN) if word == "LOG" else word for word in words]
    done = CliRunner().invoke(app, ["find", *told], prog_name="shoetrail")
    assert (done.exit_code, done.stdout, done.stderr) == (2, "", f"shoetrail: {says}\n")


def test_a_file_that_is_no_log_gets_one_line(tmp_path: Path) -> None:
    path = tmp_path / "1.jsonl"
    path.write_bytes(b"nonsense\n")
    done = CliRunner().invoke(app, ["find", str(path)], prog_name="shoetrail")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith(f"shoetrail: {path}, line 1: this is no readable shoe.opened; ")
    shutil.copy(CLEAN, path)
    assert len(rounds(str(path))) == 81
