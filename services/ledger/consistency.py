"""A proof that a growing log kept what was signed of it before: two checkpoints, a path. No I/O.

Raises ``Unproven``, and nothing else, whatever is wrong with a file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple

import msgspec

from schemas.envelope import dump, from_plain, load_strict
from schemas.errors import InputError, Unproven
from services.ledger.checkpoint import Checkpoint, open_signed, read_checkpoint
from services.ledger.lines import signed_leaves
from services.ledger.merkle import consistency_proof, root, verify_consistency
from services.ledger.spelling import from_base64, to_base64

if TYPE_CHECKING:
    from collections.abc import Sequence

    from services.ledger.note import Verifier

FORMAT: Final = "shoetrail-consistency/v1"
LARGEST: Final = 1 << 22
_HASH: Final = 32
_MOST: Final = 128


class Consistency(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Two signed checkpoints of one log, and the RFC 6962 proof that leads from old to new."""

    format: Literal["shoetrail-consistency/v1"]
    old: str
    new: str
    hashes: tuple[str, ...]


class Grown(NamedTuple):
    """What such a proof shows: who signed which two checkpoints."""

    old: Checkpoint
    new: Checkpoint
    old_key: Verifier
    new_key: Verifier


def prove_consistency(lines: Sequence[bytes], old: bytes, new: bytes) -> Consistency:
    """Prove by a log's lines that its new checkpoint goes on from its old one.

    Raises ``InputError`` where it does not: that is a finding, and worth to be kept.
    """
    before, after = read_checkpoint(old), read_checkpoint(new)
    if before.origin != after.origin:
        raise InputError(f"this is the checkpoint of {before.origin}", after.origin)
    if before.size > after.size:
        what = f"{before.size} lines were signed before, and {after.size} now"
        raise InputError(what, after.origin, "give the older checkpoint")
    leaves = signed_leaves(lines, after, after.origin)
    if root(leaves[: before.size]) != before.root:
        mend = "keep both checkpoints: together they prove it"
        what = f"the first {before.size} lines are others than those that were signed before"
        raise InputError(what, after.origin, mend)
    path = consistency_proof(leaves, before.size)
    return Consistency(FORMAT, old.decode(), new.decode(), tuple(map(to_base64, path)))


def format_consistency(proof: Consistency) -> bytes:
    """Spell it as its file."""
    return dump(proof) + b"\n"


def parse_consistency(data: bytes) -> Consistency:
    """Read a file; nothing of it is checked yet."""
    if len(data) > LARGEST:
        raise Unproven(f"a proof is at most {LARGEST} bytes")
    try:
        return from_plain(Consistency, load_strict(data, ""), "")
    except InputError as wrong:
        raise Unproven(f"this is no proof of consistency: {wrong.what}") from None


def verify_consistency_proof(proof: Consistency, known: Sequence[Verifier]) -> Grown:
    """Check that known keys signed both, and that the new log begins with the old one."""
    if len(proof.hashes) > _MOST:
        raise Unproven(f"a proof has at most {_MOST} hashes")
    hashes = [from_base64(one, "a proof's hash", _HASH) for one in proof.hashes]
    old_key, old = _opened(proof.old, known)
    new_key, new = _opened(proof.new, known)
    if old.origin != new.origin:
        raise Unproven(f"these are checkpoints of {old.origin} and {new.origin}")
    verify_consistency(old.size, new.size, hashes, old.root, new.root)
    return Grown(old, new, old_key, new_key)


def _opened(text: str, known: Sequence[Verifier]) -> tuple[Verifier, Checkpoint]:
    key, found = open_signed(text.encode(), known)
    if not found.origin.startswith(f"{key.name}/"):
        raise Unproven(f"{key.name} does not sign for {found.origin}")
    return key, found
