"""The live auditor's app: lines, fsync, then verdicts, for each table. Judges nothing itself."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, NamedTuple

from redis.exceptions import ResponseError

from schemas.address import CLOSED, START, EntryId, Sources
from schemas.envelope import decode_verdict, encode
from schemas.errors import Conflict, InputError, Lost
from schemas.events import AuditDue
from schemas.verdicts import ShoeAudited
from services.auditor.files import AUDIT
from services.auditor.frozen import TableDisputes
from services.auditor.live import LiveRecord
from services.auditor.offline import previous_of
from services.auditor.recorder import Recorder, Step
from services.auditor.sealing import LiveSeals
from services.journal import Contiguity, Desk, Entry, ShoeStart, TableService
from services.ledger.writer import LogWriter
from services.runtime.clocks import wall_microseconds

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from schemas.events import RuleText
    from services.journal import Journal
    from services.ledger.seal import Sealer

_LOCK_PAUSE_S = 0.2
_GATHER_S = 0.005
#: A table that had a verdict so shortly before is busy, and one fsync may serve more rounds.
_BUSY_S = 0.05
_GATHER_BUSY_S = 0.02


class Sealing(NamedTuple):
    """What seals the logs of all tables of a process, and whose turn it is meanwhile.

    One growing log is signed at a time: many at once on a slow disk would hold up verdicts.
    """

    sealer: Sealer
    turns: asyncio.Semaphore


class AuditorDesk(Desk):
    """One table's live auditor. ``keep_shoes`` None: nothing is ever trimmed from Redis.

    ``sealing`` None: the logs stay unsealed. ``simulated``: the table's times are no clock's, so
    that arrivals are not compared with them.
    """

    def __init__(
        self,
        journal: Journal,
        table: str,
        log_dir: Path,
        rules: Mapping[str, RuleText],
        keep_shoes: int | None = None,
        *,
        sealing: Sealing | None = None,
        simulated: bool = False,
        now: Callable[[], int] = wall_microseconds,
    ) -> None:
        """Sit down; the table's logs are locked when work starts."""
        super().__init__("auditor", table, journal)
        self._log_dir = log_dir
        self._rules = rules
        self._keep = keep_shoes
        self._writer = LogWriter(log_dir, table)
        self._sealing = sealing
        self._seals: LiveSeals | None = None
        if sealing is not None:
            self._seals = LiveSeals(sealing.sealer, table, self._writer.path)
        self._signing: asyncio.Task[None] | None = None
        self._last: EntryId | None = None
        #: When the last verdict was said, by the loop's clock.
        self._said = 0.0
        self._commands_from: dict[int, EntryId] = {}
        self._disputes = TableDisputes(journal, self.streams.disputes, self._writer.folder, table)
        self._recorder = Recorder(table, rules)
        self._live = LiveRecord(self._writer.folder, table, now, simulated=simulated)
        self._heard = START
        #: Events up to this one were said before we looked: when they arrived is not known.
        self._old = START

    async def start(self) -> None:
        """Take the table's logs, then begin at the first shoe that is not audited yet."""
        while not self._writer.try_acquire():  # noqa: ASYNC110 - flock wakes nobody
            await asyncio.sleep(_LOCK_PAUSE_S)
        shoe = await self._first_shoe()
        after = ShoeStart(shoe) if shoe else START
        previous = previous_of(self._log_dir, self.table, shoe - 1)
        self._recorder = Recorder(self.table, self._rules, previous, self._disputes.book)
        self._old = await self.journal.last_id(self.streams.events)
        for stream, begin, take, kind in (
            (self.streams.commands, START, self._commands, Contiguity.NONE),
            (self.streams.outcomes, after, self._outcomes, Contiguity.OUTCOMES),
            (self.streams.events, after, self._events, Contiguity.EVENTS),
        ):
            await self.follow(stream, begin, take, kind, linger=_GATHER_BUSY_S)

    async def stop(self) -> None:
        """Leave the table, and let another auditor have its logs."""
        await super().stop()
        if self._seals is not None:
            if self.trouble is None and self._seals.due_in() is not None:
                await self.guard(self._sign())
            self._seals.close()
        self._writer.close()

    async def halt(self, trouble: Exception) -> None:
        """Stop this table, say why, and let an auditor who waits have its logs."""
        await super().halt(trouble)
        self.spawn(self._let_go())

    async def _let_go(self) -> None:
        async with self.lock:  # what is being written is written first
            if self._seals is not None:
                self._seals.close()
            self._writer.close()

    async def _first_shoe(self) -> int:
        """Find the first shoe without ``shoe.audited``; 0 where there is no shoe at all."""
        last = await self.journal.last_entry(self.streams.verdicts)
        if last is not None:
            said = decode_verdict(last.data)
            if not isinstance(said.data, ShoeAudited):
                return last.id.major
            await self._hand_over_again(last.id.major, said.data, said.time)
            return last.id.major + 1
        first = await self.journal.first_id(self.streams.events)
        end = await self.journal.last_id(self.streams.verdicts)
        if end != START and first is not None and first.major > end.major + 1:
            raise Lost(f"{self.streams.events}: shoes up to {first.major - 1} went unaudited")
        return 0 if first is None else first.major

    async def _commands(self, entries: list[Entry]) -> None:
        for entry in entries:
            if entry.id <= self._heard:  # read at the last shoe's close, before it came
                continue
            self._heard = entry.id
            shoe = self._live.command(entry.id, entry.data)
            if shoe is not None:
                self._commands_from.setdefault(shoe, entry.id)

    async def _events(self, entries: list[Entry]) -> None:
        await self._disputes.before(entries)
        self._live.arrived(*[entry.id for entry in entries if entry.id > self._old])
        for entry in entries:
            self._recorder.event(entry.id, entry.data)
        await self._record()

    async def _outcomes(self, entries: list[Entry]) -> None:
        for entry in entries:
            self._recorder.outcome(entry.id, entry.data)
        # On a busy table the next rounds come meanwhile, and one fsync and one append serve all.
        busy = asyncio.get_running_loop().time() - self._said < _BUSY_S
        await asyncio.sleep(_GATHER_BUSY_S if busy else _GATHER_S)
        await self._record()

    async def _record(self) -> None:
        steps = self._recorder.steps()
        for step in steps:
            await self._write(step)
        self._sign_soon()
        verdicts = [Entry(*step.verdict) for step in steps if step.verdict is not None]
        if not verdicts:
            return
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(None, self._writer.sync)
        await self.say(self.streams.verdicts, self._last, verdicts)
        self._last, self._said = verdicts[-1].id, loop.time()
        for step in steps:
            if step.due is not None:
                await self._closed(step, step.due)

    async def _write(self, step: Step) -> None:
        if step.lines:
            self._writer.append(step.shoe, step.lines)
        if self._seals is not None:
            verdict = None if step.verdict is None else step.verdict[1]
            self._seals.add(step.shoe, step.lines, verdict)
        for message in step.read:
            self._live.line(message)
        if step.due is not None:
            await asyncio.to_thread(self._writer.finish)
            await self._sign(last=True)
            # What was asked in time may not have come to us yet.
            after = EntryId(self._heard.major, self._heard.minor + 1)
            await self._commands(await self.journal.read(self.streams.commands, after))
            self._live.close()

    def _sign_soon(self) -> None:
        """Have what was written signed, now or as soon as it is due again."""
        if self._sealing is None or self._seals is None:
            return
        due = self._seals.due_in()
        if due is not None and (self._signing is None or self._signing.done()):
            self._signing = self.spawn(self._sign_when_due(due, self._sealing.turns))

    async def _sign_when_due(self, due: float, turns: asyncio.Semaphore) -> None:
        await asyncio.sleep(due)
        async with turns, self.lock:
            if not self.stopped.is_set():
                await self.guard(self._sign())

    async def _sign(self, *, last: bool = False) -> None:
        """Bring what was written to the disk, then sign it."""
        if self._seals is None:
            return
        await asyncio.to_thread(self._writer.sync)
        reason = await asyncio.to_thread(self._seals.sign, last=last)
        if reason is not None:
            self._keep = None  # what is not sealed is kept in Redis too, as long as we can
            self.log.error("not sealed", what=reason)

    async def _closed(self, step: Step, due: AuditDue) -> None:
        """Hand the whole log to the workers, and trim what need not stay in Redis."""
        time = ""
        if step.verdict is not None:
            time = decode_verdict(step.verdict[1]).time
        await self._hand_over(due, time)
        if self._keep is not None and step.shoe > self._keep:
            await self._trim(step.shoe - self._keep + 1)

    async def _hand_over(self, due: AuditDue, time: str) -> None:
        name = f"{self.table}/{due.shoe}"
        notice = encode(name, Sources(self.table).verdicts, time, due)
        try:
            await self.journal.send(CLOSED, [notice])
        except (Lost, ResponseError) as trouble:  # the queue is all tables', and no bug of ours
            what = str(trouble)
            self.log.error("shoe not handed to the workers", shoe=due.shoe, what=what)  # noqa: TRY400

    async def _hand_over_again(self, shoe: int, verdict: ShoeAudited, time: str) -> None:
        """Hand the last shoe over unless a worker is done: who said its verdict may not have."""
        path = self._writer.path(shoe)
        if path.is_file() and not path.with_suffix(AUDIT).exists():
            with path.open("rb") as log:
                size = sum(1 for _ in log)
            await self._hand_over(AuditDue(self.table, shoe, size, verdict.root), time)

    async def _trim(self, keep_from: int) -> None:
        """Trim shoes that are closed, audited, written and fsynced, unless one is in dispute."""
        kept = {shoe: at for shoe, at in self._commands_from.items() if shoe >= keep_from}
        try:
            with self._disputes.none_below(keep_from):
                await self.journal.trim(self.streams, keep_from, min(kept.values(), default=None))
        except (Conflict, InputError) as held:
            self.log.info("nothing trimmed", what=str(held))
            return
        self._commands_from = kept


def auditor_service(
    journal: Journal,
    log_dir: Path,
    rules: Mapping[str, RuleText],
    tables: Sequence[str] | None = None,
    keep_shoes: int | None = None,
    *,
    sealer: Sealer | None = None,
    simulated: bool = False,
) -> TableService:
    """Wire the live auditor to its tables."""
    sealing = None if sealer is None else Sealing(sealer, asyncio.Semaphore(1))

    def open_desk(table: str) -> AuditorDesk:
        return AuditorDesk(
            journal, table, log_dir, rules, keep_shoes, sealing=sealing, simulated=simulated
        )

    return TableService("auditor", journal, open_desk, tables)
