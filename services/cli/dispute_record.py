"""Where commands find disputes and their evidence: files, streams, clips. Writes nothing."""

from __future__ import annotations

import asyncio
import hashlib
from typing import TYPE_CHECKING, Final, TypeVar

from schemas.address import LARGEST, TABLES, DisputeAddress, Shoe, Streams, is_name
from schemas.disputes import MOST_CLIPS, Clip, clip_name
from schemas.envelope import decode_notice
from schemas.errors import InputError, Unavailable, Unreadable, cannot_read
from schemas.events import TableAnnounced
from services.auditor.offline import audit_paths
from services.cli.dispute_evidence import RoundLog, VerdictShown, verdict_of
from services.cli.files import whole_lines
from services.cli.shoe_streams import streamed
from services.cli.whole_shoe import answered
from services.disputes import DisputeDesk
from services.journal import connect
from services.ledger.dispute_file import NAME
from services.ledger.lines import interleave
from services.runtime.clocks import WallClock
from services.runtime.process import run_async

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from pathlib import Path

    from schemas.address import RoundAddress
    from services.journal import Journal
    from services.ledger.disputes import DisputeBook
    from services.ledger.seal import Sealer
    from services.runtime.settings import Settings

    Given = TypeVar("Given")

#: So long Redis may take for all that a command does, apart from waiting for a dealer.
_PATIENCE_S: Final = 30.0
_BLOCK: Final = 1 << 20


def with_journal(
    settings: Settings, work: Callable[[Journal | None], Awaitable[Given]], wait: float = 0.0
) -> Given:
    """Do something with the Redis that is set, if one is; it has to answer then."""
    url = settings.redis_url

    async def main() -> Given:
        if url is None:
            return await work(None)
        journal = connect(url)
        try:
            await answered(journal, url)
            async with asyncio.timeout(_PATIENCE_S + wait):
                return await work(journal)
        except TimeoutError:
            raise Unavailable("Redis does not answer any more; say it again when it does") from None
        finally:
            await journal.aclose()

    return run_async(main)


def desk_at(
    settings: Settings, table: str, journal: Journal | None, sealer: Sealer | None = None
) -> DisputeDesk:
    """Sit down at a table's dispute desk."""
    return DisputeDesk(settings.log_dir, table, WallClock(), journal, sealer)


def parse_id(text: str) -> DisputeAddress:
    """Read a dispute's id."""
    found = DisputeAddress.parse(text)
    if not 1 <= found.number <= LARGEST:
        raise InputError(f"there is no dispute {found}", mend="they count from 1")
    return found


async def books(
    settings: Settings, table: str | None, journal: Journal | None
) -> list[DisputeBook]:
    """Read the disputes of a table, or of all that have a folder or are announced in Redis."""
    if table is not None:
        known = await _known(settings, journal)
        if table not in known:
            mend = "they are: " + ", ".join(known) if known else "set SHOETRAIL_LOG_DIR"
            raise InputError(f"no table {table} is known here", str(settings.log_dir), mend)
        names = [table]
    else:
        names = await _known(settings, journal)
    return [await desk_at(settings, name, journal).look() for name in names]


async def _known(settings: Settings, journal: Journal | None) -> list[str]:
    found: set[str] = set()
    if settings.log_dir.is_dir():
        folders = [path for path in settings.log_dir.iterdir() if path.is_dir()]
        logs = ("1.jsonl", NAME)
        found |= {
            path.name
            for path in folders
            if is_name(path.name)
            and (any((path / log).exists() for log in logs) or any(path.glob("*.jsonl")))
        }
    if journal is not None:
        async for batch in journal.scan(TABLES):
            for entry in batch:
                try:
                    notice = decode_notice(entry.data).data
                except Unreadable:
                    continue
                if isinstance(notice, TableAnnounced) and is_name(notice.table):
                    found.add(notice.table)
    return sorted(found)


def log_of(settings: Settings, at: RoundAddress) -> Path:
    """Say where a shoe's log lies."""
    return settings.log_dir / at.table / f"{at.shoe}.jsonl"


async def round_log(settings: Settings, at: RoundAddress, journal: Journal | None) -> RoundLog:
    """Read the shoe of a round: from its log, or from the streams where that has it not (yet)."""
    if min(at.shoe, at.round) < 1:
        raise InputError(f"there is no round {at}", mend="shoes and rounds count from 1")
    path = log_of(settings, at)
    missing: InputError | None = None
    if path.is_file():
        try:
            return RoundLog(whole_lines(path), at, str(path))
        except InputError as wrong:
            missing = wrong
    if journal is not None:
        lines = await _streamed(journal, at)
        if lines:
            return RoundLog(lines, at, Streams(at.table).events)
    if missing is None:
        mend = "name its folder with --log-dir, or its Redis with SHOETRAIL_REDIS_URL"
        missing = InputError(f"there is no log of {Shoe(at.table, at.shoe)}", str(path), mend)
    raise missing


async def _streamed(journal: Journal, at: RoundAddress) -> list[bytes]:
    found = await streamed(journal, Shoe(at.table, at.shoe))
    return list(interleave(*found)) if found.events else []


def verdict_on(path: Path, log: RoundLog) -> VerdictShown | None:
    """Audit the log, where it is a file, and part what concerns the round from the rest."""
    if not path.is_file():
        return None
    try:
        audit = audit_paths([path])
    except InputError:
        return None
    return verdict_of(audit.findings, audit.verdict, log)


def clips_of(files: Sequence[Path]) -> tuple[Clip, ...]:
    """Hash files, whose bytes stay where they are."""
    if len(files) > MOST_CLIPS:
        raise InputError(f"{len(files)} files", "--attach", f"attach {MOST_CLIPS} at most")
    return tuple(_clip(path) for path in files)


def _clip(path: Path) -> Clip:
    name = clip_name(path, "--attach")
    if not path.exists():
        raise InputError("there is no such file", f"--attach {path}", "name a file")
    if not path.is_file():
        raise InputError("this is no file", f"--attach {path}", "name a file")
    digest, size = hashlib.sha256(), 0
    try:
        with path.open("rb") as clip:
            while block := clip.read(_BLOCK):
                digest.update(block)
                size += len(block)
    except OSError as trouble:
        raise cannot_read(f"--attach {path}", trouble) from None
    return Clip(name, digest.hexdigest(), size)
