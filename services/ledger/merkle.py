"""RFC 6962 Merkle trees over log lines: roots, proofs and their checks. No I/O, no trust.

A leaf is ``SHA-256(00 || line without its newline)``, a node ``SHA-256(01 || left || right)``.
"""

from __future__ import annotations

from hashlib import sha256
from hmac import compare_digest
from typing import TYPE_CHECKING, Final

from schemas.errors import Unproven

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

EMPTY_ROOT: Final = sha256(b"").digest()
_SIZE: Final = 32
#: Hashes that were begun: to copy one costs OpenSSL less than to begin another.
_LEAF: Final = sha256(b"\0")
_NODE: Final = sha256(b"\1")
_LARGEST: Final = 2**63 - 1
#: Fewer leaves are added one by one: to begin a level costs more than it spares.
_FEW: Final = 32


class MerkleError(Unproven):
    """A proof, root, index or size that is not what it claims to be."""


def leaf_hash(data: bytes) -> bytes:
    """Hash one line, given without its newline."""
    return sha256(b"\0" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Hash two subtrees into one."""
    return sha256(b"\1" + left + right).digest()


class TreeBuilder:
    """A growing tree: one hash for each full subtree is kept, so memory is O(log n)."""

    __slots__ = ("_peaks", "size")

    def __init__(self) -> None:
        """Start with the empty tree."""
        self.size = 0
        self._peaks: list[bytes] = []

    def add(self, leaf: bytes) -> None:
        """Append one leaf hash."""
        peaks = self._peaks
        size = self.size
        while size & 1:
            leaf = sha256(b"\1" + peaks.pop() + leaf).digest()
            size >>= 1
        peaks.append(leaf)
        self.size += 1

    def add_line(self, line: bytes) -> None:
        """Append one line, given without its newline."""
        self.add(sha256(b"\0" + line).digest())

    def add_lines(self, lines: Iterable[bytes]) -> None:
        """Append lines, given without newlines; the fastest way."""
        leaf = _LEAF.copy
        leaves: list[bytes] = []
        try:
            for line in lines:
                hashed = leaf()
                hashed.update(line)
                leaves.append(hashed.digest())
        finally:
            if len(leaves) < _FEW:
                for one in leaves:
                    self.add(one)
            else:
                self._add_many(leaves)

    def _add_many(self, level: list[bytes]) -> None:
        """Append leaf hashes, level by level."""
        inner = _NODE.copy
        peaks, rest = self._peaks, self.size
        self.size += len(level)
        left: list[bytes] = []  # the last node of a level, where none is there to pair it with
        while level:
            if rest & 1:
                level.insert(0, peaks.pop())
            if len(level) & 1:
                left.append(level.pop())
            nodes = iter(level)
            level = []
            for one, other in zip(nodes, nodes, strict=True):
                hashed = inner()
                hashed.update(one + other)
                level.append(hashed.digest())
            rest >>= 1
        peaks += reversed(left)

    def root(self) -> bytes:
        """Give the root of what was added so far."""
        if not self._peaks:
            return EMPTY_ROOT
        node = self._peaks[-1]
        for peak in self._peaks[-2::-1]:
            node = node_hash(peak, node)
        return node

    def copy(self) -> TreeBuilder:
        """Give a tree that grows apart from this one."""
        twin = TreeBuilder()
        twin.size = self.size
        twin._peaks = self._peaks.copy()
        return twin

    __copy__ = copy


def root(leaf_hashes: Sequence[bytes]) -> bytes:
    """Give the root of these leaf hashes."""
    tree = TreeBuilder()
    for leaf in leaf_hashes:
        tree.add(leaf)
    return tree.root()


def inclusion_proof(leaf_hashes: Sequence[bytes], index: int) -> list[bytes]:
    """Give the audit path of one leaf, from the leaf up."""
    size = len(leaf_hashes)
    if not 0 <= index < size:
        raise MerkleError(f"no leaf {index} among {size}")
    proof = []
    start, end = 0, size
    while end - start > 1:
        middle = start + _split(end - start)
        if index < middle:
            proof.append(root(leaf_hashes[middle:end]))
            end = middle
        else:
            proof.append(root(leaf_hashes[start:middle]))
            start = middle
    proof.reverse()
    return proof


def consistency_proof(leaf_hashes: Sequence[bytes], old_size: int) -> list[bytes]:
    """Prove that the tree of the first ``old_size`` leaves became this one by appending only."""
    size = len(leaf_hashes)
    if not 0 <= old_size <= size:
        raise MerkleError(f"no tree of {old_size} leaves among {size}")
    if old_size in {0, size}:
        return []
    proof = []
    start, end = 0, size
    whole = True  # the old tree is a full left part so far: the verifier knows its root
    while old_size != end:
        middle = start + _split(end - start)
        if old_size <= middle:
            proof.append(root(leaf_hashes[middle:end]))
            end = middle
        else:
            proof.append(root(leaf_hashes[start:middle]))
            start = middle
            whole = False
    if not whole:
        proof.append(root(leaf_hashes[start:end]))
    proof.reverse()
    return proof


def verify_inclusion(
    index: int, size: int, leaf_hash: bytes, proof: Sequence[bytes], root: bytes
) -> None:
    """Check that this leaf stands at ``index`` of the tree; raises ``MerkleError`` otherwise."""
    _check_numbers(index, size)
    path = _check_hashes(leaf_hash, proof, root)
    if index >= size:
        raise MerkleError(f"no leaf {index} among {size}")
    _, node = _climb(index, size - 1, leaf_hash, path)
    _check_same(node, root, f"leaf {index} is not in the tree of {size}")


def verify_consistency(
    old_size: int, new_size: int, proof: Sequence[bytes], old_root: bytes, new_root: bytes
) -> None:
    """Check that the new tree begins with the old one; raises ``MerkleError`` otherwise."""
    _check_numbers(old_size, new_size)
    path = _check_hashes(old_root, proof, new_root)
    if old_size > new_size:
        raise MerkleError(f"a tree of {new_size} cannot begin with one of {old_size}")
    if old_size in {0, new_size}:
        if path:
            raise MerkleError("the consistency proof is too long")
        known = new_root if old_size else EMPTY_ROOT
        _check_same(old_root, known, f"this is not the root of the first {old_size}")
        if new_size == 0:
            _check_same(new_root, EMPTY_ROOT, "this is not the root of the empty tree")
        return
    place, last = old_size - 1, new_size - 1
    while place & 1:  # up to the last full subtree of the old tree
        place >>= 1
        last >>= 1
    if place == 0:  # it is the whole old tree
        path.insert(0, old_root)
    if not path:
        raise MerkleError("the proof is too short")
    old, new = _climb(place, last, path[0], path[1:])
    _check_same(old, old_root, f"the proof does not lead to the root of the first {old_size}")
    _check_same(new, new_root, f"the proof does not lead to the root of {new_size}")


def _climb(place: int, last: int, node: bytes, path: list[bytes]) -> tuple[bytes, bytes]:
    """Climb from a node to the root: of what is left of the node and it, and of all."""
    old = new = node
    for other in path:
        if last == 0:
            raise MerkleError("the proof is too long")
        if place & 1 or place == last:
            old, new = node_hash(other, old), node_hash(other, new)
            while not place & 1 and place:
                place >>= 1
                last >>= 1
        else:
            new = node_hash(new, other)
        place >>= 1
        last >>= 1
    if last != 0:
        raise MerkleError("the proof is too short")
    return old, new


def _split(size: int) -> int:
    """Give the largest power of two below ``size``."""
    return 1 << ((size - 1).bit_length() - 1)


def _check_numbers(*numbers: object) -> None:
    for number in numbers:
        if type(number) is not int or not 0 <= number <= _LARGEST:
            raise MerkleError(f"sizes and indices are whole numbers from 0 to {_LARGEST}")


def _check_hashes(first: object, proof: object, last: object) -> list[bytes]:
    """Check that hashes are hashes, and give the proof as a list of our own."""
    if type(proof) is not list and type(proof) is not tuple:
        raise MerkleError("a proof is a list of hashes")
    path: list[bytes] = [*proof]
    for one in (first, *path, last):
        if type(one) is not bytes or len(one) != _SIZE:
            raise MerkleError(f"a hash is {_SIZE} bytes")
    return path


def _check_same(found: bytes, expected: bytes, wrong: str) -> None:
    if not compare_digest(found, expected):
        raise MerkleError(wrong)
