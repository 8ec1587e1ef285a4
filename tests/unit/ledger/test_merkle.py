from __future__ import annotations

import copy
import hashlib
import json
from base64 import b64decode
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.errors import ShoetrailError
from services.ledger import merkle
from services.ledger.merkle import MerkleError, TreeBuilder

VECTORS = json.loads(
    (Path(__file__).parents[2] / "vectors" / "merkle" / "rfc6962.json").read_text()
)
LEAVES = [merkle.leaf_hash(bytes.fromhex(leaf)) for leaf in VECTORS["leaves"]]
HASH = st.binary(min_size=32, max_size=32)


def many(size: int) -> list[bytes]:
    return [merkle.leaf_hash(b"line %d" % number) for number in range(size)]


def by_the_book(leaves: list[bytes]) -> bytes:
    """MTH of RFC 6962 section 2.1, word for word."""
    if not leaves:
        return hashlib.sha256().digest()
    if len(leaves) == 1:
        return leaves[0]
    k = 1
    while k * 2 < len(leaves):
        k *= 2
    halves = by_the_book(leaves[:k]) + by_the_book(leaves[k:])
    return hashlib.sha256(b"\x01" + halves).digest()


def flipped(data: bytes, bit: int) -> bytes:
    return (int.from_bytes(data, "big") ^ (1 << bit)).to_bytes(len(data), "big")


@pytest.mark.parametrize(("size", "root"), VECTORS["roots"].items())
def test_roots_of_the_vectors(size: str, root: str) -> None:
    assert merkle.root(LEAVES[: int(size)]).hex() == root


def test_proofs_of_the_vectors() -> None:
    for case in VECTORS["inclusion"]:
        proof = [b64decode(one) for one in case["proof"]]
        leaves = LEAVES[: case["size"]]
        assert merkle.inclusion_proof(leaves, case["index"]) == proof
        merkle.verify_inclusion(
            case["index"], case["size"], leaves[case["index"]], proof, merkle.root(leaves)
        )
    for case in VECTORS["consistency"]:
        proof = [b64decode(one) for one in case["proof"]]
        new = LEAVES[: case["new"]]
        assert merkle.consistency_proof(new, case["old"]) == proof
        merkle.verify_consistency(
            case["old"], case["new"], proof, merkle.root(new[: case["old"]]), merkle.root(new)
        )


@given(st.lists(st.binary(max_size=40), max_size=70), st.integers(0, 70))
def test_a_grown_tree_has_the_root_of_the_book(lines: list[bytes], cut: int) -> None:
    tree = TreeBuilder()
    tree.add_lines(lines[:cut])
    twin = copy.copy(tree)
    for line in lines[cut:]:
        tree.add_line(line)
    hashes = [merkle.leaf_hash(line) for line in lines]
    assert tree.root() == merkle.root(hashes) == by_the_book(hashes)
    assert tree.size == len(lines)
    assert (twin.size, twin.root()) == (len(lines[:cut]), by_the_book(hashes[:cut]))


def test_many_lines_at_once_make_the_tree_of_one_by_one() -> None:
    """In batches of any size, to a tree of any: below and above where levels are begun."""
    lines = [b"%d" % number for number in range(203)]
    slow = TreeBuilder()
    for line in lines:
        slow.add_line(line)
    for before in range(0, 70, 3):
        for size in (1, 31, 32, 33, 64, 100):
            tree = TreeBuilder()
            tree.add_lines(lines[:before])
            for at in range(before, len(lines), size):
                tree.add_lines(lines[at : at + size])
            assert (tree.size, tree.root()) == (slow.size, slow.root())
            tree.add(merkle.leaf_hash(b"next"))
            slower = copy.copy(slow)
            slower.add_line(b"next")
            assert tree.root() == slower.root()


def test_a_source_of_lines_that_fails_leaves_a_tree_of_those_that_came() -> None:
    def lines() -> object:
        yield b"a"
        yield b"b"
        raise OSError

    tree = TreeBuilder()
    with pytest.raises(OSError):  # noqa: PT011
        tree.add_lines(lines())  # type: ignore[arg-type]
    assert (tree.size, tree.root()) == (2, by_the_book([merkle.leaf_hash(x) for x in (b"a", b"b")]))


def test_every_inclusion_proof_verifies() -> None:
    for size in range(1, 41):
        leaves = many(size)
        root = merkle.root(leaves)
        for index in range(size):
            proof = merkle.inclusion_proof(leaves, index)
            merkle.verify_inclusion(index, size, leaves[index], proof, root)


def test_every_consistency_proof_verifies() -> None:
    leaves = many(40)
    roots = [merkle.root(leaves[:size]) for size in range(41)]
    for new in range(41):
        for old in range(new + 1):
            proof = merkle.consistency_proof(leaves[:new], old)
            merkle.verify_consistency(old, new, proof, roots[old], roots[new])


@given(st.integers(1, 40), st.data())
def test_a_changed_inclusion_proof_fails(size: int, data: st.DataObject) -> None:
    leaves = many(size)
    index = data.draw(st.integers(0, size - 1))
    root = merkle.root(leaves)
    proof = merkle.inclusion_proof(leaves, index)
    bit = data.draw(st.integers(0, 255))
    wrong: list[tuple[int, int, bytes, list[bytes], bytes]] = [
        (index, size, flipped(leaves[index], bit), proof, root),
        (index, size, leaves[index], proof, flipped(root, bit)),
        (index, size, leaves[index], [*proof, root], root),
        (data.draw(st.integers(size, 2**70)), size, leaves[index], proof, root),
    ]
    other = data.draw(st.integers(0, size - 1))
    if other != index:
        wrong.append((other, size, leaves[index], proof, root))
    if proof:
        place = data.draw(st.integers(0, len(proof) - 1))
        bent = [flipped(one, bit) if at == place else one for at, one in enumerate(proof)]
        wrong += [
            (index, size, leaves[index], bent, root),
            (index, size, leaves[index], proof[:-1], root),
            (index, size, leaves[index], proof[1:], root),
        ]
    for case in wrong:
        with pytest.raises(MerkleError):
            merkle.verify_inclusion(*case)


@given(st.integers(1, 40), st.data())
def test_a_changed_consistency_proof_fails(new: int, data: st.DataObject) -> None:
    leaves = many(new)
    old = data.draw(st.integers(1, new))
    old_root, new_root = merkle.root(leaves[:old]), merkle.root(leaves)
    proof = merkle.consistency_proof(leaves, old)
    bit = data.draw(st.integers(0, 255))
    wrong = [
        (old, new, proof, flipped(old_root, bit), new_root),
        (old, new, proof, old_root, flipped(new_root, bit)),
        (old, new, [*proof, new_root], old_root, new_root),
        (new + 1, new, proof, old_root, new_root),
    ]
    if proof:
        place = data.draw(st.integers(0, len(proof) - 1))
        bent = [flipped(one, bit) if at == place else one for at, one in enumerate(proof)]
        wrong += [
            (old, new, bent, old_root, new_root),
            (old, new, proof[:-1], old_root, new_root),
            (old, new, proof[1:], old_root, new_root),
        ]
    for case in wrong:
        with pytest.raises(MerkleError):
            merkle.verify_consistency(*case)


ANYTHING = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 2**80),
    st.just(10**5000),
    st.floats(),
    st.text(max_size=3),
    HASH,
    st.binary(max_size=33),
    st.lists(st.one_of(HASH, st.integers(), st.text(max_size=2)), max_size=4),
)


@given(ANYTHING, ANYTHING, ANYTHING, ANYTHING, ANYTHING)
def test_verifiers_raise_their_one_error_on_any_input(
    a: object, b: object, c: object, d: object, e: object
) -> None:
    for verify in (merkle.verify_inclusion, merkle.verify_consistency):
        with pytest.raises(MerkleError):
            verify(a, b, c, d, e)  # type: ignore[arg-type]


@given(st.integers(0, 9), st.integers(0, 9), HASH, st.lists(HASH, max_size=5), HASH)
def test_made_up_proofs_fail_with_the_one_error(
    a: int, b: int, one: bytes, proof: list[bytes], two: bytes
) -> None:
    # A tree of one leaf is its leaf, and a tree is consistent with itself.
    other = two if one != two else flipped(two, 0)
    with pytest.raises(MerkleError):
        merkle.verify_inclusion(a, b, one, proof, other)
    with pytest.raises(MerkleError):
        merkle.verify_consistency(a, b, proof, one, other)


def test_the_ends_of_consistency() -> None:
    leaves = many(5)
    root, empty = merkle.root(leaves), merkle.EMPTY_ROOT
    merkle.verify_consistency(0, 5, [], empty, root)
    merkle.verify_consistency(5, 5, [], root, root)
    merkle.verify_consistency(0, 0, [], empty, empty)
    for case in (
        (0, 5, [], root, root),
        (0, 5, [root], empty, root),
        (5, 5, [root], root, root),
        (5, 5, [], root, empty),
        (0, 0, [], empty, root),
        (3, 5, [], root, root),
    ):
        with pytest.raises(MerkleError):
            merkle.verify_consistency(*case)


def test_proofs_of_what_is_not_there_are_refused() -> None:
    for index in (-1, 3, 99):
        with pytest.raises(MerkleError):
            merkle.inclusion_proof(many(3), index)
    for old in (-1, 4):
        with pytest.raises(MerkleError):
            merkle.consistency_proof(many(3), old)
    assert issubclass(MerkleError, ShoetrailError)
