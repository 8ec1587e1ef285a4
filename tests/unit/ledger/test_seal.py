from __future__ import annotations

import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.errors import Conflict, InputError, Unproven
from services.ledger import merkle, seal
from services.ledger.checkpoint import open_checkpoint
from services.ledger.note import Signer
from services.ledger.seal import Disagrees, Seal, Sealer
from services.ledger.writer import write_atomically

LINES = [b"line %d" % number for number in range(20)]
SIGNER = Signer("casino.example", bytes(range(32)))
NEXT = Signer("casino.example", bytes(32))


class House:
    """A log folder and a key's memory."""

    def __init__(self, folder: Path) -> None:
        self.log = folder / "logs" / "T7" / "12.jsonl"
        self.log.parent.mkdir(parents=True)
        self.memory = folder / "state" / "signing.key.signed"
        self.checkpoint = self.log.with_name("12.checkpoint")
        self.kept = self.memory / "casino.example" / "T7" / "12.checkpoint"

    def seal(self, signer: Signer = SIGNER) -> Seal:
        """Begin a life."""
        return Sealer(signer, self.memory).shoe("T7", 12, self.log)

    def sealed(self, *signers: Signer) -> int:
        """Open the checkpoint: it is right for as many lines as it says."""
        known = [one.verifier for one in signers or (SIGNER,)]
        found = open_checkpoint(self.checkpoint.read_bytes(), known)
        assert found.origin == "casino.example/T7/12"
        assert found.root == merkle.root([merkle.leaf_hash(one) for one in LINES[: found.size]])
        return found.size


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


def test_a_growing_log_is_signed_again_and_again(house: House) -> None:
    growing = house.seal()
    for at in range(0, 20, 4):
        growing.add(LINES[at : at + 4])
        signed = growing.sign()
        assert signed is not None
        assert house.sealed() == signed.size == at + 4
        assert house.kept.read_bytes() == house.checkpoint.read_bytes()


def test_the_same_lines_and_key_leave_the_same_bytes(tmp_path: Path) -> None:
    left = []
    for name, steps in (("a", (3, 20)), ("b", (20,)), ("c", (1, 2, 19, 20))):
        house = House(tmp_path / name)
        growing = house.seal()
        at = 0
        for step in steps:
            growing.add(LINES[at:step])
            growing.sign()
            at = step
        left.append(house.checkpoint.read_bytes())
    assert len(set(left)) == 1


def test_nothing_is_written_twice(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    first = house.seal()
    first.add(LINES)
    first.sign()
    monkeypatch.setattr(seal, "write_atomically", None)
    first.sign(last=True)
    second = house.seal()
    second.add(LINES)
    second.sign(last=True)


@settings(deadline=None, max_examples=20)
@given(st.lists(st.integers(0, 20), min_size=2, max_size=5))
def test_many_lives_are_as_one(tmp_path_factory: pytest.TempPathFactory, ends: list[int]) -> None:
    """Each life begins at the first line and dies after a line and a signature of its own."""
    house = House(tmp_path_factory.mktemp("lives"))
    most = 0
    for end in ends:
        life = house.seal()
        life.add(LINES[:end])
        life.sign()
        most = max(most, end)
        if most:
            assert house.sealed() == most
    last = house.seal()
    last.add(LINES)
    last.sign(last=True)
    assert house.sealed() == 20


@pytest.mark.parametrize("dies_at", [0, 1])
def test_a_crash_between_sign_keep_and_rename(
    house: House, monkeypatch: pytest.MonkeyPatch, dies_at: int
) -> None:
    growing = house.seal()
    growing.add(LINES[:7])
    growing.sign()
    growing.add(LINES[7:15])
    written: list[Path] = []
    really = write_atomically

    def write(path: Path, data: bytes) -> None:
        if len(written) == dies_at:
            raise KeyboardInterrupt
        written.append(path)
        really(path, data)

    with monkeypatch.context() as dies:
        dies.setattr(seal, "write_atomically", write)
        with pytest.raises(KeyboardInterrupt):
            growing.sign()
    assert written == [house.kept][:dies_at]
    assert house.sealed() == 7
    # the next life: it says less at first, then as much, then more
    again = house.seal()
    again.add(LINES[:10])
    signed = again.sign()
    assert (signed is None) == (dies_at == 1)
    again.add(LINES[10:])
    again.sign(last=True)
    assert house.sealed() == 20
    assert house.kept.read_bytes() == house.checkpoint.read_bytes()


def test_a_log_dealt_again_under_the_same_address_is_refused(house: House) -> None:
    first = house.seal()
    first.add(LINES[:10])
    first.sign(last=True)
    left = house.checkpoint.read_bytes()
    for other in ([*LINES[:4], b"another", *LINES[5:]], LINES[::-1], [*LINES[1:10], b"more"]):
        again = house.seal()
        again.add(other)
        for _ in range(2):
            with pytest.raises(Disagrees, match=r"T7/12: the first 10 lines are others than"):
                again.sign()
    assert house.checkpoint.read_bytes() == house.kept.read_bytes() == left


def test_what_disagrees_stops_a_table_and_can_be_said_in_a_line() -> None:
    assert issubclass(Disagrees, Conflict)
    assert issubclass(Disagrees, InputError)


def test_a_log_that_ends_before_what_was_signed_is_refused(house: House) -> None:
    first = house.seal()
    first.add(LINES[:10])
    first.sign()
    again = house.seal()
    again.add(LINES[:9])
    assert again.sign() is None
    with pytest.raises(Disagrees, match="ends after 9 lines, and 10 were signed"):
        again.sign(last=True)
    assert house.sealed() == 10


def test_a_lost_log_folder_is_no_excuse(house: House) -> None:
    first = house.seal()
    first.add(LINES[:10])
    first.sign()
    house.checkpoint.unlink()
    again = house.seal()
    again.add([b"other", *LINES[1:12]])
    with pytest.raises(Disagrees):
        again.sign()
    assert not house.checkpoint.exists()
    right = house.seal()
    right.add(LINES[:10])
    right.sign()
    assert house.sealed() == 10


def test_a_new_key_goes_on_and_remembers(house: House) -> None:
    first = house.seal()
    first.add(LINES[:10])
    first.sign()
    again = house.seal(NEXT)
    again.add(LINES[:10])
    again.sign()
    assert house.sealed(NEXT) == 10
    again.add(LINES[10:])
    again.sign()
    assert house.sealed(NEXT) == house.sealed(SIGNER, NEXT) == 20
    with pytest.raises(Unproven):
        house.sealed(SIGNER)
    other = house.seal(NEXT)
    other.add([b"other", *LINES[1:]])
    with pytest.raises(Disagrees):
        other.sign()


def test_two_processes_with_one_key_sign_one_log_only(house: House) -> None:
    one, other = house.seal(), house.seal()
    one.add(LINES[:8])
    other.add([*LINES[:7], b"other", *LINES[8:12]])
    one.sign()
    with pytest.raises(Disagrees):
        other.sign()
    same = house.seal()
    same.add(LINES[:12])
    same.sign()
    one.add(LINES[8:10])
    assert one.sign() is None
    one.add(LINES[10:14])
    one.sign()
    assert house.sealed() == 14


def test_threads_take_turns(house: House) -> None:
    growing = house.seal()
    growing.add(LINES)
    threads = [threading.Thread(target=growing.sign) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert house.sealed() == 20


@pytest.mark.parametrize(
    "kept", [b"", b"casino.example/T7/12\n", b"\xef\xbb\xbf", b"x" * 2_000_000]
)
def test_a_memory_that_cannot_be_read_signs_nothing(house: House, kept: bytes) -> None:
    house.kept.parent.mkdir(parents=True)
    house.kept.write_bytes(kept)
    growing = house.seal()
    growing.add(LINES)
    with pytest.raises(Unproven, match="restore it"):
        growing.sign()
    assert not house.checkpoint.exists()
    assert house.kept.read_bytes() == kept


def test_a_memory_of_another_log_signs_nothing(house: House) -> None:
    growing = Sealer(SIGNER, house.memory).shoe("T8", 12, house.log)
    growing.add(LINES)
    growing.sign()
    house.kept.parent.mkdir(parents=True)
    house.kept.write_bytes(house.checkpoint.read_bytes())
    again = house.seal()
    again.add(LINES)
    with pytest.raises(Disagrees, match=r"the checkpoint of casino\.example/T8/12"):
        again.sign()


def test_verdicts_and_disputes_are_logs_of_their_own(house: House) -> None:
    sealer = Sealer.beside(SIGNER, house.memory.with_name("signing.key"))
    logs = [
        sealer.shoe("T7", 12, house.log),
        sealer.verdicts("T7", 12, house.log.with_name("12.verdicts.jsonl")),
        sealer.disputes("T7", house.log.with_name("disputes.jsonl")),
    ]
    for number, one in enumerate(logs, 1):
        one.add(LINES[:number])
        one.sign()
    assert [one.origin for one in logs] == [
        "casino.example/T7/12", "casino.example/T7/12/verdicts", "casino.example/T7/disputes",
    ]  # fmt: skip
    folder = house.log.parent
    assert sorted(path.name for path in folder.iterdir()) == [
        "12.checkpoint", "12.verdicts.checkpoint", "disputes.checkpoint",
    ]  # fmt: skip
    assert len(list(house.memory.rglob("*.checkpoint"))) == 3
    with pytest.raises(InputError):
        sealer.shoe("../T7", 12, house.log)
