"""A whole RFC 6962 tree with its inner nodes kept, for many proofs of one log. No I/O, no trust."""

from __future__ import annotations

from typing import TYPE_CHECKING

from services.ledger.merkle import MerkleError, node_hash

if TYPE_CHECKING:
    from collections.abc import Sequence


class KeptTree:
    """The tree of these leaf hashes. Each full subtree is hashed once, as much as a root costs.

    Paths are those of ``merkle.inclusion_proof``, which keeps nothing from one to the next.
    """

    def __init__(self, leaf_hashes: Sequence[bytes]) -> None:
        """Hash all full subtrees: of 1, 2, 4 … leaves, in rows."""
        self._size = len(leaf_hashes)
        self._rows = [[*leaf_hashes]]
        while len(row := self._rows[-1]) > 1:
            pairs = zip(row[::2], row[1::2], strict=False)
            self._rows.append([node_hash(left, right) for left, right in pairs])

    def inclusion_proof(self, index: int) -> list[bytes]:
        """Give the audit path of one leaf, from the leaf up."""
        if not 0 <= index < self._size:
            raise MerkleError(f"no leaf {index} among {self._size}")
        path = []
        start, size = 0, self._size
        while size > 1:
            left = 1 << ((size - 1).bit_length() - 1)
            if index < start + left:
                path.append(self._node(start + left, size - left))
                size = left
            else:
                path.append(self._node(start, left))
                start, size = start + left, size - left
        path.reverse()
        return path

    def _node(self, start: int, size: int) -> bytes:
        """Give the hash over ``size`` leaves; no left part of a tree is but full and in a row."""
        height = (size - 1).bit_length()
        left = 1 << height
        if left == size:
            return self._rows[height][start >> height]
        left >>= 1
        return node_hash(self._node(start, left), self._node(start + left, size - left))
