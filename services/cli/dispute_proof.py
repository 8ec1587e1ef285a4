"""The proof of a disputed round: what was signed of its log, and the path there. Signs nothing."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Literal

import msgspec

from schemas.errors import Unproven
from services.ledger.checkpoint import read_checkpoint
from services.ledger.merkle import leaf_hash, root
from services.ledger.note import LONGEST, parse_note, verify_note
from services.ledger.proof import prove_line
from services.ledger.seal import checkpoint_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from services.ledger.checkpoint import Checkpoint
    from services.ledger.note import Verifier

State = Literal["unsealed", "good", "unknown-key", "not-covered", "bad"]


class Proof(msgspec.Struct, frozen=True):
    """A log's bytes and what was signed of them. Lines count from 1.

    ``state``: the checkpoint is ``good`` (a known key signed this root); by an ``unknown-key``,
    which the root agrees with; signed before the round was settled (``not-covered``); or ``bad``,
    and ``why``. ``tlog_proof`` proves the line ``proves``, the round's last, by the checkpoint.
    """

    log: str
    sha256: str
    lines: int
    first_line: int
    last_line: int
    root: str
    state: State
    why: str | None = None
    signed_by: tuple[str, ...] = ()
    origin: str | None = None
    size: int | None = None
    checkpoint: str | None = None
    proves: int | None = None
    tlog_proof: str | None = None


def proof_of(
    log: Path, lines: Sequence[bytes], numbers: Sequence[int], keys: Sequence[Verifier]
) -> Proof:
    """Prove the round whose messages stand in these lines (from 0) of a log."""
    first, last = min(numbers), max(numbers)
    data = b"".join(line + b"\n" for line in lines)
    leaves = [leaf_hash(line) for line in lines]
    plain = Proof(
        log=str(log),
        sha256=sha256(data).hexdigest(),
        lines=len(lines),
        first_line=first + 1,
        last_line=last + 1,
        root=root(leaves).hex(),
        state="unsealed",
    )
    try:
        with checkpoint_of(log).open("rb") as file:
            note = file.read(LONGEST + 1)
    except FileNotFoundError:
        return plain
    try:
        return _sealed(plain, note, leaves, last, keys)
    except Unproven as wrong:
        return msgspec.structs.replace(plain, state="bad", why=str(wrong))


def _sealed(
    plain: Proof, data: bytes, leaves: Sequence[bytes], last: int, keys: Sequence[Verifier]
) -> Proof:
    signed = read_checkpoint(data)
    note = parse_note(data)
    found = msgspec.structs.replace(
        plain,
        signed_by=tuple(f"{one.name}+{one.key_id.hex()}" for one in note.signatures),
        origin=signed.origin,
        size=signed.size,
        checkpoint=data.decode(),
    )
    state, why = _state(signed, leaves, last)
    ours = [key for key in keys for one in note.signatures if key.key_id == one.key_id]
    if state == "good" and ours:
        verify_note(note, ours)
    elif state == "good":
        state = "unknown-key"
    if state in {"bad", "not-covered"}:
        return msgspec.structs.replace(found, state=state, why=why)
    path = prove_line(leaves[: signed.size], last, data)
    return msgspec.structs.replace(found, state=state, proves=last + 1, tlog_proof=path.text)


def _state(signed: Checkpoint, leaves: Sequence[bytes], last: int) -> tuple[State, str | None]:
    size = signed.size
    if size > len(leaves):
        return "bad", f"{size} lines were signed, and the log has {len(leaves)}"
    if root(leaves[:size]) != signed.root:
        return "bad", f"the first {size} lines are others than those that were signed"
    if last >= size:
        return "not-covered", f"{size} lines were signed so far"
    return "good", None
