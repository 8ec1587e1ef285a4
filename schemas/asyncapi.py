"""The streams and who speaks on them, as an AsyncAPI 3.0 document. Made from the types."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from schemas.address import CLOSED, NAME, TABLES, Streams
from schemas.json_schemas import FAMILIES, components

Part = dict[str, Any]

#: Of the published language, not of the software: it moves when what is said does.
VERSION: Final = "1.1.0"
_TAG: Final = "{tag}"

_DESCRIPTION: Final = f"""\
Services meet in Redis streams. Each entry has one field, `__data__`: a CloudEvents 1.0 JSON object,
encoded once; those bytes are stored, hashed and logged, and never encoded again.

An event's address is its entry's id: event 45 of shoe 12 at table T7 is the entry `12-45`, written
`T7/12-45`; round 17 of that shoe is `T7/12#17`. Table and bettor names match `{NAME}`. Money is
whole minor units of the shoe's currency, cards are rank then suit, times are UTC with
microseconds."""


class _Channel(NamedTuple):
    """A stream: what goes on it, who says which of it, and who hears it all."""

    address: str
    family: str
    messages: tuple[str, ...]
    summary: str
    senders: dict[str, tuple[str, ...]]
    receivers: tuple[str, ...]


def _channels() -> dict[str, _Channel]:
    # The braces of the hash tag belong to the key, so the parameter is the tag, braces and all.
    streams = {
        name: getattr(Streams("T"), name).replace("{T}", _TAG)
        for name in ("commands", "events", "outcomes", "verdicts", "disputes")
    }
    said = {family: tuple(types) for family, types in FAMILIES.items()}
    asked = ("shoe.cut", "bettor.sit", "bettor.leave", "bet.place", "bet.withdraw", "bet.pass")
    return {
        "commands": _Channel(
            streams["commands"],
            "commands",
            said["commands"],
            "What the dealer is asked; ids of Redis's own, each command has a derived one. "
            "Anyone who may command writes.",
            {"bettors": asked, "cli": said["commands"], "desk": ("money.adjust",)},
            ("dealer", "auditor"),
        ),
        "events": _Channel(
            streams["events"],
            "events",
            said["events"],
            "What happens at the table; ids are `<shoe>-<seq>`, from 0 in each shoe.",
            {"dealer": said["events"]},
            ("bettors", "resolver", "auditor", "dashboard"),
        ),
        "outcomes": _Channel(
            streams["outcomes"],
            "outcomes",
            said["outcomes"],
            "What each round came to, once; ids are `<shoe>-<round>`.",
            {"resolver": said["outcomes"]},
            ("dealer", "bettors", "auditor", "dashboard"),
        ),
        "verdicts": _Channel(
            streams["verdicts"],
            "verdicts",
            said["verdicts"],
            "What the auditor found; ids are `<shoe>-<round>`, the shoe's `<shoe>-<rounds + 1>`.",
            {"auditor": said["verdicts"]},
            ("dashboard",),
        ),
        "disputes": _Channel(
            streams["disputes"],
            "disputes",
            said["disputes"],
            "Disputes about rounds, opened and resolved; ids are `<n>-0`, and entry n opened the "
            "dispute `T7:n`.",
            {"desk": said["disputes"]},
            ("auditor", "dashboard"),
        ),
        "tables": _Channel(
            TABLES,
            "notices",
            ("table.announced",),
            "Which tables there are; ids of Redis's own.",
            {"dealer": ("table.announced",)},
            ("bettors", "resolver", "auditor", "dashboard"),
        ),
        "closed": _Channel(
            CLOSED,
            "notices",
            ("audit.due",),
            "Shoes whose logs are whole, for workers of the consumer group `auditors`.",
            {"auditor": ("audit.due",)},
            ("auditor",),
        ),
    }


def document() -> Part:
    """Give the whole document."""
    channels = _channels()
    return {
        "asyncapi": "3.0.0",
        "info": {"title": "Shoetrail", "version": VERSION, "description": _DESCRIPTION},
        "defaultContentType": "application/cloudevents+json",
        "servers": {"redis": {"host": "localhost:6379", "protocol": "redis"}},
        "channels": {name: _channel(channel) for name, channel in channels.items()},
        "operations": {
            key: operation
            for name, channel in channels.items()
            for key, operation in _operations(name, channel).items()
        },
        "components": {
            "messages": {
                f"{family}.{name}": _message(family, name, struct)
                for family, types in FAMILIES.items()
                for name, struct in types.items()
            },
            "schemas": components("#/components/schemas/"),
        },
    }


def _channel(channel: _Channel) -> Part:
    found: Part = {
        "address": channel.address,
        "description": channel.summary,
        "messages": {
            name: _ref("components", "messages", f"{channel.family}.{name}")
            for name in channel.messages
        },
    }
    if _TAG in channel.address:
        about = "The table's name in braces: the hash tag that keeps it in one Redis Cluster slot."
        found["parameters"] = {"tag": {"description": about, "examples": ["{T7}"]}}
    return found


def _operations(name: str, channel: _Channel) -> dict[str, Part]:
    sent = {
        f"{service}-sends-{name}": _operation("send", name, service, messages)
        for service, messages in channel.senders.items()
    }
    received = {
        f"{service}-receives-{name}": _operation("receive", name, service, channel.messages)
        for service in channel.receivers
    }
    return sent | received


def _operation(action: str, channel: str, service: str, messages: tuple[str, ...]) -> Part:
    return {
        "action": action,
        "channel": _ref("channels", channel),
        "tags": [{"name": service}],
        "messages": [_ref("channels", channel, "messages", name) for name in messages],
    }


def _message(family: str, name: str, struct: type[Any]) -> Part:
    return {
        "name": name,
        "summary": " ".join((struct.__doc__ or "").split("\n\n")[0].split()),
        "payload": _ref("components", "schemas", f"{family}.{name}"),
    }


def _ref(*path: str) -> Part:
    return {"$ref": "#/" + "/".join(path)}
