"""What every module of the journal shares about Redis: clients, troubles to wait out, raw calls.

It may not know what an entry means.
"""

from __future__ import annotations

import asyncio
from itertools import repeat
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias, cast

import structlog
from redis.exceptions import (
    AskError,
    BusyLoadingError,
    ClusterDownError,
    MasterDownError,
    OutOfMemoryError,
    ReadOnlyError,
    ResponseError,
    TryAgainError,
)
from redis.exceptions import (
    ConnectionError as RedisConnectionError,
)
from redis.exceptions import (
    TimeoutError as RedisTimeoutError,
)

from schemas.address import EntryId
from schemas.errors import Lost

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
    from typing import TypeVar

    from redis.asyncio import Redis, RedisCluster

    Client: TypeAlias = Redis | RedisCluster
    Value: TypeAlias = str | bytes | int
    #: An entry as XREAD answers it: its id, its fields and their values in turns.
    Row: TypeAlias = tuple[bytes, list[bytes] | None]
    Given = TypeVar("Given")

FIELD: Final = b"__data__"
#: Redis does not answer for now, or not for writing: what we said is safe to say again.
TROUBLES: Final = (
    RedisConnectionError,
    RedisTimeoutError,
    BusyLoadingError,
    ReadOnlyError,
    MasterDownError,
    ClusterDownError,
    TryAgainError,
    AskError,
    OutOfMemoryError,
    OSError,
)
_WORDS: Final = ("MISCONF", "BUSY ", "LOADING", "READONLY", "MASTERDOWN", "NOREPLICAS")
_SHORTEST, _LONGEST = 0.05, 1.0
#: A server that does not answer for so long is taken for lost. The clients have no timeouts of
#: their own, which cost a task a command in Python 3.11.
PATIENCE: Final = 15.0
_AGAIN: Final = 0.1
#: Commands have a millisecond each where an event has a shoe: then it is read one by one.
_SHOES: Final = 8

_new: Final = tuple.__new__

log = structlog.get_logger(__name__)


class Entry(NamedTuple):
    """One entry of a stream: its id and the stored bytes."""

    id: EntryId
    data: bytes


class Runs(list[Entry]):
    """Entries as they were read, in runs in which each is numbered one after the one before.

    It is not changed: whoever takes some out, or adds some, has a plain list.
    """

    __slots__ = ("runs",)

    def __init__(
        self, entries: Iterable[Entry], runs: Sequence[tuple[EntryId, Sequence[bytes]]]
    ) -> None:
        """Keep them, and once more as ``runs``: the first one's id, and the bytes of all."""
        super().__init__(entries)
        self.runs = runs


def is_trouble(error: BaseException) -> bool:
    """Tell whether waiting may mend this."""
    if isinstance(error, TROUBLES):
        return True
    return isinstance(error, ResponseError) and str(error).startswith(_WORDS)


class at_key:  # noqa: N801 - it is used as a function
    """Work with a key of ours; one that another type of value replaced is lost."""

    __slots__ = ("_key",)

    def __init__(self, key: str) -> None:
        self._key = key

    def __enter__(self) -> None:
        """Begin."""

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        """Say what another type of value did; a script's error has it in the middle."""
        if isinstance(error, ResponseError) and "WRONGTYPE" in str(error):
            what = f"{self._key}: WRONGTYPE, another type of value stands there now"
            raise Lost(what) from error


async def ask(client: Client, *words: Value) -> object:
    """Send one command and give the answer."""
    async with asyncio.timeout(PATIENCE):
        return cast("object", await client.execute_command(*words))


async def ask_all(client: Client, commands: Iterable[Sequence[Value]]) -> list[object]:
    """Send commands in one round trip and give the answers; errors are answers too."""
    pipe = client.pipeline(transaction=False)
    for words in commands:
        pipe.execute_command(*words)
    async with asyncio.timeout(PATIENCE):
        return cast("list[object]", await pipe.execute(raise_on_error=False))


async def cancelled(tasks: Collection[asyncio.Task[None]]) -> None:
    """Cancel tasks and wait until they are gone; Python 3.11's wait_for may swallow a cancel."""
    left = set(tasks)
    while left:
        for task in left:
            task.cancel()
        _, left = await asyncio.wait(left, timeout=_AGAIN)


def entry(raw: tuple[bytes, dict[bytes, bytes] | None]) -> Entry:
    """Read one answered entry; foreign fields leave empty data, which no reader accepts."""
    major, _, minor = raw[0].partition(b"-")
    # As EntryId(…) and Entry(…) make them, without a call of Python's for each.
    name = _new(EntryId, (int(major), int(minor)))
    return _new(Entry, (name, (raw[1] or {}).get(FIELD, b"")))


def by_stream(answer: object) -> Collection[tuple[bytes, list[Row]]]:
    """Read what XREAD answered: a map (RESP3), a list of pairs (RESP2), or nothing."""
    if isinstance(answer, dict):
        return cast("dict[bytes, list[Row]]", answer).items()
    return cast("list[tuple[bytes, list[Row]]]", answer or [])


def batch(rows: Sequence[Row]) -> list[Entry]:
    """Read the rows that XREAD answered, at less cost than one by one."""
    if len(rows) > 1:
        found = _in_runs(rows)
        if found is not None:
            return found
    return [entry((name, _fields(flat))) for name, flat in rows]


def _in_runs(rows: Sequence[Row]) -> Runs | None:
    """Read them run by run, one a shoe; None where they are not so, or too many for it to pay."""
    entries: list[Entry] = []
    runs: list[tuple[EntryId, Sequence[bytes]]] = []
    start, total = 0, len(rows)
    while start < total:
        if len(runs) == _SHOES:
            return None
        major, _, first = rows[start][0].partition(b"-")
        end = total
        if rows[-1][0].partition(b"-")[0] != major:  # a shoe ends in them
            shoe = major + b"-"
            end = next(at for at in range(start, total) if not rows[at][0].startswith(shoe))
        shoe_number, minor, last = int(major), int(first), rows[end - 1][0].partition(b"-")[2]
        # Ids rise: where as many numbers lie between the ends as ids, no number is left out.
        if int(last) - minor != end - start - 1:
            return None
        try:
            datas = [data for _, (field, data) in rows[start:end] if field == FIELD]  # type: ignore[misc]
            numbers = zip(repeat(shoe_number), range(minor, minor + end - start), strict=False)
            ids = map(_new, repeat(EntryId), numbers)
            entries += map(_new, repeat(Entry), zip(ids, datas, strict=True))
        except (TypeError, ValueError):  # a foreign entry is among them
            return None
        runs.append((EntryId(shoe_number, minor), datas))
        start = end
    return Runs(entries, runs)


def _fields(flat: list[bytes] | None) -> dict[bytes, bytes] | None:
    return None if flat is None else dict(zip(flat[::2], flat[1::2], strict=True))


def entries(answer: object) -> list[Entry]:
    """Read the answer to XRANGE or XREVRANGE."""
    rows = cast("list[tuple[bytes, dict[bytes, bytes] | None]] | None", answer)
    return [entry(row) for row in rows or ()]


def answered(rows: Sequence[object]) -> list[Entry]:
    """Read rows that Redis answered, of which a cluster's client has made mappings already."""
    mapped = rows and isinstance(cast("Row", rows[0])[1], dict)
    return entries(rows) if mapped else batch(cast("Sequence[Row]", rows))


class Waiting:
    """Waits between attempts, longer each time, and logs an outage once."""

    __slots__ = ("_pause", "_what")

    def __init__(self, what: str) -> None:
        """Say what is being waited for, for the log."""
        self._what = what
        self._pause = 0.0

    @property
    def going_on(self) -> bool:
        """Tell whether an outage was met and has not ended."""
        return self._pause > 0

    async def after(self, error: BaseException) -> None:
        """Wait out this error, or raise it when waiting does not mend it."""
        if not is_trouble(error):
            raise error
        if not self._pause:
            log.warning("redis does not answer, waiting", what=self._what, error=str(error))
        self._pause = min(max(self._pause * 2, _SHORTEST), _LONGEST)
        await asyncio.sleep(self._pause)

    def over(self) -> None:
        """Log the end of an outage, if there was one."""
        if self._pause:
            log.info("redis answers again", what=self._what)
            self._pause = 0.0


async def until_answered(what: str, call: Callable[[], Awaitable[Given]]) -> Given:
    """Call until Redis answers; for calls that are safe to say again."""
    try:
        return await call()
    except Exception as error:  # noqa: BLE001 (raised again unless waiting mends it)
        waiting = Waiting(what)
        await waiting.after(error)
    while True:
        try:
            given = await call()
        except Exception as error:  # noqa: BLE001
            await waiting.after(error)
        else:
            waiting.over()
            return given
