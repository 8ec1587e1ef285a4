"""Disputes: whether money moved as a dispute was resolved, and whether their record is whole.

It judges no claim and no finding: those are people's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from schemas.address import DisputeAddress, Sources
from schemas.envelope import decode_dispute
from schemas.errors import InputError, Unproven, Unreadable
from schemas.verdicts import Finding
from services.auditor.codes import finding
from services.auditor.files import small_file
from services.auditor.report import Moved
from services.ledger.checkpoint import read_checkpoint
from services.ledger.dispute_file import CHECKPOINT, NAME, read_lines
from services.ledger.disputes import DisputeBook
from services.ledger.lines import log_root
from services.ledger.note import LONGEST

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from schemas.disputes import Adjustment
    from schemas.events import MoneyAdjusted
    from services.auditor.report import ShoeResult
    from services.auditor.state import State
    from services.ledger.disputes import Dispute

RULE: Final = "docs/disputes.md"
_UNEXPLAINED: Final = "adjustment-unexplained"
_TABLES, _RECORD = "/tables/", "/disputes"


def explained(st: State, data: MoneyAdjusted) -> None:
    """Judge money that names a dispute: one on the record, resolved with this money, once."""
    if data.dispute is None:
        return
    wrong = _wrong(st, data, data.dispute)
    if wrong is not None:
        st.find(_UNEXPLAINED, *wrong, RULE, amount=-data.amount)


def note(st: State, data: MoneyAdjusted) -> None:
    """Remember that money was moved for a dispute."""
    if data.dispute is not None:
        st.adjusted.append(Moved(data.dispute, st.event_at(st.seq), data.amount))


def _wrong(st: State, data: MoneyAdjusted, name: str) -> tuple[str, str] | None:
    """Give what had to be and what is, or None where nothing is wrong."""
    number = _number(name, st.table)
    if number is None:
        return f"a dispute of {st.table}", name
    before = next((moved.at for moved in st.adjusted if moved.dispute == name), None)
    if before is not None:
        return f"money moved once for {name}", f"it was moved at {before}"
    if st.disputes is None:
        return None
    one = st.disputes.disputes.get(number)
    if one is None:
        return f"{name} on the record", "it is not there"
    if one.resolved is None:
        return f"{name} resolved", "it is open"
    wanted = _spelled(one, one.resolved.adjustment)
    there = f"{data.amount} to {data.bettor} for {data.bet or data.at}"
    same = one.resolved.adjustment is not None and data.at == str(one.at) and wanted == there
    return None if same else (f"{name}: {wanted}", there)


def _spelled(one: Dispute, money: Adjustment | None) -> str:
    if money is None:
        return "no money"
    return f"{money.amount} to {money.bettor} for {money.bet or one.at}"


def _number(name: str, table: str) -> int | None:
    """Give the number of a table's dispute, None where this names none."""
    try:
        found = DisputeAddress.parse(name)
    except InputError:
        return None
    return found.number if found.table == table else None


class Kept(NamedTuple):
    """A record of disputes as it lies in a folder: whole lines, and a torn one behind them.

    ``table`` is whose it is by its first readable line, None where there is none; ``note`` is its
    checkpoint, None where there is none.
    """

    there: bool
    lines: list[bytes]
    torn: bool
    table: str | None
    note: bytes | None


def kept_in(folder: Path) -> Kept:
    """Read what a folder holds of disputes."""
    path = folder / NAME
    lines = read_lines(folder)
    note = small_file(folder / CHECKPOINT, LONGEST)
    return Kept(path.exists(), lines, _is_torn(path), _table_of(lines), note)


class DisputeRecord:
    """The record of a table's disputes beside its logs, and what is wrong with it."""

    def __init__(self, kept: Kept, table: str) -> None:
        """Fold it; a folder may hold the logs of several tables, and the record of one."""
        self.book = DisputeBook(table)
        self._table = table
        self._findings: list[Finding] = []
        self._moved: list[Moved] = []
        self._signed = 0
        if kept.table not in {None, table}:
            return
        self._read(kept.lines)
        if kept.torn:
            self._find("malformed", self.book.last + 1, "a whole line", "a torn one")
        if kept.note is not None:
            self._checkpoint(kept.note, kept.lines)

    def take(self, result: ShoeResult) -> None:
        """Take account of a shoe of this table, in order."""
        self._moved += result.adjusted

    def findings(self) -> tuple[Finding, ...]:
        """Give all that is wrong with the record, and with money across shoes."""
        return (*self._findings, *self._named(), *self._twice())

    def _read(self, lines: Iterable[bytes]) -> None:
        missing: set[int] = set()
        for line in lines:
            before = self.book.last
            for code, expected, actual in self.book.add(line):
                at = self.book.last
                if code == "dispute-dropped":
                    at = before + 1
                    missing.update(range(at, self.book.last))
                elif code == "malformed" and at not in self.book.disputes:
                    missing.add(at)
                elif code == "out-of-place" and _resolves(line) in missing:
                    continue  # it follows from what is missing
                self._find(code, at, expected, actual)

    def _checkpoint(self, note: bytes, lines: Sequence[bytes]) -> None:
        """Compare with what was signed last; who signed it is looked at where keys are given."""
        try:
            signed = read_checkpoint(note)
        except Unproven as wrong:
            self._find("signature", self.book.last, "a signed checkpoint", wrong.what)
            return
        if not signed.origin.endswith(f"/{self._table}/disputes"):
            return  # of another table, whose logs lie here too; with keys that is looked at
        self._signed = signed.size
        if signed.size > len(lines):
            wanted = f"{signed.size} entries, as was signed"
            self._find("dispute-dropped", len(lines) + 1, wanted, f"{len(lines)}")
        elif log_root(lines[: signed.size]) != signed.root:
            self._find("root-mismatch", signed.size, signed.root.hex(), "another root")

    def _named(self) -> Iterable[Finding]:
        """Tell which disputes are gone that money was moved for."""
        last = max(self.book.last, self._signed)
        for moved in {one.dispute: one for one in reversed(self._moved)}.values():
            number = _number(moved.dispute, self._table)
            if number is not None and number > last:
                there = f"the record ends at {self._table}:{last}" if last else "there is no record"
                yield finding("dispute-dropped", moved.dispute, f"named at {moved.at}", there, RULE)

    def _twice(self) -> Iterable[Finding]:
        """Tell where a dispute's money was moved in a later shoe again."""
        first: dict[str, Moved] = {}
        for moved in self._moved:
            before = first.setdefault(moved.dispute, moved)
            if _shoe(before.at) != _shoe(moved.at):
                wanted = f"money moved once for {moved.dispute}"
                there = f"it was moved at {before.at}"
                yield finding(_UNEXPLAINED, moved.at, wanted, there, RULE, amount=-moved.amount)

    def _find(self, code: str, number: int, expected: str, actual: str) -> None:
        at = str(DisputeAddress(self._table, number))
        self._findings.append(finding(code, at, expected, actual, RULE))


def _shoe(address: str) -> str:
    return address.rpartition("-")[0]


def _table_of(lines: Iterable[bytes]) -> str | None:
    """Tell whose record of disputes this is: its first readable line says so, if there is one."""
    for line in lines:
        try:
            source = decode_dispute(line).source
        except Unreadable:
            continue
        table = source.removeprefix(_TABLES).removesuffix(_RECORD)
        return table if source == Sources(table).disputes else source
    return None


def _resolves(line: bytes) -> int | None:
    try:
        return getattr(decode_dispute(line).data, "dispute", None)
    except Unreadable:
        return None


def _is_torn(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            size = file.seek(0, 2)
            file.seek(max(size - 1, 0))
            return file.read(1) not in {b"", b"\n"}
    except FileNotFoundError:
        return False
