"""The published files: current, whole, and of one mind with the code that reads and writes."""

from __future__ import annotations

import json
import re
import tomllib
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas import envelope, json_schemas, publish
from schemas.address import CLOSED, TABLES, Streams
from schemas.commands import COMMANDS, parse_bet_id, parse_command_id
from schemas.errors import Unreadable
from schemas.ruleset import published
from tests.unit.schemas.json_schema import references, resolve, valid
from tests.unit.schemas.making import made

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

FILES = publish.files()
DOCUMENTS: dict[str, Any] = {path: json.loads(data) for path, data in FILES.items()}
ASYNCAPI = DOCUMENTS["asyncapi.json"]
TYPES = [(family, name) for family, types in json_schemas.FAMILIES.items() for name in types]
TIME = "2026-11-30T03:22:19.123456Z"
READERS: dict[str, Callable[[bytes], object]] = {
    "commands": envelope.decode_command,
    "events": envelope.decode_event,
    "outcomes": envelope.decode_outcome,
    "verdicts": envelope.decode_verdict,
    "notices": envelope.decode_notice,
    "disputes": envelope.decode_dispute,
}


def test_what_is_committed_is_current() -> None:
    folder = publish.FOLDER
    there = {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*.json")
    }
    stale = {path for path in there.keys() | FILES.keys() if there.get(path) != FILES.get(path)}
    assert not stale, "run `make schemas`"


def test_writing_again_changes_nothing_and_takes_away_what_is_no_more(tmp_path: Path) -> None:
    (tmp_path / "events").mkdir()
    (tmp_path / "events" / "card.eaten.json").write_text("{}")
    (tmp_path / "README.md").write_text("kept")
    for _ in range(2):
        publish.write(tmp_path)
        there = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.*")}
        assert there == {*FILES, "README.md"}


def test_every_file_ends_in_one_newline_and_is_indented() -> None:
    for data in FILES.values():
        assert data.startswith(b'{\n  "')
        assert data.endswith(b"\n}\n")


def test_there_is_a_file_for_each_type() -> None:
    own = {f"{family}/{name}.json" for family, name in TYPES}
    assert FILES.keys() == own | {"line.json", "ruleset.json", "asyncapi.json"}


@pytest.mark.parametrize("path", FILES)
def test_every_reference_leads_somewhere_and_every_definition_is_used(path: str) -> None:
    document = DOCUMENTS[path]
    found = references(document)
    for ref in found:
        assert resolve(document, ref)
    unused = {f"#/$defs/{name}" for name in document.get("$defs", {})} - set(found)
    assert not unused
    if path != "asyncapi.json":
        assert document["$schema"] == json_schemas.DIALECT


# --------------------------------------------------------------- the schemas against the decoders


def address_of(family: str, name: str) -> tuple[str, str]:
    """An id and a source such as entries of this type have."""
    ids = {"commands": f"12/{name}/alice/1", "notices": "1-0", "disputes": "3-0"}
    if name.startswith("bet.p") and name.endswith("place"):
        ids["commands"] = "12-17/alice/player/1"
    if name == "bet.withdraw":
        ids["commands"] = "12-17/alice/player/1/withdraw"
    suffix = "" if family in {"events", "notices"} else f"/{family}"
    return ids.get(family, "12-45"), f"/tables/T7{suffix}"


def readable(family: str, data: bytes) -> bool:
    try:
        READERS[family](data)
    except Unreadable:
        return False
    return True


@pytest.mark.parametrize(("family", "name"), TYPES)
def test_what_is_written_is_valid_and_what_is_broken_is_not(family: str, name: str) -> None:
    struct = json_schemas.FAMILIES[family][name]
    document = DOCUMENTS[f"{family}/{name}.json"]

    @given(made(struct), st.data())
    @settings(max_examples=15, deadline=None)
    def check(said: Any, data: st.DataObject) -> None:  # noqa: ANN401
        written = envelope.encode(*address_of(family, name), TIME, said)
        assert readable(family, written)
        entry = json.loads(written)
        assert valid(document, entry)
        if family in {"events", "outcomes"}:
            assert valid(DOCUMENTS["line.json"], entry)
        broken = json.loads(written)
        part = data.draw(st.sampled_from([broken, broken["data"]]))
        key = data.draw(st.sampled_from([*part, "extra"]))
        part[key] = {"never": ["of", "this", "type"]}
        assert not valid(document, broken)
        assert not readable(family, json.dumps(broken, separators=(",", ":")).encode())

    check()


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("specversion", "1.1"),
        ("id", "12-045"),
        ("id", "12-45 "),
        ("source", "/tables/T 7"),
        ("source", "/tables/T7/outcomes"),
        ("type", "card.eaten"),
        ("time", "2026-11-30T03:22:19Z"),
        ("time", "2026-11-30T03:22:19.123456+00:00"),
    ],
)
def test_the_envelope_is_held_to_its_spelling(key: str, value: str) -> None:
    said = json_schemas.FAMILIES["events"]["round.opened"](17, command=None)
    entry = json.loads(envelope.encode("12-45", "/tables/T7", TIME, said))
    for path in ("events/round.opened.json", "line.json"):
        assert valid(DOCUMENTS[path], entry)
        assert not valid(DOCUMENTS[path], {**entry, key: value})


@pytest.mark.parametrize("name", COMMANDS)
def test_a_commands_id_is_that_of_its_own_type(name: str) -> None:
    schema = DOCUMENTS[f"commands/{name}.json"]["properties"]["id"]
    own, _ = address_of("commands", name)
    assert parse_bet_id(own.removesuffix("/withdraw")) or parse_command_id(own)
    for other in (*COMMANDS, "betXplace"):
        found = address_of("commands", other)[0]
        assert (re.search(schema["pattern"], found) is not None) == (other == name)


def test_published_rule_sets_fit_their_schema() -> None:
    for rules in published().values():
        plain = json.loads(json.dumps(tomllib.loads(rules.text)))
        assert valid(DOCUMENTS["ruleset.json"], plain)
        assert not valid(DOCUMENTS["ruleset.json"], {**plain, "shuffle": "never"})
        del plain["drawing"]["deal"][3]
        assert not valid(DOCUMENTS["ruleset.json"], plain)


# -------------------------------------------------------------------------------------- AsyncAPI


def test_asyncapi_has_its_required_parts() -> None:
    assert ASYNCAPI["asyncapi"] == "3.0.0"
    assert {"title", "version"} <= ASYNCAPI["info"].keys()
    for server in ASYNCAPI["servers"].values():
        assert {"host", "protocol"} <= server.keys()
    for key in ASYNCAPI["components"]["schemas"] | ASYNCAPI["components"]["messages"]:
        assert re.fullmatch(r"[A-Za-z0-9._-]+", key)


def test_channels_are_the_seven_streams() -> None:
    found = {
        name: channel["address"].replace("{tag}", "{T7}")
        for name, channel in ASYNCAPI["channels"].items()
    }
    streams = Streams("T7")
    of_a_table = ("commands", "events", "outcomes", "verdicts", "disputes")
    expected = {name: getattr(streams, name) for name in of_a_table}
    assert found == expected | {"tables": TABLES, "closed": CLOSED}
    for channel in ASYNCAPI["channels"].values():
        expressions = re.findall(r"\{([^}]+)\}", channel["address"])
        assert expressions == list(channel.get("parameters", {}))


def test_every_type_is_a_message_of_one_channel_with_its_entry_as_payload() -> None:
    carried = [
        (name, message["$ref"])
        for channel in ASYNCAPI["channels"].values()
        for name, message in channel["messages"].items()
    ]
    expected = [(name, f"#/components/messages/{family}.{name}") for family, name in TYPES]
    assert sorted(carried) == sorted(expected)
    assert len(ASYNCAPI["components"]["messages"]) == len(TYPES)
    for family, name in TYPES:
        message = ASYNCAPI["components"]["messages"][f"{family}.{name}"]
        assert message["payload"] == {"$ref": f"#/components/schemas/{family}.{name}"}
        payload = resolve(ASYNCAPI, message["payload"]["$ref"])
        assert payload["properties"]["type"] == {"const": name}
        own = DOCUMENTS[f"{family}/{name}.json"]
        assert payload["properties"]["id"] == own["properties"]["id"]


def test_operations_send_and_receive_messages_of_their_channel() -> None:
    spoken = {"send": set(), "receive": set()}  # type: dict[str, set[str]]
    for operation in ASYNCAPI["operations"].values():
        channel = operation["channel"]["$ref"]
        of_channel = {
            f"{channel}/messages/{name}" for name in resolve(ASYNCAPI, channel)["messages"]
        }
        sent = {message["$ref"] for message in operation["messages"]}
        assert sent <= of_channel
        spoken[operation["action"]] |= sent
    everything = {
        f"#/channels/{channel}/messages/{name}"
        for channel, parts in ASYNCAPI["channels"].items()
        for name in parts["messages"]
    }
    assert spoken == {"send": everything, "receive": everything}


def test_asyncapi_uses_nothing_that_json_schema_draft_7_lacks() -> None:
    text = FILES["asyncapi.json"].decode()
    assert "$defs" not in text
    assert "prefixItems" not in text
    assert "discriminator" not in text
