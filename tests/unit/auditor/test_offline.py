"""Audits of files and folders: what is found, what cannot be used, how the verdicts add up."""

from __future__ import annotations

from pathlib import Path

import pytest

from schemas.errors import InputError
from schemas.ruleset import published
from services.auditor import files
from services.auditor.files import logs
from services.auditor.fold import ShoeAudit
from services.auditor.offline import audit_file, audit_lines, audit_paths, previous_of
from services.ledger.merkle import leaf_hash, root
from tests.unit.auditor.table import BETS, Table, good


def write(folder: Path, table: Table, name: str | None = None) -> Path:
    path = folder / table.table / (name or f"{table.shoe}.jsonl")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(line + b"\n" for line in table.lines()))
    return path


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    """A whole good shoe."""
    return write(tmp_path, Table().begin().play().close())


def test_a_whole_shoe_passes(whole: Path) -> None:
    audit = audit_paths([whole])
    assert (audit.verdict, audit.shoes, audit.findings) == ("pass", 1, ())
    lines = whole.read_bytes().splitlines()
    assert audit.events + audit.rounds == len(lines)
    result, before = audit_file(logs([whole])[0], published())
    assert result.root == before.root == root([leaf_hash(line) for line in lines]).hex()
    assert result.counts.bets == audit.rounds * len(BETS)


def test_a_shoe_that_is_not_closed_is_open(tmp_path: Path) -> None:
    path = write(tmp_path, good())
    assert audit_paths([path]).verdict == "open"


def test_fail_beats_open_beats_pass(tmp_path: Path, whole: Path) -> None:
    opened = write(tmp_path, good(table="T8"))
    assert audit_paths([whole, opened]).verdict == "open"
    bad = write(tmp_path, good(table="T9").close())
    assert audit_paths([bad, whole, opened]).verdict == "fail"


def test_a_folder_is_audited_by_table_and_shoe(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    before, still = None, None
    for shoe in (9, 10, 11):
        table = good(table="A", shoe=shoe, rounds=1, previous_root=before, restated=still).asked()
        before, still = audit_lines(table.lines()).root, table.left()
        write(tmp_path, table)
    write(tmp_path, good(table="B", shoe=2, rounds=1, dealer="eve").asked())
    for other in ("9.live.jsonl", "9.verdicts.jsonl", "9.checkpoint"):
        (tmp_path / "A" / other).write_bytes(b"not a log\n")
    (tmp_path / "A" / "disputes.jsonl").touch()
    audit = audit_paths([tmp_path], lambda done, of: told.append((done, of)))
    assert (audit.shoes, audit.rounds, audit.verdict) == (4, 4, "pass")
    assert [finding.at.partition("-")[0] for finding in audit.findings] == [
        "A/9", "A/10", "A/11", "B/2",
    ]  # fmt: skip
    assert told == [(0, 4), (1, 4), (2, 4), (3, 4), (4, 4)]


def test_a_log_given_twice_is_one_shoe(tmp_path: Path, whole: Path) -> None:
    audit = audit_paths([whole])
    (tmp_path / "link.jsonl").symlink_to(whole)
    assert audit_paths([whole, whole, tmp_path, tmp_path / "link.jsonl"]) == audit


def test_two_logs_of_one_shoe(tmp_path: Path, whole: Path) -> None:
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(whole.read_bytes())
    with pytest.raises(InputError, match="two logs of T7/12; give one log a shoe") as caught:
        audit_paths([tmp_path])
    assert str(copy) in str(caught.value)
    assert str(whole) in str(caught.value)


def test_consecutive_shoes_have_to_name_one_another(tmp_path: Path) -> None:
    first = good(shoe=1, rounds=1).asked()
    write(tmp_path, first)
    write(tmp_path, good(shoe=2, rounds=1, restated=first.left()).asked())
    audit = audit_paths([tmp_path])
    assert [(f.code, f.at) for f in audit.findings if f.grade == "fault"] == [
        ("chain-broken", "T7/2-0")
    ]
    before = previous_of(tmp_path, "T7", 1)
    assert before is not None
    assert before.root == audit_lines(good(shoe=1, rounds=1).asked().lines()).root
    assert previous_of(tmp_path, "T7", 3) is None
    assert previous_of(tmp_path, "T7", 0) is None


def test_a_torn_last_line_is_a_fault(whole: Path) -> None:
    data = whole.read_bytes()
    lines = data.splitlines()
    whole.write_bytes(data[:-40])
    audit = audit_paths([whole])
    (finding,) = audit.findings
    last = int(lines[-2].split(b'"id":"12-')[1].split(b'"')[0])
    assert (finding.code, audit.verdict) == ("malformed", "fail")
    assert finding.at.startswith("T7/12-") or last
    whole.write_bytes(data[:-1])
    assert audit_paths([whole]).findings == (finding,)


def test_a_line_over_a_mebibyte_is_malformed(whole: Path) -> None:
    lines = whole.read_bytes().splitlines(keepends=True)
    longer = b"{" + b" " * (3 << 20) + b"}\n"
    whole.write_bytes(b"".join([*lines[:30], longer, *lines[30:]]))
    assert [finding.code for finding in audit_paths([whole]).findings] == ["malformed"]


@pytest.mark.parametrize("end", [b"\r\n", b"\0\n", b" \n", b"\n\n"])
def test_other_line_ends_are_malformed(whole: Path, end: bytes) -> None:
    lines = whole.read_bytes().split(b"\n")
    whole.write_bytes(b"\n".join(lines[:30]) + end + b"\n".join(lines[30:]))
    audit = audit_paths([whole])
    assert {finding.code for finding in audit.findings} == {"malformed"}


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "is empty"),
        (b"\n", "no readable shoe.opened"),
        (b"{}\n", "no readable shoe.opened"),
        (b"\xff\xfe\0\0\n", "no readable shoe.opened"),
        (b"x" * (2 << 20), "no readable shoe.opened"),
        (b"\xef\xbb\xbf", "no readable shoe.opened"),
    ],
)
def test_files_that_cannot_be_used(tmp_path: Path, data: bytes, says: str) -> None:
    path = tmp_path / "1.jsonl"
    path.write_bytes(data)
    with pytest.raises(InputError, match=says) as caught:
        audit_paths([path])
    assert str(path) in str(caught.value)
    assert ";" in str(caught.value)


def test_a_first_line_that_is_torn_marked_or_another(whole: Path) -> None:
    data = whole.read_bytes()
    lines = data.splitlines(keepends=True)
    for bad in (b"\xef\xbb\xbf" + data, lines[0][:-1], b"".join(lines[1:]), lines[0][:-2] + b"\n"):
        whole.write_bytes(bad)
        with pytest.raises(InputError, match=r"line 1: this is no readable shoe\.opened"):
            audit_paths([whole])


def test_paths_that_cannot_be_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="no such file"):
        audit_paths([tmp_path / "none.jsonl"])
    with pytest.raises(InputError, match="no log in this folder"):
        audit_paths([tmp_path])
    (tmp_path / "3.jsonl").mkdir()
    with pytest.raises(InputError, match="no log in this folder"):
        audit_paths([tmp_path / "3.jsonl"])
    with pytest.raises(InputError, match="this is no file"):
        audit_paths([Path("/dev/null")])
    path = write(tmp_path, good())

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(InputError, match="permission denied"):
        audit_paths([path])


def test_a_file_is_read_in_blocks_of_any_size(whole: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    right = audit_paths([whole])
    for part, block in ((7, 1), (100, 5000), (333, 333), (4096, 4096), (1 << 16, 1), (50, 1 << 20)):
        monkeypatch.setattr(files, "_PART", part)
        monkeypatch.setattr(files, "_BLOCK", block)
        assert audit_paths([whole]) == right


def test_the_fold_stands_alone() -> None:
    audit = ShoeAudit()
    assert audit.state == "awaited"
    with pytest.raises(InputError):
        audit.line(b"{}")
    with pytest.raises(InputError):
        audit.close()
    audit = ShoeAudit("T8", 13)
    found = audit.line(good().lines()[0])
    assert [finding.code for finding in found] == ["wrong-table"]
    assert audit.state == "open"
    assert audit.close().verdict == "fail"
