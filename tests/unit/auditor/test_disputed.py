# ruff: noqa: ANN401 - any term of an adjustment can be another
"""Money moved for a dispute, and the record of disputes beside the logs: each smallest fault."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from schemas import events as ev
from schemas.address import Sources
from schemas.disputes import Adjustment, DisputeOpened, DisputeResolved
from schemas.envelope import encode
from services.auditor.fold import ShoeAudit
from services.auditor.offline import audit_paths
from services.ledger.checkpoint import Checkpoint, disputes_origin
from services.ledger.disputes import DisputeBook
from services.ledger.lines import log_root
from services.ledger.note import Signer
from tests.unit.auditor.table import Table

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import msgspec

    from schemas.verdicts import Finding
    from tests.unit.auditor.table import Entry

AT = "T7/12#2"
BET = "12-2/ann/banker/1"


def said(number: int, data: msgspec.Struct, table: str = "T7") -> bytes:
    time = f"2026-11-30T04:00:{number:02}.000000Z"
    return encode(f"{number}-0", Sources(table).disputes, time, data)


def opened(at: str = AT) -> DisputeOpened:
    return DisputeOpened(at, "ann", "it was 15,000", "ann", BET, None, None, ())


def resolved(number: int = 1, amount: int | None = 500) -> DisputeResolved:
    money = None if amount is None else Adjustment("ann", BET, amount)
    return DisputeResolved(number, "sue", "as the clip shows", money, ())


#: A dispute that was resolved with money, one without, and one that is open.
RECORD = [
    said(1, opened()),
    said(2, resolved()),
    said(3, opened("T7/12#1")),
    said(4, resolved(3, None)),
    said(5, opened("T7/12#1")),
]


def good(shoe: int = 12, **more: Any) -> Table:
    return Table(shoe=shoe, **more).begin().play(rounds=2)


def adjusted(table: Table, **fields: Any) -> Entry:
    told = {"at": AT, "bet": BET, "bettor": "ann", "amount": 500, "dispute": "T7:1", **fields}
    name = f"{table.shoe}/money.adjust/disputes/1"
    return table.say(ev.MoneyAdjusted(reason="as the clip shows", by="sue", command=name, **told))


def write(folder: Path, record: Sequence[bytes] | None, *tables: Table) -> list[Finding]:
    """Audit these logs with this record beside them; the shoes were closed as somebody asked."""
    folder.mkdir(exist_ok=True)
    for table in tables:
        lines = table.asked().lines()
        (folder / f"{table.shoe}.jsonl").write_bytes(b"".join(line + b"\n" for line in lines))
    if record is not None:
        (folder / "disputes.jsonl").write_bytes(b"".join(line + b"\n" for line in record))
    audit = audit_paths([folder])
    found = [one for one in audit.findings if one.code not in {"closed-early", "rules-changed"}]
    assert audit.verdict == ("fail" if any(one.grade == "fault" for one in found) else "pass")
    return found


def test_money_moved_as_the_dispute_was_resolved_is_explained(tmp_path: Path) -> None:
    table = good()
    adjusted(table)
    assert write(tmp_path, RECORD, table) == []


def test_it_is_explained_in_a_later_shoe_too(tmp_path: Path) -> None:
    table = good(14)
    adjusted(table)
    assert write(tmp_path, RECORD, table) == []


@pytest.mark.parametrize(
    ("terms", "expected", "actual"),
    [
        ({"dispute": "T7:5", "at": "T7/12#1"}, "T7:5 resolved", "it is open"),
        ({"dispute": "T7:3", "at": "T7/12#1"}, "T7:3: no money", f"500 to ann for {BET}"),
        ({"dispute": "T7:2"}, "T7:2 on the record", "it is not there"),
        ({"dispute": "T8:1"}, "a dispute of T7", "T8:1"),
        ({"dispute": "nonsense"}, "a dispute of T7", "nonsense"),
        ({"amount": 501}, f"T7:1: 500 to ann for {BET}", f"501 to ann for {BET}"),
        ({"amount": -500}, f"T7:1: 500 to ann for {BET}", f"-500 to ann for {BET}"),
        ({"bettor": "bob"}, f"T7:1: 500 to ann for {BET}", f"500 to bob for {BET}"),
        ({"bet": None}, f"T7:1: 500 to ann for {BET}", f"500 to ann for {AT}"),
        ({"at": "T7/12#1"}, f"T7:1: 500 to ann for {BET}", f"500 to ann for {BET}"),
    ],
)
def test_adjustment_unexplained(
    tmp_path: Path, terms: dict[str, Any], expected: str, actual: str
) -> None:
    table = good()
    entry = adjusted(table, **terms)
    (found,) = write(tmp_path, RECORD, table)
    assert (found.code, found.at) == ("adjustment-unexplained", table.at(entry))
    assert (found.expected, found.actual) == (expected, actual)
    assert found.amount == -entry.data.amount


def test_a_disputes_money_is_moved_once(tmp_path: Path) -> None:
    table = good()
    first, second = adjusted(table), adjusted(table)
    second.set(command="12/money.adjust/sue/2")
    (found,) = write(tmp_path / "one", RECORD, table)
    assert (found.code, found.at) == ("adjustment-unexplained", table.at(second))
    assert found.actual == f"it was moved at {table.at(first)}"
    one, other = good(), good(14)
    first, second = adjusted(one), adjusted(other)
    (found,) = write(tmp_path / "two", RECORD, one, other)
    assert (found.code, found.at) == ("adjustment-unexplained", other.at(second))
    assert found.actual == f"it was moved at {one.at(first)}"


# ------------------------------------------------------------------------------- dispute-dropped


def codes(findings: Sequence[Finding]) -> list[tuple[str, str]]:
    return [(one.code, one.at) for one in findings]


@pytest.mark.parametrize(("record", "there"), [(None, "there is no record"), ([], "there is no")])
def test_a_dispute_that_an_adjustment_names_is_gone(
    tmp_path: Path, record: list[bytes] | None, there: str
) -> None:
    table = good()
    entry = adjusted(table)
    found = write(tmp_path, record, table)
    assert codes(found) == [
        ("adjustment-unexplained", table.at(entry)),
        ("dispute-dropped", "T7:1"),
    ]
    assert found[1].actual.startswith(there)
    assert found[1].expected == f"named at {table.at(entry)}"


def test_the_record_ends_before_a_dispute_that_an_adjustment_names(tmp_path: Path) -> None:
    table = good()
    entry = adjusted(table, dispute="T7:6")
    found = write(tmp_path, RECORD, table)
    assert codes(found) == [
        ("adjustment-unexplained", table.at(entry)),
        ("dispute-dropped", "T7:6"),
    ]
    assert found[1].actual == "the record ends at T7:5"


def sign(folder: Path, lines: Sequence[bytes]) -> None:
    signer = Signer("casino.example", bytes(32))
    origin = disputes_origin(signer.name, "T7")
    note = Checkpoint(origin, len(lines), log_root(lines)).signed(signer)
    folder.mkdir(exist_ok=True)
    (folder / "disputes.checkpoint").write_bytes(note)


@pytest.mark.parametrize("left", [*range(5), None])
def test_the_record_is_shorter_than_what_was_signed_of_it(tmp_path: Path, left: int | None) -> None:
    sign(tmp_path, RECORD)
    (found,) = write(tmp_path, None if left is None else RECORD[:left], good())
    assert (found.code, found.at) == ("dispute-dropped", f"T7:{(left or 0) + 1}")
    assert (found.expected, found.actual) == ("5 entries, as was signed", str(left or 0))


def test_the_record_may_be_longer_than_what_was_signed_of_it(tmp_path: Path) -> None:
    sign(tmp_path, RECORD[:3])
    assert write(tmp_path, RECORD, good()) == []


def test_the_record_is_another_than_was_signed(tmp_path: Path) -> None:
    sign(tmp_path, RECORD)
    changed = [RECORD[0].replace(b"15,000", b"16,000"), *RECORD[1:]]
    assert codes(write(tmp_path, changed, good())) == [("root-mismatch", "T7:5")]
    (tmp_path / "disputes.checkpoint").write_bytes(b"nonsense")
    assert codes(write(tmp_path, RECORD, good())) == [("signature", "T7:5")]


@pytest.mark.parametrize(
    ("dropped", "wanted"),
    [
        (0, [("dispute-dropped", "T7:1")]),  # its resolution follows from it
        (1, [("dispute-dropped", "T7:2")]),
        (2, [("dispute-dropped", "T7:3")]),
    ],
)
def test_an_entry_is_gone_from_the_middle(
    tmp_path: Path, dropped: int, wanted: list[tuple[str, str]]
) -> None:
    record = RECORD[:dropped] + RECORD[dropped + 1 :]
    assert codes(write(tmp_path, record, good())) == wanted


@pytest.mark.parametrize(
    ("record", "wanted"),
    [
        ([b"{}", *RECORD[1:]], [("malformed", "T7:1")]),
        ([*RECORD[:3], RECORD[2], *RECORD[3:]], [("sequence-repeat", "T7:3")]),
        ([*RECORD, said(6, resolved(1, 7))], [("out-of-place", "T7:6")]),
        ([*RECORD, said(6, resolved(5, 0))], [("malformed", "T7:6")]),
        ([*RECORD, said(6, opened(), "T8")], [("wrong-table", "T7:6")]),
        ([*RECORD, said(6, opened()).replace(b"04:00", b"03:00")], [("time-backwards", "T7:6")]),
    ],
)
def test_other_faults_of_the_record(
    tmp_path: Path, record: list[bytes], wanted: list[tuple[str, str]]
) -> None:
    assert codes(write(tmp_path, record, good())) == wanted


def test_a_torn_last_line_is_a_fault_of_the_record(tmp_path: Path) -> None:
    write(tmp_path, RECORD, good())
    path = tmp_path / "disputes.jsonl"
    path.write_bytes(path.read_bytes() + RECORD[0][:40])
    found = audit_paths([tmp_path]).findings
    assert ("malformed", "T7:6") in codes(found)


def test_a_folder_of_several_tables_holds_the_record_of_one(tmp_path: Path) -> None:
    sign(tmp_path, RECORD)
    assert write(tmp_path, RECORD, good(table="T8", shoe=3), good()) == []
    (tmp_path / "disputes.jsonl").unlink()
    assert codes(audit_paths([tmp_path / "3.jsonl"]).findings) == [
        ("closed-early", codes(audit_paths([tmp_path / "3.jsonl"]).findings)[0][1])
    ]


def test_who_knows_no_record_judges_none() -> None:
    table = good()
    adjusted(table)
    audit, knows = ShoeAudit(), ShoeAudit(disputes=DisputeBook("T7"))
    for line in table.asked().lines():
        audit.line(line)
        knows.line(line)
    assert [one.code for one in audit.result().findings] == ["closed-early"]
    assert [one.code for one in knows.result().findings] == [
        "adjustment-unexplained",
        "closed-early",
    ]
