"""Proofs that a line stands in a signed log (c2sp.org/tlog-proof): parse, format, verify. No I/O.

Raises ``Unproven``, and nothing else, whatever is wrong.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from schemas.errors import Unproven
from services.ledger.checkpoint import open_checkpoint, read_checkpoint
from services.ledger.kept_tree import KeptTree
from services.ledger.merkle import inclusion_proof, leaf_hash, verify_inclusion
from services.ledger.spelling import from_base64, to_base64, to_number

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from services.ledger.checkpoint import Checkpoint
    from services.ledger.note import Verifier

HEAD: Final = "c2sp.org/tlog-proof@v1"
LONGEST: Final = 2_000_000
#: A path in a tree of fewer than 2**63 leaves.
_MOST: Final = 63
_HASH: Final = 32
_EXTRA, _INDEX = "extra ", "index "


@dataclass(frozen=True, slots=True)
class TlogProof:
    """One line's proof. ``note`` is the signed checkpoint as it is; ``extra`` is nobody's word."""

    index: int
    hashes: tuple[bytes, ...]
    note: bytes
    extra: bytes | None = None

    @property
    def text(self) -> str:
        """Spell it as a ``.tlog-proof`` file."""
        lines = [HEAD]
        if self.extra is not None:
            lines.append(_EXTRA + to_base64(self.extra))
        lines.append(f"{_INDEX}{self.index}")
        lines += map(to_base64, self.hashes)
        return "\n".join(lines) + "\n\n" + self.note.decode()

    def verify(self, line: bytes, known: Sequence[Verifier]) -> Checkpoint:
        """Check that this line stands at ``index`` of a log that a known key has signed."""
        signed = open_checkpoint(self.note, known)
        verify_inclusion(self.index, signed.size, leaf_hash(line), list(self.hashes), signed.root)
        return signed


def parse_proof(data: bytes) -> TlogProof:
    """Read a ``.tlog-proof`` file; its checkpoint has to be one, its signatures are not checked."""
    if type(data) is not bytes or len(data) > LONGEST:
        raise Unproven(f"a proof is at most {LONGEST} bytes")
    try:
        head, parted, note = data.decode().partition("\n\n")
    except UnicodeDecodeError:
        raise Unproven("this proof is no UTF-8") from None
    lines = head.split("\n")
    if not parted or lines.pop(0) != HEAD:
        raise Unproven("this is no proof", mend=f"its first line is {HEAD}")
    extra = None
    if lines and lines[0].startswith(_EXTRA):
        extra = from_base64(lines.pop(0).removeprefix(_EXTRA), "a proof's extra data")
    if not lines or not lines[0].startswith(_INDEX):
        raise Unproven("this proof names no index")
    index = to_number(lines.pop(0).removeprefix(_INDEX), "a proof's index")
    if len(lines) > _MOST:
        raise Unproven(f"a proof has at most {_MOST} hashes")
    hashes = tuple(from_base64(line, "a proof's hash", _HASH) for line in lines)
    read_checkpoint(note.encode())
    return TlogProof(index, hashes, note.encode(), extra)


def prove_line(leaf_hashes: Sequence[bytes], index: int, note: bytes) -> TlogProof:
    """Prove a line of the log whose lines hash so, and whose signed checkpoint is ``note``."""
    read_checkpoint(note)
    return TlogProof(index, tuple(inclusion_proof(leaf_hashes, index)), note)


def prove_lines(
    leaf_hashes: Sequence[bytes], indices: Iterable[int], note: bytes
) -> list[TlogProof]:
    """Prove several lines of one log, each of whose subtrees is hashed once for them all."""
    read_checkpoint(note)
    tree = KeptTree(leaf_hashes)
    return [TlogProof(index, tuple(tree.inclusion_proof(index)), note) for index in indices]
