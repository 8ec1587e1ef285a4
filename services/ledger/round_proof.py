"""A round's proof in one file: its lines, each with a c2sp tlog-proof, and what they show. No I/O.

Whoever checks it needs the file and a vkey. Raises ``Unproven``, and nothing else, whatever is
wrong with a file; ``InputError`` where a log has no such round to prove.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

import msgspec

from schemas import events as ev
from schemas.address import Shoe, Sources
from schemas.envelope import decode_line, dump, from_plain, load_strict
from schemas.errors import InputError, Unproven, Unreadable
from schemas.outcomes import RoundHalted, RoundResolved, pivot
from services.ledger.checkpoint import Checkpoint, open_signed, read_checkpoint, shoe_origin
from services.ledger.lines import signed_leaves
from services.ledger.merkle import leaf_hash, verify_inclusion
from services.ledger.proof import parse_proof, prove_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schemas.envelope import Message, Said
    from services.ledger.note import Verifier
    from services.ledger.proof import TlogProof

FORMAT: Final = "shoetrail-round-proof/v1"
#: Larger files are refused unread.
LARGEST: Final = 1 << 25
_MOST_PARTS: Final = 10_000
#: What is proven with each round, and what never stands within one.
_FRAME: Final = (ev.ShoeOpened, ev.ShoeCut, ev.ShoeClosed)
_OTHERS: Final = (ev.ShoeOpened, ev.RoundOpened, ev.ShoeClosed, RoundResolved, RoundHalted)


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of the log, and the text of its ``.tlog-proof``."""

    line: str
    proof: str


class RoundProof(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A round's proof as its file holds it."""

    format: Literal["shoetrail-round-proof/v1"]
    shoe: str
    round: int
    parts: tuple[Part, ...]


class Proven(NamedTuple):
    """What a proof shows, each line of it by its place in the log (from 0).

    ``first`` and ``last`` are the places of the round's first line and of its outcome: all lines
    between them are there.
    """

    key: Verifier
    checkpoint: Checkpoint
    shoe: Shoe
    round: int
    lines: dict[int, Message[Said]]
    first: int
    last: int


def prove_round(shoe: Shoe, number: int, lines: Sequence[bytes], note: bytes) -> RoundProof:
    """Prove a round by a log's lines and its signed checkpoint, whoever has signed it.

    Besides the round's lines, it holds the shoe's opening, cut and closing as far as they are
    signed, so that rules, commitment and reveal can be read off it.
    """
    signed = read_checkpoint(note)
    leaves = signed_leaves(lines, signed, str(shoe))
    messages = [_read(line) for line in lines]
    first, last = _place(messages, shoe, number)
    if last >= signed.size:
        mend = "try again once the auditor has signed on"
        raise InputError(f"round {number} is not signed yet", str(shoe), mend)
    frame = [
        place
        for place, said in enumerate(messages[: signed.size])
        if said is not None and isinstance(said.data, _FRAME)
    ]
    wanted = sorted({*frame, *range(first, last + 1)})
    parts = []
    for place, path in zip(wanted, prove_lines(leaves, wanted, note), strict=True):
        try:
            text = lines[place].decode()
        except UnicodeDecodeError:
            what = f"line {place + 1} is no UTF-8, and cannot be put in a proof"
            raise InputError(what, str(shoe)) from None
        parts.append(Part(text, path.text))
    return RoundProof(FORMAT, str(shoe), number, tuple(parts))


def format_round_proof(proof: RoundProof) -> bytes:
    """Spell it as its file."""
    return dump(proof) + b"\n"


def parse_round_proof(data: bytes) -> RoundProof:
    """Read a file; nothing of it is checked yet."""
    if len(data) > LARGEST:
        raise Unproven(f"a proof is at most {LARGEST} bytes")
    try:
        proof = from_plain(RoundProof, load_strict(data, ""), "")
    except InputError as wrong:
        raise Unproven(f"this is no proof of a round: {wrong.what}") from None
    if not 0 < len(proof.parts) <= _MOST_PARTS:
        raise Unproven(f"a proof has 1 to {_MOST_PARTS} lines")
    return proof


def verify_round_proof(proof: RoundProof, known: Sequence[Verifier]) -> Proven:
    """Check everything that the proof claims, with nothing but the proof and the keys."""
    try:
        shoe = Shoe.parse(proof.shoe)
    except InputError as wrong:
        raise Unproven(wrong.what) from None
    paths = [parse_proof(part.proof.encode()) for part in proof.parts]
    key, signed = _signed(paths, shoe, known)
    lines: dict[int, Message[Said]] = {}
    before = -1
    for part, one in zip(proof.parts, paths, strict=True):
        if one.index <= before:
            raise Unproven("the lines are not in the log's order")
        before = one.index
        line = part.line.encode()
        verify_inclusion(one.index, signed.size, leaf_hash(line), list(one.hashes), signed.root)
        lines[one.index] = _message(line, shoe)
    if 0 not in lines or not isinstance(lines[0].data, ev.ShoeOpened):
        raise Unproven("the shoe's opening is not in the proof")
    try:
        first, last = _place(list(lines.values()), shoe, proof.round)
    except InputError as wrong:
        raise Unproven(wrong.what) from None
    places = list(lines)
    if any(other != one + 1 for one, other in pairwise(places[first : last + 1])):
        raise Unproven(f"lines of round {proof.round} are left out")
    return Proven(key, signed, shoe, proof.round, lines, places[first], places[last])


def _signed(
    paths: Sequence[TlogProof], shoe: Shoe, known: Sequence[Verifier]
) -> tuple[Verifier, Checkpoint]:
    """Give the one checkpoint that all parts have, once it is known to be this shoe's."""
    notes = {one.note for one in paths}
    if len(notes) != 1:
        raise Unproven("the parts have different checkpoints")
    key, signed = open_signed(notes.pop(), known)
    if signed.origin != shoe_origin(key.name, *shoe):
        raise Unproven(f"this is the checkpoint of {signed.origin}, not of {shoe}")
    return key, signed


def _read(line: bytes) -> Message[Said] | None:
    try:
        return decode_line(line)
    except Unreadable:
        return None


def _message(line: bytes, shoe: Shoe) -> Message[Said]:
    """Read a line that has to be of this shoe."""
    said = _read(line)
    if said is None:
        raise Unproven("a line is no event or outcome of ours")
    sources = Sources(shoe.table)
    major, _, _ = said.id.partition("-")
    if said.source not in {sources.events, sources.outcomes} or major != str(shoe.number):
        raise Unproven(f"a line is of another shoe than {shoe}: {said.source} {said.id}"[:120])
    return said


def _place(messages: Sequence[Message[Said] | None], shoe: Shoe, number: int) -> tuple[int, int]:
    """Find a round's first line and its outcome, and nothing of another round between them."""
    opened = outcome = None
    for place, said in enumerate(messages):
        data = None if said is None else said.data
        if isinstance(data, ev.RoundOpened) and data.round == number and opened is None:
            opened = place
        if isinstance(data, RoundResolved | RoundHalted) and data.round == number:
            outcome = place
            break
    if opened is None or outcome is None:
        what = f"there is no round {number}" if opened is None else f"round {number} has no outcome"
        raise InputError(what, str(shoe), "name a round that is settled")
    between = messages[opened + 1 : outcome]
    if any(isinstance(said.data, _OTHERS) for said in between if said is not None):
        raise InputError(f"round {number} is not in one piece", str(shoe))
    _settles(messages, shoe, opened, outcome)
    return opened, outcome


def _settles(
    messages: Sequence[Message[Said] | None], shoe: Shoe, opened: int, outcome: int
) -> None:
    """Check that an outcome names the lines that it stands behind as its own."""
    first, through, said = messages[opened], messages[outcome - 1], messages[outcome]
    if first is None or through is None or said is None:
        raise InputError("a line is no event or outcome of ours", str(shoe))
    data = said.data
    right = isinstance(data, RoundHalted) or (
        isinstance(data, RoundResolved)
        and data.first == f"{shoe.table}/{first.id}"
        and pivot(data) == f"{shoe.table}/{through.id}"
    )
    if not right:
        raise InputError(f"the outcome {said.id} is not of the lines before it", str(shoe))
