"""How fast the auditor is against merely reading a log, and how much memory a big folder takes."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from unittest import mock

import orjson

from services.auditor.files import VERDICTS
from services.auditor.offline import audit_paths
from services.auditor.record import Record
from services.ledger.note import Signer
from services.ledger.seal import Sealer
from tests.support.finished import seal_finished
from tests.unit.auditor.table import Table

SHOES = 200
DIFFERENT = 20
MANY = 2_000
PARTS = 20
#: Other work on the machine only ever makes a run slower: the best of some is the work itself.
TIMES = 5
#: The peak is counted in bytes on macOS, in KiB elsewhere.
UNIT = 1 if sys.platform == "darwin" else 1024
PEAK = """
import resource, sys
from pathlib import Path
from services.auditor.offline import audit_paths
shoes = 0
for folder in sorted(Path(sys.argv[1]).iterdir()):
    audit = audit_paths([folder])
    assert audit.verdict == "pass", audit.findings[:3]
    shoes += audit.shoes
assert shoes == int(sys.argv[2])
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
status = Path("/proc/self/status")
if status.exists():  # on Linux the figure above remembers what the parent was before exec
    peak = next(int(line.split()[1]) for line in status.open() if line.startswith("VmHWM"))
print(peak)
"""


def write_shoes(folder: Path, shoes: int) -> None:
    """Write full eight-deck shoes, each its own table's so that none has to name another's root."""
    for number in range(shoes):
        name = f"T{number}"
        seed = hashlib.sha256(b"%d" % (number % DIFFERENT)).digest()
        shoe = Table(table=name, shoe=12, seed=seed).begin().play().close()
        path = folder / name / "12.jsonl"
        path.parent.mkdir(parents=True)
        path.write_bytes(b"".join(line + b"\n" for line in shoe.lines()))


def read_only(paths: list[Path]) -> None:
    """Do what the audit is measured against: read lines, parse and hash each."""
    for path in paths:
        with path.open("rb") as file:
            for line in file:
                orjson.loads(line)
                hashlib.sha256(line).digest()


def seconds(work: Callable[[], object]) -> float:
    """Time one run, in seconds of this process."""
    start = time.process_time()
    work()
    return time.process_time() - start


def seal(paths: list[Path], memory: Path) -> Record:
    """Seal the logs and the verdicts on them; give what a sealed audit is held against."""
    signer = Signer("bench.example", bytes(32))
    sealer = Sealer(signer, memory)
    with mock.patch("os.fsync"):  # as much as is written here, in minutes instead of seconds
        for path in paths:
            seal_finished(path, sealer)
    return Record((signer.verifier,))


def ratio(paths: list[Path], record: Record | None = None) -> float:
    """Audit and read parts of the shoes in turns, each at its best of some; the median ratio.

    A sealed audit is measured against reading all that it reads: the sealed verdicts as well.
    """
    audit = audit_paths(paths[:2], record=record)
    assert audit.verdict == "pass", audit.findings[:3]
    assert audit.seals.held == (0 if record is None else 2)
    size = len(paths) // PARTS
    ratios = []
    for part in range(PARTS):
        some = paths[part * size : (part + 1) * size]
        floors, wholes = [], []
        for _ in range(TIMES):
            read = some if record is None else some + [one.with_suffix(VERDICTS) for one in some]
            floors.append(seconds(lambda read=read: read_only(read)))  # type: ignore[misc]
            wholes.append(
                seconds(lambda some=some: audit_paths(some, record=record))  # type: ignore[misc]
            )
        ratios.append(min(wholes) / min(floors))
    return median(ratios)


def peak_mb(folder: Path, shoes: int) -> float:
    """Audit many shoes in a process of its own and give its largest resident size."""
    command = [sys.executable, "-c", PEAK, str(folder), str(shoes)]
    told = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603
    return int(told.stdout) * UNIT / 1e6


def run() -> dict[str, float]:
    """Measure; names and values as ``make bench`` prints them."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_shoes(folder, SHOES)
        paths = sorted(folder.rglob("*.jsonl"))
        found = {"audit_vs_floor": ratio(paths)}
        record = seal(paths, folder / "memory")
        found["sealed_audit_vs_floor"] = ratio(paths, record)
        many = folder / "many"
        for again in range(MANY // SHOES):  # the same shoes again: one log a shoe in each folder
            for path in paths:
                copy = many / str(again) / path.relative_to(folder)
                copy.parent.mkdir(parents=True)
                copy.hardlink_to(path)
        found["audit_peak_mb"] = peak_mb(many, MANY)
    return found


if __name__ == "__main__":
    for key, value in run().items():
        print(key, round(value, 2))
