from __future__ import annotations

from base64 import b64encode
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.errors import Unproven
from services.ledger import kept_tree, merkle
from services.ledger.checkpoint import (
    Checkpoint,
    disputes_origin,
    open_checkpoint,
    parse_checkpoint,
    read_checkpoint,
    shoe_origin,
    verdicts_origin,
)
from services.ledger.note import Signer
from services.ledger.proof import HEAD, TlogProof, parse_proof, prove_line, prove_lines
from services.ledger.spelling import LARGEST

SIGNER = Signer("casino.example", bytes(range(32)))
KNOWN = [SIGNER.verifier]
LINES = [b"line %d" % number for number in range(13)]
LEAVES = [merkle.leaf_hash(line) for line in LINES]
ORIGIN = shoe_origin("casino.example", "T7", 12)
CHECKPOINT = Checkpoint(ORIGIN, len(LINES), merkle.root(LEAVES))
NOTE = CHECKPOINT.signed(SIGNER)
#: The example of c2sp.org/tlog-checkpoint.
FANCY = "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n"


def test_the_document_s_checkpoint() -> None:
    found = parse_checkpoint(FANCY)
    assert (found.origin, found.size) == ("example.com/behind-the-sofa", 20852163)
    assert found.text == FANCY


def test_origins() -> None:
    assert shoe_origin("a.example", "T7", 12) == "a.example/T7/12"
    assert verdicts_origin("a.example", "T7", 12) == "a.example/T7/12/verdicts"
    assert disputes_origin("a.example", "T7") == "a.example/T7/disputes"


def test_a_signed_checkpoint_opens() -> None:
    assert open_checkpoint(NOTE, KNOWN) == read_checkpoint(NOTE) == CHECKPOINT
    with pytest.raises(Unproven):
        open_checkpoint(NOTE, [Signer("casino.example", bytes(32)).verifier])
    assert CHECKPOINT.signed(SIGNER) == NOTE


ROOT = b64encode(bytes(32)).decode()
BAD_TEXTS = [
    "", "\n", "a\n", "a\n0\n", f"a\n0\n{ROOT}", f"\n0\n{ROOT}\n", f"a\n00\n{ROOT}\n",
    f"a\n-1\n{ROOT}\n", f"a\n+1\n{ROOT}\n", f"a\n1.0\n{ROOT}\n", f"a\n1e3\n{ROOT}\n",
    f"a\n\u0661\n{ROOT}\n", f"a\n1_0\n{ROOT}\n", f"a\n 1\n{ROOT}\n", f"a\n{2**63}\n{ROOT}\n",
    f"a\n{'9' * 5000}\n{ROOT}\n", f"a\nNaN\n{ROOT}\n", f"a\n1\n{ROOT}\nmore\n", f"a\n1\n{ROOT}\n\n",
    f"a\n1\n{ROOT[:-1]}\n", f"a\n1\n{ROOT[:-2]}B=\n", f"a\n1\n{b64encode(bytes(31)).decode()}\n",
    f"a\n1\n{b64encode(bytes(33)).decode()}\n", f"a\r\n1\r\n{ROOT}\r\n", f"a\n\n{ROOT}\n",
]  # fmt: skip


@pytest.mark.parametrize("text", BAD_TEXTS)
def test_other_spellings_are_none(text: str) -> None:
    with pytest.raises(Unproven):
        parse_checkpoint(text)


@given(st.integers(0, LARGEST), st.binary(min_size=32, max_size=32))
def test_any_size_and_root_come_back(size: int, root: bytes) -> None:
    one = Checkpoint(ORIGIN, size, root)
    assert parse_checkpoint(one.text) == one


@given(st.text(max_size=60) | st.builds("{}\n{}\n{}\n".format, st.text(), st.integers(), st.text()))
def test_any_text_is_a_checkpoint_or_one_error(text: str) -> None:
    try:
        found = parse_checkpoint(text)
    except Unproven:
        return
    assert found.text == text


# ------------------------------------------------------------------------------------------ proofs


@pytest.mark.parametrize("index", range(len(LINES)))
def test_every_line_has_its_proof(index: int) -> None:
    proof = prove_line(LEAVES, index, NOTE)
    text = proof.text
    assert text.startswith(f"{HEAD}\nindex {index}\n")
    assert text.endswith("\n\n" + NOTE.decode())
    again = parse_proof(text.encode())
    assert again == proof
    assert again.verify(LINES[index], KNOWN) == CHECKPOINT
    for other in range(len(LINES)):
        if other != index:
            with pytest.raises(Unproven):
                again.verify(LINES[other], KNOWN)
            with pytest.raises(Unproven):
                replace(again, index=other).verify(LINES[index], KNOWN)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 8, 13, 64, 65])
def test_many_proofs_are_each_one_s_and_hash_a_subtree_once(
    size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    leaves = [merkle.leaf_hash(b"line %d" % number) for number in range(size)]
    hashed: list[bytes] = []

    def counted(left: bytes, right: bytes) -> bytes:
        hashed.append(left + right)
        return merkle.node_hash(left, right)

    monkeypatch.setattr(kept_tree, "node_hash", counted)
    note = Checkpoint(ORIGIN, size, merkle.root(leaves)).signed(SIGNER)
    found = prove_lines(leaves, range(size), note)
    assert found == [prove_line(leaves, index, note) for index in range(size)]
    full = [pair for pair in hashed if hashed.count(pair) == 1]
    assert len(hashed) < size * 3
    assert size.bit_count() > 1 or len(full) == len(hashed) == size - 1
    for index in (-1, size):
        with pytest.raises(Unproven):
            prove_lines(leaves, [index], note)


def test_a_line_of_its_own_is_its_log() -> None:
    one = Checkpoint(ORIGIN, 1, LEAVES[0]).signed(SIGNER)
    proof = prove_line(LEAVES[:1], 0, one)
    assert proof.text == f"{HEAD}\nindex 0\n\n{one.decode()}"
    assert parse_proof(proof.text.encode()).verify(LINES[0], KNOWN).size == 1


def test_extra_data_are_kept_and_nobody_s_word() -> None:
    proof = replace(prove_line(LEAVES, 3, NOTE), extra=b"anything")
    assert proof.text.split("\n")[1] == "extra YW55dGhpbmc="
    again = parse_proof(proof.text.encode())
    assert again == proof
    assert again.verify(LINES[3], KNOWN) == CHECKPOINT


PROOF = prove_line(LEAVES, 5, NOTE).text
HASHES = PROOF.split("\n")[2:6]
BAD_PROOFS = {
    "empty": "",
    "the head alone": HEAD + "\n",
    "another version": PROOF.replace("@v1", "@v2"),
    "no index": PROOF.replace("index 5\n", ""),
    "a leading zero": PROOF.replace("index 5", "index 05"),
    "a negative index": PROOF.replace("index 5", "index -5"),
    "a huge index": PROOF.replace("index 5", f"index {2**63}"),
    "more digits than a number may have": PROOF.replace("index 5", "index " + "1" * 5000),
    "index twice": PROOF.replace("index 5\n", "index 5\nindex 5\n"),
    "extra after index": PROOF.replace("index 5\n", "index 5\nextra YQ==\n"),
    "extra twice": PROOF.replace("index 5\n", "extra YQ==\nextra YQ==\nindex 5\n"),
    "no base64": PROOF.replace(HASHES[0], "!" * 44),
    "a short hash": PROOF.replace(HASHES[0], "YQ=="),
    "64 hashes": PROOF.replace(HASHES[0] + "\n", (HASHES[0] + "\n") * 64),
    "CRLF": PROOF.replace("\n", "\r\n"),
    "BOM": "\ufeff" + PROOF,
    "no checkpoint": PROOF.partition("\n\n")[0] + "\n\n",
    "an unsigned checkpoint": PROOF.partition("\n\n")[0] + "\n\n" + CHECKPOINT.text,
    "a note that is no checkpoint": PROOF.partition("\n\n")[0]
    + "\n\n"
    + SIGNER.sign("hi\n").decode(),
    "half of it": PROOF[: len(PROOF) // 2],
    "too long": PROOF + "x" * 2_000_000,
}


@pytest.mark.parametrize("what", BAD_PROOFS)
def test_bad_proofs(what: str) -> None:
    with pytest.raises(Unproven) as caught:
        parse_proof(BAD_PROOFS[what].encode())
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "hashes", [HASHES[1:], HASHES[:-1], HASHES[::-1], [*HASHES, HASHES[0]], []]
)
def test_paths_that_lead_elsewhere(hashes: list[str]) -> None:
    bent = PROOF.replace("".join(one + "\n" for one in HASHES), "".join(h + "\n" for h in hashes))
    with pytest.raises(Unproven):
        parse_proof(bent.encode()).verify(LINES[5], KNOWN)


def test_every_single_byte_edit_of_a_proof_is_refused() -> None:
    data = PROOF.encode()
    for at in range(len(data)):
        for byte in (data[at] ^ 1, 10, 255):
            if byte != data[at]:
                edited = data[:at] + bytes([byte]) + data[at + 1 :]
                with pytest.raises(Unproven):
                    parse_proof(edited).verify(LINES[5], KNOWN)


@given(st.binary(max_size=200) | st.builds(f"{HEAD}\n".encode().__add__, st.binary(max_size=200)))
def test_any_bytes_are_a_proof_or_one_error(data: bytes) -> None:
    try:
        found = parse_proof(data)
    except Unproven:
        return
    assert found.text.encode() == data


@given(st.data())
def test_a_proof_mangled_in_any_way_is_one_error(data: st.DataObject) -> None:
    whole = PROOF.encode()
    at = data.draw(st.integers(0, len(whole)))
    to = data.draw(st.integers(at, len(whole)))
    mangled = whole[:at] + data.draw(st.binary(max_size=20)) + whole[to:]
    if mangled == whole:
        return
    with pytest.raises(Unproven):
        parse_proof(mangled).verify(LINES[5], KNOWN)


def test_a_proof_needs_a_checkpoint_to_be_made() -> None:
    with pytest.raises(Unproven):
        prove_line(LEAVES, 5, b"hello")
    with pytest.raises(Unproven):
        prove_line(LEAVES, 13, NOTE)
    assert TlogProof(0, (), NOTE).extra is None
