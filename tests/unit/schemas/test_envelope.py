"""Entries as bytes: one spelling each; whatever is not that is unreadable, and no worse."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import msgspec
import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas import envelope
from schemas.commands import COMMANDS
from schemas.disputes import DISPUTES
from schemas.errors import Unreadable
from schemas.events import EVENTS, NOTICES, CardDrawn, RoundVoided
from schemas.outcomes import OUTCOMES
from schemas.verdicts import VERDICTS
from tests.unit.resolver.script import Script
from tests.unit.schemas.making import made

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

TIME = "2026-11-30T03:22:19.123456Z"
READERS: dict[str, tuple[Callable[[bytes], Any], dict[str, Any]]] = {
    "event": (envelope.decode_event, EVENTS),
    "outcome": (envelope.decode_outcome, OUTCOMES),
    "verdict": (envelope.decode_verdict, VERDICTS),
    "notice": (envelope.decode_notice, NOTICES),
    "dispute": (envelope.decode_dispute, DISPUTES),
    "line": (envelope.decode_line, {**EVENTS, **OUTCOMES}),
}
TYPES = [(family, name) for family, (_, types) in READERS.items() for name in types]
CARD = envelope.encode(
    "12-45",
    "/tables/T7",
    TIME,
    CardDrawn(round=17, hand="player", position=85, card="9H", command=None),
)


def spelled(text: str) -> bytes:
    return text.encode()


def samples() -> list[bytes]:
    """One shoe's events and outcomes."""
    script = Script().opened().hand("2C", "3S", "3D", "TC", "9H", "4D", bets=[("banker", 1000)])
    script.open_round().bet("tie", 500).voided("a wish").closed()
    return [data for _, data in script.lines] + [said.data for said in script.fold()]


SAMPLES = samples()


def test_the_spelling_that_the_design_shows() -> None:
    assert CARD == (
        b'{"specversion":"1.0","id":"12-45","source":"/tables/T7","type":"card.drawn",'
        b'"time":"2026-11-30T03:22:19.123456Z",'
        b'"data":{"round":17,"hand":"player","position":85,"card":"9H","command":null}}'
    )
    message = envelope.decode_event(CARD)
    assert (message.id, message.source, message.time) == ("12-45", "/tables/T7", TIME)
    assert envelope.type_of(message.data) == "card.drawn"


@pytest.mark.parametrize(("family", "name"), TYPES)
@given(data=st.data(), texts=st.tuples(*[st.text('",:{}\\\\ty', max_size=12)] * 3))
@settings(max_examples=10)
def test_the_type_is_seen_without_reading(
    family: str, name: str, data: st.DataObject, texts: tuple[str, str, str]
) -> None:
    said = data.draw(made(READERS[family][1][name]))
    sly = '","type":"shoe.closed","time":"'
    for entry_id, source, time in (texts, (sly, sly, sly), ("\\" + sly, sly + "\\", "")):
        assert envelope.kind_of(envelope.encode(entry_id, source, time, said)) == name.encode()


@pytest.mark.parametrize(("family", "name"), TYPES)
@given(data=st.data())
@settings(max_examples=20)
def test_what_is_encoded_is_read_back(family: str, name: str, data: st.DataObject) -> None:
    read, types = READERS[family]
    said = data.draw(made(types[name]))
    entry, source, time = (data.draw(st.text(max_size=8)) for _ in range(3))
    spelling = envelope.encode(entry, source, time, said)
    message = read(spelling)
    assert message.data == said
    assert type(message.data) is types[name]
    assert (message.id, message.source, message.time) == (entry, source, time)
    assert envelope.encode(message.id, message.source, message.time, message.data) == spelling
    # It is plain JSON, spelled as orjson spells the same.
    assert orjson.dumps(orjson.loads(spelling)) == spelling
    assert json.loads(spelling)["type"] == name


def test_each_family_reads_its_own_only() -> None:
    event, outcome = SAMPLES[0], SAMPLES[-1]
    assert envelope.decode_line(event).id == "12-0"
    assert envelope.decode_line(outcome).id == "12-2"
    for read in (
        envelope.decode_outcome,
        envelope.decode_verdict,
        envelope.decode_notice,
        envelope.decode_command,
    ):
        with pytest.raises(Unreadable):
            read(event)
    with pytest.raises(Unreadable, match="no event of ours; see schemas/published"):
        envelope.decode_event(outcome)


def objects(value: object, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where the objects of a document stand."""
    if isinstance(value, dict):
        yield path
        for key, part in value.items():
            yield from objects(part, (*path, key))
    elif isinstance(value, list):
        for place, part in enumerate(value):
            yield from objects(part, (*path, place))


def with_object(
    data: bytes, path: tuple[Any, ...], change: Callable[[dict[str, Any]], Any]
) -> bytes:
    document = json.loads(data)
    if not path:
        document = change(document)
    else:
        parent = document
        for step in path[:-1]:
            parent = parent[step]
        parent[path[-1]] = change(parent[path[-1]])
    return orjson.dumps(document)


@pytest.mark.parametrize("place", range(len(SAMPLES)))
def test_another_shape_is_unreadable(place: int) -> None:
    data = SAMPLES[place]
    limits = ("data", "limits", "spots")
    for path in objects(json.loads(data)):
        free = path == limits  # its keys are the rule set's spots, in any order
        keys = list(with_object_keys(data, path))
        for key in keys if not free else []:
            assert_unreadable(with_object(data, path, without(key)))
        if not free:
            assert_unreadable(with_object(data, path, lambda o: {**o, "x": None}))
            assert_unreadable(with_object(data, path, lambda o: {"x": 1, **o}))
        if len(keys) > 1 and not free:
            # The same fields in another order are as long as ours: only the bytes tell.
            turned = with_object(data, path, lambda o: dict(reversed(o.items())))
            assert len(turned) == len(data)
            assert_unreadable(turned)
        assert_unreadable(with_object(data, path, lambda o: list(o.values())))
        assert_unreadable(with_object(data, path, lambda _: None))


def without(key: str) -> Callable[[dict[str, Any]], Any]:
    return lambda whole: {name: part for name, part in whole.items() if name != key}


def with_object_keys(data: bytes, path: tuple[Any, ...]) -> list[str]:
    value = json.loads(data)
    for step in path:
        value = value[step]
    return list(value)


def assert_unreadable(data: bytes) -> None:
    # Where null may stand for an object it is another event, not another spelling.
    try:
        message = envelope.decode_line(data)
    except Unreadable:
        return
    assert envelope.encode(message.id, message.source, message.time, message.data) == data
    assert b"null" in data


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('{"spec', '\ufeff{"spec'),
        ('{"spec', ' {"spec'),
        ("}}", "}}\n"),
        ("}}", "}} "),
        ("}}", "}}}"),
        ("}}", "}"),
        (",", ", "),
        (":17", ": 17"),
        (":17", ":17.0"),
        (":17", ":1.7e1"),
        (":17", ":170e-1"),
        (":17", ":017"),
        (":17", ":+17"),
        (":17", ":-17"),
        (":17", ':"17"'),
        (":17", ":true"),
        (":17", ":null"),
        (":17", ":NaN"),
        (":17", ":Infinity"),
        (":17", ":-Infinity"),
        (":17", ":9007199254740992"),
        (":17", ":18446744073709551616"),
        (":17", ":" + "9" * 400),
        (":17", ":" + "9" * 5000),
        (":85", ":-0"),
        (":85", ":0x55"),
        ('"9H"', '"\\u0039H"'),
        ('"9H"', '"9h"'),
        ('"9H"', '"10H"'),
        ('"9H"', "9"),
        ('"9H"', "'9H'"),
        ('"12-45"', '"\\u0031\\u0032-45"'),
        ('"12-45"', '"12\\ud80045"'),
        ('"12-45"', '"12\\ud800\\u0041"'),
        ('"12-45"', '"12\\udc0045"'),
        ('"12-45"', '"12\x0045"'),
        ('"12-45"', '"12\n45"'),
        ('"12-45"', '"12\\x45"'),
        ('"/tables/T7"', '"\\/tables\\/T7"'),
        ('"1.0"', '"1.1"'),
        ('"1.0"', "1.0"),
        ('"card.drawn"', '"card.eaten"'),
        ('"card.drawn"', '"round.resolved"'),
        ('"round":17', '"round":17,"round":17'),
        ('"round":17', '"round":16,"round":17'),
        ('"type"', '"id":"12-45","type"'),
        ('"command":null', '"command":null,"command":null'),
        (',"command":null', ""),
        (',"command":null', ',"command":null,'),
        ('"round":17,', '/**/"round":17,'),
        ('{"round"', '{,"round"'),
    ],
)
def test_another_spelling_is_unreadable(old: str, new: str) -> None:
    text = CARD.decode()
    assert old in text
    with pytest.raises(Unreadable):
        envelope.decode_event(spelled(text.replace(old, new, 1)))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b" ",
        b"null",
        b"{}",
        b"[]",
        b"[" + CARD + b"]",
        b'"' + CARD.hex().encode() + b'"',
        CARD + CARD,
        CARD[:-1],
        CARD.replace(b"12-45", b"12\xff45"),
        CARD.replace(b"12-45", b"12\xed\xa0\x8045"),
        CARD.replace(b"12-45", b"12\xc0\x8045"),
        CARD.decode().encode("utf-16"),
        CARD.decode().encode("utf-32"),
        b"\0" * 100,
        b"[" * 200_000,
        b'{"a":' * 200_000,
        CARD.replace(b'"9H"', b"[" * 100_000 + b"]" * 100_000),
        CARD.replace(b"null", b'{"a":' * 50_000 + b"1" + b"}" * 50_000),
    ],
    ids=str,
)
def test_bytes_that_are_no_entry(data: bytes) -> None:
    for read, _ in READERS.values():
        with pytest.raises(Unreadable):
            read(data)
    with pytest.raises(Unreadable):
        envelope.decode_command(data)


def test_a_control_character_has_one_escape() -> None:
    said = RoundVoided(round=1, reason="\x1f\n\x7f\u2028é🂡", by="b", command=None)
    data = envelope.encode("1-1", "/tables/T7", TIME, said)
    assert b"\\u001f\\n\x7f" in data
    assert envelope.decode_event(data).data == said
    for old, new in ((b"\\u001f", b"\\u001F"), (b"\\n", b"\\u000a"), (b"\x7f", b"\\u007f")):
        with pytest.raises(Unreadable):
            envelope.decode_event(data.replace(old, new))


@given(
    place=st.integers(0, len(SAMPLES) - 1),
    at=st.floats(0, 1, exclude_max=True),
    drop=st.integers(0, 12),
    put=st.binary(max_size=6)
    | st.sampled_from([b"0", b"null", b'"', b"{}", b"1e1", b" ", b"\\u0041"]),
)
@settings(max_examples=500)
def test_whatever_is_read_is_spelled_as_we_spell_it(
    place: int, at: float, drop: int, put: bytes
) -> None:
    data = SAMPLES[place]
    cut = int(at * len(data))
    data = data[:cut] + put + data[cut + drop :]
    try:
        message = envelope.decode_line(data)
    except Unreadable:
        return
    assert envelope.encode(message.id, message.source, message.time, message.data) == data


@given(data=st.binary(max_size=60))
def test_no_bytes_break_a_reader(data: bytes) -> None:
    for read in (*(read for read, _ in READERS.values()), envelope.decode_command):
        with pytest.raises(Unreadable):
            read(data)


def test_what_has_no_spelling_is_not_written() -> None:
    with pytest.raises((TypeError, ValueError)):
        envelope.encode(
            "1-1",
            "/tables/T7",
            TIME,
            RoundVoided(round=1, reason="\ud800", by="b", command=None),
        )


def test_every_type_has_one_name() -> None:
    families = (EVENTS, OUTCOMES, VERDICTS, COMMANDS, NOTICES)
    structs = [struct for family in families for struct in family.values()]
    assert len(set(structs)) == len(structs)
    for family in families:
        for struct in family.values():
            assert issubclass(struct, msgspec.Struct)
            assert struct.__struct_config__.frozen
            assert struct.__struct_config__.forbid_unknown_fields


ODD = [
    b"",
    b"{",
    b"}",
    CARD + b"," + CARD,
    CARD[:60],
    CARD[60:],
    CARD + b" ",
    CARD.replace(b'"9H"', b'"\\u0039H"'),
    CARD.replace(b'"id":"12-45","source":"/tables/T7"', b'"source":"/tables/T7","id":"12-45"'),
    b"[" * 100_000,
    SAMPLES[-1],
]


@given(entries=st.lists(st.sampled_from([*SAMPLES[:6], *ODD]), max_size=6))
def test_a_batch_is_read_as_each_event_by_itself(entries: list[bytes]) -> None:
    expected: list[object] = []
    for data in entries:
        try:
            message = envelope.decode_event(data)
        except Unreadable:
            expected.append(None)
        else:
            expected.append((message.id, message.source, message.time, message.data))
    found = [
        None if read is None else (read.id, read.source, read.time, read.data)
        for read in envelope.decode_events(entries)
    ]
    assert found == expected


@pytest.mark.parametrize("many", [2, 40])
def test_a_newline_within_what_is_given_as_a_line_is_unreadable(many: int) -> None:
    """Few lines or many: two lines that are given as one are none."""
    lines = [SAMPLES[at % len(SAMPLES)] for at in range(many)]
    assert [one.id for one in envelope.decode_lines(lines)] == [
        envelope.decode_line(line).id for line in lines
    ]
    for wrong in (lines[0] + b"\n" + lines[1], lines[0] + b"\n", b"\n" + lines[0], b""):
        for broken in ([wrong, *lines[2:]], [wrong, *lines], [*lines, wrong]):
            with pytest.raises(Unreadable):
                envelope.decode_lines(broken)
