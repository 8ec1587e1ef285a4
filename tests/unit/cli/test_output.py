"""Output: plain and whole in a pipe, drawn on a terminal, and money as people write it."""

from __future__ import annotations

import io
import json
import re
from collections import Counter
from contextlib import redirect_stdout
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from schemas.outcomes import HandResult
from schemas.plain_text import clean
from services.cli import output
from tests.support.terminal import Terminal

CLEAN = Path(__file__).parents[3] / "replay_logs" / "CLEAN" / "1.jsonl"


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
    assert clean("Zürich § 9H ♥ 漢") == "Zürich § 9H ♥ 漢"
    assert clean("a\nb\tc") == "a\\nb\\tc"


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


# ------------------------------------------------------------------------- tables and their room


def drawn(width: int, head: list[str], rows: list[list[str]]) -> list[str]:
    """Draw a table on a terminal that is so wide."""
    with (
        pytest.MonkeyPatch.context() as patch,
        redirect_stdout(io.StringIO()) as out,
    ):
        patch.setenv("FORCE_COLOR", "1")
        patch.setenv("NO_COLOR", "1")
        patch.setenv("TERM", "xterm-256color")
        patch.setenv("COLUMNS", str(width))
        output.table("Findings", head, rows)
    return re.sub(r"\x1b\[[0-9;]*m", "", out.getvalue()).splitlines()


FINDING = [
    "closed-early", "DISPUTED/1-93", "notice", "another round", "asked, by desk", "0",
    "punto-banco/ending",
]  # fmt: skip
FINDINGS = ["code", "at", "grade", "expected", "actual", "amount", "rule"]


def test_a_table_has_a_frame_where_it_fits() -> None:
    lines = drawn(120, FINDINGS, [FINDING])
    assert [line[0] for line in lines] == ["F", "┏", "┃", "┡", "│", "└"]
    assert [cell.strip() for cell in lines[4].strip("│").split("│")] == FINDING


def test_else_its_frame_goes_first() -> None:
    title, head, line, row = drawn(95, FINDINGS, [FINDING])
    assert (title.strip(), line.strip(" ─")) == ("Findings", "")
    assert (head.split(), row.split()) == (FINDINGS, " ".join(FINDING).split())
    assert [row.index(cell) for cell in FINDING] == sorted(row.index(cell) for cell in FINDING)
    assert row.index("DISPUTED/1-93") == head.index("at")


def test_else_its_rows_are_told_one_by_one() -> None:
    other = [*FINDING[:3], "", "-", "-12", "x" * 70]
    assert [line.rstrip() for line in drawn(80, FINDINGS, [FINDING, other])] == [
        "Findings",
        "  code closed-early · at DISPUTED/1-93 · grade notice · expected another round",
        "    actual asked, by desk · amount 0 · rule punto-banco/ending",
        "  code closed-early · at DISPUTED/1-93 · grade notice · expected - · actual -",
        "    amount -12",
        f"    rule {'x' * 70}",
    ]


def test_a_row_that_is_told_by_itself_goes_on_where_its_words_end() -> None:
    says = "a card was misread by the dealer, and the claimant has a clip"
    head = ["id", "round", "claim", "by"]
    assert drawn(40, head, [["T7:3", "DISPUTED/1#93", says, "the claimant"]])[1:] == [
        "  id T7:3 · round DISPUTED/1#93 · claim",
        "    a card was misread by the dealer,",
        "    and the claimant has a clip",
        "    by the claimant",
    ]


def test_long_text_goes_on_below_within_its_column() -> None:
    says = "a card was misread by the dealer, and the claimant has a clip of the whole round"
    lines = drawn(60, ["id", "claim"], [["T7:3", says], ["T7:4", "short"]])
    assert lines[1][0] == "┏"
    assert len(lines) == 4 + 2 + 1 + 1
    inside = [line.strip("│").split("│")[1].strip() for line in lines[4:6]]
    assert " ".join(inside) == says


WORDS = st.lists(st.text("abcdef-/:.,漢", min_size=1, max_size=30), min_size=0, max_size=6).map(
    " ".join
)


@settings(max_examples=40, deadline=None)
@given(
    st.integers(1, 9).flatmap(
        lambda n: st.tuples(
            st.lists(st.text("xyz", min_size=1, max_size=12), min_size=n, max_size=n),
            st.lists(st.lists(WORDS, min_size=n, max_size=n), max_size=3),
        )
    ),
    st.integers(36, 160),
)
def test_no_word_is_broken_and_no_line_too_long(
    told: tuple[list[str], list[list[str]]], width: int
) -> None:
    head, rows = told
    lines = drawn(width, head, rows)
    # A word of 30 signs may be 60 cells, and what is wider than the terminal may go on.
    assert max(cell_len(line.rstrip()) for line in lines) <= max(width, 78)
    text = Counter(" ".join(lines).replace("┃", " ").replace("│", " ").split())
    for word in " ".join(cell for row in rows for cell in row).split():
        if cell_len(word) <= width - 20:
            assert word in text


def test_a_wide_table_in_a_real_terminal() -> None:
    words = ("compare", str(CLEAN), "--rules", "fun-casino-as-printed")
    with Terminal(*words, env={}, columns=80) as terminal:
        assert terminal.ends() == 0
        rows = terminal.said.partition("\nSame coup, other rules: ")[0]
    assert max(map(cell_len, rows.splitlines())) <= 80
    for whole in ("4H QC 8S = 2", "$25.00, bob banker $23.75 -> -$25.00", "house -$1.25"):
        assert whole in rows
