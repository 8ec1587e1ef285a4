"""The record of shoes: their seals, the chain between them, what has to be there. Judges no game.

It looks across the logs of an audit, in their order; what each log's lines say is the audit's.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from itertools import groupby
from typing import TYPE_CHECKING, Final, NamedTuple

from msgspec.structs import replace

from schemas.address import Shoe
from schemas.errors import InputError, Unproven
from services.auditor.beside import disputes, hash_log, verdicts
from services.auditor.codes import finding
from services.auditor.files import CHECKPOINT, LogFile, lone_checkpoints, small_file, two_logs
from services.auditor.receipts import Receipts, check_receipts, no_log
from services.auditor.report import Seals
from services.auditor.sealed import RULE, Seal, SealCheck
from services.ledger.checkpoint import open_checkpoint, shoe_origin
from services.ledger.note import LONGEST

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from schemas.verdicts import Finding
    from services.auditor.disputed import Kept
    from services.auditor.fold import ShoeAudit
    from services.auditor.report import Previous
    from services.ledger.checkpoint import Checkpoint
    from services.ledger.note import Verifier

_EXPECTED: Final = "docs/record.md#what-has-to-be-there"
_FAIR: Final = "baccarat-shoe-v1"
_SHOWN: Final = 90


class Record(NamedTuple):
    """What an audit of the record is held against: keys, shoes that must be there, receipts."""

    keys: tuple[Verifier, ...] = ()
    expect: tuple[Shoe, ...] = ()
    receipts: Receipts | None = None


class RecordAudit:
    """Goes along with an audit. Without a record it only counts which logs have a checkpoint."""

    def __init__(self, record: Record | None, paths: Iterable[Path]) -> None:
        """Begin before the first log; ``paths`` are the files and folders of the audit."""
        self._record = record
        self._paths = list(paths)
        self._seals: Counter[Seal] = Counter()
        self._there: set[Shoe] = set()
        self._seeds: dict[bytes, Shoe] = {}
        self._commitments: dict[str, Shoe] = {}
        #: The folders of the logs, each with the tables whose logs lie there.
        self._places: dict[Path, dict[str, None]] = {}
        self._twice: list[Finding] = []

    @property
    def seals(self) -> Seals:
        """How the logs' seals are, so far."""
        count = self._seals
        return Seals(count["held"], count["broken"], count["missing"], count["unchecked"])

    def one_each(self, files: Sequence[LogFile]) -> list[LogFile]:
        """Give one log for each shoe.

        Two logs of a shoe that contradict each other, and were both signed, prove it of their
        signer; any other two are refused.
        """
        kept = []
        for _, group in groupby(files, key=lambda file: file[:2]):
            one, *others = group
            kept.append(one)
            for other in others:
                if not self._contradict(one, other):
                    raise two_logs(one, other)
                there = f"another, in {str(other.path)[-_SHOWN:]}"
                shoe = f"{one.table}/{one.shoe}"
                told = "one log that was signed", there
                self._twice.append(finding("equivocation", shoe, *told, RULE))
        return kept

    def begin(self, file: LogFile) -> SealCheck | None:
        """Open a log's checkpoint, before the log is read; None where no key is given."""
        self._there.add(Shoe(file.table, file.shoe))
        self._places.setdefault(file.path.parent, {})[file.table] = None
        if self._record is None or not self._record.keys:
            there = file.path.with_suffix(CHECKPOINT).exists()
            self._seals["unchecked" if there else "missing"] += 1
            return None
        return self._check(file, self._seen(file))

    def end(self, file: LogFile, check: SealCheck | None, audit: ShoeAudit) -> list[Finding]:
        """Judge a log's record, now that it was read."""
        if self._record is None:
            return []
        found: list[Finding] = []
        if check is not None:
            check.end(audit, audit.next_address)
            self._seals[check.seal] += 1
            found += check.findings
            if check.signed is not None or check.seal == "missing":
                found += verdicts(file, self._keys)
        shoe = Shoe(file.table, file.shoe)
        found += self._reused(shoe, audit)
        receipts = self._record.receipts
        if receipts is not None and shoe in receipts.bets:
            found += check_receipts(file.path, receipts.bets[shoe])
        return found

    def rest(self, kept: Mapping[Path, Kept]) -> list[Finding]:
        """Judge what is not there, and what no single log shows; ``kept`` are the disputes."""
        if self._record is None:
            return []
        missing = dict.fromkeys(self._record.expect, "expected")
        found = list(self._twice)
        receipts = self._record.receipts or Receipts()
        for signed in (*self._lone(), *receipts.checkpoints()):
            if (shoe := self._shoe_of(signed)) is not None:
                missing.setdefault(shoe, f"{signed.size} lines of it were signed")
        for shoe, bets in sorted(receipts.bets.items()):
            if shoe not in self._there:
                found += no_log(bets)
        for shoe, why in sorted(missing.items()):
            if shoe not in self._there:
                found.append(finding("shoe-missing", str(shoe), f"a log: {why}", "none", _EXPECTED))
        if self._record.keys:
            for folder, tables in self._places.items():
                found += disputes(kept[folder], [*tables], self._keys)
        return found

    @staticmethod
    def chained(check: SealCheck | None, previous: Previous) -> Previous:
        """Have the next shoe name what was signed of this one, whatever became of it since."""
        root = None if check is None else check.root
        return previous if root is None else replace(previous, root=root)

    @property
    def _keys(self) -> tuple[Verifier, ...]:
        return () if self._record is None else self._record.keys

    def _seen(self, file: LogFile) -> list[Checkpoint]:
        receipts = None if self._record is None else self._record.receipts
        if receipts is None:
            return []
        names = {shoe_origin(key.name, file.table, file.shoe) for key in self._keys}
        return [one for name in sorted(names) for one in receipts.seen.get(name, ())]

    def _check(self, file: LogFile, seen: Iterable[Checkpoint] = ()) -> SealCheck:
        return SealCheck(
            f"{file.table}/{file.shoe}",
            lambda site: shoe_origin(site, file.table, file.shoe),
            small_file(file.path.with_suffix(CHECKPOINT), LONGEST),
            self._keys,
            seen,
        )

    def _contradict(self, one: LogFile, other: LogFile) -> bool:
        """Tell whether what was signed of two logs of a shoe cannot be of one log."""
        signed = self._check(one).signed, self._check(other).signed
        if signed[0] is None or signed[1] is None:
            return False
        for file, others in ((one, signed[1]), (other, signed[0])):
            check = self._check(file, [others])
            hash_log(file.path, check)
            if any(found.code == "equivocation" for found in check.findings):
                return True
        return False

    def _reused(self, shoe: Shoe, audit: ShoeAudit) -> list[Finding]:
        """Look for a seed or a commitment that an earlier shoe had, of whichever table."""
        found = []
        if audit.commitment is not None:
            before = self._commitments.setdefault(audit.commitment, shoe)
            if before != shoe:
                at = shoe.event(0)
                there = f"that of {before}"
                found.append(finding("commitment-reused", at, "one of its own", there, _FAIR))
        if audit.revealed is not None:
            at, seed = audit.revealed
            before = self._seeds.setdefault(seed, shoe)
            if before != shoe:
                there = f"that of {before}"
                found.append(finding("seed-reused", at, "a seed of its own", there, _FAIR))
        return found

    def _lone(self) -> Iterable[Checkpoint]:
        """Give what a given key signed of logs that are not beside it."""
        for path in lone_checkpoints(self._paths) if self._keys else ():
            with suppress(Unproven):
                yield open_checkpoint(small_file(path, LONGEST) or b"", self._keys)

    def _shoe_of(self, signed: Checkpoint) -> Shoe | None:
        """Say which shoe a checkpoint is of, by the name of a given key."""
        for name in {key.name for key in self._keys}:
            with suppress(InputError):
                return Shoe.parse(signed.origin.removeprefix(name + "/"))
        return None
