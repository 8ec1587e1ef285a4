"""A log against what was signed of it: signature, size, root. No I/O; it judges no event.

Whoever reads the log feeds it here; every line is hashed again on the way to the audit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, Protocol

from schemas.envelope import decode_line, decode_verdict
from schemas.errors import InputError, Unproven
from schemas.events import ShoeClosed
from schemas.outcomes import Outcome
from schemas.verdicts import Finding, ShoeAudited
from services.auditor.codes import finding
from services.ledger.checkpoint import Checkpoint, open_signed
from services.ledger.merkle import EMPTY_ROOT, TreeBuilder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from services.ledger.note import Verifier

RULE: Final = "docs/record.md#checkpoints"

#: ``held``: signed, and the log is what was signed, as far as it was; ``broken``: it is not, or
#: the signature is none; ``missing``: no checkpoint; ``unchecked``: there is one, and no key.
Seal = Literal["held", "broken", "missing", "unchecked"]


class Fold(Protocol):
    """What lines are fed to: an audit, or only a tree."""

    def lines(self, lines: Sequence[bytes]) -> None:
        """Take lines, each without its newline."""

    @property
    def root(self) -> str:
        """The root of the lines so far (hex)."""

    @property
    def state(self) -> str:
        """``closed`` once the last line was said."""


class Hashes:
    """Only hashes lines again: the least that a seal needs. It knows the last line of a log."""

    def __init__(self) -> None:
        """Begin with no line."""
        self._tree = TreeBuilder()
        self._last = b""

    def lines(self, lines: Sequence[bytes]) -> None:
        """Take lines."""
        self._tree.add_lines(lines)
        if lines:
            self._last = lines[-1]

    @property
    def root(self) -> str:
        """The root of the lines so far (hex)."""
        return self._tree.root().hex()

    @property
    def state(self) -> str:
        """``closed`` where the last line closes a shoe, or is its verdict."""
        return "closed" if _closes(self._last) else "open"


class SealCheck:
    """One log. ``shoe`` is its address, ``names`` the origin that a site's key signs it under.

    ``data`` is its checkpoint (None: there is none); ``seen`` are checkpoints of the same origin
    that somebody else was given, and that a known key has signed.
    """

    def __init__(
        self,
        shoe: str,
        names: Callable[[str], str],
        data: bytes | None,
        known: Sequence[Verifier],
        seen: Iterable[Checkpoint] = (),
        rule: str = RULE,
    ) -> None:
        """Open the checkpoint; nothing is read of the log yet."""
        self.shoe = shoe
        self._rule = rule
        self.seal: Seal = "missing"
        self.findings: list[Finding] = []
        self.signed = None if data is None else self._open(data, names, known)
        self.seen = list(seen)
        self.size = 0
        signed = [*self.seen] if self.signed is None else [self.signed, *self.seen]
        self._marks = sorted({one.size for one in signed} - {0}, reverse=True)
        self._roots = {0: EMPTY_ROOT}
        self._closed = False
        self._after: bytes | None = None

    @property
    def root(self) -> str | None:
        """The root that was signed of the whole log (hex), None where none was."""
        if self.signed is None or not (self._closed or self.signed.size >= self.size):
            return None
        return self.signed.root.hex()

    def feed(self, fold: Fold, lines: Sequence[bytes]) -> None:
        """Hand lines to a fold, and note its root wherever something was signed."""
        start = 0
        while self._marks and self._marks[-1] <= self.size + len(lines) - start:
            stop = start + self._marks.pop() - self.size
            self._take(fold, lines[start:stop])
            start = stop
            self._roots[self.size] = bytes.fromhex(fold.root)
        if start < len(lines):
            if self.signed is not None and self.size == self.signed.size:
                self._after = lines[start]
                self._closed = fold.state == "closed"
            self._take(fold, lines[start:])

    def end(self, fold: Fold, missing_at: str) -> None:
        """Judge, now that all lines were fed; ``missing_at`` is where the next event would be."""
        if self.signed is not None:
            self.seal = "held" if self._own(self.signed, missing_at, fold) else "broken"
        elif self.seal == "missing":
            self._find("unsealed", "a checkpoint", "none", self.shoe)
        for one in self.seen:
            self._against(one, missing_at)

    def _take(self, fold: Fold, lines: Sequence[bytes]) -> None:
        if lines:
            fold.lines(lines)
            self.size += len(lines)

    def _open(
        self, data: bytes, names: Callable[[str], str], known: Sequence[Verifier]
    ) -> Checkpoint | None:
        self.seal = "broken"
        try:
            signer, checkpoint = open_signed(data, known)
        except Unproven as wrong:
            self._find("signature", "signed by a key that was given", wrong.what, self.shoe)
            return None
        if checkpoint.origin != names(signer.name):
            self._find("signature", names(signer.name), checkpoint.origin, self.shoe)
            return None
        return checkpoint

    def _own(self, signed: Checkpoint, missing_at: str, fold: Fold) -> bool:
        if signed.size > self.size:
            self._short(signed, missing_at)
            return False
        root = self._roots[signed.size]
        if root != signed.root:
            self._find("root-mismatch", signed.root.hex(), root.hex(), self.shoe)
            return False
        if signed.size == self.size:
            return True
        more = f"{self.size - signed.size} more"
        at = _address(self._after, self.shoe)
        if self._closed or fold.state == "closed":
            self._find("appended", f"{signed.size} lines, as was signed", more, at)
            return False
        self._find("unsealed", f"{signed.size} lines, as was signed so far", more, at)
        return True

    def _against(self, seen: Checkpoint, missing_at: str) -> None:
        """Compare with what somebody else was given; a log that is no good already is not."""
        if self.signed is not None and self.signed.size == seen.size:
            if self.signed.root != seen.root:
                self._find("equivocation", f"{seen.root.hex()} as was signed for another",
                           self.signed.root.hex(), self.shoe)  # fmt: skip
            return
        if self.signed is not None and self.seal == "broken":
            return
        if seen.size > self.size:
            self._short(seen, missing_at)
        elif self._roots[seen.size] != seen.root:
            code = "root-mismatch" if self.signed is None else "equivocation"
            there = self._roots[seen.size].hex()
            self._find(code, f"{seen.root.hex()} as was signed for another", there, self.shoe)

    def _short(self, signed: Checkpoint, missing_at: str) -> None:
        found = "truncated"
        if not any(one.code == found for one in self.findings):
            wanted, there = f"{signed.size} lines, as was signed", f"{self.size}"
            self._find(found, wanted, there, missing_at)

    def _find(self, code: str, expected: str, actual: str, at: str) -> None:
        self.findings.append(finding(code, at, expected, actual, self._rule))


def _closes(line: bytes) -> bool:
    for decode, kind in ((decode_line, ShoeClosed), (decode_verdict, ShoeAudited)):
        try:
            return isinstance(decode(line).data, kind)
        except InputError:
            continue
    return False


def _address(line: bytes | None, shoe: str) -> str:
    """Give the address of a line of this shoe, as far as it has one; else the shoe's."""
    table, _, number = shoe.rpartition("/")
    try:
        message = decode_line(line or b"")
    except InputError:
        return shoe
    major, _, minor = message.id.partition("-")
    if major != number or not minor.isdecimal():
        return shoe
    return f"{table}/{major}{'#' if isinstance(message.data, Outcome) else '-'}{minor}"
