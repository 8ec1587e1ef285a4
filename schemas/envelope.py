"""Entries as bytes: CloudEvents 1.0 JSON, one spelling. The only place that knows JSON.

Encoded once, by orjson; those bytes are stored, hashed and logged, and never encoded again.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, Literal, Protocol, TypeVar, Union, cast

import msgspec
import orjson

from schemas.commands import COMMANDS, LONGEST, Command
from schemas.disputes import DISPUTES, DisputeSaid
from schemas.errors import InputError, Unreadable
from schemas.events import EVENTS, NOTICES, AuditDue, Event, TableAnnounced
from schemas.outcomes import OUTCOMES, Outcome
from schemas.verdicts import VERDICTS, Verdict

T_co = TypeVar("T_co", covariant=True)
T = TypeVar("T")

Said = Event | Outcome
Notice = TableAnnounced | AuditDue


class Message(Protocol[T_co]):
    """A decoded entry. ``id`` is the entry's (a command's: the derived one)."""

    @property
    def id(self) -> str:
        """The id, as the sender wrote it."""

    @property
    def source(self) -> str:
        """Which stream of which table."""

    @property
    def time(self) -> str:
        """When, in the one spelling of ``schemas.instant``; not checked by decoding."""

    @property
    def data(self) -> T_co:
        """What was said."""


_FAMILIES: Final = (EVENTS, OUTCOMES, VERDICTS, COMMANDS, NOTICES, DISPUTES)
_NAMES: Final[dict[type, str]] = {
    struct: name for family in _FAMILIES for name, struct in family.items()
}


def type_of(data: msgspec.Struct) -> str:
    """Name the CloudEvents type of an entry's data."""
    return _NAMES[type(data)]


def kind_of(data: bytes) -> bytes:
    """Peek at the CloudEvents type of an entry of ours, without reading it.

    Before it stand texts only, in which a quote is escaped. What cannot be read may have any.
    """
    return data.partition(b'","type":"')[2].partition(b'"')[0]


def encode(entry_id: str, source: str, time: str, data: msgspec.Struct) -> bytes:
    """Spell an entry. The same arguments give the same bytes."""
    return orjson.dumps(
        {
            "specversion": "1.0",
            "id": entry_id,
            "source": source,
            "type": _NAMES[type(data)],
            "time": time,
            "data": orjson.Fragment(_PLAIN(data)),
        }
    )


def _decoder(*families: dict[str, type[Any]]) -> msgspec.json.Decoder[Any]:
    """Build one strict tagged union over the ``type`` of the families' envelopes."""
    fields: list[tuple[str, Any]] = [
        ("specversion", Literal["1.0"]),
        ("id", str),
        ("source", str),
        ("time", str),
    ]
    made = tuple(
        msgspec.defstruct(
            "Entry_" + name.replace(".", "_"),
            [*fields, ("data", struct)],
            tag_field="type",
            tag=name,
            frozen=True,
            forbid_unknown_fields=True,
        )
        for family in families
        for name, struct in family.items()
    )
    return msgspec.json.Decoder(Union[made])  # noqa: UP007 - the members are known at import only


_EVENT: Final = _decoder(EVENTS)
_VERDICT: Final = _decoder(VERDICTS)
_COMMAND: Final = _decoder(COMMANDS)
_NOTICE: Final = _decoder(NOTICES)
_DISPUTE: Final = _decoder(DISPUTES)
_LINE: Final = _decoder(EVENTS, OUTCOMES)
_REMEMBERED: Final = 512
#: A round's events or fewer: what one by one, and shared, is read as fast as in a batch.
_FEW: Final = 32
_PLAIN: Final = msgspec.json.Encoder().encode
_PLAIN_LINES: Final = msgspec.json.Encoder().encode_lines
_WRONG: Final = (msgspec.MsgspecError, UnicodeError, RecursionError, ValueError)


class _Spelled(msgspec.Struct, gc=False):
    """An entry in the order in which ``encode`` spells it; the tagged ones put ``type`` first."""

    specversion: str
    id: str
    source: str
    type: str
    time: str
    data: msgspec.Struct


def _decode(decoder: msgspec.json.Decoder[Any], data: bytes, what: str) -> Any:  # noqa: ANN401
    try:
        message = decoder.decode(data)
        # Another spelling (spaces, escapes, a key twice, keys in another order) says the same, and
        # would hash otherwise: only the bytes that we would have written are ours.
        kind = _NAMES[type(message.data)]
        spelled = _Spelled("1.0", message.id, message.source, kind, message.time, message.data)
        if _PLAIN(spelled) == data:
            return message
    except _WRONG:
        pass
    raise _unreadable(what)


def _unreadable(what: str) -> Unreadable:
    return Unreadable(f"these bytes are no {what} of ours", mend="see schemas/published")


@lru_cache(maxsize=_REMEMBERED)
def _said(data: bytes) -> Message[Said]:
    # In a process that runs several services each entry comes to all of them, as the same bytes
    # and at about the same time; it is read once. Entries are immutable, so they may share it.
    return _decode(_LINE, data, "line of a log")  # type: ignore[no-any-return]


def decode_event(data: bytes) -> Message[Event]:
    """Read an event; raise ``Unreadable`` for anything else."""
    message = _said(data)
    if isinstance(message.data, Event):
        return message  # type: ignore[return-value] # without a call, as this comes often
    raise _unreadable("event")


def decode_events(entries: Sequence[bytes]) -> list[Message[Event] | None]:
    """Read a batch of events, None for what ``decode_event`` refuses; faster than one by one."""
    if len(entries) <= _FEW:
        return [event_or_none(data) for data in entries]
    decode, names = _EVENT.decode, _NAMES
    try:
        spelled = [
            _Spelled("1.0", read.id, read.source, names[type(read.data)], read.time, read.data)
            for read in [decode(data) for data in entries]
        ]
        # No object's text is the beginning of another's, so one comparison is as good as many.
        if _PLAIN(spelled) == b"[" + b",".join(entries) + b"]":
            return cast("list[Message[Event] | None]", spelled)
    except _WRONG:
        pass
    return [event_or_none(data) for data in entries]


def event_or_none(data: bytes) -> Message[Event] | None:
    """Read an event; None for what ``decode_event`` refuses."""
    try:
        return decode_event(data)
    except Unreadable:
        return None


def decode_outcome(data: bytes) -> Message[Outcome]:
    """Read an outcome; raise ``Unreadable`` for anything else."""
    message = _said(data)
    if isinstance(message.data, Outcome):
        return message  # type: ignore[return-value]
    raise _unreadable("outcome")


def decode_line(data: bytes) -> Message[Said]:
    """Read a line of a replay log: an event or an outcome; raise ``Unreadable`` otherwise."""
    return _said(data)


def decode_lines(lines: Sequence[bytes]) -> list[Message[Said]]:
    """Read many lines of a log at once; raise ``Unreadable`` where ``decode_line`` would."""
    if len(lines) <= _FEW:
        return [_said(data) for data in lines]
    block = b"\n".join(lines) + b"\n"
    try:
        spelled = [
            _Spelled("1.0", read.id, read.source, _NAMES[type(read.data)], read.time, read.data)
            for read in _LINE.decode_lines(block)
        ]
        # As many as were given: one that holds a newline is no line, though its parts may be.
        if len(spelled) == len(lines) and _PLAIN_LINES(spelled) == block:
            return cast("list[Message[Said]]", spelled)
    except (msgspec.MsgspecError, UnicodeError, RecursionError, ValueError):
        pass
    raise Unreadable("these bytes are no lines of a log of ours", mend="see schemas/published")


def decode_verdict(data: bytes) -> Message[Verdict]:
    """Read a verdict; raise ``Unreadable`` for anything else."""
    return cast("Message[Verdict]", _decode(_VERDICT, data, "verdict"))


def decode_notice(data: bytes) -> Message[Notice]:
    """Read an entry of the streams that all tables share; raise ``Unreadable`` otherwise."""
    return cast("Message[Notice]", _decode(_NOTICE, data, "notice"))


def decode_dispute(data: bytes) -> Message[DisputeSaid]:
    """Read an entry of a table's disputes; raise ``Unreadable`` for anything else."""
    return cast("Message[DisputeSaid]", _decode(_DISPUTE, data, "entry of a disputes record"))


def decode_command(data: bytes) -> Message[Command]:
    """Read a command, which people may write by hand: any JSON spelling, up to ``LONGEST``."""
    if len(data) <= LONGEST:
        try:
            return cast("Message[Command]", _COMMAND.decode(data))
        except _WRONG:
            pass
    raise Unreadable("these bytes are no command of ours", mend="see schemas/published")


def from_plain(struct: type[T], plain: object, where: str) -> T:
    """Turn parsed TOML, JSON or ``key=value`` data into a struct, or say what is wrong."""
    try:
        return msgspec.convert(plain, struct)
    except (msgspec.ValidationError, ValueError) as error:
        raise InputError(str(error), where) from None


def dump(plain: object, *, indent: bool = False) -> bytes:
    """Spell plain data or structs as JSON, for people and files beside the record."""
    return orjson.dumps(msgspec.to_builtins(plain), option=orjson.OPT_INDENT_2 if indent else None)


def load_strict(data: bytes, where: str) -> object:
    """Read a JSON document of which each part says one thing: no key is twice in an object."""
    plain = load(data, where)
    try:
        json.loads(data, object_pairs_hook=_once)
    except (ValueError, RecursionError):
        raise Unreadable("this is no JSON, or an object of it has a key twice", where) from None
    return plain


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError
    return found


def load(data: bytes, where: str) -> object:
    """Read any JSON document, or say in one line that it is none."""
    try:
        return cast("object", orjson.loads(data))
    except (orjson.JSONDecodeError, RecursionError):
        raise Unreadable("this is no JSON", where) from None
