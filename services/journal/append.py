"""Append to a stream: one script call, safe to say again. It may not read or follow."""

from __future__ import annotations

from hashlib import sha1
from pathlib import Path
from struct import Struct
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from msgspec.msgpack import encode

from schemas.address import LARGEST, EntryId
from schemas.errors import Conflict, InputError, Lost
from services.journal.wire import at_key, until_answered

if TYPE_CHECKING:
    from collections.abc import Sequence

    from services.journal.line import Line
    from services.journal.rows import Entry

_SCRIPT: Final = Path(__file__).with_name("append.lua").read_text(encoding="utf-8")
_SHA: Final = sha1(_SCRIPT.encode(), usedforsecurity=False).hexdigest()
_NEXT: Final = Path(__file__).with_name("append_next.lua").read_text(encoding="utf-8")
_NEXT_SHA: Final = sha1(_NEXT.encode(), usedforsecurity=False).hexdigest()
#: Numbers that Lua spells as they are.
_SPELLED: Final = 10**14
_CHUNK: Final = 500
_SEND: Final = "for i = 1, #ARGV do redis.call('XADD', KEYS[1], '*', '__data__', ARGV[i]) end"
_SEND_SHA: Final = sha1(_SEND.encode(), usedforsecurity=False).hexdigest()
#: MessagePack: an array of three, a long array, a long string. (Redis knows no binary type.)
_THREE, _ARRAY, _STRING = b"\x93", 0xDD, 0xDB
_HEAD: Final = Struct(">BI").pack
_WORDS: Final = {
    "differs": "{said} is there already, and says something else",
    "other": "expected {said} next, found {found} of another writer",
    "short": "expected entries up to {said}, found its end at {found}",
    "trimmed": "expected {said}, which was trimmed; found {found}",
    "deleted": "expected {said}, which was deleted; found {found}",
}


class ShoeStart(NamedTuple):
    """The place before a shoe's first entry: after any entry of an earlier shoe."""

    shoe: int

    def __str__(self) -> str:
        """Spell it, for messages."""
        return f"{self.shoe}-start"


class Marks(NamedTuple):
    """A set beside a stream, and its members as they follow from the stream up to its end."""

    key: str
    members: Sequence[int]


async def append(
    line: Line,
    stream: str,
    after: EntryId | ShoeStart,
    new: Sequence[Entry],
    marks: Marks | None = None,
) -> int:
    """Write what is not there yet and give the number of entries written.

    Raises ``Conflict`` when something else was said, ``Lost`` when the stream is shorter than
    ``after`` or what would have to be compared is gone; then nothing was written. In the same step
    ``marks`` are set, if the last of the ``new`` entries is the stream's end.
    """
    if not new:
        return 0
    if marks is None and (plain := _next_words(after, new)) is not None:
        written = cast("int", await line.run(_NEXT_SHA, _NEXT, (stream,), plain))
        if written >= 0:
            return written
    words: list[bytes | int] = [_packed(stream, after, new)]
    keys = [stream]
    if marks is not None:
        keys.append(marks.key)
        words += marks.members
    with at_key(stream if marks is None else f"{stream} or {marks.key}"):
        answer = await line.run(_SHA, _SCRIPT, keys, words)
    if isinstance(answer, int):
        return answer
    kind, why, said, found = (
        part.decode("utf-8", "replace") for part in cast("list[bytes]", answer)
    )
    raise _refusal(stream, kind, why, said, found)


def _next_words(
    after: EntryId | ShoeStart, new: Sequence[Entry]
) -> tuple[str | bytes | int, ...] | None:
    """Say what is numbered right after ``after`` in its shoe; None where it is not all so."""
    if not isinstance(after, EntryId):
        return None
    shoe, last = after
    datas = [
        data
        for number, ((major, minor), data) in enumerate(new, last + 1)
        if minor == number and major == shoe
    ]
    if len(datas) != len(new) or last + len(new) >= _SPELLED or shoe > LARGEST:
        return None
    return (f"{shoe}-{last}", f"{shoe}-", last + 1, *datas)


def _packed(stream: str, after: EntryId | ShoeStart, new: Sequence[Entry]) -> bytes:
    """Pack what is to be said for the script: one word costs Redis and us much less than many."""
    runs: list[int] = []
    parts: list[bytes] = []
    run, expected, count = -1, -1, 0
    for (major, minor), data in new:
        if major != run or minor != expected:
            if count:
                runs.append(count)
            runs += (major, minor)
            run, expected, count = major, minor, 0
        expected += 1
        count += 1
        parts += (_HEAD(_STRING, len(data)), data)
    runs.append(count)
    try:
        head = (_THREE, encode(after), encode(runs), _HEAD(_ARRAY, len(new)))
    except OverflowError:
        raise _refusal(stream, "bad", "id", "a number beyond 64 bits", "any end") from None
    return b"".join((*head, *parts))


async def send(line: Line, stream: str, datas: Sequence[bytes]) -> None:
    """Add entries with ids of Redis's own (``*``), waiting out a lost connection.

    They come to readers together. After an outage all of a batch is sent again: readers of such
    streams drop repeats.
    """
    for start in range(0, len(datas), _CHUNK):
        await until_answered(
            f"send to {stream}", _send_some, line, stream, datas[start : start + _CHUNK]
        )


async def _send_some(line: Line, stream: str, datas: Sequence[bytes]) -> None:
    with at_key(stream):
        await line.run(_SEND_SHA, _SEND, (stream,), datas)


def _refusal(
    stream: str, kind: str, why: str, said: str, found: str
) -> Conflict | Lost | InputError:
    where = f"the stream ends at {found}"
    if kind == "bad":
        return InputError(
            f"{said} cannot be used as {why}, where {where}",
            stream,
            f"give rising ids <shoe>-<number>, no number above {LARGEST}",
        )
    if kind == "conflict":
        return Conflict(f"{stream}: {_WORDS[why].format(said=said, found=found)}")
    return Lost(f"{stream}: {_WORDS[why].format(said=said, found=found)}")
