"""Output: plain and whole in a pipe, drawn on a terminal, and money as people write it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.outcomes import HandResult
from services.cli import output


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "60")


@pytest.fixture
def pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("FORCE_COLOR", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("amount", "currency", "spelled"),
    [
        (123_450, "USD", "$1,234.50"),
        (5, "USD", "$0.05"),
        (0, "USD", "$0.00"),
        (-500, "USD", "-$5.00"),
        (-5, "GBP", "-£0.05"),
        (100_000_000, "EUR", "€1,000,000.00"),
        (1234, "JPY", "¥1,234"),
        (-1, "JPY", "-¥1"),
        (100, "CHF", "CHF 1.00"),
        (-100, "CHF", "-CHF 1.00"),
    ],
)
def test_money(amount: int, currency: str, spelled: str) -> None:
    assert output.money(amount, currency) == spelled


@given(st.integers(-(2**53), 2**53))
def test_money_loses_no_cent(amount: int) -> None:
    plain = output.money(amount, "USD").replace("$", "").replace(",", "")
    whole, cents = plain.lstrip("-").split(".")
    assert (int(whole) * 100 + int(cents)) * (-1 if "-" in plain else 1) == amount


@pytest.mark.usefixtures("pipe")
def test_a_table_in_a_pipe_is_plain_and_aligned(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [["alice", "$5.00", "x" * 150], ["bob", "-$1,234.50", ""], ["carol", "-", "[red]"]]
    output.table("Bets", ["bettor", "net", "note"], rows)
    assert capsys.readouterr().out.split("\n") == [
        "Bets",
        "  bettor         net  note",
        f"  alice        $5.00  {'x' * 150}",
        "  bob     -$1,234.50",
        "  carol            -  [red]",
        "",
    ]


@pytest.mark.usefixtures("pipe")
def test_an_empty_table_has_its_head(capsys: pytest.CaptureFixture[str]) -> None:
    output.table("Findings", ["code", "at"], [])
    assert capsys.readouterr().out == "Findings\n  code  at\n"


@pytest.mark.usefixtures("pipe")
def test_facts_in_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    output.facts("Audit", {"shoes": "1", "a verdict": "pass"})
    assert capsys.readouterr().out == "Audit\n  shoes      1\n  a verdict  pass\n"


@pytest.mark.usefixtures("terminal")
def test_on_a_terminal_there_are_lines_and_colours(capsys: pytest.CaptureFixture[str]) -> None:
    output.table("Bets", ["bettor", "net"], [["[bold]alice", "$5.00"]])
    output.facts("Audit", {"verdict": "[red]pass"})
    out = capsys.readouterr().out
    assert "\x1b[" in out
    assert "┃" in out
    assert "[bold]alice" in out
    assert "[red]pass" in out


@pytest.mark.usefixtures("terminal")
def test_a_log_cannot_move_the_terminals_cursor(capsys: pytest.CaptureFixture[str]) -> None:
    evil = "\x1b]0;owned\x07\r\u202e"
    output.table(evil, ["a"], [[evil]])
    output.facts("x", {"a": evil})
    output.note(evil)
    out = capsys.readouterr().out
    assert "\x1b]" not in out
    assert "\x07" not in out
    assert "\r" not in out
    assert "\u202e" not in out
    assert "\\x1b]0;owned\\x07\\r\\u202e" in out


def test_clean_leaves_what_can_be_printed() -> None:
    assert output.clean("Zürich § 9H ♥ 漢") == "Zürich § 9H ♥ 漢"
    assert output.clean("a\nb\tc") == "a\\nb\\tc"


def test_a_document_is_one_line_of_json(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    output.document({"hand": HandResult(("9H",), 9), "note": "§", "rows": [1, None, True]})
    out = capsysbinary.readouterr().out
    assert out.endswith(b"}\n")
    assert out.count(b"\n") == 1
    assert json.loads(out) == {
        "hand": {"cards": ["9H"], "total": 9}, "note": "§", "rows": [1, None, True],
    }  # fmt: skip


@pytest.mark.parametrize("where", ["terminal", "pipe"])
def test_no_word_of_a_file_moves_the_cursor(
    where: str, request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    """A scenario's question is a label, a rule set's name a head."""
    request.getfixturevalue(where)
    evil = "\x1b]0;title\x07"
    output.facts(evil, {evil: evil})
    output.table(evil, [evil], [[evil]])
    output.note(evil)
    printed = capsys.readouterr().out
    assert "\x1b]" not in printed
    assert "\x07" not in printed
    assert "".join(printed.split()).count("\\x1b]0;title\\x07") == 7
