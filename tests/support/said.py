"""Committed logs as the streams of a table, to be said to a Redis as their services would."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from schemas.address import TABLES, EntryId, Sources, Streams
from schemas.envelope import decode_dispute, decode_line, encode
from schemas.events import Event, TableAnnounced
from services.auditor.fold import ShoeAudit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import redis

    from services.dashboard.live.cursor import Stream

LOGS = Path(__file__).parents[2] / "replay_logs"
TIME = "2026-01-01T00:00:00.000000Z"


class Said(NamedTuple):
    """An entry of a stream, as stored."""

    stream: Stream
    id: EntryId
    data: bytes


def said_at(log: str, table: str | None = None) -> tuple[Said, ...]:
    """All shoes of a log's table, or of one that is called otherwise and says the same."""
    if table is None or table == log:
        return _said_at(log)
    old, new = log.encode(), table.encode()
    return tuple(one._replace(data=one.data.replace(old, new)) for one in _said_at(log))


@cache
def _said_at(table: str) -> tuple[Said, ...]:
    """Each verdict right after its outcome, disputes at the end."""
    said = [
        one for path in sorted(LOGS.glob(f"{table}/[0-9]*.jsonl")) for one in _shoe(table, path)
    ]
    disputes = LOGS / table / "disputes.jsonl"
    if disputes.exists():
        lines = disputes.read_bytes().splitlines()
        said += [Said("disputes", EntryId.parse(decode_dispute(one).id), one) for one in lines]
    return tuple(said)


def _shoe(table: str, path: Path) -> Iterator[Said]:
    audit, source = ShoeAudit(), Sources(table).verdicts
    entry, time, rounds = EntryId(0, 0), TIME, 0
    for line in path.read_bytes().splitlines():
        audit.line(line)
        message = decode_line(line)
        entry, time = EntryId.parse(message.id), message.time
        yield Said("events" if isinstance(message.data, Event) else "outcomes", entry, line)
        verdict = audit.round_verdict()
        if verdict is not None:
            rounds = entry.minor
            yield Said("verdicts", entry, encode(str(entry), source, time, verdict))
    last = EntryId(entry.major, rounds + 1)
    yield Said("verdicts", last, encode(str(last), source, time, audit.close()))


def announce(client: redis.Redis, *tables: str) -> None:
    """Say that a dealer works these tables."""
    for table in tables:
        client.xadd(TABLES, {"__data__": encode(table, "/tables", TIME, TableAnnounced(table))})


def say(client: redis.Redis, table: str, entries: Iterable[Said]) -> None:
    """Append entries, one after another in one round trip."""
    streams = Streams(table)
    pipe = client.pipeline(transaction=False)
    for stream, entry, data in entries:
        pipe.xadd(getattr(streams, stream), {"__data__": data}, id=str(entry))
    pipe.execute()
