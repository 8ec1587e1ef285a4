"""``shoetrail verify``: checks a proof with nothing but the proof and a vkey. Makes none."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import msgspec
import typer

from schemas import events as ev
from schemas.envelope import load_strict, type_of
from schemas.errors import InputError, Unproven
from schemas.outcomes import Outcome, RoundHalted, RoundResolved, Settlement
from services.auditor.files import small_file
from services.auditor.proven import Cards, proven_cards
from services.cli import output
from services.cli.options import settings_for
from services.ledger import consistency
from services.ledger.consistency import Grown, parse_consistency, verify_consistency_proof
from services.ledger.keys import parse_vkeys
from services.ledger.note import Verifier
from services.ledger.round_proof import (
    LARGEST,
    Proven,
    parse_round_proof,
    verify_round_proof,
)

_CARDS: Final[dict[Cards, str]] = {
    "right": "Its cards are those of the order that was committed to before the cut",
    "wrong": "ITS CARDS ARE NOT THOSE of the order that was committed to before the cut",
    "unopened": "THE REVEAL DOES NOT OPEN the commitment that was made before the cut",
    "unknown": "Its cards cannot be held against the order: no reveal, or no readable rules, here",
}


class Line(msgspec.Struct, frozen=True):
    """A line that is proven: its place in the log from 0, its address, what it is."""

    index: int
    at: str
    type: str


class Verified(msgspec.Struct, frozen=True):
    """What a proof shows; ``says`` is the same in plain words.

    ``from_size``: of a consistency proof, what was signed before; then there are no lines.
    """

    origin: str
    signed_by: str
    size: int
    root: str
    shoe: str | None
    round: int | None
    lines: tuple[Line, ...]
    cards: Cards | None
    from_size: int | None
    says: tuple[str, ...]


def verify(
    proof: Annotated[Path, typer.Argument(help="A file that `shoetrail proof` wrote.")],
    key: Annotated[
        list[str], typer.Option(help="The house's vkey, or a file of some; may be repeated.")
    ],
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Check a proof with only a vkey.

    Says in plain words what it proves. Exit code 0: proven; 1: proven, and what it proves is a
    fault; 2: it proves nothing.

    For example:

      shoetrail verify 12-17.proof --key casino.example+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVk
    """
    settings_for(None)
    known = parse_vkeys(key, "--key")
    data = small_file(proof, LARGEST)
    if data is None:
        raise InputError("there is no such file", str(proof), "name a proof")
    try:
        found = _verified(data, known)
    except Unproven as wrong:
        raise Unproven(f"this proves nothing: {wrong.what}", str(proof), wrong.mend) from None
    if json:
        output.document(found)
    else:
        for line in found.says:
            output.note(line)
    if found.cards in {"wrong", "unopened"}:
        raise typer.Exit(1)


def _verified(data: bytes, known: list[Verifier]) -> Verified:
    if len(data) > LARGEST:
        raise Unproven(f"a proof is at most {LARGEST} bytes")
    try:
        plain = load_strict(data, "")
    except InputError as wrong:
        raise Unproven(wrong.what) from None
    if isinstance(plain, dict) and plain.get("format") == consistency.FORMAT:
        return _grown(verify_consistency_proof(parse_consistency(data), known))
    return _round(verify_round_proof(parse_round_proof(data), known))


def _round(found: Proven) -> Verified:
    said = [message.data for message in found.lines.values()]
    cards = proven_cards(found.shoe, said, found.round)
    lines = tuple(
        Line(place, _at(found, message.id, message.data), type_of(message.data))
        for place, message in found.lines.items()
    )
    signed = found.checkpoint
    count = found.last - found.first + 1
    key = f"{found.key.name} (key {found.key.key_id.hex()})"
    these = f"Lines {found.first + 1} to {found.last + 1} of them are round {found.round}"
    says = [
        f"{key} has signed that the log of {found.shoe} has {signed.size} lines, and which",
        f"{these}: all {count} from its opening to its outcome are here, as they were signed",
        *_outcome(found),
        _CARDS[cards],
        "Whether draws and payouts are by the rules is for `shoetrail audit` to say, of the log",
    ]
    return Verified(
        origin=signed.origin,
        signed_by=found.key.vkey,
        size=signed.size,
        root=signed.root.hex(),
        shoe=str(found.shoe),
        round=found.round,
        lines=lines,
        cards=cards,
        from_size=None,
        says=tuple(says),
    )


def _at(found: Proven, name: str, data: ev.Event | Outcome) -> str:
    minor = name.partition("-")[2]
    mark = "#" if isinstance(data, Outcome) else "-"
    return f"{found.shoe}{mark}{minor}"


def _outcome(found: Proven) -> list[str]:
    told = found.lines[found.last].data
    opened = found.lines[0].data
    currency = opened.currency if isinstance(opened, ev.ShoeOpened) else ""
    says: list[str] = []
    if isinstance(told, RoundResolved):
        hands = [
            f"{name} {' '.join(hand.cards) or 'no cards'} = {hand.total}"
            for name, hand in (("player", told.player), ("banker", told.banker))
        ]
        came = "void, stakes back" if told.winner == "void" else f"{told.winner}"
        says.append(f"Its outcome: {', '.join(hands)}: {came}")
    elif isinstance(told, RoundHalted):
        says.append(f"It was halted: {told.reason}; stakes back")
    says += [_settled(one, currency) for one in getattr(told, "settlements", ())]
    return says


def _settled(one: Settlement, currency: str) -> str:
    back = one.returned + one.won - one.commission
    return (
        f"{one.bettor} had {output.money(one.stake, currency)} on {one.spot}: {one.result}, "
        f"{output.money(back, currency)} paid back"
    )


def _grown(found: Grown) -> Verified:
    old, new = found.old, found.new
    before, after = (
        f"{key.name} (key {key.key_id.hex()})" for key in (found.old_key, found.new_key)
    )
    same = f"The first {old.size} of the {new.size} lines are those that were signed before"
    says = (
        f"{before} has signed {old.size} lines of {old.origin}, and {after} later {new.size}",
        f"{same}: none was changed, taken away or put between",
    )
    return Verified(
        origin=new.origin,
        signed_by=found.new_key.vkey,
        size=new.size,
        root=new.root.hex(),
        shoe=None,
        round=None,
        lines=(),
        cards=None,
        from_size=old.size,
        says=says,
    )
