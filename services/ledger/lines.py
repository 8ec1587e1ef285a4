"""The log's order, as a pure fold: each outcome right after the line that it settles. No I/O."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Generic, TypeVar

from schemas.address import EventAddress
from schemas.envelope import decode_event, decode_outcome
from schemas.errors import InputError, Unreadable
from schemas.outcomes import pivot
from services.ledger.merkle import TreeBuilder, leaf_hash, root

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from services.ledger.checkpoint import Checkpoint


T = TypeVar("T")


class LogOrder(Generic[T]):
    """One shoe's lines, or what stands for each.

    Holds events back until they are settled, since a halted outcome may point at any.

    The two streams may be heard at different speeds, except that the shoe's last event is said here
    only when every outcome is in: so it was dealt, and so the log is the same whoever writes it.
    """

    def __init__(self) -> None:
        """Begin before the first event."""
        self._held: deque[tuple[int, T]] = deque()

    def event(self, seq: int, line: T, *, closes: bool) -> list[T]:
        """Take an event; the shoe's last gives all that is held."""
        self._held.append((seq, line))
        return self.rest() if closes else []

    def events(self, first: int, lines: Sequence[T]) -> None:
        """Take events that are numbered on from the first; the shoe's last is not among them."""
        self._held.extend(enumerate(lines, first))

    def outcome(self, pivot_seq: int, line: T) -> list[T]:
        """Take an outcome: give the events up to the one it stands after, then itself."""
        lines: list[T] = []
        held = self._held
        while held and held[0][0] <= pivot_seq:
            lines.append(held.popleft()[1])
        lines.append(line)
        return lines

    def rest(self) -> list[T]:
        """Give what is held still, where no more will come."""
        lines = [line for _, line in self._held]
        self._held.clear()
        return lines


def interleave(events: Iterable[bytes], outcomes: Iterable[bytes]) -> Iterator[bytes]:
    """Give a whole shoe's lines in the log's order, from its two streams, each from its start.

    An event that cannot be read stands one after its forerunner. Raises ``Unreadable`` for an
    outcome that is none, since nothing says where it would stand.
    """
    order: LogOrder[bytes] = LogOrder()
    heard = iter(events)
    reached = -1
    for outcome in outcomes:
        at = EventAddress.parse(pivot(decode_outcome(outcome).data)).seq
        while reached < at and (event := next(heard, None)) is not None:
            reached = _seq(event, reached + 1)
            order.event(reached, event, closes=False)
        yield from order.outcome(at, outcome)
    yield from order.rest()
    yield from heard


def log_root(lines: Iterable[bytes]) -> bytes:
    """Give the Merkle root of a log's lines, each without its newline."""
    tree = TreeBuilder()
    tree.add_lines(lines)
    return tree.root()


def signed_leaves(lines: Sequence[bytes], signed: Checkpoint, where: str) -> list[bytes]:
    """Hash the lines of a log that a checkpoint is of.

    Raises ``InputError`` with ``where`` it is, where the log is not what was signed.
    """
    leaves = [leaf_hash(line) for line in lines[: signed.size]]
    if len(leaves) < signed.size or root(leaves) != signed.root:
        mend = "see what `shoetrail audit --key` says of it"
        raise InputError("the log is not what was signed of it", where, mend)
    return leaves


def _seq(event: bytes, unless_read: int) -> int:
    try:
        _, _, seq = decode_event(event).id.partition("-")
    except Unreadable:
        return unless_read
    return int(seq) if seq.isdecimal() else unless_read
