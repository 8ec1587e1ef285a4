"""A worker on the queue of closed shoes: audits each whole log and keeps the result beside it.

At least once, and harmless twice. It trusts the file alone, not the live auditor's verdicts.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import structlog
from redis.exceptions import ResponseError

from schemas.address import CLOSED, is_name
from schemas.envelope import decode_notice, dump
from schemas.errors import InputError, ShoetrailError, Unreadable
from schemas.events import AuditDue
from services.auditor.files import AUDIT
from services.auditor.offline import audit_paths
from services.journal import WorkQueue
from services.journal.wire import Waiting, is_trouble
from services.ledger.writer import write_atomically

if TYPE_CHECKING:
    from pathlib import Path

    from services.journal import Job, Journal

#: Between attempts at a queue that Redis refuses: a person has to mend it.
_PAUSE_S = 5.0

log = structlog.get_logger(__name__)


class AuditWorker:
    """Takes closed shoes off the queue, one at a time; several workers compete."""

    name = "worker"

    def __init__(
        self, journal: Journal, log_dir: Path, consumer: str, claim_after_ms: int = 60_000
    ) -> None:
        """``consumer`` names this worker among the others."""
        self._log_dir = log_dir
        self._queue = WorkQueue(journal.client, consumer=consumer, claim_after_ms=claim_after_ms)
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to take work."""
        self._task = asyncio.get_running_loop().create_task(self._work())

    async def stop(self) -> None:
        """Take no more; what was not finished is handed out again."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _work(self) -> None:
        waiting = Waiting("take a closed shoe")
        refused = ""
        while True:
            try:
                job = await self._queue.take()
                if job is not None:
                    await self._audit(job)
                waiting.over()
                if refused:
                    log.info("closed shoes can be taken again")
                    refused = ""
            except Exception as trouble:
                if is_trouble(trouble):
                    await waiting.after(trouble)
                    continue
                said = " ".join(str(trouble).split())
                if said != refused and isinstance(trouble, ResponseError | ShoetrailError):
                    log.error("closed shoes cannot be taken", queue=CLOSED, what=said)  # noqa: TRY400
                elif said != refused:
                    log.exception("taking a closed shoe failed")
                refused = said
                await asyncio.sleep(_PAUSE_S)

    async def _audit(self, job: Job) -> None:
        due = _due(job.data)
        if due is None:
            await self._queue.bury(job, "no closed shoe of ours")
            return
        path = self._log_dir / due.table / f"{due.shoe}.jsonl"
        try:
            audit = await asyncio.to_thread(audit_paths, [path])
            result = path.with_suffix(AUDIT)
            await asyncio.to_thread(write_atomically, result, dump(audit, indent=True) + b"\n")
        except (InputError, OSError) as wrong:
            # Not done: it is handed out again later, in case the file is on its way here, and in
            # the end put aside with the reason.
            log.warning("audit not possible", table=due.table, shoe=due.shoe, what=str(wrong))
            return
        except Exception:  # one shoe must not keep the others waiting
            log.exception("audit stopped by a bug", table=due.table, shoe=due.shoe)
            return
        await self._queue.done(job)
        log.info("audited", table=due.table, shoe=due.shoe, verdict=audit.verdict)


def _due(data: bytes) -> AuditDue | None:
    try:
        notice = decode_notice(data).data
    except Unreadable:
        return None
    return notice if isinstance(notice, AuditDue) and is_name(notice.table) else None
