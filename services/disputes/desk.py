"""The dispute desk of one table: writes its disputes, to the stream and to the file. Judges none.

Whoever holds the lock beside ``disputes.jsonl`` is the desk. Between desks with folders of their
own the stream decides, by its one append: the second to say entry n reads the first's, and says
n + 1. Each step leaves, if nothing comes after it, a shoe held that should be, and maybe one more:

1. the entry goes to the stream; in the same step the shoes that were held, and now are, are held;
2. the same bytes go to the file, and to the disk;
3. the shoes that need not be held any more are let go.

Every desk begins by making file, stream and held shoes agree, so what a crash left is made good.
Without a Redis the file is all there is; the live auditor looks at it, too, before it trims.
"""

from __future__ import annotations

import asyncio
from contextlib import ExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Final, NamedTuple

from schemas.address import START, EntryId, Sources, Streams
from schemas.disputes import DisputeOpened, DisputeResolved
from schemas.envelope import encode
from schemas.errors import Conflict, InputError
from schemas.instant import spell
from services.journal import Entry, Marks
from services.ledger.dispute_file import NAME, Busy, hands_on, read_lines
from services.ledger.disputes import Dispute, DisputeBook

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence
    from pathlib import Path

    from services.journal import Journal
    from services.ledger.dispute_file import DisputeFile
    from services.ledger.seal import Sealer
    from services.runtime.clocks import Clock

#: So long a desk waits for another one to finish.
_PATIENCE_S: Final = 10.0
_PAUSE_S: Final = 0.02


class Done(NamedTuple):
    """A dispute as it stands after what was asked; not ``fresh`` where that was said before."""

    dispute: Dispute
    fresh: bool


class DisputeDesk:
    """One table's desk. With a ``sealer`` each entry is signed: ``disputes.checkpoint``."""

    def __init__(
        self,
        log_dir: Path,
        table: str,
        clock: Clock,
        journal: Journal | None = None,
        sealer: Sealer | None = None,
    ) -> None:
        """Sit down; nothing is read, made or locked yet. Without a journal, only the file is."""
        self.table = table
        self._log_dir = log_dir
        self._folder = log_dir / table
        self._clock = clock
        self._journal = journal
        self._streams = Streams(table)
        self._sealer = sealer

    async def look(self) -> DisputeBook:
        """Give what is on the record, by the file and then the stream; writes nothing."""
        book = DisputeBook(self.table)
        book.extend(read_lines(self._folder), str(self._folder / NAME))
        if self._journal is not None:
            stream = self._streams.disputes
            newer = await self._journal.read(stream, EntryId(book.last + 1, 0))
            book.extend([entry.data for entry in newer], stream)
        return book

    async def open(self, said: DisputeOpened) -> Done:
        """Open a dispute, and hold its shoe; one that says the same and is open is that one."""

        def same(book: DisputeBook) -> int | None:
            known = book.disputes.values()
            return next((one.number for one in known if one.is_open and one.opened == said), None)

        return await self._say(said, same)

    async def resolve(self, said: DisputeResolved) -> Done:
        """Resolve a dispute, once, and let its shoe go unless another one holds it."""

        def same(book: DisputeBook) -> int | None:
            one = book.get(said.dispute)
            if one.resolved is None:
                return None
            if one.resolved != said:
                what = f"{one.address} is resolved already, on {one.resolved_time}"
                raise InputError(what, mend=f"see `shoetrail dispute show {one.address}`")
            return one.number

        return await self._say(said, same)

    async def _say(
        self, said: DisputeOpened | DisputeResolved, same: Callable[[DisputeBook], int | None]
    ) -> Done:
        """Say one thing, unless it is ``same`` as what a dispute on the record says already."""
        async with self._hands() as file:
            while True:
                book = await self._agree(file)
                known = same(book)
                if known is not None:
                    return Done(book.get(known), fresh=False)
                before, number = book.held, book.last + 1
                time = spell(self._clock.next(book.time))
                line = encode(f"{number}-0", Sources(self.table).disputes, time, said)
                book.extend([line], self._streams.disputes)
                try:
                    await self._append(number, [line], before | book.held)
                except Conflict:  # another desk was quicker, and what it said may change ours
                    continue
                file.append([line])
                self._sign(file)
                if before - book.held:
                    await self._append(number, [line], book.held)
                return Done(book.get(getattr(said, "dispute", number)), fresh=True)

    async def _agree(self, file: DisputeFile) -> DisputeBook:
        """Make the stream and the file say the same, and hold what follows from it."""
        book = DisputeBook(self.table)
        book.extend(file.lines, str(file.path))
        if self._journal is None:
            self._sign(file)
            return book
        stream = self._streams.disputes
        try:
            await self._append(1, file.lines, None)
        except Conflict as conflict:
            what = f"this file and the stream say different things: {conflict}"
            raise InputError(what, str(file.path), "find out which is right") from None
        newer = await self._journal.read(stream, EntryId(book.last + 1, 0))
        if newer:
            lines = [entry.data for entry in newer]
            book.extend(lines, stream)
            file.append(lines)
        self._sign(file)
        await self._append(book.last, file.lines[-1:], book.held)
        return book

    def _sign(self, file: DisputeFile) -> None:
        """Seal the file; raises ``Disagrees`` where something that was signed is not there."""
        if self._sealer is not None and file.lines:
            seal = self._sealer.disputes(self.table, file.path)
            seal.add(file.lines)
            seal.sign(last=True)

    async def _append(
        self, first: int, lines: Sequence[bytes], held: frozenset[int] | None
    ) -> None:
        """Say lines in the stream, if there is one, and make the shoes held that are to be."""
        if self._journal is None or not lines:
            return
        entries = [Entry(EntryId(number, 0), line) for number, line in enumerate(lines, first)]
        after = START if first == 1 else EntryId(first - 1, 0)
        stream = self._streams.disputes
        if held is None:
            await self._journal.append_until_said(stream, after, entries)
        else:
            marks = Marks(self._streams.held, sorted(held))
            await self._journal.append_and_mark(stream, after, entries, marks)

    @asynccontextmanager
    async def _hands(self) -> AsyncIterator[DisputeFile]:
        """Be the one writer, having waited a little where another one is."""
        loop = asyncio.get_running_loop()
        end = loop.time() + _PATIENCE_S
        while True:
            with ExitStack() as stack:
                try:
                    file = stack.enter_context(hands_on(self._log_dir, self.table))
                except Busy:
                    if loop.time() > end:
                        raise
                else:
                    yield file
                    return
            await asyncio.sleep(_PAUSE_S)
