"""Every edit of a sealed log is found: each byte of a short one, seeded ones of a long one, lines.

What decides here is what decides in an audit: ``SealCheck``, fed as an audit feeds it. Some of the
edits go through the whole command's audit as well.
"""

from __future__ import annotations

import io
import random
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.errors import InputError
from services.auditor import files
from services.auditor.fold import ShoeAudit
from services.auditor.offline import audit_paths
from services.auditor.record import Record
from services.auditor.sealed import Hashes, SealCheck
from services.ledger.checkpoint import Checkpoint, shoe_origin
from services.ledger.lines import log_root
from tests.unit.auditor.site import SIGNER
from tests.unit.auditor.table import good

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

KEYS = (SIGNER.verifier,)
EDITS = 5_000


class Sealed:
    """A log in memory and what was signed of it."""

    def __init__(self, lines: list[bytes]) -> None:
        self.lines = lines
        self.data = b"".join(line + b"\n" for line in lines)
        origin = shoe_origin(SIGNER.name, "T7", 12)
        self.note = Checkpoint(origin, len(lines), log_root(lines)).signed(SIGNER)

    def check(self, data: bytes, note: bytes | None = None) -> SealCheck:
        check = SealCheck(
            "T7/12", lambda site: shoe_origin(site, "T7", 12), note or self.note, KEYS
        )
        hashes = Hashes()
        for lines, _ in files._blocks(io.BytesIO(data)):
            check.feed(hashes, lines)
        check.end(hashes, "T7/12-999")
        return check

    def is_found(self, data: bytes) -> bool:
        check = self.check(data)
        return check.seal == "broken" and any(one.grade == "fault" for one in check.findings)

    def is_found_by_all(self, data: bytes, folder: Path) -> bool:
        """Audit the files; one that cannot be used at all is found too."""
        path = folder / "12.jsonl"
        path.write_bytes(data)
        path.with_suffix(".checkpoint").write_bytes(self.note)
        try:
            audit = audit_paths([path], record=Record(KEYS))
        except InputError as wrong:
            return "this is no readable shoe.opened" in str(wrong)
        return audit.verdict == "fail" and audit.seals.broken == 1


@pytest.fixture(scope="module")
def short() -> Sealed:
    return Sealed(good(rounds=1).asked().lines())


@pytest.fixture(scope="module")
def long() -> Sealed:
    return Sealed(good(rounds=40).asked().lines())


def other_byte(byte: int, chance: random.Random) -> int:
    """Another byte; often one that is likely to be overlooked."""
    near = [byte ^ 0x20, byte ^ 1, 10, 13, 32, 0, 255]
    told = chance.choice([chance.randrange(256), *near])
    return told if told != byte else byte ^ 0x40


def test_as_it_was_it_holds(short: Sealed, long: Sealed, tmp_path: Path) -> None:
    for sealed in (short, long):
        assert sealed.check(sealed.data).seal == "held"
        assert not sealed.is_found_by_all(sealed.data, tmp_path)


@pytest.mark.slow
def test_each_byte_of_a_short_log(short: Sealed, tmp_path: Path) -> None:
    chance = random.Random(1)  # noqa: S311
    data = bytearray(short.data)
    for at, byte in enumerate(short.data):
        data[at] = other_byte(byte, chance)
        assert short.is_found(bytes(data)), at
        if at % 101 == 0:
            assert short.is_found_by_all(bytes(data), tmp_path), at
        data[at] = byte


@pytest.mark.slow
def test_five_thousand_bytes_of_a_long_log(long: Sealed, tmp_path: Path) -> None:
    chance = random.Random(2)  # noqa: S311
    data = bytearray(long.data)
    for number in range(EDITS):
        at = chance.randrange(len(data))
        byte = data[at]
        data[at] = other_byte(byte, chance)
        assert long.is_found(bytes(data)), at
        if number % 250 == 0:
            assert long.is_found_by_all(bytes(data), tmp_path), at
        data[at] = byte


def test_bytes_put_in_and_left_out_of_a_short_log(short: Sealed) -> None:
    chance = random.Random(3)  # noqa: S311
    for at in range(0, len(short.data), 3):
        byte = bytes([chance.randrange(256)])
        assert short.is_found(short.data[:at] + short.data[at + 1 :]), at
        longer = short.data[:at] + byte + short.data[at:]
        assert short.is_found(longer), at


def tampered(lines: list[bytes]) -> Iterator[tuple[str, list[bytes]]]:
    """Lines dropped, doubled, swapped and truncated, at every line."""
    for at in range(len(lines)):
        yield f"{at} dropped", lines[:at] + lines[at + 1 :]
        yield f"{at} doubled", lines[: at + 1] + lines[at:]
        yield f"{at} the last", lines[:at]
        if at:
            yield f"{at} swapped", [*lines[: at - 1], lines[at], lines[at - 1], *lines[at + 1 :]]


@pytest.mark.slow
@pytest.mark.parametrize("which", ["short", "long"])
def test_lines_dropped_doubled_swapped_and_truncated(
    which: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    sealed: Sealed = request.getfixturevalue(which)
    for number, (what, lines) in enumerate(tampered(sealed.lines)):
        data = b"".join(line + b"\n" for line in lines)
        assert sealed.is_found(data), what
        if number % 499 == 0 and lines:
            assert sealed.is_found_by_all(data, tmp_path), what


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.replace(b"\n", b"\r\n"),
        lambda data: b"\xef\xbb\xbf" + data,
        lambda data: data + b"\n",
        lambda data: data + b"\0",
        lambda data: data.replace(b"\n", b"\n\n", 1),
        lambda data: data[:-1] + b"\r\n",
        lambda data: data.replace(b"\n", b" " * (2 << 20) + b"\n", 1),
        lambda data: data + b"[" * (3 << 20),
        lambda data: data + b"[" * (3 << 20) + b"\n",
        lambda data: data.replace(b'"stake":2500', b'"stake":2500,"stake":2500', 1),
        lambda data: data.replace(b'"stake":2500', b'"stake":NaN', 1),
        lambda data: data.replace(b'"stake":2500', b'"stake":%d' % 2**64, 1),
        lambda data: data.replace(b'"stake":2500', b'"stake":' + b"[" * 10_000, 1),
        lambda data: data.replace(b'"dora"', b'"\\ud800"', 1),
        lambda data: data.replace(b'"dora"', b'"\xed\xa0\x80"', 1),
        lambda data: data.replace(b'"dora"', b'"\\u0064ora"', 1),
        lambda _data: b"",
        lambda _data: b"\n",
    ],
)
def test_bad_files(short: Sealed, change: Callable[[bytes], bytes], tmp_path: Path) -> None:
    data = change(short.data)
    assert data != short.data
    path = tmp_path / "12.jsonl"
    path.write_bytes(data)
    path.with_suffix(".checkpoint").write_bytes(short.note)
    told = ""
    try:
        told = audit_paths([path], record=Record(KEYS)).verdict
    except InputError as wrong:
        told = str(wrong)
    assert told == "fail" or told.startswith(str(path))
    assert "\n" not in told


def test_each_byte_of_a_checkpoint(short: Sealed) -> None:
    for at, byte in enumerate(short.note):
        for other in {byte ^ 1, byte ^ 0x20, 10, 255} - {byte}:
            note = short.note[:at] + bytes([other]) + short.note[at + 1 :]
            check = short.check(short.data, note)
            assert [one.code for one in check.findings] == ["signature"], at


@settings(deadline=None, max_examples=50)
@given(st.data())
def test_a_log_in_any_parts_is_the_same(data: st.DataObject) -> None:
    """Whatever comes at once, and whatever sizes were signed of it for others."""
    lines = good(rounds=2).asked().lines()
    sealed = Sealed(lines)
    origin = shoe_origin(SIGNER.name, "T7", 12)
    sizes = data.draw(st.lists(st.integers(0, len(lines)), max_size=4))
    seen = [Checkpoint(origin, size, log_root(lines[:size])) for size in sizes]
    check = SealCheck("T7/12", lambda _site: origin, sealed.note, KEYS, seen)
    audit = ShoeAudit()
    at = 0
    while at < len(lines):
        to = data.draw(st.integers(at + 1, len(lines)))
        check.feed(audit, lines[at:to])
        at = to
    check.end(audit, audit.next_address)
    assert (check.seal, check.findings, check.size) == ("held", [], len(lines))
    assert audit.root == check.root == log_root(lines).hex()
    assert audit.verdict == "pass"


@given(st.binary(max_size=200))
def test_any_checkpoint_is_one_or_one_finding(note: bytes) -> None:
    check = SealCheck("T7/12", lambda site: site, note, KEYS)
    check.end(Hashes(), "T7/12-0")
    assert [one.code for one in check.findings] == ["signature"]
