"""Checkpoints (c2sp.org/tlog-checkpoint) of a log's tree: one spelling, signed as notes. No I/O.

Raises ``Unproven``, and nothing else, whatever is wrong.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from schemas.errors import Unproven
from services.ledger.note import parse_note, verify_note
from services.ledger.spelling import from_base64, to_base64, to_number

if TYPE_CHECKING:
    from collections.abc import Iterable

    from services.ledger.note import Signer, Verifier

_HASH: Final = 32
_LINES: Final = 3


class Checkpoint(NamedTuple):
    """What is signed of a log: whose it is, how many lines, and the root of their tree."""

    origin: str
    size: int
    root: bytes

    @property
    def text(self) -> str:
        """Spell it as a note's text."""
        return f"{self.origin}\n{self.size}\n{to_base64(self.root)}\n"

    def signed(self, signer: Signer) -> bytes:
        """Sign it."""
        return signer.sign(self.text)


def parse_checkpoint(text: str) -> Checkpoint:
    """Read a note's text; what is spelled in another way is none."""
    lines = text.split("\n")
    if len(lines) != _LINES + 1 or lines[-1] or not lines[0]:
        raise Unproven("this is no checkpoint", mend="origin, size and root, a line each")
    size = to_number(lines[1], "a checkpoint's size")
    found = Checkpoint(lines[0], size, from_base64(lines[2], "a checkpoint's root", _HASH))
    if found.text != text:
        raise Unproven("this checkpoint is not in its one spelling")
    return found


def read_checkpoint(data: bytes) -> Checkpoint:
    """Read a signed checkpoint and trust nobody: what it says, not who says it."""
    return parse_checkpoint(parse_note(data).text)


def open_checkpoint(data: bytes, known: Iterable[Verifier]) -> Checkpoint:
    """Read a checkpoint that one of the ``known`` keys has signed."""
    return open_signed(data, known)[1]


def open_signed(data: bytes, known: Iterable[Verifier]) -> tuple[Verifier, Checkpoint]:
    """Read a checkpoint and give the known key that signed it; for what, is to be looked at."""
    note = parse_note(data)
    key = verify_note(note, known)
    return key, parse_checkpoint(note.text)


def shoe_origin(site: str, table: str, shoe: int) -> str:
    """Name a shoe's log: ``<site>/<table>/<shoe>``; the site is the name of its key."""
    return f"{site}/{table}/{shoe}"


def verdicts_origin(site: str, table: str, shoe: int) -> str:
    """Name the log of a shoe's verdicts."""
    return f"{site}/{table}/{shoe}/verdicts"


def disputes_origin(site: str, table: str) -> str:
    """Name the log of a table's disputes."""
    return f"{site}/{table}/disputes"
